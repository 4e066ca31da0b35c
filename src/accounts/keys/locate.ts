/** Finds where a key's record is, from the key's text. */
import { LRUCache } from 'lru-cache';
import type { RedisClient } from '../../redis/connect.ts';
import { type Environment, hashKey, type KeyType, parseKey } from './format.ts';
import { redisKeys } from './redis-keys.ts';

/** Where a key's record is. The record itself is read again for every request. */
export interface KeyLocation {
  readonly account: string;
  readonly id: string;
  readonly environment: Environment;
  /** Id of the first key in its chain of rotations, if it is a successor. */
  readonly family?: string;
}

/** A key that a client sent. */
export interface LocatedKey extends KeyLocation {
  readonly type: KeyType;
}

/** Number of cached locations. */
const REMEMBERED = 10_000;

/** Finds keys. Locations never change and are cached; what a key may do never is. */
export class KeyLocator {
  readonly #redis: RedisClient;
  readonly #known = new LRUCache<string, LocatedKey>({ max: REMEMBERED });

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** The record of this key is gone. */
  forget(text: string): void {
    this.#known.delete(hashKey(text));
  }

  /**
   * The location of the key with this text; undefined if there is none. A text whose form or checksum is wrong is refused
   * without asking Redis.
   */
  async locate(text: string): Promise<LocatedKey | undefined> {
    const kind = parseKey(text);
    if (!kind) return undefined;
    const hash = hashKey(text);
    const known = this.#known.get(hash);
    if (known) return known;
    const place = await this.#redis.get(redisKeys.locator(hash));
    if (place === null) return undefined;
    const [account = '', id = '', family] = place.split(' ');
    const location = { account, id, ...kind, ...(family !== undefined && { family }) };
    this.#known.set(hash, location);
    return location;
  }
}
