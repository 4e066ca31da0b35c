import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { Bill } from '../../src/billing/bill.ts';
import { Billing } from '../../src/billing/billing.ts';
import { Journal } from '../../src/billing/journal.ts';
import { limitKeys } from '../../src/billing/redis-keys.ts';
import type { Reservation } from '../../src/billing/reservation.ts';
import { Settlement } from '../../src/billing/settlement.ts';
import { Usage } from '../../src/billing/usage.ts';
import { Admission } from '../../src/limits/admission.ts';
import { createKey, plansOf } from '../limits/support.ts';
import { log, nextEvent, recordingLog, startRedis, temporaryFolder } from '../redis/support.ts';
import { until } from '../support/until.ts';
import { dieWith } from './dead-server.ts';
import { delivered, delivery, MONTH, reservation } from './deliveries.ts';

const serversIn = async (folder: string) => (await readdir(folder)).filter((name) => name !== 'owner.lock');

/** Billing of a server of its own. */
async function openBilling(t: Test, client: Redis, folder?: string, log = recordingLog().log) {
  const journals = folder ?? (await temporaryFolder(t));
  const billing = await Billing.open(journals, new Settlement(client), log);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= billing.close();
    return closed;
  };
  t.teardown(close);
  return { billing, close, folder: journals };
}

async function billed(client: Redis): Promise<string[]> {
  const ids: string[] = [];
  for await (const { requestId } of new Usage(client).ledger('acme', MONTH)) ids.push(requestId);
  return ids;
}

const used = async (client: Redis) => (await new Usage(client).month('acme', 'live', MONTH)).used;

/** Stops the Redis for a while; it accepts connections and never answers. */
function freeze(t: Test, pid: number): () => void {
  const thaw = () => process.kill(pid, 'SIGCONT');
  t.teardown(thaw);
  process.kill(pid, 'SIGSTOP');
  return thaw;
}

t.test('what waits for a slow client is in the journal again once the client has it', async (t) => {
  const { server, client } = await startRedis(t);
  const journalled = async (folder: string): Promise<number> => {
    const { inherited, journal } = await Journal.open(folder, log);
    await journal.close();
    return inherited.length;
  };
  // The ends of two servers whose client was slow: one after it had its PDF, one before. Redis is away.
  for (const [whole, expected] of [
    [true, 1],
    [undefined, 0],
  ] as const) {
    const { billing, close, folder } = await openBilling(t, client);
    const bill = new Bill(billing, reservation(`req_${whole}`));
    bill.handOver(delivery);
    bill.takeBack();
    const thaw = freeze(t, server.pid);
    if (whole) await bill.conclude(whole, undefined);
    await close();
    t.equal(await journalled(folder), expected);
    thaw();
    await until('Redis is back', () =>
      client.ping().then(
        () => true,
        () => false,
      ),
    );
  }
});

t.test('a bill is settled when all of the PDF was handed over, else released', async (t) => {
  const { client } = await startRedis(t);
  const { billing, close, folder } = await openBilling(t, client);
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
  whole.handOver(delivery);
  await whole.conclude(true, undefined);
  const cut = new Bill(billing, await reserve('req_cut'));
  cut.handOver(delivery);
  await cut.conclude(false, undefined);
  const early = new Bill(billing, await reserve('req_early'));
  await early.conclude(false, undefined);
  early.handOver(delivery);
  const failed = new Bill(billing, await reserve('req_failed'));
  await failed.conclude(true, 'CORRUPTED_FILE');

  const month = new Date().toISOString().slice(0, 7);
  t.match(await new Usage(client).month('acme', 'live', month), {
    used: 1,
    days: [{ conversions: 1, failures: { CORRUPTED_FILE: 1 } }],
  });
  t.equal(await client.zcard(limitKeys.reservations('acme', 'live')), 0);
  t.equal(billing.backlog, 0);
  t.match(billing.counts, { settled: 1, released: 3, repeated: 0, expiring: 0, unjournalled: 0 });
  await close();
  t.same(await serversIn(folder), [], 'nothing stays in the journal');
});

t.test('what a server that was killed had delivered is settled by the next one', async (t) => {
  const { client } = await startRedis(t);
  const folder = await temporaryFolder(t);
  await dieWith(t, folder, ['req_1', 'req_2', 'req_3']);
  await new Settlement(client).settle(reservation('req_2'), delivery);
  const { billing, close } = await openBilling(t, client, folder);
  await until('the backlog is settled', () => billing.backlog === 0);
  t.same((await billed(client)).sort(), ['req_1', 'req_2', 'req_3'], 'each once');
  t.equal(await used(client), 3);
  t.equal((await serversIn(folder)).length, 1);
  await close();
  t.same(await serversIn(folder), []);
});

t.test('two servers that share a data folder bill what a dead one left once', async (t) => {
  const { client } = await startRedis(t);
  const folder = await temporaryFolder(t);
  await dieWith(t, folder, ['req_1', 'req_2']);
  const servers = await Promise.all([1, 2].map(() => openBilling(t, client, folder)));
  await until('the backlog is settled', () => servers.every(({ billing }) => billing.backlog === 0));
  t.same((await billed(client)).sort(), ['req_1', 'req_2']);
  await Promise.all(servers.map(({ close }) => close()));
  t.same(await serversIn(folder), []);
});

t.test('what is delivered while Redis hangs is settled when it is back, once', async (t) => {
  const { server, client } = await startRedis(t);
  const { log, messages } = recordingLog();
  const { billing, close, folder } = await openBilling(t, client, undefined, log);
  const thaw = freeze(t, server.pid);
  const bills = ['req_1', 'req_2', 'req_3'].map((id) => new Bill(billing, reservation(id)));
  for (const bill of bills) bill.handOver(delivery);
  await Promise.all(bills.map((bill) => bill.conclude(true, undefined)));
  t.equal(billing.backlog, 3);
  t.equal(billing.unsettled, 3);
  t.match(billing.counts, { settled: 0, repeated: 3 });
  t.same(messages, Array(3).fill('the settlement will be repeated'));
  thaw();
  await until('the backlog is settled', () => billing.backlog === 0, 2_000);
  t.equal(billing.unsettled, 0);
  t.equal(billing.counts.settled, 3);
  t.same((await billed(client)).sort(), ['req_1', 'req_2', 'req_3']);
  t.equal(await used(client), 3);
  await close();
  t.same(await serversIn(folder), []);
});

t.test('what is delivered while Redis is away is settled when it has restarted, once', async (t) => {
  const { server, client } = await startRedis(t);
  const { billing } = await openBilling(t, client);
  const away = nextEvent(client, 'reconnecting');
  const back = nextEvent(client, 'ready');
  process.kill(server.pid, 'SIGKILL');
  await away;
  const bill = new Bill(billing, reservation('req_1'));
  bill.handOver(delivery);
  await bill.conclude(true, undefined);
  t.equal(billing.backlog, 1);
  await back;
  await until('the backlog is settled', () => billing.backlog === 0, 2_000);
  t.same(await billed(client), ['req_1']);
  // The repetition has ended, and begins again.
  const next = new Bill(billing, reservation('req_2'));
  next.handOver(delivery);
  const gone = nextEvent(client, 'reconnecting');
  const again = nextEvent(client, 'ready');
  process.kill(Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]), 'SIGKILL');
  await gone;
  await next.conclude(true, undefined);
  await again;
  await until('the backlog is settled', () => billing.backlog === 0, 2_000);
  t.same(await billed(client), ['req_1', 'req_2']);
});

t.test('one that cannot be settled keeps no other from it', async (t) => {
  const { client } = await startRedis(t);
  const folder = await temporaryFolder(t);
  const { journal } = await Journal.open(folder, log);
  const key = { account: 'broken', id: 'key_1', environment: 'live' } as const;
  for (const id of ['req_1', 'req_2']) journal.append(delivered(id, { key }));
  for (const id of ['req_3', 'req_4']) journal.append(delivered(id));
  await journal.close();
  // What Redis has of this account cannot be written to.
  await client.set(limitKeys.settled('broken', 'live', MONTH), 'not a set');
  const { billing } = await openBilling(t, client, folder);
  await until('the others are settled', () => billing.backlog === 2, 10_000);
  t.same((await billed(client)).sort(), ['req_3', 'req_4']);
  await client.del(limitKeys.settled('broken', 'live', MONTH));
  await until('those are settled as well', () => billing.backlog === 0, 10_000);
  t.equal((await new Usage(client).month('broken', 'live', MONTH)).used, 2);
});

t.test('a server that ends while Redis is away leaves the rest on disk', async (t) => {
  const { server, client } = await startRedis(t);
  const { log, messages } = recordingLog();
  const { billing, close, folder } = await openBilling(t, client, undefined, log);
  const thaw = freeze(t, server.pid);
  const bills = ['req_1', 'req_2', 'req_3'].map((id) => new Bill(billing, reservation(id)));
  for (const bill of bills) bill.handOver(delivery);
  const [settled, withdrawn, pending] = bills;
  await Promise.all([settled?.conclude(true, undefined), withdrawn?.conclude(false, undefined)]);
  // One that has not ended when the server does.
  const late = pending?.conclude(true, undefined);
  await close();
  await late;
  t.equal(messages.at(-1), 'deliveries stay in the journal');
  t.equal((await serversIn(folder)).length, 1);

  thaw();
  const next = await openBilling(t, client, folder);
  await until('the backlog is settled', () => next.billing.backlog === 0);
  t.same((await billed(client)).sort(), ['req_1', 'req_3'], 'and not what was withdrawn');
  await next.close();
  t.same(await serversIn(folder), []);
});

t.test('a server that ends settles what it can', async (t) => {
  const { server, client } = await startRedis(t);
  const { billing, close, folder } = await openBilling(t, client);
  const thaw = freeze(t, server.pid);
  const bill = new Bill(billing, reservation('req_1'));
  bill.handOver(delivery);
  await bill.conclude(true, undefined);
  t.equal(billing.backlog, 1);
  const closed = close();
  thaw();
  await closed;
  t.equal(billing.backlog, 0);
  t.same(await serversIn(folder), []);
});

t.test('a journal that cannot be written to costs no bill', async (t) => {
  const { client } = await startRedis(t);
  const { log, messages } = recordingLog();
  const { billing, close } = await openBilling(t, client, undefined, log);
  await close();
  const bill = new Bill(billing, reservation('req_1'));
  bill.handOver(delivery);
  t.same(messages, ['a delivery could not be noted in the journal']);
  t.equal(billing.counts.unjournalled, 1);
  await bill.conclude(true, undefined);
  t.same(await billed(client), ['req_1']);
});

t.test('a folder that cannot be used', async (t) => {
  const { client } = await startRedis(t);
  const settlement = new Settlement(client);
  await t.rejects(Billing.open(join('/dev/null', 'journal'), settlement, log), { name: 'OperatorError' });
});
