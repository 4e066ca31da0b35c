/** The keys of an account, page by page, working keys first. */
import type { RedisClient } from '../../redis/connect.ts';
import { inBatches } from './batches.ts';
import { parseKeyHash } from './key-hash.ts';
import { KEPT_MS, type KeyRecord } from './records.ts';
import { redisKeys } from './redis-keys.ts';

interface KeyPage {
  /** Latest end first, so ended keys come last; of equal ones the newest first. */
  readonly keys: KeyRecord[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

/** Sorts behind every time. */
const NEVER = '9'.repeat(15);
const CURSOR = /^\d{15}-\d{15}-[\w-]{1,63}$/;

/**
 * An entry of an account's keys, "ENDS-CREATED-ID" with times in ms of 15 digits, so that entries sort by end, then by
 * creation. The scripts build the same.
 */
export function keyEntry(record: Pick<KeyRecord, 'id' | 'createdAt' | 'expiresAt'>): string {
  const { id, createdAt, expiresAt } = record;
  const digits = (time: string) => timeDigits(Date.parse(time));
  return `${expiresAt === null ? NEVER : digits(expiresAt)}-${digits(createdAt)}-${id}`;
}

export class AccountKeys {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** How many keys an account has. */
  count(account: string): Promise<number> {
    return this.#redis.zlexcount(redisKeys.accountKeys(account), `[${oldest()}`, '+');
  }

  /** How many of them work, by the clock of Redis, as the script that creates one counts them. */
  async countWorking(account: string): Promise<number> {
    const [seconds, microseconds] = await this.#redis.time();
    const now = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    return this.#redis.zlexcount(redisKeys.accountKeys(account), `[${timeDigits(now + 1)}`, '+');
  }

  /** Whether a text can be a cursor. */
  static isCursor(text: string): boolean {
    return CURSOR.test(text);
  }

  /** @param after the `next` of the page before. */
  async page(account: string, after: string | undefined, limit: number): Promise<KeyPage> {
    const from = after === undefined ? '+' : `(${after}`;
    const list = redisKeys.accountKeys(account);
    const entries = await this.#redis.zrange(
      list,
      from,
      `[${oldest()}`,
      'BYLEX',
      'REV',
      'LIMIT',
      0,
      limit + 1,
    );
    const chosen = entries.slice(0, limit);
    const keys = await inBatches(chosen, async (entry) =>
      parseKeyHash(await this.#redis.hgetall(redisKeys.key(account, idOf(entry)))),
    );
    return {
      keys: keys.filter((key) => key !== undefined),
      next: entries.length > limit ? (chosen.at(-1) ?? null) : null,
    };
  }

  /** Ids of its keys, also of those whose records are gone, from a place in the list on. */
  async ids(account: string, start: number, limit: number): Promise<string[]> {
    const entries = await this.#redis.zrange(redisKeys.accountKeys(account), start, `${start + limit - 1}`);
    return entries.map(idOf);
  }

  /** Removes entries whose records are gone. */
  async removeGone(account: string): Promise<void> {
    await this.#redis.zremrangebylex(redisKeys.accountKeys(account), '-', `(${oldest()}`);
  }
}

/** Entries before it are keys whose records are gone. */
function oldest(): string {
  return timeDigits(Date.now() - KEPT_MS);
}

function timeDigits(time: number): string {
  return `${time}`.padStart(NEVER.length, '0');
}

function idOf(entry: string): string {
  return entry.slice(2 * (NEVER.length + 1));
}
