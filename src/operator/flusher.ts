/** Writes what has gathered now and then, off the path of those who gather it. */
import type { Log } from '../log.ts';

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
   * @param what it writes, for the log.
   * @param write rejects when it could not; what it could not write it keeps for the next time.
   */
  constructor(what: string, write: () => Promise<void>, intervalMs: number, log: Log) {
    this.#what = what;
    this.#write = write;
    this.#intervalMs = intervalMs;
    this.#log = log;
  }

  /** There is something to write. Where nothing is, no timer runs. */
  wake(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => void this.flush(), this.#intervalMs);
    this.#timer.unref();
  }

  /** Writes now. Never rejects: an outage is logged once, and it is tried again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    this.#running = this.#attempt();
    await this.#running;
    this.#running = undefined;
  }

  /** Writes for the last time. */
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
