/** How the service is, all of it: what the operator reads as JSON and the metrics show as figures. */
import { type Static, Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Preflight } from '../convert/preflight.ts';
import type { Probe } from '../convert/probe.ts';
import type { Engine } from '../engine/engine.ts';
import type { Queue } from '../engine/queue.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { Billing } from '../limits/billing.ts';
import type { Maintenance } from '../redis/maintenance.ts';
import type { WriteCheck } from '../redis/writable.ts';
import { residentSizes } from '../resident-sizes.ts';
import { assertHealthy, assertReady } from './routes/health.ts';

/** What is asked; each of them answers within a second, also when it fails. */
export interface StatusSources {
  readonly version: string;
  readonly config: Pick<Config, 'workers' | 'queueLimit'>;
  readonly lifecycle: Lifecycle;
  readonly engine: Engine;
  readonly queue: Queue;
  readonly preflight: Preflight;
  readonly billing: Billing;
  readonly probe: Probe;
  readonly maintenance: Maintenance;
  readonly writeCheck: WriteCheck;
  /** Whether the event loop starves. */
  readonly isStarving: () => boolean;
}

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });
const Nothing = Type.Null();
const WaitingByClass = Type.Object({ live: Count, test: Count, public: Count, probe: Count });
const Bytes = Type.Integer({ minimum: 0, description: 'Bytes.' });

export const ServiceStatus = Type.Object({
  status: Type.Enum(['ok', 'unavailable'], { description: 'As /health answers: 200 or 503.' }),
  problem: Type.Union([Type.String(), Nothing], { description: 'What /health says is missing.' }),
  ready: Type.Boolean({ description: 'As /health/ready answers.' }),
  phase: Type.Enum(['starting', 'ready', 'draining']),
  version: Type.String(),
  node: Type.String({ description: 'Version of Node.' }),
  startedAt: Time,
  lastProof: Type.Union([Type.Object({ ok: Type.Boolean(), at: Time }), Nothing], {
    description: "The newest conversion that proves the service: a customer's, or one of its own.",
  }),
  maintenance: Type.Object({ on: Type.Boolean(), since: Type.Union([Time, Nothing]) }),
  engine: Type.Object({
    engine: Type.Enum(['kit', 'cold']),
    ready: Type.Boolean(),
    libreOffice: Type.Union([Type.String(), Nothing]),
    pid: Type.Union([Count, Nothing]),
    restarts: Type.Integer({ minimum: 0, description: 'Kits that had to be replaced because they died.' }),
    renewals: Type.Integer({ minimum: 0, description: 'Kits that were replaced on purpose.' }),
    children: Type.Object({ idle: Count, running: Count }),
    documents: Type.Integer({ minimum: 0, description: 'Documents that it began to convert.' }),
  }),
  sandbox: Type.Array(
    Type.Object({
      name: Type.String(),
      active: Type.Boolean({ description: 'Whether documents are converted under it.' }),
      required: Type.Boolean({ description: 'Whether SANDBOX=required refuses to start without it.' }),
    }),
    { description: 'The layers around each document.' },
  ),
  queue: Type.Object({
    workers: Count,
    limit: Count,
    running: Count,
    waiting: Count,
    waitingByClass: WaitingByClass,
    arriving: Type.Integer({ minimum: 0, description: 'Uploads under way.' }),
    oldestWaitMs: Type.Number({ minimum: 0 }),
  }),
  preflight: Type.Object(
    {
      threads: Count,
      running: Count,
      waitingByClass: WaitingByClass,
      oldestWaitMs: Type.Number({ minimum: 0 }),
    },
    { description: 'Packages that take a while to read: in a thread, or waiting for one.' },
  ),
  redis: Type.Object({
    up: Type.Boolean({ description: 'It answers.' }),
    writable: Type.Boolean({ description: 'It takes writes.' }),
    latencyMs: Type.Union([Type.Number(), Nothing], { description: 'Of one command, now.' }),
  }),
  billing: Type.Object({
    unsettled: Type.Integer({ minimum: 0, description: 'Deliveries in the journal alone.' }),
    backlog: Type.Integer({ minimum: 0, description: 'What Redis has to be told of again.' }),
  }),
  residentBytes: Type.Object(
    { server: Bytes, kit: Bytes, child: Bytes, redis: Bytes, other: Bytes },
    { description: 'By process; pages that a kit shares with its children count in each of them.' },
  ),
});

export type ServiceStatus = Static<typeof ServiceStatus>;

/** Asks everything at once. Never rejects, and takes about a second at most. */
export async function readStatus(sources: StatusSources): Promise<ServiceStatus> {
  const { version, config, lifecycle, engine, queue, preflight, billing, probe } = sources;
  const [redis, maintenance, problem, notReady, residentBytes] = await Promise.all([
    redisState(sources),
    maintenanceState(sources),
    problemOf(assertHealthy(sources)),
    problemOf(assertReady(sources)),
    residentSizes(),
  ]);
  const { sandbox, ...engineState } = engine.status();
  const { running, waiting, waitingByClass, arriving, oldestWaitMs } = queue;
  return {
    status: problem === null ? 'ok' : 'unavailable',
    problem,
    ready: notReady === null,
    phase: lifecycle.phase,
    version,
    node: process.version,
    startedAt: new Date(performance.timeOrigin).toISOString(),
    lastProof: probe.result ?? null,
    maintenance,
    engine: {
      ...engineState,
      libreOffice: engineState.libreOffice ?? null,
      pid: engineState.pid ?? null,
    },
    sandbox: [...sandbox],
    queue: {
      workers: config.workers,
      limit: config.queueLimit,
      running,
      waiting,
      waitingByClass,
      arriving,
      oldestWaitMs,
    },
    preflight: preflight.state(),
    redis,
    billing: { unsettled: billing.unsettled, backlog: billing.backlog },
    residentBytes,
  };
}

async function problemOf(check: Promise<unknown>): Promise<string | null> {
  try {
    await check;
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function redisState({ maintenance, writeCheck }: StatusSources): Promise<ServiceStatus['redis']> {
  const asked = performance.now();
  const [read, written] = await Promise.all([
    problemOf(maintenance.since()).then((problem) => ({ problem, ms: performance.now() - asked })),
    problemOf(writeCheck.assertWritable()),
  ]);
  const up = read.problem === null;
  return { up, writable: written === null, latencyMs: up ? read.ms : null };
}

/** Without Redis nobody knows, and nothing is converted either. */
async function maintenanceState({ maintenance }: StatusSources): Promise<ServiceStatus['maintenance']> {
  const since = await maintenance.since().catch(() => undefined);
  return { on: since !== undefined, since: since ?? null };
}
