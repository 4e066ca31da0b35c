/** Maintenance mode: a flag in Redis, so that it applies to every server at once. */
import type { RedisClient } from './connect.ts';

const KEY = 'platen:maintenance';

export class Maintenance {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Since when it is on; undefined if off. @throws Error when Redis is not available. */
  async since(): Promise<string | undefined> {
    return (await this.#redis.get(KEY)) ?? undefined;
  }

  /** Turns it on; no effect if it is on. */
  async turnOn(): Promise<void> {
    await this.#redis.set(KEY, new Date().toISOString(), 'NX');
  }

  async turnOff(): Promise<void> {
    await this.#redis.del(KEY);
  }
}
