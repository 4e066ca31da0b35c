/** Maintenance mode: one flag in Redis, so that it holds on every server at once. */
import type { RedisClient } from './connect.ts';

const KEY = 'platen:maintenance';

export class Maintenance {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Since when it is on; undefined when it is off. @throws Error when Redis cannot be asked. */
  async since(): Promise<string | undefined> {
    return (await this.#redis.get(KEY)) ?? undefined;
  }

  /** Turns it on; where it is on already, it stays as it is. */
  async turnOn(): Promise<void> {
    await this.#redis.set(KEY, new Date().toISOString(), 'NX');
  }

  async turnOff(): Promise<void> {
    await this.#redis.del(KEY);
  }
}
