/** Whether reading a kind of document takes time in proportion to its size. */
import type { Test } from 'tap';
import type { Measured, MeasuredReading } from './measured-reading.ts';

/** How many times as long twice as much may take. */
const MOST = 2.6;
/** CPU time in milliseconds that the engine takes on its own, such as for compiling and for its heap. */
const NOISE_MS = 20;
/** A busy machine makes some measurements too long, and none too short. */
const ATTEMPTS = 6;

/** Asserts that reading it at twice the size takes at most 2.6 times the CPU time, by the shortest of some measurements. */
export async function assertLinear(
  t: Test,
  reading: MeasuredReading,
  name: string,
  size: number,
): Promise<{ readonly cpuMs: number; readonly inflatedBytes: number }> {
  let [one, two] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let inflatedBytes = 0;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const single = await reading.read({ name, size });
    const double = await reading.read({ name, size: 2 * size });
    for (const { mistake } of [single, double]) if (mistake !== undefined) t.fail(`${name}: ${mistake}`);
    one = Math.min(one, single.cpuMs);
    two = Math.min(two, double.cpuMs);
    inflatedBytes = double.inflatedBytes;
    if (two <= MOST * one + NOISE_MS) break;
  }
  t.ok(two <= MOST * one + NOISE_MS, `${name}: ${Math.round(one)} ms, and ${Math.round(two)} ms`);
  return { cpuMs: two, inflatedBytes };
}

/** A block that runs this many times as often for twice as much, and more than a few times, is not linear; sorting is below. */
const MOST_GROWTH = 2.3;
const FEW = 200;
/** They run once for each character, or script, that is new to the process, up to a limit. */
const ONCE = ['text/sketch.ts fold', 'text/scripts.ts'];
/** They read around edits, of a text of 2,048 characters and more alone: one of these sizes may be shorter; see linear.soak.ts. */
const OF_LONG_TEXTS = ['function', 'readAround', 'take'].map((name) => `document/markup-index.ts ${name} `);

/**
 * The places of the blocks that run more than twice as often at twice the size.
 *
 * @param reading one that counts. V8 loses a count now and then, so that a suspicion has to be confirmed.
 * @param take is given what was measured.
 */
export async function grownBlocks(
  t: Test,
  reading: MeasuredReading,
  name: string,
  size: number,
  take: (measured: Measured) => void = () => {},
): Promise<ReadonlySet<string>> {
  let suspected: ReadonlySet<string> | undefined;
  for (let attempt = 1; suspected?.size !== 0 && attempt <= ATTEMPTS; attempt += 1) {
    const one = await reading.read({ name, size });
    const two = await reading.read({ name, size: 2 * size });
    for (const { mistake } of [one, two]) if (mistake !== undefined) t.fail(`${name}: ${mistake}`);
    take(two);
    const found = [...two.counts]
      .filter(([place, count]) => count > MOST_GROWTH * countOf(place, one, two.around) + FEW)
      .map(([place]) => place)
      .filter((place) => ![...ONCE, ...OF_LONG_TEXTS].some((each) => place.startsWith(each)));
    const before = suspected;
    suspected = new Set(found.filter((place) => before?.has(place) ?? true));
  }
  return suspected ?? new Set();
}

function countOf(place: string, { counts }: Measured, around: Measured['around']): number {
  let at: string | undefined = place;
  while (at !== undefined && !counts.has(at)) at = around.get(at);
  return at === undefined ? 0 : (counts.get(at) ?? 0);
}
