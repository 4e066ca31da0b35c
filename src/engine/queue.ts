/** The bounded queue in front of the engine: a number of workers, and a number of places to wait for them. */
import { PlatenError } from '../errors.ts';

/** Weight of the newest run in the average that the waiting time is estimated from. */
const SMOOTHING = 0.2;

export interface QueueOptions {
  /** Tasks that run at a time. */
  readonly workers: number;
  /** Tasks that may wait. */
  readonly limit: number;
  /** How long a task may wait, in milliseconds. */
  readonly timeoutMs: number;
}

interface Waiting {
  readonly start: () => void;
}

export class Queue {
  readonly #options: QueueOptions;
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  /** How long a run takes, smoothed; 0 until the first has ended. */
  #averageMs = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Refuses early what `run` would refuse now.
   *
   * @throws PlatenError `OVERLOADED` when no place is free, or when the wait would outlast its budget.
   */
  assertRoom(): void {
    if (this.#running < this.#options.workers) return;
    if (this.#waiting.size >= this.#options.limit || this.#expectedWaitMs() > this.#options.timeoutMs) {
      throw this.#overloaded();
    }
  }

  /**
   * Runs the task when a worker is free, first come, first served.
   *
   * @param task gets the time it waited, in milliseconds.
   * @param signal ends the wait; the promise then rejects with the signal's reason. A running task has to
   * watch the signal itself.
   * @throws PlatenError `OVERLOADED` when no place is free or the wait lasted longer than its budget.
   */
  async run<T>(task: (waitedMs: number) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    this.assertRoom();
    const arrived = performance.now();
    if (this.#running < this.#options.workers) this.#running++;
    else await this.#wait(signal);
    const started = performance.now();
    try {
      return await task(started - arrived);
    } finally {
      this.#learn(performance.now() - started);
      this.#next();
    }
  }

  /** Resolves when a worker is handed over. */
  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(place);
      };
      const abort = () => {
        leave();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.#overloaded());
      }, this.#options.timeoutMs);
      const place: Waiting = {
        start: () => {
          leave();
          resolve();
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(place);
    });
  }

  /** Hands the worker to the next in line, or lets it rest. */
  #next(): void {
    const [first] = this.#waiting;
    if (first) first.start();
    else this.#running--;
  }

  #learn(durationMs: number): void {
    this.#averageMs =
      this.#averageMs === 0 ? durationMs : this.#averageMs + SMOOTHING * (durationMs - this.#averageMs);
  }

  /** How long a newcomer would wait for a worker. */
  #expectedWaitMs(): number {
    return ((this.#waiting.size + 1) / this.#options.workers) * this.#averageMs;
  }

  /** By the time in `retryAfter`, all that waits now has had its turn. */
  #overloaded(): PlatenError {
    return new PlatenError('OVERLOADED', { retryAfter: Math.max(1, this.#expectedWaitMs() / 1000) });
  }
}
