/**
 * node --import=tsx bench/workers.ts: finds the best number of workers: 1, 1.5 and 2 per core, with four clients per
 * core. First with one-page documents only, then with 46 pages and pictures in every tenth. The services take turns,
 * ROUNDS (default 5) times. Prints Markdown.
 */
import { cpus } from 'node:os';
import { benchDocuments, onePage } from './documents.ts';
import { runClients } from './parallel.ts';
import { BenchService } from './service.ts';
import { median, percentile, round } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const WORKERS_A_CORE = [1, 1.5, 2];
const CLIENTS_A_CORE = 4;
const DOCUMENTS = 120;
const WARM_UPS = 60;
const EVERY = 10;

const cores = cpus().length;
const clients = CLIENTS_A_CORE * cores;
const short = onePage();
const long = benchDocuments().find(({ name }) => name.startsWith('46 pages')) ?? short;

/** Results for a number of workers: documents a second of each round, and milliseconds of one-page documents. */
interface Contender {
  readonly workers: number;
  readonly service: BenchService;
  readonly alone: Measured;
  readonly mixed: Measured;
}

interface Measured {
  readonly perSecond: number[];
  readonly shortMs: number[];
}

const contenders: Contender[] = [];
try {
  for (const share of WORKERS_A_CORE) {
    const workers = Math.round(share * cores);
    const service = await BenchService.start({ WORKERS: String(workers) });
    const nothing = (): Measured => ({ perSecond: [], shortMs: [] });
    contenders.push({ workers, service, alone: nothing(), mixed: nothing() });
    await runClients(() => service.convert(short), clients, WARM_UPS);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { service, alone, mixed } of contenders) {
      await measure(service, alone, 0);
      await measure(service, mixed, EVERY);
    }
  }
  console.log(report());
} finally {
  for (const { service } of contenders) await service.stop();
}

/** @param longEvery interval of long documents; 0: none. */
async function measure(service: BenchService, measured: Measured, longEvery: number): Promise<void> {
  let sent = 0;
  const convert = async () => {
    const isLong = longEvery > 0 && ++sent % longEvery === 0;
    const { totalMs } = await service.convert(isLong ? long : short);
    if (!isLong) measured.shortMs.push(totalMs);
  };
  const { perSecond } = await runClients(convert, clients, DOCUMENTS);
  measured.perSecond.push(perSecond);
}

function report(): string {
  const cells = ({ perSecond, shortMs }: Measured) => [
    round(median(perSecond)),
    `${round(median(shortMs))} (${round(percentile(shortMs, 0.99))})`,
  ];
  const rows = contenders.map(({ workers, alone, mixed }) => [workers, ...cells(alone), ...cells(mixed)]);
  return [
    `${cores} cores, ${clients} clients. Medians, 99th percentile in brackets.`,
    '',
    '| at once | one page: a second | ms | mixed: a second | ms of one page |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}
