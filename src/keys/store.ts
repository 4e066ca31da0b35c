/** Accounts and keys in Redis. */
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { OperatorError } from '../errors.ts';
import { displayKey, generateKey, hashKey } from './format.ts';
import {
  type Account,
  assertNewAccount,
  assertNewKey,
  assertPlan,
  type KeyRecord,
  type NewAccount,
  type NewKey,
  permissionsOf,
} from './records.ts';
import { redisKeys } from './redis-keys.ts';

export interface CreatedKey extends KeyRecord {
  /** The key itself. This is the only time it can be seen. */
  readonly key: string;
}

export class KeyStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** @throws OperatorError when a field is wrong or the id is taken. */
  async createAccount(input: NewAccount): Promise<Account> {
    assertNewAccount(input);
    const account: Account = {
      id: input.id ?? newId('acct'),
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

  /** All accounts, oldest first. */
  async listAccounts(): Promise<Account[]> {
    const ids = await this.#redis.smembers(redisKeys.accounts);
    const accounts = await Promise.all(ids.map((id) => this.getAccount(id)));
    return accounts.filter((account) => account !== undefined).sort(byCreation);
  }

  /** @throws OperatorError when there is no such account or plan. */
  async setPlan(id: string, plan: string): Promise<Account> {
    assertPlan(plan);
    const account = await this.#requireAccount(id);
    await this.#redis.hset(redisKeys.account(id), { plan });
    return { ...account, plan };
  }

  /** @throws OperatorError when a field is wrong or there is no such account. */
  async createKey(input: NewKey): Promise<CreatedKey> {
    const now = new Date();
    assertNewKey(input, now);
    await this.#requireAccount(input.account);
    const key = generateKey(input);
    const record: KeyRecord = {
      id: newId('key'),
      account: input.account,
      name: input.name,
      environment: input.environment,
      type: input.type,
      display: displayKey(key),
      permissions: input.permissions ?? permissionsOf(input.type),
      ipRestrictions: input.ipRestrictions ?? [],
      expiresAt: input.expiresAt?.toISOString() ?? null,
      createdAt: now.toISOString(),
      lastUsedAt: null,
      lastUsedAddress: null,
      revokedAt: null,
    };
    // The owner first, so that every key that is listed can be revoked; the locator last, so that none whose
    // record is incomplete authenticates.
    await this.#redis.set(redisKeys.keyOwner(record.id), record.account);
    await this.#redis.hset(redisKeys.key(record.account, record.id), serialise(record));
    await this.#redis.sadd(redisKeys.accountKeys(record.account), record.id);
    await this.#redis.set(redisKeys.locator(hashKey(key)), `${record.account} ${record.id}`);
    return { ...record, key };
  }

  /** The key with this SHA-256, revoked and expired ones included. */
  async findByHash(hash: string): Promise<KeyRecord | undefined> {
    const place = await this.#redis.get(redisKeys.locator(hash));
    if (place === null) return undefined;
    const [account = '', id = ''] = place.split(' ');
    return this.#read(account, id);
  }

  /** The keys of one account, or of all, oldest first. @throws OperatorError when there is no such account. */
  async listKeys(account?: string): Promise<KeyRecord[]> {
    const accounts =
      account === undefined ? await this.listAccounts() : [await this.#requireAccount(account)];
    const lists = await Promise.all(
      accounts.map(async ({ id: owner }) => {
        const ids = await this.#redis.smembers(redisKeys.accountKeys(owner));
        return Promise.all(ids.map((id) => this.#read(owner, id)));
      }),
    );
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
    const account = await this.#redis.get(redisKeys.keyOwner(id));
    if (account === null) throw new OperatorError(`there is no key "${id}"`);
    await this.#redis.hsetnx(redisKeys.key(account, id), 'revokedAt', new Date().toISOString());
    const record = await this.#read(account, id);
    if (!record) throw new OperatorError(`there is no key "${id}"`);
    return record;
  }

  async #requireAccount(id: string): Promise<Account> {
    const account = await this.getAccount(id);
    if (!account) throw new OperatorError(`there is no account "${id}"`);
    return account;
  }

  async #read(account: string, id: string): Promise<KeyRecord | undefined> {
    return parse(await this.#redis.hgetall(redisKeys.key(account, id)));
  }
}

/** What a hash can hold: strings. A field that is null is left out. */
function serialise(record: KeyRecord): Record<string, string> {
  const lists = {
    permissions: record.permissions.join(' '),
    ipRestrictions: record.ipRestrictions.join(' '),
  };
  const fields = Object.entries({ ...record, ...lists });
  return Object.fromEntries(fields.filter((field): field is [string, string] => field[1] !== null));
}

function parse(fields: Record<string, string>): KeyRecord | undefined {
  if (fields.id === undefined) return undefined;
  const list = (text = '') => (text === '' ? [] : text.split(' '));
  return {
    ...(fields as unknown as KeyRecord),
    permissions: list(fields.permissions) as KeyRecord['permissions'],
    ipRestrictions: list(fields.ipRestrictions),
    expiresAt: fields.expiresAt ?? null,
    lastUsedAt: fields.lastUsedAt ?? null,
    lastUsedAddress: fields.lastUsedAddress ?? null,
    revokedAt: fields.revokedAt ?? null,
  };
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`;
}

function byCreation(a: { createdAt: string; id: string }, b: { createdAt: string; id: string }): number {
  return a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}
