/** Addresses of an account that get warnings by e-mail. They are part of the account's record, and are removed with it. */
import { readEmail } from '../accounts/keys/email.ts';
import type { Announce } from '../accounts/keys/records.ts';
import { redisKeys } from '../accounts/keys/redis-keys.ts';
import type { KeyStore } from '../accounts/keys/store.ts';
import { OperatorError } from '../errors.ts';
import type { RedisClient } from '../redis/connect.ts';
import { webhookKeys } from './redis-keys.ts';

export interface Contacts {
  /** E-mail addresses. */
  readonly addresses: readonly string[];
  /** Whether they get warnings. */
  readonly warnings: boolean;
}

export const MAX_CONTACTS = 10;

export class ContactStore {
  readonly #redis: RedisClient;
  readonly #keys: KeyStore;

  constructor(redis: RedisClient, keys: KeyStore) {
    this.#redis = redis;
    this.#keys = keys;
  }

  /** @throws Error when Redis is not available. */
  async read(account: string): Promise<Contacts> {
    const fields = await this.#redis.hmget(redisKeys.account(account), 'contacts', 'mailsWarnings');
    const [addresses, warnings] = fields;
    return { addresses: addresses ? addresses.split(' ') : [], warnings: warnings === '1' };
  }

  /**
   * What is left out stays.
   *
   * @param announce is told what is about to be changed.
   * @throws OperatorError when an address is wrong, there are too many, or there is no such account.
   */
  async set(
    account: string,
    { warnings, ...wanted }: Partial<Contacts>,
    announce?: Announce<Partial<Contacts>>,
  ): Promise<Contacts> {
    const addresses = wanted.addresses && [...new Set(wanted.addresses.map(readEmail))];
    if (addresses && addresses.length > MAX_CONTACTS) {
      throw new OperatorError(`an account can have at most ${MAX_CONTACTS} contact addresses`);
    }
    if (!addresses && warnings === undefined) {
      throw new OperatorError('there is nothing to change: give addresses or warnings');
    }
    await this.#keys.requireAccount(account);
    await announce?.({ ...(addresses && { addresses }), ...(warnings !== undefined && { warnings }) });
    // First: an account in the set without contacts is harmless, the reverse is not.
    await this.#redis.sadd(webhookKeys.accounts, account);
    await this.#keys.changes.set(account, {
      ...(addresses && { contacts: addresses.join(' ') }),
      ...(warnings !== undefined && { mailsWarnings: warnings ? '1' : null }),
    });
    return this.read(account);
  }
}
