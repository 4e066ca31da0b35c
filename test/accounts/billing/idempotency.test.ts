import t from 'tap';
import { Bill } from '../../../src/accounts/billing/bill.ts';
import { Billing } from '../../../src/accounts/billing/billing.ts';
import { Claims, KEY_KEPT_MS, LEASE_MS } from '../../../src/accounts/billing/idempotency.ts';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import type { Reservation } from '../../../src/accounts/billing/reservation.ts';
import { Settlement } from '../../../src/accounts/billing/settlement.ts';
import { Usage } from '../../../src/accounts/billing/usage.ts';
import type { KeyLocation } from '../../../src/accounts/keys/locate.ts';
import { Admission, type Verdict } from '../../../src/accounts/limits/admission.ts';
import { log, startRedis } from '../../redis/support.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { until } from '../../support/until.ts';
import { createKey, plansOf } from '../limits/support.ts';
import { figures, liveKey, MONTH, reservation } from './samples.ts';

const { client } = await startRedis(t);
const settlement = new Settlement(client);
t.beforeEach(() => client.flushall());
await awayFromTheHoursEnd();

const plans = plansOf({ small: { perMonth: 1, perHour: 10 } });
const admission = new Admission(client, { plans, reservationMs: 3_600_000 });
const KEY = 'a'.repeat(64);
const letter = { ...figures, document: 'letter' };
const report = { ...figures, document: 'report' };

const admit = (key: KeyLocation, conversion: string, idempotencyKey = KEY) =>
  admission.admit({ key, address: '192.0.2.1', permission: 'convert', conversion, idempotencyKey });

/** What the server knows of an admitted conversion. */
async function claim(key: KeyLocation, requestId: string): Promise<Reservation & { settled?: string }> {
  const verdict = await admit(key, requestId);
  if (verdict.outcome !== 'admitted') throw new Error(verdict.outcome);
  const { at, settled } = verdict;
  return { requestId, key, at, idempotencyKey: KEY, ...(settled !== undefined && { settled }) };
}

const remaining = (verdict: Verdict) => ('windows' in verdict ? verdict.windows[0]?.remaining : undefined);

const usedIn = async (month: string) => (await new Usage(client).month('acme', 'live', month)).used;

t.test('while a request runs, another one under its key is refused, and counts', async (t) => {
  const { location } = await createKey(client, plans);
  const first = await admit(location, 'req_1');
  t.equal(first.outcome, 'admitted');
  const second = await admit(location, 'req_2');
  t.equal(second.outcome, 'running', 'before it is told that the quota is reserved');
  t.equal(remaining(second), (remaining(first) ?? 0) - 1);
  t.equal((await admit(location, 'req_3', 'b'.repeat(64))).outcome, 'quota', 'under another key it is not');
  const lease = await client.pttl(limitKeys.running('acme', 'live', KEY));
  t.ok(lease > 0 && lease <= LEASE_MS, 'not for ever');
});

t.test('what failed releases its key, and what it reserved', async (t) => {
  const { location } = await createKey(client, plans);
  await settlement.release(await claim(location, 'req_1'), 'CORRUPTED_FILE');
  const again = await admit(location, 'req_2');
  t.equal(again.outcome, 'admitted');
  t.notOk('settled' in again, 'as if it were the first');
});

t.test('a repetition of what was settled reserves nothing, also where the quota is used up', async (t) => {
  const { location } = await createKey(client, plans);
  const first = await claim(location, 'req_1');
  await settlement.settle(first, letter);
  t.equal((await admit(location, 'req_2', 'b'.repeat(64))).outcome, 'quota');
  const kept = await client.pttl(limitKeys.done('acme', 'live', KEY));
  t.ok(kept > KEY_KEPT_MS - 60_000 && kept <= KEY_KEPT_MS, 'for 24 hours');
  t.match(await admit(location, 'req_3'), { outcome: 'admitted', settled: 'letter' });
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  t.equal((await admit(location, 'req_4')).outcome, 'running', 'one at a time');
});

t.test('a bill of a repetition: another document is refused, the same one is free', async (t) => {
  const { location } = await createKey(client, plans);
  const billing = new Billing(settlement, log);
  const first = await claim(location, 'req_1');
  const bill = new Bill(billing, first);
  bill.identify('letter');
  await bill.settle(figures);

  const other = await claim(location, 'req_2');
  const reused = new Bill(billing, other, other.settled);
  t.throws(() => reused.identify('report'), { code: 'IDEMPOTENCY_KEY_REUSED' });
  await reused.end('IDEMPOTENCY_KEY_REUSED');

  const same = await claim(location, 'req_3');
  const free = new Bill(billing, same, same.settled);
  free.identify('letter');
  await free.settle(figures);
  t.equal(billing.counts.settled, 1, 'Redis is told of the first alone');
  await free.end(undefined);

  const month = new Date(first.at).toISOString().slice(0, 7);
  t.match(await new Usage(client).month('acme', 'live', month), {
    used: 1,
    days: [{ conversions: 1, failures: { IDEMPOTENCY_KEY_REUSED: 1 } }],
  });
  t.equal(await client.exists(limitKeys.running('acme', 'live', KEY)), 0, 'and the key is free');
});

t.test('of two conversions of a document under one key the first that is settled counts', async (t) => {
  // The lease of the first ran out: its server hung, or lost Redis.
  const idempotencyKey = KEY;
  const [hung, retry] = [
    reservation('req_1', { idempotencyKey }),
    reservation('req_2', { idempotencyKey }),
  ] as const;
  for (let times = 0; times < 2; times++) {
    for (const one of [retry, hung]) await settlement.settle(one, letter);
  }
  t.equal(await usedIn(MONTH), 1);
  t.equal(await client.xlen(limitKeys.ledger('acme', MONTH)), 1);
  const other = reservation('req_3', { idempotencyKey });
  await settlement.settle(other, report);
  t.equal(await usedIn(MONTH), 2, 'another document is another figures');
  t.equal(await client.get(limitKeys.done('acme', 'live', KEY)), 'letter');
});

t.test('a retry after the end of a server needs no quota beside what that had reserved', async (t) => {
  const { location } = await createKey(client, plans);
  const dead = await claim(location, 'req_1');
  const reservations = limitKeys.reservations('acme', 'live');
  const reserved = limitKeys.reserved('acme', 'live', KEY);
  const left = await client.pttl(reserved);
  t.ok(left > 3_500_000 && left <= 3_600_000, 'it is known for as long as it lasts');
  // Its lease runs out.
  await client.del(limitKeys.running('acme', 'live', KEY));
  t.equal(
    (await admit(location, 'req_2', 'b'.repeat(64))).outcome,
    'quota',
    'under another key there is none left',
  );
  const retry = await claim(location, 'req_3');
  const month = new Date(retry.at).toISOString().slice(0, 7);
  t.strictSame(await client.zrange(reservations, 0, '-1'), [`${month} req_3`]);
  t.equal(await client.hget(limitKeys.months('acme', 'live'), `reserved:${month}`), '1');
  // The server was not dead, and fails: what is reserved is another's.
  await settlement.release(dead, 'CONVERSION_FAILED');
  t.strictSame(await client.zrange(reservations, 0, '-1'), [`${month} req_3`]);
  await settlement.settle(retry, letter);
  t.equal(await client.exists(reserved, reservations), 0);
  t.equal(await usedIn(month), 1);
  t.match(await admit(location, 'req_4'), { outcome: 'admitted', settled: 'letter' });
});

t.test('a claim is renewed while its request runs, and only by itself', async (t) => {
  const claims = new Claims(client, log);
  const half = LEASE_MS / 2;
  const held = ['a', 'b'].map((key) => limitKeys.running('acme', 'live', key));
  const [lost = '', own = ''] = held;
  for (const name of held) await client.set(name, 'req_1', 'PX', half);
  // In this order: the first would be renewed before the second.
  const letGo = [
    claims.hold(reservation('req_2', { idempotencyKey: 'a' })),
    claims.hold(reservation('req_1', { idempotencyKey: 'b' })),
  ];
  await until('it is renewed', async () => (await client.pttl(own)) > half);
  t.ok((await client.pttl(lost)) < half, 'another one holds it');
  for (const each of letGo) each();
  await settlement.release(reservation('req_2', { idempotencyKey: 'a' }), undefined);
  t.equal(await client.get(lost), 'req_1', 'who does not hold it does not release it');
});

t.test('an account and an environment have keys of their own', async (t) => {
  const test = { ...liveKey, environment: 'test' } as const;
  const other = { ...liveKey, account: 'other' };
  for (const key of [liveKey, test, other]) {
    await settlement.settle(reservation('req_1', { key, idempotencyKey: KEY }), letter);
  }
  for (const { account, environment } of [liveKey, test, other]) {
    t.equal((await new Usage(client).month(account, environment, MONTH)).used, 1);
  }
  t.equal(await client.exists(limitKeys.ledger('acme', MONTH)), 1);
  for (const name of await client.keys('*')) t.match(name, /^platen:\{(acme|other)\}:/);
});
