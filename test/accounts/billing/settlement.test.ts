import type { Redis } from 'ioredis';
import t from 'tap';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import type { Reservation } from '../../../src/accounts/billing/reservation.ts';
import { Settlement } from '../../../src/accounts/billing/settlement.ts';
import { Usage } from '../../../src/accounts/billing/usage.ts';
import type { KeyLocation } from '../../../src/accounts/keys/locate.ts';
import { Admission, type Verdict } from '../../../src/accounts/limits/admission.ts';
import { connectRedis } from '../../../src/redis/connect.ts';
import { log, startRedis } from '../../redis/support.ts';
import { createKey, plansOf } from '../limits/support.ts';
import { AT, figures, liveKey, MONTH, reservation } from './samples.ts';

const { server, client } = await startRedis(t);
const settlement = new Settlement(client);
const usage = new Usage(client);
t.beforeEach(() => client.flushall());

const HOUR_MS = 3_600_000;
const plans = plansOf({ small: { perMonth: 2 } });
const admission = new Admission(client, { plans, reservationMs: HOUR_MS });

const admit = (key: KeyLocation, conversion: string, by = admission): Promise<Verdict> =>
  by.admit({ key, address: '192.0.2.1', permission: 'convert', conversion });

/** Reserves a conversion. */
async function reserve(key: KeyLocation, requestId: string, by = admission): Promise<Reservation> {
  const verdict = await admit(key, requestId, by);
  if (verdict.outcome !== 'admitted') throw new Error(verdict.outcome);
  return { requestId, key, at: verdict.at };
}

async function ledgerOf(account: string, month: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { requestId } of usage.ledger(account, month)) ids.push(requestId);
  return ids;
}

/** Everything that the database holds, byte for byte. */
async function contents(redis: Redis): Promise<Record<string, string | undefined>> {
  const names = (await redis.keys('*')).sort();
  const dumps = await Promise.all(names.map(async (name) => (await redis.dumpBuffer(name))?.toString('hex')));
  return Object.fromEntries(names.map((name, index) => [name, dumps[index]]));
}

t.test('a delivered conversion is one use, one entry of the ledger and part of its day', async (t) => {
  const { location } = await createKey(client, plans);
  const reserved = await reserve(location, 'req_1');
  const month = new Date(reserved.at).toISOString().slice(0, 7);
  t.same(await client.hgetall(limitKeys.months('acme', 'live')), { [`reserved:${month}`]: '1' });
  await settlement.settle(reserved, figures);

  t.same(await client.hgetall(limitKeys.months('acme', 'live')), {
    [`reserved:${month}`]: '0',
    [`used:${month}`]: '1',
  });
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  const [[, fields] = []] = await client.xrange(limitKeys.ledger('acme', month), '-', '+');
  t.same(fields, [
    ...['requestId', 'req_1', 'account', 'acme', 'key', location.id, 'pages', '3', 'bytesIn', '1000'],
    ...['bytesOut', '2000', 'durationMs', '41', 'at', new Date(reserved.at).toISOString()],
  ]);
  t.match(await usage.month('acme', 'live', month), {
    used: 1,
    days: [{ conversions: 1, pages: 3, bytesIn: 1_000, bytesOut: 2_000, failures: {} }],
    keys: [{ key: location.id, conversions: 1, pages: 3 }],
  });
});

t.test('settling again changes nothing, from whichever server and however many at once', async (t) => {
  const others = await Promise.all(
    [1, 2].map(async () => {
      const { client, close } = await connectRedis({ target: server.socketPath, log });
      t.teardown(close);
      return new Settlement(client);
    }),
  );
  const all = [settlement, ...others];
  await Promise.all(Array.from({ length: 30 }, (_, n) => all[n % 3]?.settle(reservation('req_1'), figures)));
  t.match(await usage.month('acme', 'live', MONTH), {
    used: 1,
    days: [{ conversions: 1, pages: 3 }],
    keys: [{ key: 'key_1', conversions: 1, pages: 3 }],
  });
  t.same(await ledgerOf('acme', MONTH), ['req_1']);

  const before = await contents(client);
  await settlement.settle(reservation('req_1'), { ...figures, pages: 9 });
  await settlement.release(reservation('req_1'), 'CONVERSION_FAILED');
  t.same(await contents(client), before);
});

t.test('each document of a PDF is one use and one entry, once', async (t) => {
  const { location } = await createKey(client, plansOf({ small: { perMonth: 4 } }));
  const four = new Admission(client, { plans: plansOf({ small: { perMonth: 4 } }), reservationMs: HOUR_MS });
  const reserved = await reserve(location, 'req_1', four);
  const month = new Date(reserved.at).toISOString().slice(0, 7);
  const months = limitKeys.months('acme', 'live');
  t.equal(await four.reserveDocuments(reserved, 5, 4), 4, 'too many: 4 are left');
  t.equal(await client.hget(months, `reserved:${month}`), '1', 'nothing more is reserved');
  t.equal(await four.reserveDocuments(reserved, 3, 4), undefined);
  t.equal(await client.hget(months, `reserved:${month}`), '3');
  const other = await reserve(location, 'req_2', four);
  t.equal((await admit(location, 'req_3', four)).outcome, 'quota', 'all four are reserved');
  t.equal(await four.reserveDocuments(other, 2, 4), 1, 'its own is left');
  await settlement.release(other, undefined);

  const documents = [1, 2, 3].map((n) => ({ pages: n, bytesIn: 100 * n }));
  const whole = { pages: 6, bytesIn: 600, bytesOut: 2_000, durationMs: 41, documents };
  const [before] = [await client.zcard(limitKeys.reservations('acme', 'live'))];
  t.equal(before, 3);
  for (let times = 0; times < 2; times += 1) await settlement.settle(reserved, whole);
  t.match(await client.hgetall(months), { [`reserved:${month}`]: '0', [`used:${month}`]: '3' });
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  const entries = [];
  for await (const { requestId, pages, bytesIn, bytesOut } of usage.ledger('acme', month))
    entries.push([requestId, pages, bytesIn, bytesOut]);
  t.strictSame(entries, [
    ['req_1.1', 1, 100, 2_000],
    ['req_1.2', 2, 200, 0],
    ['req_1.3', 3, 300, 0],
  ]);
  t.match(await usage.month('acme', 'live', month), {
    used: 3,
    days: [{ conversions: 3, pages: 6, bytesIn: 600, bytesOut: 2_000 }],
    keys: [{ key: location.id, conversions: 3, pages: 6 }],
  });
});

t.test('documents of a PDF that is not made give all their places back', async (t) => {
  const { location } = await createKey(client, plansOf({ small: { perMonth: 3 } }));
  const three = new Admission(client, { plans: plansOf({ small: { perMonth: 3 } }), reservationMs: HOUR_MS });
  const reserved = await reserve(location, 'req_1', three);
  await three.reserveDocuments(reserved, 3, 3);
  t.equal((await admit(location, 'req_2', three)).outcome, 'quota');
  for (let times = 0; times < 2; times += 1) await settlement.release(reserved, 'CORRUPTED_FILE');
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  t.equal((await admit(location, 'req_2', three)).outcome, 'admitted');
  t.equal(await three.reserveDocuments(reserved, 3, 3), undefined, 'whoever comes late');
  const month = new Date(reserved.at).toISOString().slice(0, 7);
  t.equal(await client.hget(limitKeys.months('acme', 'live'), `reserved:${month}`), '1', 'reserves nothing');
});

t.test('a released conversion gives its place back, once', async (t) => {
  const { location } = await createKey(client, plans);
  const first = await reserve(location, 'req_1');
  await reserve(location, 'req_2');
  t.equal((await admit(location, 'req_3')).outcome, 'quota');
  for (let times = 0; times < 3; times += 1) await settlement.release(first, undefined);
  t.equal((await admit(location, 'req_3')).outcome, 'admitted');
  t.equal((await admit(location, 'req_4')).outcome, 'quota', 'one place, not three');
  const month = new Date(first.at).toISOString().slice(0, 7);
  t.same(await usage.month('acme', 'live', month), {
    month,
    used: 0,
    renewsAt: (await usage.month('acme', 'live', month)).renewsAt,
    days: [],
    keys: [],
  });
  t.same(await ledgerOf('acme', month), []);
});

t.test('a settled conversion keeps its place', async (t) => {
  const { location } = await createKey(client, plans);
  for (const id of ['req_1', 'req_2']) await settlement.settle(await reserve(location, id), figures);
  t.match(await admit(location, 'req_3'), { outcome: 'quota', used: 2 });
});

t.test('failures are counted by their code, each once', async (t) => {
  const { location } = await createKey(client, plansOf({ small: {} }));
  const unlimited = new Admission(client, { plans: plansOf({ small: {} }), reservationMs: HOUR_MS });
  let month = '';
  for (const [id, code] of [
    ['req_1', 'CONVERSION_FAILED'],
    ['req_2', 'CORRUPTED_FILE'],
    ['req_3', 'CONVERSION_FAILED'],
    ['req_4', undefined],
  ] as const) {
    const reserved = await reserve(location, id, unlimited);
    month = new Date(reserved.at).toISOString().slice(0, 7);
    await settlement.release(reserved, code);
    await settlement.release(reserved, code);
  }
  const { days } = await usage.month('acme', 'live', month);
  t.match(days, [{ conversions: 0, failures: { CONVERSION_FAILED: 2, CORRUPTED_FILE: 1 } }]);
  t.equal(days.length, 1);
});

t.test('a conversion counts although its reservation has expired', async (t) => {
  const { location } = await createKey(client, plans);
  const hasty = new Admission(client, { plans, reservationMs: 1 });
  const late = await reserve(location, 'req_1', hasty);
  // Admissions remove what has expired.
  const reservations = limitKeys.reservations('acme', 'live');
  const month = new Date(late.at).toISOString().slice(0, 7);
  for (let n = 0; (await client.zscore(reservations, `${month} req_1`)) !== null; n += 1) {
    const { requestId } = await reserve(location, `req_other_${n}`);
    await settlement.release(reservation(requestId, { key: location, at: late.at }), undefined);
  }
  await settlement.settle(late, figures);
  t.match(await client.hgetall(limitKeys.months('acme', 'live')), {
    [`used:${month}`]: '1',
    [`reserved:${month}`]: '0',
  });
  t.same(await ledgerOf('acme', month), ['req_1']);
  await settlement.settle(late, figures);
  t.equal((await usage.month('acme', 'live', month)).used, 1);
});

t.test('test keys are counted and never billed', async (t) => {
  const key = { ...liveKey, environment: 'test' } as const;
  await settlement.settle(reservation('req_1', { key }), figures);
  await settlement.release(reservation('req_2', { key }), 'CORRUPTED_FILE');
  t.match(await usage.month('acme', 'test', MONTH), { used: 1, days: [{ conversions: 1, pages: 3 }] });
  t.match(await usage.month('acme', 'live', MONTH), { used: 0, days: [] });
  t.equal(await client.exists(limitKeys.ledger('acme', MONTH)), 0);
});

t.test('the month and the day are those of the admission', async (t) => {
  const at = Date.parse('2096-02-29T23:59:59.999Z');
  await settlement.settle(reservation('req_1', { at }), figures);
  t.match(await usage.month('acme', 'live', '2096-02'), { used: 1, days: [{ date: '2096-02-29' }] });
  t.equal((await usage.month('acme', 'live', '2096-03')).used, 0);
});

t.test('what is kept of a month goes after 400 days, the ids of its requests after 62', async (t) => {
  await settlement.settle(reservation('req_1'), figures);
  for (const { name, days } of [
    { name: limitKeys.settled('acme', 'live', MONTH), days: 62 },
    { name: limitKeys.ledger('acme', MONTH), days: 400 },
    { name: limitKeys.days('acme', 'live', MONTH), days: 400 },
    { name: limitKeys.byKey('acme', 'live', MONTH), days: 400 },
  ]) {
    const end = (Date.parse('2099-12-01T00:00:00Z') + days * 86_400_000) / 1000;
    t.equal(await client.call('EXPIRETIME', name), end, name);
  }
});

t.test('accounts have nothing to do with each other', async (t) => {
  const other = { ...liveKey, account: 'other' };
  await settlement.settle(reservation('req_1'), figures);
  await settlement.settle(reservation('req_1', { key: other }), figures);
  for (const account of ['acme', 'other']) {
    t.equal((await usage.month(account, 'live', MONTH)).used, 1);
    t.same(await ledgerOf(account, MONTH), ['req_1']);
  }
});

t.test('it touches nothing outside the slot of its account', async (t) => {
  await settlement.settle(reservation('req_1', { at: AT }), figures);
  const names = await client.keys('*');
  t.ok(names.length >= 4);
  for (const name of names) t.match(name, /^platen:\{acme\}:/);
});

t.test('without Redis it is an error', async (t) => {
  const { client, close } = await connectRedis({ target: server.socketPath, log });
  close();
  await t.rejects(new Settlement(client).settle(reservation('req_1'), figures), Error);
});
