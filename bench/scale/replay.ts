/** One saturated Redis: replays the commands of real conversions with other ids, as the servers here cannot send enough. */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { runClients, shared } from '../parallel.ts';
import { round } from '../statistics.ts';
import { costOf, readRedis } from './redis-use.ts';

/** Connections that wait for an answer before their next command, as those of servers do. */
const CONNECTIONS = 50;
const REQUEST = /req_[0-9a-f]{32}/g;

/** The commands of one conversion of an account, in their order. */
interface Recorded {
  readonly account: string;
  readonly commands: readonly (readonly string[])[];
}

/** @param url of that Redis. @param count of conversions. @throws Error unless Redis has billed each of them. */
export async function measureReplay(redis: Redis, url: string, recorded: readonly Recorded[], count: number) {
  const connections = Array.from({ length: CONNECTIONS }, () => new Redis(url));
  try {
    await Promise.all(connections.map((connection) => connection.ping()));
    let turn = 0;
    const convert = shared(
      connections.map((connection) => async () => {
        const { commands } = recorded[turn++ % recorded.length] as Recorded;
        const request = `req_${randomBytes(16).toString('hex')}`;
        for (const [name = '', ...args] of commands)
          await connection.call(name, ...args.map((arg) => arg.replace(REQUEST, request)));
      }),
    );
    const billed = await rowsOf(redis, recorded);
    const before = await readRedis(redis);
    const { perSecond } = await runClients(convert, CONNECTIONS, count);
    const after = await readRedis(redis);
    const rows = (await rowsOf(redis, recorded)) - billed;
    if (rows !== count) throw new Error(`${rows} of ${count} conversions are billed`);
    return {
      conversions: count,
      perSecond: round(perSecond),
      busyPercent: round((100 * (after.cpuMs - before.cpuMs)) / (after.at - before.at)),
      ...costOf(before, after, count),
    };
  } finally {
    for (const connection of connections) connection.disconnect();
  }
}

async function rowsOf(redis: Redis, recorded: readonly Recorded[]): Promise<number> {
  const month = new Date().toISOString().slice(0, 7);
  const lengths = await Promise.all(
    recorded.map(({ account }) => redis.xlen(limitKeys.ledger(account, month))),
  );
  return lengths.reduce((sum, each) => sum + each, 0);
}
