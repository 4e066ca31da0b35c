/** What follows from the measured costs for many machines: the formulas of docs/scaling.md. */
import { round } from '../statistics.ts';

/** The measurements that the model needs. */
export interface Measured {
  readonly fleet: {
    readonly connectionsAServer: number;
    readonly checkedSecondOfAServer: { readonly cpuMicroseconds: number };
    /** Of a conversion, with Redis busy. */
    readonly replay: {
      readonly cpuMicroseconds: number;
      readonly bytesIn: number;
      readonly bytesOut: number;
      readonly diskBytes: number;
    };
    readonly kept: { readonly ledgerBytes: number; readonly settledBytes: number };
  };
  readonly documents: {
    readonly bytesIn: { readonly mean: number };
    readonly bytesOut: { readonly mean: number };
  };
}

interface Machines {
  readonly servers: number;
  /** Documents a second of each. */
  readonly documentsEach: number;
}

/** Largest share of a core for Redis: beyond it, waiting grows faster than work. */
const FULL = 0.7;
const MONTH_SECONDS = 30 * 86_400;
/** The ledger is kept for 400 days after its month. */
const LEDGER_SECONDS = 415 * 86_400;
/** Ids of settled requests: for 62 days after it. */
const SETTLED_SECONDS = 77 * 86_400;
const MEGABIT = 125_000;
const GIGABYTE = 1e9;

const EXAMPLES: readonly Machines[] = [
  { servers: 1, documentsEach: 40 },
  { servers: 10, documentsEach: 20 },
  { servers: 10, documentsEach: 40 },
  { servers: 50, documentsEach: 20 },
  { servers: 50, documentsEach: 40 },
];

/** The examples, and where one Redis ends. */
export function modelOf(measured: Measured) {
  return {
    examples: EXAMPLES.map((machines) => loadOf(measured, machines)),
    end: [20, 40].map((documentsEach) => endOf(measured, documentsEach)),
  };
}

/** What Redis and the balancer have to do for these machines, all of them busy. CPU in per cent of a core. */
export function loadOf({ fleet, documents }: Measured, { servers, documentsEach }: Machines) {
  const perSecond = servers * documentsEach;
  const { replay, checkedSecondOfAServer: second, kept } = fleet;
  const redisMicroseconds = perSecond * replay.cpuMicroseconds + servers * second.cpuMicroseconds;
  return {
    servers,
    conversionsASecond: perSecond,
    redisCpuPercent: round(redisMicroseconds / 10_000),
    redisMegabits: round((perSecond * (replay.bytesIn + replay.bytesOut)) / MEGABIT),
    redisDiskMegabytesASecond: round((perSecond * replay.diskBytes) / 1e6),
    redisConnections: Math.ceil(servers * fleet.connectionsAServer),
    redisGigabytesOfAMonth: round((perSecond * MONTH_SECONDS * bytesOf(kept)) / GIGABYTE),
    balancerMegabitsEachWay: round(
      (perSecond * (documents.bytesIn.mean + documents.bytesOut.mean)) / MEGABIT,
    ),
  };
}

/** How many servers fill a core of one Redis, and how much memory that load would take in the long run. */
export function endOf({ fleet }: Measured, documentsEach: number) {
  const { replay, checkedSecondOfAServer: second, kept } = fleet;
  const serverMicroseconds = documentsEach * replay.cpuMicroseconds + second.cpuMicroseconds;
  const servers = Math.floor((FULL * 1e6) / serverMicroseconds);
  return {
    documentsEach,
    servers,
    conversionsASecond: servers * documentsEach,
    keptGigabytesForEachConversionASecond: round(
      (LEDGER_SECONDS * kept.ledgerBytes + SETTLED_SECONDS * kept.settledBytes) / GIGABYTE,
    ),
  };
}

function bytesOf({ ledgerBytes, settledBytes }: Measured['fleet']['kept']): number {
  return ledgerBytes + settledBytes;
}
