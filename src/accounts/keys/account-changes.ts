/** Changes to accounts. Each is one script, so that none brings back an account that was removed. */
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import type { Isolation } from '../../shared/options/conversion-options.ts';
import {
  assertOwnLimit,
  type LimitName,
  type OwnLimit,
  ownLimitField,
  serialiseOwnLimit,
} from '../plans/own-limits.ts';
import { type Account, type Announce, assertName, nameEntry } from './records.ts';
import { redisKeys } from './redis-keys.ts';

/** How long an account that is to be deleted can be restored: 30 days. */
const DELETION_GRACE_MS = 30 * 86_400_000;

export class AccountChanges {
  readonly #redis: RedisClient;
  readonly #find: (id: string) => Promise<Account>;
  readonly #change: Script;

  /** @param find the account with an id; throws an OperatorError if there is none. */
  constructor(redis: RedisClient, find: (id: string) => Promise<Account>) {
    this.#redis = redis;
    this.#find = find;
    this.#change = new Script(redis, luaFiles.changeAccount);
  }

  /** @param fields null removes one. @throws OperatorError when there is no such account. */
  async set(id: string, fields: Readonly<Record<string, string | null>>): Promise<Account> {
    const changes = Object.entries(fields).flatMap(([name, value]) => [name, value ?? '']);
    await this.#change.run([redisKeys.account(id)], changes);
    return this.#find(id);
  }

  /** Refuses its keys from the next request on, or accepts them again. @throws OperatorError as above. */
  setSuspended(id: string, isSuspended: boolean): Promise<Account> {
    return this.set(id, { suspendedAt: isSuspended ? new Date().toISOString() : null });
  }

  /** Plans its removal after {@link DELETION_GRACE_MS}; until then its keys are refused. @throws OperatorError as above. */
  async planDeletion(id: string): Promise<Account> {
    const deletesAt = Date.now() + DELETION_GRACE_MS;
    const list = () => this.#redis.zadd(redisKeys.closingAccounts, deletesAt, id);
    // The list first: the account itself decides.
    await list();
    const account = await this.set(id, { deletesAt: `${deletesAt}` });
    // A pass that saw it as restored may have taken it off the list.
    await list();
    return account;
  }

  /** Ends {@link planDeletion}. The list keeps it until it is due, as it may be planned again now. @throws OperatorError as above. */
  restore(id: string): Promise<Account> {
    return this.set(id, { deletesAt: null });
  }

  /** @throws OperatorError when there is no such account, or the name is wrong. */
  async rename(id: string, name: string, announce?: Announce<Account>): Promise<Account> {
    assertName(name);
    const former = await this.#find(id);
    await announce?.(former);
    // The list first, as it ignores entries of another name.
    await this.#redis.zadd(redisKeys.accountsByName, 0, nameEntry({ id, name }));
    const account = await this.set(id, { name });
    const entry = nameEntry(account);
    if (nameEntry(former) !== entry) await this.#redis.zrem(redisKeys.accountsByName, nameEntry(former));
    // Somebody else may have renamed it at the same time.
    await this.#redis.zadd(redisKeys.accountsByName, 0, entry);
    return account;
  }

  /** Sets a limit of its own, in place of any for the same. @throws OperatorError naming the first mistake. */
  async setLimit(id: string, limit: OwnLimit, announce?: Announce<Account>): Promise<Account> {
    assertOwnLimit(limit, new Date());
    await announce?.(await this.#find(id));
    return this.set(id, { [ownLimitField(limit.limit)]: serialiseOwnLimit(limit) });
  }

  /** @throws OperatorError when there is no such account. */
  async setIsolation(id: string, isolation: Isolation, announce?: Announce<Account>): Promise<Account> {
    await announce?.(await this.#find(id));
    return this.set(id, { isolation });
  }

  /** The limit of the plan holds again. @throws OperatorError when there is no such account. */
  async removeLimit(id: string, limit: LimitName, announce?: Announce<Account>): Promise<Account> {
    await announce?.(await this.#find(id));
    return this.set(id, { [ownLimitField(limit)]: null });
  }
}
