/** Time limits that ignore time in which this process was suspended, or had no processor. */

/** Longest tick, in milliseconds. */
const TICK_MS = 250;
/** Ticks of a short limit. */
const TICKS = 10;

/**
 * Calls `end` after this many milliseconds of running time. Time is counted in ticks; a late tick counts once, so time in
 * which the server was suspended or starved does not count against a document or Redis.
 *
 * @returns a function that cancels the call, and returns how much running time has passed until then, in milliseconds.
 */
export function afterRunning(ms: number, end: () => void): () => number {
  // The limit may be over.
  const tickMs = Math.min(TICK_MS, Math.max(0, ms) / TICKS);
  let leftMs = ms;
  let since = performance.now();
  let cancel = () => {};
  const wait = () => {
    since = performance.now();
    const timer = setTimeout(() => {
      leftMs = Math.max(0, leftMs - tickMs);
      if (leftMs > 0) wait();
      else last();
    }, tickMs);
    cancel = () => clearTimeout(timer);
  };
  const last = () => {
    // Timers run before I/O: what `end` would end may be over already.
    const turn = setImmediate(end);
    cancel = () => clearImmediate(turn);
  };
  wait();
  return () => {
    cancel();
    return ms - leftMs + Math.min(performance.now() - since, tickMs, leftMs);
  };
}
