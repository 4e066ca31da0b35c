/** What is made beside a PDF of one document: pictures of pages, and one PDF of several documents. */
import { manyPages, onePage } from './documents.ts';
import { runClients } from './parallel.ts';
import type { BenchService } from './service.ts';
import { median, round } from './statistics.ts';

const COMBINED = 10;

/** A way, and one to compare it with; medians in milliseconds at the client. */
export interface OutputCost {
  readonly name: string;
  readonly ms: number;
  readonly than: string;
  readonly thanMs: number;
}

/** @param cores clients of the conversions that a combined PDF is compared with. */
export async function measureOutputs(
  service: BenchService,
  cores: number,
  count: number,
): Promise<OutputCost[]> {
  const [one, many] = [onePage().content, manyPages(200)];
  const pdf = (content: Buffer) => service.convert({ content });
  const ten = Array.from({ length: COMBINED }, () => one);
  return [
    await compared(
      'picture of one page',
      () => service.picture(one),
      'its PDF',
      () => pdf(one),
      count,
    ),
    await compared(
      'picture of page 1 of 200',
      () => service.picture(many),
      'their PDF',
      () => pdf(many),
      count / 4,
    ),
    await compared(
      'one PDF of ten pages',
      () => service.combine(ten),
      `ten PDFs, ${cores} at a time`,
      () => runClients(() => pdf(one), cores, COMBINED),
      count,
    ),
  ];
}

/** In turns, so that a drifting machine speed affects both. */
async function compared(
  name: string,
  way: () => Promise<unknown>,
  than: string,
  other: () => Promise<unknown>,
  count: number,
): Promise<OutputCost> {
  const times: [number[], number[]] = [[], []];
  for (let round = -1; round < count; round++) {
    for (const [index, each] of [way, other].entries()) {
      const started = performance.now();
      await each();
      // The first round warms up.
      if (round >= 0) times[index]?.push(performance.now() - started);
    }
  }
  const [ms, thanMs] = times.map((each) => round(median(each))) as [number, number];
  return { name, ms, than, thanMs };
}
