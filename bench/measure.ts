/** Measures one document in all ways, taking turns. */
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import libreOfficeConvert from 'libreoffice-convert';
import type { BenchDocument } from './documents.ts';
import { COMPETITORS_AT, type Levels } from './levels.ts';
import type { LineConverter } from './line-converter.ts';
import { type Convert, queueAlone, type Run, runClients, shared } from './parallel.ts';
import type { BenchService, Sample } from './service.ts';
import { median, round, summary } from './statistics.ts';

const coldConvert = promisify(libreOfficeConvert.convert);

/** Before each conversion that is timed alone: a soffice works on for a while after its answer. */
const SETTLE_MS = 50;

interface Ways {
  readonly service: BenchService;
  /** Loops in warm processes without a fork, one for each core. */
  readonly loops: readonly LineConverter[];
  /** Warm soffices driven as unoserver does it, one for each core. */
  readonly unoservers: readonly LineConverter[];
  /** Warm soffices driven with the fewest calls, one for each core. */
  readonly soffices: readonly LineConverter[];
}

/** Numbers of conversions. Customers meet a server that has run for a while, hence the warm-ups. */
interface Counts {
  readonly rounds: number;
  readonly warmUps: number;
  /** Sequential conversions per round. */
  readonly sequential: number;
  /** Conversions per round at each level. */
  readonly parallel: number;
  readonly competitor: number;
}

function countsOf({ heavy }: BenchDocument, rounds: number): Counts {
  return heavy
    ? { rounds: Math.ceil(rounds / 3), warmUps: 4, sequential: 4, parallel: 10, competitor: 4 }
    : { rounds, warmUps: 40, sequential: 10, parallel: 40, competitor: 12 };
}

/** The figures of one document; times in milliseconds, rates in documents a second. */
export type DocumentResult = Awaited<ReturnType<typeof measure>>;

/** @param rounds number of turns of all ways; a third of them for a heavy document. */
export async function measure(document: BenchDocument, ways: Ways, levels: Levels, rounds: number) {
  const { service, loops, unoservers, soffices } = ways;
  const counts = countsOf(document, rounds);
  const samples: Sample[] = [];
  const loopTimes: number[] = [];
  const unoserverTimes: number[] = [];
  const sofficeTimes: number[] = [];
  const coldTimes: number[] = [];
  const convert: Convert = () => service.convert(document);
  const cold: Convert = () => coldConvert(document.content, 'pdf', undefined);
  const inAll = (converters: readonly LineConverter[]) =>
    converters.map((converter) => () => converter.convert(document));
  const inLoops = inAll(loops);
  const inUnoservers = inAll(unoservers);
  const inSoffices = inAll(soffices);
  const tried = document.heavy ? levels.heavy : levels.small;
  const atLevel = new Map<number, Run[]>(tried.map((level) => [level, []]));
  const rates = {
    loop: [] as number[],
    loopsTogether: [] as number[],
    libreofficeConvert: [] as number[],
    oneUnoserver: [] as number[],
    unoservers: [] as number[],
    soffices: [] as number[],
  };
  const rate = async (name: keyof typeof rates, way: Convert, clients: number, count: number) => {
    rates[name].push((await runClients(way, clients, count)).perSecond);
  };
  const alone = async <T>(way: () => Promise<T>): Promise<T> => {
    await delay(SETTLE_MS);
    return way();
  };
  await Promise.all(
    [convert, ...inLoops, ...inUnoservers, ...inSoffices].map((way) => runClients(way, 1, counts.warmUps)),
  );
  for (let n = 0; n < counts.rounds; n++) {
    // In turns, so that a noisy second affects all.
    for (let i = 0; i < counts.sequential; i++) {
      samples.push(await alone(() => service.convert(document)));
      loopTimes.push(await alone(() => first(loops).convert(document)));
      unoserverTimes.push(await alone(() => first(unoservers).convert(document)));
      sofficeTimes.push(await alone(() => first(soffices).convert(document)));
    }
    coldTimes.push(...(await runClients(cold, 1, 1)).times);
    for (const [level, runs] of atLevel) runs.push(await runClients(convert, level, counts.parallel));
    await rate('loop', first(inLoops), 1, counts.parallel);
    await rate('loopsTogether', shared(inLoops), loops.length, counts.parallel);
    await rate('oneUnoserver', shared(inUnoservers.slice(0, 1)), COMPETITORS_AT, counts.competitor);
    await rate('unoservers', shared(inUnoservers), COMPETITORS_AT, counts.competitor);
    await rate('soffices', shared(inSoffices), COMPETITORS_AT, counts.competitor);
    await rate('libreofficeConvert', cold, COMPETITORS_AT, COMPETITORS_AT);
  }
  const full = atLevel.get(levels.full) ?? [];
  const outsideKit = await service.outsideKit(samples);
  return {
    name: document.name,
    bytes: document.content.length,
    rounds: counts.rounds,
    service: summary(samples.map(({ totalMs }) => totalMs)),
    outsideKit: summary(outsideKit.map(({ all }) => all)),
    /** Medians of its parts, in their order. */
    outsidePhases: {
      upload: round(median(outsideKit.map(({ upload }) => upload))),
      preflight: round(median(outsideKit.map(({ preflight }) => preflight))),
      delivery: round(median(outsideKit.map(({ delivery }) => delivery))),
    },
    libreofficeConvert: summary(coldTimes),
    unoserver: summary(unoserverTimes),
    soffice: summary(sofficeTimes),
    loop: summary(loopTimes),
    levels: [...atLevel].map(([level, runs]) => levelResult(level, runs)),
    /** The expected times if requests only waited in a queue. */
    queueAlone: summary(
      full.flatMap(({ times }) =>
        queueAlone(times, { workers: levels.full, clients: levels.crowded, count: counts.parallel }),
      ),
    ),
    perSecond: {
      loop: round(median(rates.loop)),
      loopsTogether: round(median(rates.loopsTogether)),
      libreofficeConvert: round(median(rates.libreofficeConvert)),
      oneUnoserver: round(median(rates.oneUnoserver)),
      unoservers: round(median(rates.unoservers)),
      soffices: round(median(rates.soffices)),
    },
  };
}

function levelResult(level: number, runs: readonly Run[]) {
  return {
    level,
    perSecond: round(median(runs.map(({ perSecond }) => perSecond))),
    times: summary(runs.flatMap(({ times }) => times)),
  };
}

function first<T>(all: readonly T[]): T {
  const [one] = all;
  if (one === undefined) throw new RangeError('there is none');
  return one;
}
