/** What became of conversions, on a real Redis: the last ones of an account. */
import t from 'tap';
import {
  CONVERSION_KEPT_MS,
  type ConversionResult,
  Conversions,
} from '../../../src/accounts/billing/conversions.ts';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import { startRedis } from '../../redis/support.ts';
import { liveKey } from './samples.ts';

const { client } = await startRedis(t);
t.beforeEach(() => client.flushall());
const MOST = 5;
const conversions = new Conversions(client, MOST);
const ids = limitKeys.conversions('acme', 'live');

function result(durationMs: number): ConversionResult {
  const none = {
    bytesIn: null,
    bytesOut: null,
    uploadMs: null,
    queueMs: null,
    convertMs: null,
    report: null,
  };
  return { at: '2026-11-21T07:59:12.431Z', outcome: 'client_left', code: null, durationMs, ...none };
}

async function keep(from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await conversions.keep(liveKey, `req_${n}`, result(n));
}

/** Those of 1 to `to` that are kept. */
async function kept(to: number): Promise<number[]> {
  const found: number[] = [];
  for (let n = 1; n <= to; n++) {
    const each = await conversions.find(liveKey, `req_${n}`);
    if (each) found.push(each.durationMs);
  }
  return found;
}

t.test('the last ones of an account are kept', async (t) => {
  await keep(1, 12);
  t.strictSame(await kept(12), [8, 9, 10, 11, 12]);
  t.equal(await client.dbsize(), MOST + 1, 'nothing of the others is left');
});

t.test('what takes the place of another pushes none out', async (t) => {
  await keep(1, MOST);
  await conversions.keep(liveKey, 'req_2', result(20));
  await conversions.keep(liveKey, 'req_2', result(21));
  t.strictSame(await kept(MOST), [1, 21, 3, 4, 5]);
  await keep(6, 6);
  t.strictSame(await kept(6), [21, 3, 4, 5, 6]);
});

t.test('accounts and environments push nothing of each other out', async (t) => {
  await keep(1, MOST);
  const others = [
    { ...liveKey, account: 'other' },
    { ...liveKey, environment: 'test' },
  ] as const;
  for (const key of others) {
    for (let n = 0; n < 2 * MOST; n++) await conversions.keep(key, `req_other_${n}`, result(n));
  }
  t.strictSame(await kept(MOST), [1, 2, 3, 4, 5]);
});

t.test('for a day, and what is over leaves the list', async (t) => {
  await keep(1, 4);
  for (const name of [ids, limitKeys.conversion('acme', 'live', 'req_1')]) {
    const ms = await client.pttl(name);
    t.ok(ms > CONVERSION_KEPT_MS - 60_000 && ms <= CONVERSION_KEPT_MS, name);
  }
  // As if their time had come.
  for (const n of [1, 2]) await client.del(limitKeys.conversion('acme', 'live', `req_${n}`));
  await keep(5, 5);
  t.strictSame(await client.lrange(ids, 0, -1), ['req_5', 'req_4', 'req_3']);
});

t.test('a smaller limit is reached step by step', async (t) => {
  await keep(1, MOST);
  const fewer = new Conversions(client, 2);
  await fewer.keep(liveKey, 'req_6', result(6));
  t.strictSame(await kept(6), [5, 6]);
});
