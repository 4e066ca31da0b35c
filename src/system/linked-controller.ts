import { setMaxListeners } from 'node:events';

/**
 * Runs a task with a controller of its own, which also aborts with the first of these signals, for its reason.
 *
 * In place of `AbortSignal.any`, which leaves something at each of its signals that Node 20 never takes away, and takes
 * longer.
 */
export async function withLinkedController<T>(
  signals: readonly AbortSignal[],
  task: (linked: AbortController) => Promise<T>,
): Promise<T> {
  const linked = new AbortController();
  const links = signals.map((signal) => ({ signal, abort: () => linked.abort(signal.reason) }));
  // As many tasks as there are may listen to one signal at a time.
  setMaxListeners(0, ...signals);
  for (const { signal, abort } of links) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  try {
    return await task(linked);
  } finally {
    for (const { signal, abort } of links) signal.removeEventListener('abort', abort);
  }
}
