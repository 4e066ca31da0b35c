/** Members of a realm in Redis. */
import { createHash, randomBytes } from 'node:crypto';
import { redisKeys } from '../accounts/keys/redis-keys.ts';
import { OperatorError } from '../errors.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { INVITATION_MS, type Member, type Role } from './member.ts';
import { NO_ACCOUNT, type Realm } from './realm.ts';
import type { RealmKeys } from './redis-keys.ts';
import { Roster } from './roster.ts';

/** Tries of a change while others change the same record. */
const ATTEMPTS = 20;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const PLACE = /^(\S+) (\S+)$/;

/** Identifies a member or an invitation; the account `-` stands for operators. */
export interface MemberRef {
  readonly account: string;
  readonly id: string;
}

export class MemberStore<R extends string = Role> {
  readonly #realm: Realm<R>;
  readonly #keys: RealmKeys;
  readonly #redis: RedisClient;
  readonly #change: Script;

  constructor(redis: RedisClient, realm: Realm<R>) {
    this.#realm = realm;
    this.#keys = realm.keys;
    this.#redis = redis;
    this.#change = new Script(redis, luaFiles.changeMembers);
  }

  /** @throws Error when Redis is not available. */
  async read(account: string): Promise<Roster<R>> {
    const stored = await this.#redis.hgetall(this.#keys.members(account));
    return new Roster(this.#realm, stored, Date.now());
  }

  /** One member; undefined if there is none. @throws Error as above. */
  async find({ account, id }: MemberRef): Promise<Member<R> | undefined> {
    if (!id.startsWith(`${this.#realm.prefix}_`)) return undefined;
    const text = await this.#redis.hget(this.#keys.members(account), id);
    return text === null ? undefined : (JSON.parse(text) as Member<R>);
  }

  /** Whether an account can be entered; of one that is being removed, only a mark is left. @throws Error as above. */
  async isOpen(account: string): Promise<boolean> {
    if (account === NO_ACCOUNT) return true;
    return (await this.#redis.hexists(redisKeys.account(account), 'name')) === 1;
  }

  /**
   * Changes the members of an account, all or nothing.
   *
   * @param edit is called again if somebody else was faster. Its errors are thrown.
   * @param announce is told of what is about to be changed. If it returns undefined, as there is nothing to record, it is told again
   *   when the change is tried again.
   * @throws OperatorError if there is no such account; Error when Redis is not available.
   */
  async change<T>(
    account: string,
    edit: (roster: Roster<R>) => T,
    announce?: (result: NonNullable<T>) => Promise<void> | undefined,
  ): Promise<T> {
    let isAnnounced = false;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const roster = await this.read(account);
      const result = edit(roster);
      if (roster.changes.length === 0) return result;
      if (!isAnnounced && result) {
        const announced = announce?.(result);
        await announced;
        isAnnounced = announced !== undefined;
      }
      // Before the change: afterwards, nothing would lead to them.
      const unknown = roster.expired.filter((email) => !roster.knows(email));
      await Promise.all(unknown.map((email) => this.unplaceEmail(email, account)));
      const of = account === NO_ACCOUNT ? [] : [redisKeys.account(account)];
      const names = [this.#keys.members(account), ...of];
      const outcome = await this.#change.run(names, [roster.version, ...roster.changes]);
      if (outcome === 'changed') return result;
      if (outcome === 'unknown') throw new OperatorError(`there is no account "${account}"`);
    }
    throw new OperatorError(`the ${this.#realm.noun}s change too often: try again`);
  }

  /** A token for an invitation, and the hash to store. */
  static newToken(): { readonly token: string; readonly hash: string } {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    return { token, hash: sha256(token) };
  }

  /** Adds the entry from a token to its invitation, without which it has no effect. */
  async placeInvitation(hash: string, { account, id }: MemberRef): Promise<void> {
    await this.#redis.set(this.#keys.invitation(hash), `${account} ${id}`, 'PX', INVITATION_MS);
  }

  async unplaceInvitation(hash: string): Promise<void> {
    await this.#redis.del(this.#keys.invitation(hash));
  }

  /** Where the invitation of a token is, if there is one. */
  async locateInvitation(token: string): Promise<MemberRef | undefined> {
    if (!TOKEN.test(token)) return undefined;
    return placeOf(await this.#redis.get(this.#keys.invitation(sha256(token))));
  }

  /** Adds the entry from an address to an account; it has no effect unless the account knows the address. */
  async placeEmail(email: string, account: string): Promise<void> {
    await this.#redis.sadd(this.#keys.email(sha256(email)), account);
  }

  /** Removes that entry, unless the account knows the address, also by a new invitation. */
  async unplaceEmail(email: string, account: string): Promise<void> {
    await this.forgetEmail(email, account);
    if ((await this.read(account)).knows(email)) await this.placeEmail(email, account);
  }

  /** Removes that entry for a removed account. */
  async forgetEmail(email: string, account: string): Promise<void> {
    await this.#redis.srem(this.#keys.email(sha256(email)), account);
  }

  /** Accounts that may know an address. @param most of them. */
  async locateEmail(email: string, most: number): Promise<string[]> {
    return (await this.#redis.srandmember(this.#keys.email(sha256(email)), most)).sort();
  }

  /**
   * Adds the entry from a passkey to its member, without whom it has no effect.
   *
   * @returns false if the passkey has another owner.
   */
  async placePasskey(passkey: string, { account, id }: MemberRef): Promise<boolean> {
    return (await this.#redis.set(this.#keys.passkey(sha256(passkey)), `${account} ${id}`, 'NX')) === 'OK';
  }

  async unplacePasskeys(passkeys: readonly { readonly id: string }[]): Promise<void> {
    await Promise.all(passkeys.map(({ id }) => this.#redis.del(this.#keys.passkey(sha256(id)))));
  }

  /** The owner of a passkey, if it has one. */
  async locatePasskey(passkey: string): Promise<MemberRef | undefined> {
    return placeOf(await this.#redis.get(this.#keys.passkey(sha256(passkey))));
  }
}

function placeOf(text: string | null): MemberRef | undefined {
  const [, account, id] = PLACE.exec(text ?? '') ?? [];
  return account === undefined || id === undefined ? undefined : { account, id };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
