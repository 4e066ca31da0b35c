import { setTimeout as delay } from 'node:timers/promises';

/** Bounds of the polling interval, which is a tenth of the time passed. */
const SHORTEST_MS = 20;
const LONGEST_MS = 100;

/**
 * Polls until the answer is yes, for conditions without an event.
 *
 * @param what is awaited, for the message.
 * @param withinMs time limit in milliseconds, after which it rejects.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const passed = performance.now() - start;
    if (passed > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(Math.min(Math.max(passed / 10, SHORTEST_MS), LONGEST_MS));
  }
}
