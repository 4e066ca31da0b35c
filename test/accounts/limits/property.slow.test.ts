/**
 * Random histories of two accounts on two servers: what the service says and keeps must be what the model says, and
 * what is promised must hold by the clock and by what clients were told.
 */
import fc from 'fast-check';
import t from 'tap';
import { Settlement } from '../../../src/accounts/billing/settlement.ts';
import { Usage } from '../../../src/accounts/billing/usage.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { Admission } from '../../../src/accounts/limits/admission.ts';
import { startClockedRedis } from '../../support/clocked-redis.ts';
import { histories, plans } from './operations.ts';
import { World } from './world.ts';

const RUNS = 100;

const redis = await startClockedRedis(t);
const observer = redis.connectPatiently();
// One whose reservations are short and one whose are long, as while their time limits are being changed.
const servers = [2_000, 7_200_000].map((reservationMs) => {
  const client = redis.connectPatiently();
  const admission = new Admission(client, { plans, reservationMs });
  return { reservationMs, admission, settlement: new Settlement(client) };
});
const service = {
  redis,
  servers,
  observer,
  usage: new Usage(observer),
  store: new KeyStore(observer, plans),
};

t.test('Redis follows the clock of the test, in commands, in scripts and when it lets keys go', async (t) => {
  for (const at of ['2026-06-15T12:00:00.250Z', '2100-02-28T23:59:59.999Z', '2000-02-29T00:00:00.001Z']) {
    const now = Date.parse(at);
    redis.setClock(now);
    const time = [String(Math.floor(now / 1000)), String((now % 1000) * 1000)];
    t.same(await observer.time(), time);
    t.same(await observer.eval("return redis.call('TIME')", 0), time);
    await observer.set('short', 'lived', 'EX', 1);
    t.equal(await observer.get('short'), 'lived');
    redis.setClock(now + 1_001);
    t.equal(await observer.get('short'), null);
  }
});

const promises =
  'no window is exceeded, no use is lost or counted twice, no reservation outlives its deadline';
t.test(promises, async (t) => {
  const property = fc.asyncProperty(histories, async ({ start, plan, operations }) => {
    const world = await World.create(service, Date.parse(start), plan);
    for (const operation of operations) await world.perform(operation);
    await world.check();
  });
  await t.resolves(fc.assert(property, { numRuns: RUNS }));
});
