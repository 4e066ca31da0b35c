import t from 'tap';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import { Settlement } from '../../../src/accounts/billing/settlement.ts';
import { type LedgerEntry, Usage } from '../../../src/accounts/billing/usage.ts';
import { MAX_KEYS } from '../../../src/accounts/keys/records.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { patientClient, startRedis } from '../../redis/support.ts';
import { AT, figures, MONTH, reservation } from './samples.ts';

// A thousand settlements at once take a busy machine longer than a service waits.
const client = patientClient(t, (await startRedis(t)).server);
const settlement = new Settlement(client);
const usage = new Usage(client);
t.beforeEach(() => client.flushall());

const DAY_MS = 86_400_000;

t.test('a month in which nothing was converted', async (t) => {
  t.same(await usage.month('acme', 'live', '2099-12'), {
    month: '2099-12',
    used: 0,
    renewsAt: '2100-01-01T00:00:00.000Z',
    days: [],
    keys: [],
  });
  for await (const entry of usage.ledger('acme', '2099-12')) t.fail(JSON.stringify(entry));
});

t.test('days are in order, and their sums are the use of the month', async (t) => {
  for (const [id, day] of [
    ['req_1', 2],
    ['req_2', -20],
    ['req_3', 2],
  ] as const) {
    await settlement.settle(reservation(id, { at: AT + day * DAY_MS }), figures);
  }
  await client.zadd(limitKeys.reservations('acme', 'live'), AT, `${MONTH} req_4`);
  await settlement.release(reservation('req_4'), 'CORRUPTED_FILE');
  t.same(await usage.month('acme', 'live', MONTH), {
    month: MONTH,
    used: 3,
    renewsAt: '2099-12-01T00:00:00.000Z',
    days: [
      { date: '2099-11-01', conversions: 1, pages: 3, bytesIn: 1_000, bytesOut: 2_000, failures: {} },
      {
        date: '2099-11-21',
        conversions: 0,
        pages: 0,
        bytesIn: 0,
        bytesOut: 0,
        failures: { CORRUPTED_FILE: 1 },
      },
      { date: '2099-11-23', conversions: 2, pages: 6, bytesIn: 2_000, bytesOut: 4_000, failures: {} },
    ],
    keys: [{ key: 'key_1', name: null, display: null, conversions: 3, pages: 9 }],
  });
});

t.test('keys are counted apart, the one with the most first', async (t) => {
  const kept = await new KeyStore(client, defaultPlans).createAccount({
    id: 'acme',
    name: 'Acme',
    plan: 'pro',
  });
  const settings = { account: kept.id, name: 'shop', environment: 'live', type: 'sk' } as const;
  const { id, display } = await new KeyStore(client, defaultPlans).createKey(settings);
  const settle = (request: string, key: string, pages: number, environment: 'live' | 'test' = 'live') =>
    settlement.settle(reservation(request, { key: { account: 'acme', id: key, environment } }), {
      ...figures,
      pages,
    });
  await settle('req_1', 'key_gone', 30);
  for (const request of ['req_2', 'req_3']) await settle(request, id, 2);
  await settle('req_4', 'key_test', 5, 'test');
  await client.zadd(limitKeys.reservations('acme', 'live'), AT, `${MONTH} req_5`);
  await settlement.release(reservation('req_5'), 'CORRUPTED_FILE');
  t.same((await usage.month('acme', 'live', MONTH)).keys, [
    { key: id, name: 'shop', display, conversions: 2, pages: 4 },
    { key: 'key_gone', name: null, display: null, conversions: 1, pages: 30 },
  ]);
  t.same((await usage.month('acme', 'test', MONTH)).keys, [
    { key: 'key_test', name: null, display: null, conversions: 1, pages: 5 },
  ]);
});

t.test('keys beyond the first thousand of a month are counted together', async (t) => {
  const settle = (n: number, key: number) => {
    const of = { account: 'acme', id: `key_${key}`, environment: 'live' } as const;
    return settlement.settle(reservation(`req_${n}`, { key: of }), figures);
  };
  await Promise.all(Array.from({ length: MAX_KEYS + 3 }, (_, n) => settle(n, n)));
  await settle(9_001, 0);
  await settle(9_002, MAX_KEYS);
  const { keys, used } = await usage.month('acme', 'live', MONTH);
  t.equal(keys.length, MAX_KEYS + 1);
  t.match(keys.slice(0, 2), [
    { key: null, conversions: 4, pages: 12 },
    { key: 'key_0', conversions: 2 },
  ]);
  t.equal(
    keys.reduce((sum, { conversions }) => sum + conversions, 0),
    used,
  );
});

t.test('the ledger has each entry once, in order, over many pages', async (t) => {
  const count = 2_345;
  const ids = Array.from({ length: count }, (_, n) => `req_${n}`);
  for (let from = 0; from < count; from += 500) {
    await Promise.all(ids.slice(from, from + 500).map((id) => settlement.settle(reservation(id), figures)));
  }
  const entries: LedgerEntry[] = [];
  for await (const entry of usage.ledger('acme', MONTH)) entries.push(entry);
  t.same(
    entries.map(({ requestId }) => requestId),
    ids,
  );
  t.same(entries[0], {
    requestId: 'req_0',
    account: 'acme',
    key: 'key_1',
    pages: 3,
    bytesIn: 1_000,
    bytesOut: 2_000,
    durationMs: 41,
    at: '2099-11-21T12:00:00.250Z',
  });
  const { used } = await usage.month('acme', 'live', MONTH);
  t.equal(entries.length, used, 'its sum is the counter');
});

t.test('a ledger of exactly one page', async (t) => {
  const ids = Array.from({ length: 1_000 }, (_, n) => `req_${n}`);
  await Promise.all(ids.map((id) => settlement.settle(reservation(id), figures)));
  let count = 0;
  for await (const _ of usage.ledger('acme', MONTH)) count += 1;
  t.equal(count, 1_000);
});
