/** Writes collected data from time to time, off the request path. */
import type { Log } from '../system/log.ts';

export class Flusher {
  readonly #write: () => Promise<void>;
  readonly #intervalMs: number;
  readonly #log: Log;
  readonly #what: string;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failing = false;
  #closed = false;

  /**
   * @param what name of the data, for the log.
   * @param write rejects on failure, and keeps what it could not write for the next call.
   */
  constructor(what: string, write: () => Promise<void>, intervalMs: number, log: Log) {
    this.#what = what;
    this.#write = write;
    this.#intervalMs = intervalMs;
    this.#log = log;
  }

  /** Announces that there is something to write. Without that, no timer runs. */
  wake(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => void this.flush(), this.#intervalMs);
    this.#timer.unref();
  }

  /** Writes now. Never rejects: an outage is logged once, and the write is retried. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    this.#running = this.#attempt();
    await this.#running;
    this.#running = undefined;
  }

  /** Stops after a last write. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  async #attempt(): Promise<void> {
    try {
      await this.#write();
      this.#failing = false;
    } catch (error) {
      const { message } = error as Error;
      this.#log[this.#failing ? 'debug' : 'warn']({ cause: message }, `${this.#what} could not be written`);
      this.#failing = true;
      this.wake();
    }
  }
}
