/** Keys of all accounts by their last four characters, which is what people see of them. */
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import { inBatches } from './batches.ts';
import { parseKeyHash } from './key-hash.ts';
import { goneAt, type KeyRecord } from './records.ts';
import { redisKeys } from './redis-keys.ts';

type KeyRef = Pick<KeyRecord, 'account' | 'id' | 'display'>;

const LENGTH = 4;
/** Keys with the same ending that one answer looks at. */
const MAX_LOOKED_AT = 500;

export class KeyEndings {
  readonly #redis: RedisClient;
  readonly #place: Script;

  constructor(redis: RedisClient) {
    this.#redis = redis;
    this.#place = new Script(redis, luaFiles.placeEnding);
  }

  /** Adds a key, or notes that its record goes earlier. */
  async add(
    key: KeyRef & Pick<KeyRecord, 'expiresAt'> & Partial<Pick<KeyRecord, 'revokedAt'>>,
  ): Promise<void> {
    await this.#place.run([listOf(key)], [entryOf(key), goneAt(key) ?? '+inf']);
  }

  async remove(key: KeyRef): Promise<void> {
    await this.#redis.zrem(listOf(key), entryOf(key));
  }

  /** Keys with these last characters, working and ended: those that last longest first. */
  async find(ending: string): Promise<KeyRecord[]> {
    const list = redisKeys.keysByEnding(ending);
    const entries = await this.#redis.zrange(list, 0, `${MAX_LOOKED_AT - 1}`, 'REV');
    const keys = await inBatches(entries, async (entry) => {
      const [account = '', id = ''] = entry.split(' ');
      return parseKeyHash(await this.#redis.hgetall(redisKeys.key(account, id)));
    });
    return keys.filter((key) => key !== undefined);
  }
}

function listOf({ display }: KeyRef): string {
  return redisKeys.keysByEnding(display.slice(-LENGTH));
}

function entryOf({ account, id }: KeyRef): string {
  return `${account} ${id}`;
}
