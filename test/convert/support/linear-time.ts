/** Whether reading a kind of document takes time in proportion to its size. */
import type { Test } from 'tap';
import type { MeasuredReading } from './measured-reading.ts';

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
