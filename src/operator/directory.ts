/** Accounts for the operator, with their use of the quota. */
import { monthOf } from '../accounts/billing/months.ts';
import { limitKeys } from '../accounts/billing/redis-keys.ts';
import { AccountList, type AccountSearch } from '../accounts/keys/account-list.ts';
import { inBatches } from '../accounts/keys/batches.ts';
import type { Account } from '../accounts/keys/records.ts';
import type { KeyStore } from '../accounts/keys/store.ts';
import { type AccountStanding, readStanding } from '../accounts/limits/account-standing.ts';
import { withOwnLimits } from '../accounts/plans/own-limits.ts';
import type { Plans } from '../accounts/plans/plans.ts';
import type { RedisClient } from '../redis/connect.ts';

/** An account and what it has used this month with its live keys. */
interface AccountRow extends Account {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly used: number;
  /** Conversions a month; null: unlimited. */
  readonly quota: number | null;
  readonly keys: number;
}

interface DirectoryOptions {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly keys: KeyStore;
}

export class Directory {
  readonly #redis: RedisClient;
  readonly #plans: Plans;
  readonly #keys: KeyStore;
  readonly #accounts: AccountList;

  constructor({ redis, plans, keys }: DirectoryOptions) {
    this.#redis = redis;
    this.#plans = plans;
    this.#keys = keys;
    this.#accounts = new AccountList(redis, keys);
  }

  /** A page of the accounts, by name. @throws Error when Redis is not available. */
  async page(search: AccountSearch): Promise<{ accounts: AccountRow[]; total: number; next: string | null }> {
    const [[seconds], total, { accounts, next }] = await Promise.all([
      this.#redis.time(),
      this.#accounts.count(),
      this.#accounts.page(search),
    ]);
    const now = Number(seconds) * 1000;
    const month = monthOf(now);
    const rows = await inBatches(accounts, async (account) => {
      const [used, keys] = await Promise.all([
        this.#redis.hget(limitKeys.months(account.id, 'live'), `used:${month}`),
        this.#keys.listed.count(account.id),
      ]);
      const plan = this.#plans.get(account.plan);
      const quota = plan ? withOwnLimits(plan, account.ownLimits, now).perMonth : null;
      return { ...account, month, used: Number(used ?? 0), quota, keys };
    });
    return { accounts: rows, total, next };
  }

  /** An account's current use. @throws Error when Redis is not available. */
  async standing(account: Account): Promise<AccountStanding & { readonly keys: number }> {
    const [standing, keys] = await Promise.all([
      readStanding(this.#redis, this.#plans, account),
      this.#keys.listed.count(account.id),
    ]);
    return { ...standing, keys };
  }
}
