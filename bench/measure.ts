/** Measures one document in all ways, taking turns. */
import { promisify } from 'node:util';
import libreOfficeConvert from 'libreoffice-convert';
import type { BenchDocument } from './documents.ts';
import type { Loop } from './loop.ts';
import type { BenchService, Sample } from './service.ts';
import { median, round, summary } from './statistics.ts';

const coldConvert = promisify(libreOfficeConvert.convert);

/** Conversions of each document in a round; the slow way gets one. */
const PER_ROUND = 10;
/** Conversions before any counts: a server that has run for a minute is what customers meet. */
const WARM_UPS = 40;
const CONCURRENCIES = [2, 4, 8];
const PARALLEL_PER_ROUND = 24;

/** The figures of one document; times in milliseconds. */
export type DocumentResult = Awaited<ReturnType<typeof measure>>;

/**
 * @param rounds how often all ways take their turn.
 */
export async function measure(document: BenchDocument, service: BenchService, loop: Loop, rounds: number) {
  const sequential: Sample[] = [];
  const limit: number[] = [];
  const cold: number[] = [];
  const throughputs = new Map<number, number[]>([1, ...CONCURRENCIES].map((n) => [n, []]));
  for (let i = 0; i < WARM_UPS; i++) {
    await service.convert(document);
    await loop.convert(document);
  }
  for (let n = 0; n < rounds; n++) {
    // One of each in turn: a noisy second hits both.
    for (let i = 0; i < PER_ROUND; i++) {
      sequential.push(await service.convert(document));
      limit.push(await loop.convert(document));
    }
    const started = performance.now();
    await coldConvert(document.content, 'pdf', undefined);
    cold.push(performance.now() - started);
    for (const [concurrency, rates] of throughputs)
      rates.push(await throughput(service, document, concurrency));
  }
  const totals = sequential.map(({ totalMs }) => totalMs);
  const rate = (concurrency: number) => median(throughputs.get(concurrency) ?? []);
  return {
    name: document.name,
    bytes: document.content.length,
    service: summary(totals),
    outsideKit: summary(await service.outsideKit(sequential)),
    libreofficeConvert: summary(cold),
    loop: summary(limit),
    documentsPerSecond: Object.fromEntries([...throughputs.keys()].map((n) => [n, round(rate(n))])),
    ratios: {
      timesFasterThanLibreofficeConvert: round(median(cold) / median(totals)),
      timesTheLoop: round(median(totals) / median(limit)),
      throughputAt2OverSequential: round(rate(2) / rate(1)),
    },
  };
}

/** Documents per second with `concurrency` clients that each send the next as soon as one is back. */
async function throughput(
  service: BenchService,
  document: BenchDocument,
  concurrency: number,
): Promise<number> {
  let left = PARALLEL_PER_ROUND;
  const client = async () => {
    while (left-- > 0) await service.convert(document);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, client));
  return PARALLEL_PER_ROUND / ((performance.now() - started) / 1000);
}
