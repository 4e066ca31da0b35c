/** The banner: a text for all customers, shown in the console and on the dashboard. */
import type { RedisClient } from './connect.ts';

const KEY = 'platen:banner';

export interface BannerText {
  readonly text: string;
  /** When it goes by itself, ISO 8601; null: never. */
  readonly until: string | null;
}

export class Banner {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Undefined if there is none. @throws Error when Redis is not available. */
  async get(): Promise<BannerText | undefined> {
    const kept = await this.#redis.get(KEY);
    return kept === null ? undefined : (JSON.parse(kept) as BannerText);
  }

  /** In place of any. */
  async set(banner: BannerText): Promise<void> {
    const kept = JSON.stringify(banner);
    if (banner.until === null) await this.#redis.set(KEY, kept);
    else await this.#redis.set(KEY, kept, 'PXAT', Date.parse(banner.until));
  }

  async remove(): Promise<void> {
    await this.#redis.del(KEY);
  }
}
