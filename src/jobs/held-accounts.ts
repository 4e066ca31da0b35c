/**
 * Accounts for which nothing is begun, as they are suspended or to be deleted. The account itself says so; this copy is for the process that
 * connects to others' addresses, which may not read accounts.
 */
import { redisKeys } from '../keys/redis-keys.ts';
import type { RedisClient } from '../redis/connect.ts';

/** Set of their ids. It has the hash tag of the queues, as that process reads nothing else of jobs. */
const HELD = 'platen:{jobs}:held';

export class HeldAccounts {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Adds or removes an account. */
  async set(account: string, isHeld: boolean): Promise<void> {
    await this.#redis[isHeld ? 'sadd' : 'srem'](HELD, account);
  }

  async has(account: string): Promise<boolean> {
    return (await this.#redis.sismember(HELD, account)) === 1;
  }

  /** Makes the copy what the account says: who changed it may have died before. @returns that. */
  async renew(account: string): Promise<boolean> {
    const fields = await this.#redis.hmget(redisKeys.account(account), 'suspendedAt', 'deletesAt');
    const isHeld = fields.some((value) => value !== null);
    await this.set(account, isHeld);
    return isHeld;
  }
}
