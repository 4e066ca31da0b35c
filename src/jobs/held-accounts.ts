/**
 * Accounts whose jobs are held, as they are suspended or will be deleted. The record of the account decides; this copy is for
 * the egress process, which may not read accounts.
 */
import { redisKeys } from '../accounts/keys/redis-keys.ts';
import type { RedisClient } from '../redis/connect.ts';

/** Set of account ids. It has the hash tag of the queues, the only data of jobs that the egress process reads. */
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

  /** Copies the state of the account's record: the process that changed it may have died before. @returns that state. */
  async renew(account: string): Promise<boolean> {
    const fields = await this.#redis.hmget(redisKeys.account(account), 'suspendedAt', 'deletesAt');
    const isHeld = fields.some((value) => value !== null);
    await this.set(account, isHeld);
    return isHeld;
  }
}
