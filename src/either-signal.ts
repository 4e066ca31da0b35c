import { setMaxListeners } from 'node:events';

/**
 * Runs a task with a signal that aborts with the first of two, for its reason.
 *
 * For signals that outlive the task, such as the one of the service's end: `AbortSignal.any` leaves something at each
 * of its signals that Node 20 never takes away.
 */
export async function withEither<T>(
  signals: readonly [AbortSignal, AbortSignal],
  task: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const links = signals.map((signal) => ({ signal, abort: () => either.abort(signal.reason) }));
  // As many tasks as there are may listen to one signal at a time.
  setMaxListeners(0, ...signals);
  for (const { signal, abort } of links) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  try {
    return await task(either.signal);
  } finally {
    for (const { signal, abort } of links) signal.removeEventListener('abort', abort);
  }
}
