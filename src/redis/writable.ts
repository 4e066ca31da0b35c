/** Whether Redis takes writes: a full one, or a replica, still answers a PING. */
import type { RedisClient } from './connect.ts';

const KEY = 'platen:written';
const EXPIRY_MS = 60_000;
/** How long an answer is reused, as load balancers ask often. */
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
