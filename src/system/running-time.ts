/** Time limits that ignore time in which this process was suspended. */

/** Tick interval. */
const LOOK_MS = 250;

/**
 * Calls `end` after this many milliseconds of running time. Time is counted in ticks; a late tick counts once, so time in
 * which the server was suspended or starved does not count against a document or Redis.
 *
 * @returns a function that cancels the call.
 */
export function afterRunning(ms: number, end: () => void): () => void {
  let cancel = () => {};
  const wait = (leftMs: number) => {
    const lookMs = Math.min(leftMs, LOOK_MS);
    const timer = setTimeout(() => (lookMs < leftMs ? wait(leftMs - lookMs) : last()), lookMs);
    cancel = () => clearTimeout(timer);
  };
  const last = () => {
    // Timers run before I/O: what `end` would end may be over already.
    const turn = setImmediate(end);
    cancel = () => clearImmediate(turn);
  };
  wait(ms);
  return () => cancel();
}
