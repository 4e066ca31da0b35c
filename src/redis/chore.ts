/** Work that one of the servers does from time to time. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../system/log.ts';
import type { RedisClient } from './connect.ts';

export interface ChoreOptions {
  readonly redis: RedisClient;
  readonly log: Log;
  /** For the log, such as "warnings are told later". */
  readonly failed: string;
  /** String in Redis: exists for some time after a server began. */
  readonly mark: string;
  /** How often it runs, and how often each server tries to be the one that runs it; in milliseconds. */
  readonly everyMs: number;
  readonly tryMs: number;
  /** @param signal aborts when the server stops. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export class Chore {
  readonly #options: ChoreOptions;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ChoreOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  start(): void {
    this.#running ??= this.#repeat();
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#try().catch((error: Error) => {
        this.#options.log.debug({ cause: error.message }, this.#options.failed);
      });
      await delay(this.#options.tryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #try(): Promise<void> {
    const { redis, mark, everyMs, run } = this.#options;
    if ((await redis.set(mark, '1', 'PX', everyMs, 'NX')) === null) return;
    // If this server fails, another one may try.
    await run(this.#closing.signal).catch(async (error: unknown) => {
      await redis.del(mark);
      throw error;
    });
  }
}
