/** Accounts and keys in Redis. */
import { NotFoundError, OperatorError } from '../../errors.ts';
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import { isoOrNull } from '../../system/iso-time.ts';
import { parseOwnLimits } from '../plans/own-limits.ts';
import type { Plans } from '../plans/plans.ts';
import { AccountChanges } from './account-changes.ts';
import { AccountKeys, keyEntry } from './account-keys.ts';
import { BATCH, inBatches } from './batches.ts';
import { ExpiringKeys } from './expiring-keys.ts';
import { displayKey, generateKey, hashKey } from './format.ts';
import { KeyEndings } from './key-endings.ts';
import { parseKeyHash, serialiseKey, serialiseRestrictions } from './key-hash.ts';
import {
  type Account,
  type Announce,
  assertIpRestrictions,
  assertName,
  assertNewAccount,
  assertNewKey,
  assertOrigins,
  assertPlan,
  goneAt,
  hasEnded,
  isolationOf,
  KEPT_MS,
  type KeyRecord,
  MAX_KEPT_KEYS,
  MAX_KEYS,
  type NewAccount,
  type NewKey,
  nameEntry,
  newAccountId,
  newKeyId,
  permissionsOf,
  TOO_MANY_KEYS,
} from './records.ts';
import { redisKeys } from './redis-keys.ts';

export interface CreatedKey extends KeyRecord {
  /** The key itself, which is never shown again. */
  readonly key: string;
}

interface CreationOptions {
  /** Settles before the key works. */
  readonly announce?: Announce<KeyRecord>;
}

/** What may be edited of a key. */
type KeyChanges = Partial<Pick<KeyRecord, 'name' | 'ipRestrictions' | 'origins'>>;

type KeyPlace = Pick<KeyRecord, 'account' | 'id' | 'display' | 'expiresAt' | 'family'>;

export class KeyStore {
  readonly changes: AccountChanges;
  readonly listed: AccountKeys;
  readonly expiring: ExpiringKeys;
  readonly endings: KeyEndings;
  readonly #redis: RedisClient;
  readonly #plans: Plans;
  readonly #change: Script;
  readonly #creation: Script;
  readonly #revocation: Script;

  constructor(redis: RedisClient, plans: Plans) {
    this.changes = new AccountChanges(redis, (id) => this.requireAccount(id));
    this.listed = new AccountKeys(redis);
    this.expiring = new ExpiringKeys(redis);
    this.endings = new KeyEndings(redis);
    this.#redis = redis;
    this.#plans = plans;
    this.#change = new Script(redis, luaFiles.changeKey);
    this.#creation = new Script(redis, luaFiles.createKey);
    this.#revocation = new Script(redis, luaFiles.revoke);
  }

  /** @throws OperatorError when a field is wrong or the id is taken. */
  async createAccount(input: NewAccount, announce?: Announce<Account>): Promise<Account> {
    assertNewAccount(input, this.#plans);
    const account: Account = {
      id: input.id ?? newAccountId(),
      name: input.name,
      plan: input.plan,
      createdAt: new Date().toISOString(),
      suspendedAt: null,
      deletesAt: null,
      isolation: 'account',
      ownLimits: [],
    };
    const taken = new OperatorError(`the account "${account.id}" exists already`);
    // Also one that is being removed.
    if ((await this.#redis.exists(redisKeys.account(account.id))) === 1) throw taken;
    await announce?.(account);
    // The list first, as it ignores an id without an account: an interrupted creation can be repeated.
    await this.#redis.sadd(redisKeys.accounts, account.id);
    await this.#redis.zadd(redisKeys.accountsByName, 0, nameEntry(account));
    // All fields or none; HSETNX decides between two concurrent creations of one id.
    const creation = this.#redis.multi();
    for (const [field, value] of Object.entries(account)) {
      if (typeof value === 'string') creation.hsetnx(redisKeys.account(account.id), field, value);
    }
    const [[error, claimed] = []] = (await creation.exec()) ?? [];
    if (error) throw error;
    if (claimed !== 1) {
      const winner = await this.requireAccount(account.id);
      if (nameEntry(winner) !== nameEntry(account)) {
        await this.#redis.zrem(redisKeys.accountsByName, nameEntry(account));
      }
      throw taken;
    }
    return account;
  }

  async getAccount(id: string): Promise<Account | undefined> {
    const fields = await this.#redis.hgetall(redisKeys.account(id));
    const { name, plan, createdAt, suspendedAt = null } = fields;
    if (name === undefined || plan === undefined || createdAt === undefined) return undefined;
    const deletesAt = isoOrNull(fields.deletesAt === undefined ? null : Number(fields.deletesAt));
    const isolation = isolationOf(fields.isolation);
    const ownLimits = parseOwnLimits(fields);
    return { id, name, plan, createdAt, suspendedAt, deletesAt, isolation, ownLimits };
  }

  /** The ids of all accounts, sorted; includes unfinished creations. */
  async accountIds(): Promise<string[]> {
    const ids = new Set<string>();
    for await (const some of this.#redis.sscanStream(redisKeys.accounts, { count: BATCH })) {
      for (const id of some as string[]) ids.add(id);
    }
    return [...ids].sort();
  }

  /** @throws OperatorError when there is no such account or plan. */
  async setPlan(id: string, plan: string, announce?: Announce<Account>): Promise<Account> {
    assertPlan(plan, this.#plans);
    await announce?.(await this.requireAccount(id));
    return this.changes.set(id, { plan });
  }

  /** @throws OperatorError naming an account whose plan does not exist. */
  async assertPlansExist(): Promise<void> {
    await inBatches(await this.accountIds(), (id) => this.#assertPlanExists(id));
  }

  /**
   * @throws OperatorError when a field is wrong or there is no such account; Error when Redis does not answer. It may still make
   * the key once it recovers: the account then lists a key whose text nobody knows.
   */
  async createKey(input: NewKey, options: CreationOptions = {}): Promise<CreatedKey> {
    const now = new Date();
    assertNewKey(input, now);
    await this.requireAccount(input.account);
    // The script decides; this check keeps keys that are not made out of the audit.
    if ((await this.listed.countWorking(input.account)) >= MAX_KEYS)
      throw new OperatorError(TOO_MANY_KEYS.working);
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
      origins: [...new Set(input.origins)],
      expiresAt: input.expiresAt?.toISOString() ?? null,
      createdAt: now.toISOString(),
      lastUsedAt: null,
      lastUsedAddress: null,
      revokedAt: null,
      successor: null,
      family: null,
      madeBy: input.madeBy ?? null,
    };
    const { account, id } = record;
    const sha256 = hashKey(key);
    const announce = () => options.announce?.(record) ?? Promise.resolve();
    await this.prepareKey(record, sha256, announce);
    const outcome = await this.#creation.run(
      [redisKeys.account(account), redisKeys.key(account, id), redisKeys.accountKeys(account)],
      [
        ...[keyEntry(record), goneAt(record) ?? '', MAX_KEYS, MAX_KEPT_KEYS],
        ...Object.entries({ ...serialiseKey(record), sha256 }).flat(),
      ],
    );
    if (outcome !== 'created') {
      await this.unplaceKey(record, sha256);
      const refusal = TOO_MANY_KEYS[outcome as keyof typeof TOO_MANY_KEYS];
      throw new OperatorError(refusal ?? `there is no account "${account}"`);
    }
    return { ...record, key };
  }

  /**
   * Writes the indexes that lead to a key by id, text and expiration date, which may be in other slots, before the key is made. So
   * a key can be used and revoked as soon as its record exists; without the record they have no effect.
   *
   * @param announce runs at the same time.
   */
  async prepareKey(key: KeyPlace, hash: string, announce: () => Promise<void>): Promise<void> {
    const { account, id, family } = key;
    const place = [account, id, ...(family === null ? [] : [family])].join(' ');
    const gone = goneAt(key);
    const set = (name: string, value: string) =>
      gone === undefined ? this.#redis.set(name, value) : this.#redis.set(name, value, 'PXAT', gone);
    try {
      await Promise.all([
        set(redisKeys.keyOwner(id), account),
        set(redisKeys.locator(hash), place),
        this.listed.removeGone(account),
        this.expiring.add(key),
        this.endings.add(key),
        announce(),
      ]);
    } catch (error) {
      void this.unplaceKey(key, hash).catch(() => {});
      throw error;
    }
  }

  /** Removes the indexes of a key that was not made. */
  async unplaceKey(key: Pick<KeyPlace, 'account' | 'id' | 'display'>, hash: string): Promise<void> {
    await Promise.all([
      this.#redis.del(redisKeys.keyOwner(key.id)),
      this.#redis.del(redisKeys.locator(hash)),
      this.expiring.remove(key),
      this.endings.remove(key),
    ]);
  }

  /** Makes the indexes of a key expire with its record. */
  async letGo(key: KeyRecord): Promise<void> {
    const gone = goneAt(key);
    if (gone === undefined) return;
    const sha256 = await this.#redis.hget(redisKeys.key(key.account, key.id), 'sha256');
    await Promise.all([
      this.#redis.pexpireat(redisKeys.keyOwner(key.id), gone),
      sha256 !== null && this.#redis.pexpireat(redisKeys.locator(sha256), gone),
      this.endings.add(key),
    ]);
  }

  /** A key of an account; undefined when there is none. */
  async getKey(account: string, id: string): Promise<KeyRecord | undefined> {
    return parseKeyHash(await this.#redis.hgetall(redisKeys.key(account, id)));
  }

  /** The key with an id, of any account; undefined if there is none. */
  async lookUpKey(id: string): Promise<KeyRecord | undefined> {
    const account = await this.#redis.get(redisKeys.keyOwner(id));
    return account === null ? undefined : this.getKey(account, id);
  }

  /** The display form of an account's key; undefined if there is none. */
  async displayOf(account: string, id: string): Promise<string | undefined> {
    return (await this.#redis.hget(redisKeys.key(account, id), 'display')) ?? undefined;
  }

  /** @param account the only one that it may belong to; any by default. @throws NotFoundError when there is no such key. */
  async findKey(id: string, account?: string): Promise<KeyRecord> {
    const record = await (account === undefined ? this.lookUpKey(id) : this.getKey(account, id));
    if (!record) throw new NotFoundError('key', id);
    return record;
  }

  /**
   * Ends a key from the next request on. Revoking it again changes nothing.
   *
   * @throws OperatorError when there is no such key.
   */
  async revokeKey(id: string): Promise<KeyRecord> {
    const { account } = await this.findKey(id);
    await this.#revocation.run([redisKeys.key(account, id), redisKeys.accountKeys(account)], [KEPT_MS]);
    await this.expiring.remove({ account, id });
    const revoked = await this.findKey(id);
    await this.letGo(revoked);
    return revoked;
  }

  /** Changes a working key from the next request on. @throws OperatorError naming the first mistake. */
  async changeKey(
    id: string,
    { name, ipRestrictions, origins }: KeyChanges,
    announce?: Announce<KeyRecord>,
  ): Promise<KeyRecord> {
    const key = await this.findKey(id);
    if (name !== undefined) assertName(name);
    if (ipRestrictions !== undefined) assertIpRestrictions(ipRestrictions);
    if (origins !== undefined) assertOrigins(key.type, origins);
    const changes = Object.entries({
      ...(name !== undefined && { name }),
      ...(ipRestrictions && serialiseRestrictions(ipRestrictions)),
      ...(origins && { origins: [...new Set(origins)].join(' ') }),
    });
    if (changes.length === 0)
      throw new OperatorError('there is nothing to change: give a name, IP restrictions or origins');
    const ended = new OperatorError(`the key "${id}" is revoked or expired`);
    // The script decides, by the clock of Redis; this check keeps impossible changes out of the audit.
    if (hasEnded(key)) throw ended;
    await announce?.(key);
    const outcome = await this.#change.run([redisKeys.key(key.account, id)], changes.flat());
    if (outcome === 'ended') throw ended;
    return this.findKey(id);
  }

  /** @throws NotFoundError when there is no such account. */
  async requireAccount(id: string): Promise<Account> {
    const account = await this.getAccount(id);
    if (!account) throw new NotFoundError('account', id);
    return account;
  }

  async #assertPlanExists(id: string): Promise<void> {
    const account = await this.getAccount(id);
    if (!account || this.#plans.has(account.plan)) return;
    const known = [...this.#plans.keys()].join(', ');
    throw new OperatorError(
      `the account "${id}" has the plan "${account.plan}", which is not one of ${known}: add it to PLANS_FILE, ` +
        `or give the account another plan with \`platen accounts set-plan ${id} PLAN\``,
    );
  }
}
