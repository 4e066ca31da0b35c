/** How long documents take with the engine's own layout and with Word's pages. */
import { readFile } from 'node:fs/promises';
import type { BenchService, ConversionAccount, RequestedLayout } from '../service.ts';
import { median, percentile, round } from '../statistics.ts';
import type { Pair } from './pairs.ts';
import { percent } from './results.ts';

/** Documents by the way in which their page breaks were decided; times in milliseconds, as the client sees them. */
interface GroupTimes {
  /** Chosen layout, and its reason. */
  readonly pagination: string;
  readonly documents: number;
  readonly engine: Times;
  readonly auto: Times;
  /** How much longer a document takes with Word's page breaks: median over the documents, as a share. */
  readonly more: number;
}

interface Times {
  readonly median: number;
  readonly p95: number;
}

type Samples = Record<RequestedLayout, number[]>;

/**
 * Converts each document `rounds` times with either layout, one at a time and in turns, so that other load affects
 * both equally.
 *
 * @throws NotConverted if a document fails that was converted before
 */
export async function measureTimes(
  pairs: readonly Pair[],
  documents: readonly { readonly name: string; readonly account: ConversionAccount }[],
  rounds: number,
  service: BenchService,
): Promise<GroupTimes[]> {
  const groups = new Map<string, Samples[]>();
  for (const { name, account } of documents) {
    const pair = pairs.find((each) => each.name === name);
    if (!pair) continue;
    const content = await readFile(pair.docx);
    const samples: Samples = { engine: [], auto: [] };
    for (let round = 0; round < rounds; round++) {
      const turns = round % 2 === 0 ? (['engine', 'auto'] as const) : (['auto', 'engine'] as const);
      for (const layout of turns) samples[layout].push((await service.pdf(content, { layout })).totalMs);
    }
    const { by, reason } = account.pagination ?? { by: 'nobody', reason: 'unknown' };
    groups.set(`${by}: ${reason}`, [...(groups.get(`${by}: ${reason}`) ?? []), samples]);
  }
  return [...groups]
    .map(([pagination, samples]) => timesOf(pagination, samples))
    .sort((one, other) => (one.pagination < other.pagination ? -1 : 1));
}

/** @param samples of each document; at least one per layout. */
export function timesOf(pagination: string, samples: readonly Samples[]): GroupTimes {
  const times = (layout: RequestedLayout): Times => {
    const all = samples.flatMap((document) => document[layout]);
    return { median: round(median(all)), p95: round(percentile(all, 0.95)) };
  };
  return {
    pagination,
    documents: samples.length,
    engine: times('engine'),
    auto: times('auto'),
    more: median(samples.map(({ auto, engine }) => median(auto) / median(engine) - 1)),
  };
}

export function timesReport(times: readonly GroupTimes[]): string {
  const width = Math.max(...times.map(({ pagination }) => pagination.length));
  const row = (name: string, ...cells: string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(9))].join('  ');
  return [
    'milliseconds a document, in turns:',
    '',
    row('pages', 'documents', 'engine', 'p95', 'auto', 'p95', 'more'),
    ...times.map(({ pagination, documents, engine, auto, more }) => {
      const figures = [engine.median, engine.p95, auto.median, auto.p95].map((ms) => ms.toFixed(0));
      return row(pagination, String(documents), ...figures, percent(more));
    }),
  ].join('\n');
}
