/** From the text of a key to where its record lies. */

import { LRUCache } from 'lru-cache';
import type { RedisClient } from '../redis/connect.ts';
import { type Environment, hashKey, type KeyType, parseKey } from './format.ts';
import { redisKeys } from './redis-keys.ts';

/** Where the record of a key lies. The record itself is read anew for every request. */
export interface KeyLocation {
  readonly account: string;
  readonly id: string;
  readonly environment: Environment;
  /** Id of the first key of its line of rotations, where it is a successor. */
  readonly family?: string;
}

/** A key whose text somebody has. */
export interface LocatedKey extends KeyLocation {
  readonly type: KeyType;
}

/** Keys whose location a server remembers. */
const REMEMBERED = 10_000;

/** Finds keys. The location of a key never changes, so it is asked for once; what a key may do is never kept. */
export class KeyLocator {
  readonly #redis: RedisClient;
  readonly #known = new LRUCache<string, LocatedKey>({ max: REMEMBERED });

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /**
   * The location of the key with this text; undefined where there is no such key. A text that is no key by its
   * form or checksum is refused without asking Redis.
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
