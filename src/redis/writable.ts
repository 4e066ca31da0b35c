/** Whether Redis takes writes: one that is full, or a replica, still answers a PING. */
import type { RedisClient } from './connect.ts';

const KEY = 'platen:written';
const EXPIRY_MS = 60_000;
/** Load balancers of many kinds ask; an answer is as good as new for so long. */
const FRESH_MS = 500;

export class WriteCheck {
  readonly #redis: RedisClient;
  #last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** @throws Error when Redis is away, silent, full or read-only. */
  async assertWritable(): Promise<void> {
    const now = performance.now();
    if (!this.#last || now - this.#last.at > FRESH_MS) this.#last = { at: now, outcome: this.#write() };
    await this.#last.outcome;
  }

  async #write(): Promise<void> {
    await this.#redis.set(KEY, new Date().toISOString(), 'PX', EXPIRY_MS);
  }
}
