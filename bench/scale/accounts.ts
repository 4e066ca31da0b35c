/** Accounts and keys for the load. */
import type { Redis } from 'ioredis';
import { inBatches } from '../../src/accounts/keys/batches.ts';
import { KeyStore } from '../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import type { RedisClient } from '../../src/redis/connect.ts';

/** Keys that one run of the script makes: it keeps Redis busy for some milliseconds. */
const KEYS_A_RUN = 500;
/** As many as in redis-benchmark's random numbers, so that each names an account, and a key in each account. */
const DIGITS = 12;

export interface Extent {
  readonly accounts: number;
  readonly keysEach: number;
}

/** A key that a client sends. */
export interface ClientKey {
  readonly account: string;
  readonly key: string;
}

/** Makes accounts without limits, and live keys of each. @returns the keys. */
export async function makeAccounts(redis: RedisClient, { accounts, keysEach }: Extent): Promise<ClientKey[]> {
  const store = new KeyStore(redis, defaultPlans);
  const keys = await inBatches(numbered(accounts), async (id) => {
    await store.createAccount({ id, name: `Customer ${id} GmbH`, plan: 'enterprise' });
    const made: ClientKey[] = [];
    for (let k = 0; k < keysEach; k++) {
      const { key } = await store.createKey({
        account: id,
        name: `key ${k}`,
        environment: 'live',
        type: 'sk',
      });
      made.push({ account: id, key });
    }
    return made;
  });
  return keys.flat();
}

/** Prefixes of names that end with a random number of redis-benchmark. */
export const ACCOUNT = 'a';
export const KEY = 'key_';

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${ACCOUNT}${String(n).padStart(DIGITS, '0')}`);
}

/**
 * Like {@link makeAccounts}, but the keys are copies of one key, made by a script within Redis: ten million would take the
 * store an hour. Nobody knows their texts.
 */
export async function copyKeys(redis: Redis, { accounts, keysEach }: Extent): Promise<void> {
  const [model] = await makeAccounts(redis, { accounts: 1, keysEach: 1 });
  const account = model?.account ?? '';
  const store = new KeyStore(redis, defaultPlans);
  const [id = ''] = await store.listed.ids(account, 0, 1);
  const fields = await redis.hgetall(`platen:{${account}}:key:${id}`);
  await redis.flushdb();
  await makeAccounts(redis, { accounts, keysEach: 0 });
  for (const each of numbered(accounts)) {
    for (let first = 0; first < keysEach; first += KEYS_A_RUN) {
      const last = Math.min(keysEach, first + KEYS_A_RUN) - 1;
      await redis.eval(COPY, 0, each, first, last, Date.now(), ...Object.entries(fields).flat());
    }
  }
}

const COPY = `
  local account, created = ARGV[1], string.format('%015d', ARGV[4])
  local fields, at = { unpack(ARGV, 5) }, {}
  for i = 1, #fields, 2 do at[fields[i]] = i + 1 end
  local LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  local own = 'platen:{' .. account .. '}:'
  fields[at.account] = account
  for n = ARGV[2], ARGV[3] do
    local id = string.format('${KEY}%0${DIGITS}d', n)
    local hash = redis.sha1hex(account .. id)
    local number, ending = tonumber(string.sub(hash, 1, 8), 16), ''
    for _ = 1, 4 do
      local letter = number % 62 + 1
      ending, number = ending .. string.sub(LETTERS, letter, letter), math.floor(number / 62)
    end
    fields[at.id], fields[at.display] = id, 'svc_live_sk_…' .. ending
    fields[at.sha256] = hash .. string.sub(hash, 1, 24)
    redis.call('HSET', own .. 'key:' .. id, unpack(fields))
    redis.call('ZADD', own .. 'keys-by-end', 0, '999999999999999-' .. created .. '-' .. id)
    redis.call('SET', 'platen:key-owner:' .. account .. id, account)
    redis.call('SET', 'platen:locator:' .. fields[at.sha256], account .. ' ' .. id)
    redis.call('ZADD', 'platen:keys:ending:' .. ending, '+inf', account .. ' ' .. id)
  end
`;
