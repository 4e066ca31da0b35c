/** Time limits that do not count the time for which this process itself stood still. */

/** Between two looks. */
const LOOK_MS = 250;

/**
 * Calls `end` after so many milliseconds in which this process ran. They are counted in looks, of which one that
 * comes late counts no more than any other: a server that was stopped, with all that it started, or that got no time,
 * does not hold that against a document, or against Redis.
 *
 * @returns what to call when it is not to be called any more.
 */
export function afterRunning(ms: number, end: () => void): () => void {
  let cancel = () => {};
  const wait = (leftMs: number) => {
    const lookMs = Math.min(leftMs, LOOK_MS);
    const timer = setTimeout(() => (lookMs < leftMs ? wait(leftMs - lookMs) : last()), lookMs);
    cancel = () => clearTimeout(timer);
  };
  const last = () => {
    // Timers come before what there is to read: what `end` would end may be over.
    const turn = setImmediate(end);
    cancel = () => clearImmediate(turn);
  };
  wait(ms);
  return () => cancel();
}
