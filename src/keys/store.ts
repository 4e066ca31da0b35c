/** Accounts and keys in Redis. */

import { OperatorError } from '../errors.ts';
import type { Plans } from '../limits/plans.ts';
import type { RedisClient } from '../redis/connect.ts';
import { displayKey, type Environment, generateKey, hashKey, type KeyType } from './format.ts';
import {
  type Account,
  assertNewAccount,
  assertNewKey,
  assertPlan,
  type KeyRecord,
  type NewAccount,
  type NewKey,
  newAccountId,
  newKeyId,
  type Permission,
  permissionsOf,
} from './records.ts';
import { redisKeys } from './redis-keys.ts';
import { blockPrefix } from './restrictions.ts';

export interface CreatedKey extends KeyRecord {
  /** The key itself. This is the only time it can be seen. */
  readonly key: string;
}

export class KeyStore {
  readonly #redis: RedisClient;
  readonly #plans: Plans;

  constructor(redis: RedisClient, plans: Plans) {
    this.#redis = redis;
    this.#plans = plans;
  }

  /** @throws OperatorError when a field is wrong or the id is taken. */
  async createAccount(input: NewAccount): Promise<Account> {
    assertNewAccount(input, this.#plans);
    const account: Account = {
      id: input.id ?? newAccountId(),
      name: input.name,
      plan: input.plan,
      createdAt: new Date().toISOString(),
    };
    // The list first, which leaves out an id without an account: a creation that breaks off can be repeated.
    await this.#redis.sadd(redisKeys.accounts, account.id);
    // All fields at once or none; HSETNX decides between two that ask for the same id at once.
    const creation = this.#redis.multi();
    for (const [field, value] of Object.entries(account)) {
      creation.hsetnx(redisKeys.account(account.id), field, value);
    }
    const [[error, claimed] = []] = (await creation.exec()) ?? [];
    if (error) throw error;
    if (claimed !== 1) throw new OperatorError(`the account "${account.id}" exists already`);
    return account;
  }

  async getAccount(id: string): Promise<Account | undefined> {
    const fields = await this.#redis.hgetall(redisKeys.account(id));
    const { name, plan, createdAt } = fields;
    if (name === undefined || plan === undefined || createdAt === undefined) return undefined;
    return { id, name, plan, createdAt };
  }

  /** The ids of all accounts, sorted; those of unfinished creations as well. */
  async accountIds(): Promise<string[]> {
    const ids = new Set<string>();
    for await (const some of this.#redis.sscanStream(redisKeys.accounts, { count: BATCH })) {
      for (const id of some as string[]) ids.add(id);
    }
    return [...ids].sort();
  }

  /** All accounts, oldest first. */
  async listAccounts(): Promise<Account[]> {
    const accounts = await inBatches(await this.accountIds(), (id) => this.getAccount(id));
    return accounts.filter((account) => account !== undefined).sort(byCreation);
  }

  /** @throws OperatorError when there is no such account or plan. */
  async setPlan(id: string, plan: string): Promise<Account> {
    assertPlan(plan, this.#plans);
    const account = await this.requireAccount(id);
    await this.#redis.hset(redisKeys.account(id), { plan });
    return { ...account, plan };
  }

  /** @throws OperatorError naming an account whose plan is none of the plans. */
  async assertPlansExist(): Promise<void> {
    await inBatches(await this.accountIds(), (id) => this.#assertPlanExists(id));
  }

  /** @throws OperatorError when a field is wrong or there is no such account. */
  async createKey(input: NewKey): Promise<CreatedKey> {
    const now = new Date();
    assertNewKey(input, now);
    await this.requireAccount(input.account);
    const key = generateKey(input);
    const record: KeyRecord = {
      id: newKeyId(),
      account: input.account,
      name: input.name,
      environment: input.environment,
      type: input.type,
      display: displayKey(key),
      permissions: [...new Set(input.permissions ?? permissionsOf(input.type))],
      ipRestrictions: input.ipRestrictions ?? [],
      expiresAt: input.expiresAt?.toISOString() ?? null,
      createdAt: now.toISOString(),
      lastUsedAt: null,
      lastUsedAddress: null,
      revokedAt: null,
      successor: null,
    };
    // The owner first, so that every key that is listed can be revoked; the locator last, so that none whose
    // record is incomplete authenticates.
    await this.#redis.set(redisKeys.keyOwner(record.id), record.account);
    await this.#redis.hset(redisKeys.key(record.account, record.id), serialise(record));
    await this.#redis.sadd(redisKeys.accountKeys(record.account), record.id);
    await this.#redis.set(redisKeys.locator(hashKey(key)), `${record.account} ${record.id}`);
    return { ...record, key };
  }

  /** A key of an account; undefined when there is none. */
  async getKey(account: string, id: string): Promise<KeyRecord | undefined> {
    return parse(await this.#redis.hgetall(redisKeys.key(account, id)));
  }

  /** @throws OperatorError when there is no such key. */
  async findKey(id: string): Promise<KeyRecord> {
    const account = await this.#redis.get(redisKeys.keyOwner(id));
    const record = account === null ? undefined : await this.getKey(account, id);
    if (!record) throw new OperatorError(`there is no key "${id}"`);
    return record;
  }

  /** The keys of one account, or of all, oldest first. @throws OperatorError when there is no such account. */
  async listKeys(account?: string): Promise<KeyRecord[]> {
    const owners =
      account === undefined ? await this.accountIds() : [(await this.requireAccount(account)).id];
    const lists: (KeyRecord | undefined)[][] = [];
    for (const owner of owners) {
      const ids = await this.#redis.smembers(redisKeys.accountKeys(owner));
      lists.push(await inBatches(ids, (id) => this.getKey(owner, id)));
    }
    return lists
      .flat()
      .filter((key) => key !== undefined)
      .sort(byCreation);
  }

  /**
   * Ends a key from the next request on. Revoking it again changes nothing.
   *
   * @throws OperatorError when there is no such key.
   */
  async revokeKey(id: string): Promise<KeyRecord> {
    const { account } = await this.findKey(id);
    await this.#redis.hsetnx(redisKeys.key(account, id), 'revokedAt', Date.now());
    return this.findKey(id);
  }

  /** @throws OperatorError when there is no such account. */
  async requireAccount(id: string): Promise<Account> {
    const account = await this.getAccount(id);
    if (!account) throw new OperatorError(`there is no account "${id}"`);
    return account;
  }

  async #assertPlanExists(id: string): Promise<void> {
    const account = await this.getAccount(id);
    if (!account || this.#plans.has(account.plan)) return;
    const known = [...this.#plans.keys()].join(', ');
    throw new OperatorError(
      `the account "${id}" has the plan "${account.plan}", which is none of ${known}: add it to PLANS_FILE, ` +
        `or give the account another plan with \`platen accounts set-plan ${id} PLAN\``,
    );
  }
}

/** So much at once does not outlast the time limit of a command. */
const BATCH = 100;

async function inBatches<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    results.push(...(await Promise.all(items.slice(start, start + BATCH).map(task))));
  }
  return results;
}

const times = ['expiresAt', 'createdAt', 'lastUsedAt', 'revokedAt'] as const;

/**
 * A key as a hash holds it: lists separated by spaces, times in milliseconds since the epoch, both of which the
 * scripts read; what is null is left out.
 */
function serialise(record: KeyRecord): Record<string, string | number> {
  const { permissions, ipRestrictions, ...rest } = record;
  const fields = Object.entries(rest).filter((field): field is [string, string] => field[1] !== null);
  const isTime = (name: string) => times.some((time) => time === name);
  return {
    ...Object.fromEntries(fields.map(([name, value]) => [name, isTime(name) ? Date.parse(value) : value])),
    permissions: permissions.join(' '),
    ipRestrictions: ipRestrictions.join(' '),
    addressPrefixes: ipRestrictions.map(blockPrefix).join(' '),
  };
}

function parse(fields: Record<string, string>): KeyRecord | undefined {
  if (fields.id === undefined) return undefined;
  const text = (name: keyof KeyRecord): string => fields[name] ?? '';
  const list = (name: keyof KeyRecord): string[] => text(name).split(' ').filter(Boolean);
  const time = (name: (typeof times)[number]): string | null =>
    fields[name] === undefined ? null : new Date(Number(fields[name])).toISOString();
  return {
    id: text('id'),
    account: text('account'),
    name: text('name'),
    environment: text('environment') as Environment,
    type: text('type') as KeyType,
    display: text('display'),
    permissions: list('permissions') as Permission[],
    ipRestrictions: list('ipRestrictions'),
    expiresAt: time('expiresAt'),
    createdAt: time('createdAt') ?? '',
    lastUsedAt: time('lastUsedAt'),
    lastUsedAddress: fields.lastUsedAddress ?? null,
    revokedAt: time('revokedAt'),
    successor: fields.successor ?? null,
  };
}

function byCreation(a: { createdAt: string; id: string }, b: { createdAt: string; id: string }): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}
