/** Keys of all accounts by expiration date, without reading all keys. */
import type { RedisClient } from '../../redis/connect.ts';
import { BATCH, inBatches } from './batches.ts';
import { parseKeyHash } from './key-hash.ts';
import type { KeyRecord } from './records.ts';
import { redisKeys } from './redis-keys.ts';

type KeyRef = Pick<KeyRecord, 'account' | 'id'>;

interface ExpiringPage {
  /** The next to expire first. */
  readonly keys: KeyRecord[];
  /** Whether there may be more than these. */
  readonly more: boolean;
}

/** Entries that one answer reads, and ended ones that it removes. */
const MAX_LOOKED_AT = 1_000;

export class ExpiringKeys {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Adds a key by its expiration date, if it has one. */
  async add({ expiresAt, ...place }: KeyRef & Pick<KeyRecord, 'expiresAt'>): Promise<void> {
    if (expiresAt === null) return;
    await this.#redis.zadd(redisKeys.keysByExpiry, Date.parse(expiresAt), entryOf(place));
  }

  /** Removes a key that needs no attention any more. */
  async remove(place: KeyRef): Promise<void> {
    await this.#redis.zrem(redisKeys.keysByExpiry, entryOf(place));
  }

  /** Working keys that expire by then and have no successor. */
  async page(until: Date, limit: number): Promise<ExpiringPage> {
    const now = Date.now();
    await this.#removeEnded(now);
    const keys: KeyRecord[] = [];
    for (let looked = 0, offset = 0; looked < MAX_LOOKED_AT; looked += BATCH) {
      const entries = await this.#redis.zrange(
        redisKeys.keysByExpiry,
        `(${now}`,
        `${until.getTime()}`,
        'BYSCORE',
        'LIMIT',
        offset,
        BATCH,
      );
      const found = (await inBatches(entries, (entry) => this.#keyOf(entry))).filter(
        (key) => key !== undefined,
      );
      keys.push(...found.filter(isOfInterest));
      if (keys.length > limit) return { keys: keys.slice(0, limit), more: true };
      if (entries.length < BATCH) return { keys, more: false };
      // Revoked or rotated by a process that did not get to remove it.
      const stale = found.filter((key) => !isOfInterest(key)).map(entryOf);
      if (stale.length > 0) await this.#redis.zrem(redisKeys.keysByExpiry, ...stale);
      offset += entries.length - stale.length;
    }
    return { keys, more: true };
  }

  async #removeEnded(now: number): Promise<void> {
    const ended = await this.#redis.zrange(
      redisKeys.keysByExpiry,
      '-inf',
      `${now}`,
      'BYSCORE',
      'LIMIT',
      0,
      MAX_LOOKED_AT,
    );
    if (ended.length > 0) await this.#redis.zrem(redisKeys.keysByExpiry, ...ended);
  }

  /** The key of an entry; undefined if its creation was interrupted, or is in progress. */
  async #keyOf(entry: string): Promise<KeyRecord | undefined> {
    const [account = '', id = ''] = entry.split(' ');
    return parseKeyHash(await this.#redis.hgetall(redisKeys.key(account, id)));
  }
}

function entryOf({ account, id }: KeyRef): string {
  return `${account} ${id}`;
}

function isOfInterest({ revokedAt, successor }: KeyRecord): boolean {
  return revokedAt === null && successor === null;
}
