/** Maintenance mode: a flag in Redis, so that it applies to every server at once. */
import type { RedisClient } from './connect.ts';

const KEY = 'platen:maintenance';

/** What customers are told of it. */
interface MaintenanceNotice {
  /** Null: none is given. */
  readonly reason: string | null;
  /** When it is expected to end, ISO 8601; null: nobody knows. */
  readonly until: string | null;
}

export interface MaintenanceState extends MaintenanceNotice {
  /** ISO 8601. */
  readonly since: string;
}

export const noNotice: MaintenanceNotice = { reason: null, until: null };

export class Maintenance {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Undefined if it is off. @throws Error when Redis is not available. */
  async state(): Promise<MaintenanceState | undefined> {
    const text = await this.#redis.get(KEY);
    if (text === null) return undefined;
    // Earlier versions kept the time alone.
    return text.startsWith('{') ? (JSON.parse(text) as MaintenanceState) : { since: text, ...noNotice };
  }

  /** Since when it is on; undefined if off. @throws Error when Redis is not available. */
  async since(): Promise<string | undefined> {
    return (await this.state())?.since;
  }

  /** Turns it on. If it is on, only the notice changes. */
  async turnOn({ reason, until }: MaintenanceNotice = noNotice): Promise<void> {
    const { since } = (await this.state()) ?? { since: new Date().toISOString() };
    await this.#redis.set(KEY, JSON.stringify({ since, reason, until }));
  }

  async turnOff(): Promise<void> {
    await this.#redis.del(KEY);
  }
}
