/** The running time that a document may take: by being read, and in the engine. */
import { afterRunning } from './running-time.ts';

/** One for each document. */
export class TimeBudget {
  readonly #ms: number;
  #leftMs: number;
  /** When the running task began. */
  #since: number | undefined;

  /** @param ms running time in milliseconds; see {@link afterRunning}. */
  constructor(ms: number) {
    this.#ms = ms;
    this.#leftMs = ms;
  }

  /** Milliseconds that are left, without what a running task has taken by the clock. */
  get leftMs(): number {
    return this.#leftMs - (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** Milliseconds that the document has run. */
  get spentMs(): number {
    return this.#ms - this.leftMs;
  }

  /**
   * Runs a task, and takes its running time from what is left.
   *
   * @param end is called once nothing is left; the task has to end then.
   */
  async spend<T>(end: () => void, task: () => Promise<T>): Promise<T> {
    const stop = afterRunning(this.#leftMs, end);
    this.#since = performance.now();
    try {
      return await task();
    } finally {
      this.#since = undefined;
      this.#leftMs -= stop();
    }
  }
}
