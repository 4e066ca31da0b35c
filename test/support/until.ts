import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 20;

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
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(INTERVAL_MS);
  }
}
