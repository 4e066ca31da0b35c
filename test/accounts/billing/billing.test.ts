import type { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { Bill } from '../../../src/accounts/billing/bill.ts';
import { Billing } from '../../../src/accounts/billing/billing.ts';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import type { Reservation } from '../../../src/accounts/billing/reservation.ts';
import { Settlement } from '../../../src/accounts/billing/settlement.ts';
import { Usage } from '../../../src/accounts/billing/usage.ts';
import { Admission } from '../../../src/accounts/limits/admission.ts';
import { log, nextEvent, startRedis } from '../../redis/support.ts';
import { until } from '../../support/until.ts';
import { createKey, plansOf } from '../limits/support.ts';
import { AT, figures, liveKey, MONTH, reservation } from './samples.ts';

type Line = Readonly<Record<string, unknown>>;

/** Billing of a server of its own, and what it logs. */
function openBilling(client: Redis, patienceMs?: number) {
  const [warnings, errors]: [Line[], Line[]] = [[], []];
  const into = (lines: Line[]) => (fields: unknown, msg?: string) => lines.push({ ...(fields as Line), msg });
  const billing = new Billing(
    new Settlement(client),
    { ...log, warn: into(warnings), error: into(errors) },
    patienceMs,
  );
  return { billing, warnings, errors };
}

/** All that a bill by hand needs. */
const entry = {
  reqId: 'req_1',
  account: liveKey.account,
  key: liveKey.id,
  environment: 'live',
  at: new Date(AT).toISOString(),
  ...figures,
};

async function billed(client: Redis): Promise<string[]> {
  const ids: string[] = [];
  for await (const { requestId } of new Usage(client).ledger('acme', MONTH)) ids.push(requestId);
  return ids;
}

/** Stops the Redis for a while; it accepts connections and never answers. */
function freeze(t: Test, pid: number): () => void {
  const thaw = () => process.kill(pid, 'SIGCONT');
  t.teardown(thaw);
  process.kill(pid, 'SIGSTOP');
  return thaw;
}

t.test('a bill ends once: it is settled when the PDF is made, else released', async (t) => {
  const { client } = await startRedis(t);
  const { billing, errors } = openBilling(client);
  const plans = plansOf({ small: {} });
  const admission = new Admission(client, { plans, reservationMs: 3_600_000 });
  const { location } = await createKey(client, plans);
  const reserve = async (requestId: string): Promise<Reservation> => {
    const verdict = await admission.admit({
      key: location,
      address: '192.0.2.1',
      permission: 'convert',
      conversion: requestId,
    });
    if (verdict.outcome !== 'admitted') throw new Error(verdict.outcome);
    return { requestId, key: location, at: verdict.at };
  };

  const whole = new Bill(billing, await reserve('req_whole'));
  await Promise.all([whole.settle(figures), whole.settle(figures)]);
  await whole.end(undefined);
  const left = new Bill(billing, await reserve('req_left'));
  await left.end(undefined);
  await left.settle(figures);
  const failed = new Bill(billing, await reserve('req_failed'));
  await failed.end('CORRUPTED_FILE');
  await failed.end('CORRUPTED_FILE');

  const month = new Date().toISOString().slice(0, 7);
  t.match(await new Usage(client).month('acme', 'live', month), {
    used: 1,
    days: [{ conversions: 1, failures: { CORRUPTED_FILE: 1 } }],
  });
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  t.strictSame(billing.counts, { settled: 1, released: 2, expiring: 0, retried: 0, unbilled: 0 });
  t.strictSame(errors, []);
});

t.test('a settlement during which Redis hung is retried until it is counted, once', async (t) => {
  const { server, client } = await startRedis(t);
  const { billing, warnings, errors } = openBilling(client);
  const thaw = freeze(t, server.pid);
  await new Bill(billing, reservation('req_1')).settle(figures);
  t.strictSame(billing.counts, { settled: 0, released: 0, expiring: 0, retried: 1, unbilled: 0 });
  const { cause, ...line } = warnings[0] ?? {};
  t.strictSame(line, { ...entry, msg: 'a settlement is tried again' });
  t.ok(cause);
  // The first command was on its way: Redis runs it, too, when it wakes up.
  thaw();
  await until('it is settled', () => billing.counts.settled === 1);
  t.strictSame(await billed(client), ['req_1']);
  t.strictSame(errors, []);
});

t.test(
  'a settlement that Redis does not confirm in time is logged as unbilled, and billed at most once',
  async (t) => {
    const { server, client } = await startRedis(t);
    const { billing, errors } = openBilling(client, 0);
    const thaw = freeze(t, server.pid);
    await new Bill(billing, reservation('req_1')).settle(figures);
    await until('it is given up', () => billing.counts.unbilled === 1);
    const { cause, ...line } = errors[0] ?? {};
    t.strictSame(line, { ...entry, msg: 'a conversion is not known to be billed' });
    t.ok(cause);
    thaw();
    await until('Redis is back', async () => (await client.ping().catch(() => '')) === 'PONG');
    await new Settlement(client).settle(reservation('req_1'), figures);
    t.strictSame(await billed(client), ['req_1']);
  },
);

t.test(
  'where Redis stays full, a conversion is unbilled, and its reservation and idempotency key are free',
  async (t) => {
    const { client } = await startRedis(t);
    const { billing, errors } = openBilling(client, 0);
    const plans = plansOf({ small: {} });
    const { location: key } = await createKey(client, plans);
    const admission = new Admission(client, { plans, reservationMs: 3_600_000 });
    const idempotencyKey = 'a'.repeat(64);
    const verdict = await admission.admit({
      key,
      address: '',
      permission: 'convert',
      conversion: 'req_1',
      idempotencyKey,
    });
    if (verdict.outcome !== 'admitted') throw new Error(verdict.outcome);
    await client.config('SET', 'maxmemory', 1);
    await new Bill(billing, { requestId: 'req_1', key, at: verdict.at, idempotencyKey }).settle(figures);
    await until('it is given up', () => billing.counts.unbilled + billing.counts.released === 2);
    await client.config('SET', 'maxmemory', 0);
    t.strictSame(billing.counts, { settled: 0, released: 1, expiring: 0, retried: 1, unbilled: 1 });
    t.match(errors[0], { reqId: 'req_1', cause: /OOM/ });
    t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
    t.equal(await client.exists(limitKeys.running('acme', 'live', idempotencyKey)), 0);
    const month = new Date(verdict.at).toISOString().slice(0, 7);
    t.strictSame(await client.hgetall(limitKeys.months('acme', 'live')), { [`reserved:${month}`]: '0' });
  },
);

t.test('what a Redis that is away is not told is billed when it is back', async (t) => {
  const { server, client } = await startRedis(t);
  const { billing, errors } = openBilling(client);
  const away = nextEvent(client, 'reconnecting');
  process.kill(server.pid, 'SIGKILL');
  await away;
  await new Bill(billing, reservation('req_1')).settle(figures);
  await new Bill(billing, reservation('req_2')).end('CONVERSION_FAILED');
  t.strictSame(billing.counts, { settled: 0, released: 0, expiring: 0, retried: 1, unbilled: 0 });
  await until('it is settled', () => billing.counts.settled === 1);
  t.strictSame(await billed(client), ['req_1']);
  t.strictSame(errors, []);
  await billing.close();
});

t.test('what an admission may have reserved that Redis hung over is released', async (t) => {
  const { server, client } = await startRedis(t);
  const { billing } = openBilling(client);
  const plans = plansOf({ small: {} });
  const admission = new Admission(client, { plans, reservationMs: 3_600_000 });
  const { location } = await createKey(client, plans);
  const idempotencyKey = 'a'.repeat(64);
  const conversion = { key: location, address: '', permission: 'convert', idempotencyKey } as const;
  const reservationOf = (requestId: string) => ({
    ...{ requestId, key: location, at: Date.now(), idempotencyKey },
  });
  // Redis knows the scripts: it is told of each by its name.
  await admission.admit({ ...conversion, conversion: 'req_0' });
  await billing.release(reservationOf('req_0'), undefined);

  const thaw = freeze(t, server.pid);
  await t.rejects(admission.admit({ ...conversion, conversion: 'req_1' }));
  const abandoned = billing.abandon(reservationOf('req_1'));
  thaw();
  await abandoned;
  await until('it is released', () => billing.counts.released === 2);
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  t.equal(await client.exists(limitKeys.running('acme', 'live', idempotencyKey)), 0, 'and the key is free');
  await billing.close();
});

t.test('an admission that comes to Redis after its release is released all the same', async (t) => {
  const { client } = await startRedis(t);
  const { billing } = openBilling(client);
  const plans = plansOf({ small: {} });
  const admission = new Admission(client, { plans, reservationMs: 3_600_000 });
  const { location: key } = await createKey(client, plans);
  await billing.abandon({ requestId: 'req_1', key, at: Date.now() });
  t.equal(billing.counts.released, 0);
  const request = { key, address: '', permission: 'convert', conversion: 'req_1' } as const;
  t.equal((await admission.admit(request)).outcome, 'admitted');
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 1);
  await until('it is released', () => billing.counts.released === 1);
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  await billing.close();
  t.equal(billing.counts.expiring, 0);
});

t.test('a release during an outage reaches Redis after it, and counts the failure once', async (t) => {
  const { server, client } = await startRedis(t);
  const { billing } = openBilling(client);
  const plans = plansOf({ small: {} });
  const admission = new Admission(client, { plans, reservationMs: 3_600_000 });
  const { location: key } = await createKey(client, plans);
  const request = { key, address: '', permission: 'convert', conversion: 'req_1' } as const;
  const verdict = await admission.admit(request);
  if (verdict.outcome !== 'admitted') throw new Error(verdict.outcome);
  const away = nextEvent(client, 'reconnecting');
  const thaw = freeze(t, server.pid);
  // It is sent, but not answered before the connection is given up.
  const released = billing.release({ requestId: 'req_1', key, at: verdict.at }, 'CORRUPTED_FILE');
  await Promise.all([away, released]);
  thaw();
  await until('it is known', async () => {
    const zcard = await client.zcard(limitKeys.reservations('acme', 'live')).catch(() => 1);
    return zcard === 0;
  });
  await billing.close();
  const month = new Date(verdict.at).toISOString().slice(0, 7);
  t.match((await new Usage(client).month('acme', 'live', month)).days, [{ failures: { CORRUPTED_FILE: 1 } }]);
});

t.test('a server that ends waits for what it tells Redis', async (t) => {
  const { client } = await startRedis(t);
  const { billing } = openBilling(client);
  void new Bill(billing, reservation('req_1')).settle(figures);
  await billing.close();
  t.equal(billing.counts.settled, 1);
  await billing.close();
});

t.test(
  'a server that ends tries a last time what waits for Redis, and logs what it could not tell',
  async (t) => {
    const { server, client } = await startRedis(t);
    const { billing, errors } = openBilling(client);
    const away = nextEvent(client, 'reconnecting');
    process.kill(server.pid, 'SIGKILL');
    await away;
    await new Bill(billing, reservation('req_1')).settle(figures);
    await server.stop();
    await billing.close();
    t.match(errors, [{ reqId: 'req_1', msg: 'a conversion is not known to be billed' }]);
    t.strictSame(billing.counts, { settled: 0, released: 0, expiring: 0, retried: 1, unbilled: 1 });
  },
);
