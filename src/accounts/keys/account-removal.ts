/** Removes accounts that are due, and the indexes of their keys. */
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import { BATCH } from './batches.ts';
import { NAME_END, newId } from './records.ts';
import { redisKeys } from './redis-keys.ts';
import type { KeyStore } from './store.ts';

/** Accounts that one pass removes. */
const MAX_DUE = 100;
/** Names that one step of a scan looks at. */
const SCANNED = 1_000;

export class AccountRemoval {
  readonly #redis: RedisClient;
  readonly #store: KeyStore;
  readonly #begin: Script;

  constructor(redis: RedisClient, store: KeyStore) {
    this.#redis = redis;
    this.#store = store;
    this.#begin = new Script(redis, luaFiles.beginRemoval);
  }

  /** Begins to remove accounts whose time is over. @returns the new names of their ledgers by account id. */
  async begin(now: number): Promise<Map<string, string>> {
    const due = new Map<string, string>();
    const list = redisKeys.closingAccounts;
    const ids = await this.#redis.zrange(list, '-inf', `${now}`, 'BYSCORE', 'LIMIT', 0, MAX_DUE);
    for (const id of ids) {
      const alias = await this.#begin.run([redisKeys.account(id)], [newId('deleted')]);
      if (alias === '') await this.#leave(id);
      else due.set(id, String(alias));
    }
    return due;
  }

  /** Removes the indexes that lead to the account and its keys. @returns how much there was. */
  async removeIndexes(account: string): Promise<number> {
    let removed = await this.#redis.srem(redisKeys.accounts, account);
    const entries = this.#redis.zscanStream(redisKeys.accountsByName, {
      match: `*\0${account}`,
      count: SCANNED,
    });
    for await (const found of entries) {
      // Names and scores in turn.
      const names = (found as string[]).filter((_, index) => index % 2 === 0);
      const own = names.filter((name) => name.endsWith(NAME_END + account));
      if (own.length > 0) removed += await this.#redis.zrem(redisKeys.accountsByName, ...own);
    }
    for (let start = 0; ; start += BATCH) {
      const ids = await this.#store.listed.ids(account, start, BATCH);
      await Promise.all(ids.map((id) => this.#removeKeyIndexes(account, id)));
      removed += ids.length;
      if (ids.length < BATCH) return removed;
    }
  }

  /** Nothing of the account is left: its id is free. */
  async end(account: string): Promise<void> {
    await this.#redis.del(redisKeys.account(account));
    await this.#redis.zrem(redisKeys.closingAccounts, account);
  }

  async #removeKeyIndexes(account: string, id: string): Promise<void> {
    const [sha256, display] = await this.#redis.hmget(redisKeys.key(account, id), 'sha256', 'display');
    await Promise.all([
      this.#redis.del(redisKeys.keyOwner(id)),
      sha256 && this.#redis.del(redisKeys.locator(sha256)),
      display && this.#store.endings.remove({ account, id, display }),
      this.#store.expiring.remove({ account, id }),
    ]);
  }

  /** Takes a restored account off the list. One whose removal was postponed never leaves it. */
  async #leave(id: string): Promise<void> {
    if (await this.#isListed(id)) return;
    await this.#redis.zrem(redisKeys.closingAccounts, id);
    // Its removal may have been planned again meanwhile.
    await this.#isListed(id);
  }

  /** Puts an account on the list if its removal is planned. @returns whether it is. */
  async #isListed(id: string): Promise<boolean> {
    const account = await this.#store.getAccount(id);
    if (typeof account?.deletesAt !== 'string') return false;
    await this.#redis.zadd(redisKeys.closingAccounts, Date.parse(account.deletesAt), id);
    return true;
  }
}
