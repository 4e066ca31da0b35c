/** Lets a command of Redis fail once. */
import type { Command } from 'ioredis';
import { redisKeys } from '../../src/accounts/keys/redis-keys.ts';
import type { RedisClient } from '../../src/redis/connect.ts';

/**
 * The next command that fits fails, as when the connection is lost.
 *
 * @param isDone whether Redis does it all the same, and only its answer is lost.
 */
export function failNext(redis: RedisClient, fits: (command: Command) => boolean, isDone = false): void {
  const send = redis.sendCommand;
  redis.sendCommand = async (command: Command, ...others: []) => {
    if (!fits(command)) return send.call(redis, command, ...others);
    redis.sendCommand = send;
    if (isDone) await send.call(redis, command, ...others);
    throw new Error('Connection is closed.');
  };
}

/** The command that reads an account after somebody was invited to it. */
export function readingOnceInvited(account: string): (command: Command) => boolean {
  let isMade = false;
  return ({ name, args }) => {
    isMade ||= name === 'sadd' && String(args[0]).startsWith('platen:email:');
    return isMade && name === 'hgetall' && args[0] === redisKeys.account(account);
  };
}
