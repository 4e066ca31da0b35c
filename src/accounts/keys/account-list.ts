/** Accounts by name, page by page, without reading all of them. */
import type { RedisClient } from '../../redis/connect.ts';
import { inBatches } from './batches.ts';
import { type Account, NAME_END, nameEntry } from './records.ts';
import { redisKeys } from './redis-keys.ts';
import type { KeyStore } from './store.ts';

export interface AccountSearch {
  /** Part of the name or id, case-insensitive; all accounts by default. */
  readonly search?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

interface AccountPage {
  readonly accounts: Account[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

/** Entries that a search reads at once, and for one answer. */
const LOOK_AT = 1_000;
const MAX_LOOKED_AT = 20_000;

export class AccountList {
  readonly #redis: RedisClient;
  readonly #store: KeyStore;

  constructor(redis: RedisClient, store: KeyStore) {
    this.#redis = redis;
    this.#store = store;
  }

  /** How many accounts there are. */
  count(): Promise<number> {
    return this.#redis.zcard(redisKeys.accountsByName);
  }

  /** A page. With very many accounts it may have fewer than the limit although there are more. */
  async page({ search = '', after, limit }: AccountSearch): Promise<AccountPage> {
    const wanted = search.toLowerCase();
    const atOnce = wanted === '' ? limit + 1 : LOOK_AT;
    const fitting: string[] = [];
    let last = after;
    let isEnd = false;
    for (let looked = 0; looked < MAX_LOOKED_AT && !isEnd && fitting.length <= limit; looked += atOnce) {
      const from = last === undefined ? '-' : `(${last}`;
      const list = redisKeys.accountsByName;
      const entries = await this.#redis.zrange(list, from, '+', 'BYLEX', 'LIMIT', 0, atOnce);
      fitting.push(...entries.filter((entry) => entry.split(NAME_END).some((part) => part.includes(wanted))));
      last = entries.at(-1) ?? last;
      isEnd = entries.length < atOnce;
    }
    const chosen = fitting.slice(0, limit);
    const accounts = await inBatches(chosen, (entry) => this.#accountOf(entry));
    const next = fitting.length > limit ? chosen.at(-1) : last;
    return {
      accounts: accounts.filter((account) => account !== undefined),
      next: isEnd && fitting.length <= limit ? null : (next ?? null),
    };
  }

  /** The account of an entry; undefined for one left by an interrupted creation. */
  async #accountOf(entry: string): Promise<Account | undefined> {
    const account = await this.#store.getAccount(entry.slice(entry.indexOf(NAME_END) + 1));
    return account && nameEntry(account) === entry ? account : undefined;
  }
}
