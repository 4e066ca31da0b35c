import t, { type Test } from 'tap';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { Settlement } from '../../src/accounts/billing/settlement.ts';
import { KeyStore } from '../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { sampleData } from '../../src/webhooks/samples.ts';
import { Warnings } from '../../src/webhooks/warnings.ts';
import { figures, reservation } from '../accounts/billing/samples.ts';
import { log } from '../redis/support.ts';
import { until } from '../support/until.ts';
import { testWebhooks } from './support.ts';

const DAY_MS = 86_400_000;

async function start(t: Test) {
  const world = await testWebhooks(t);
  const { redis, webhooks } = world;
  const keys = new KeyStore(redis, defaultPlans);
  await keys.createAccount({ id: 'acme', name: 'Acme', plan: 'free' });
  const warnings = new Warnings({ redis, webhooks, keys, plans: defaultPlans, log });
  t.teardown(() => warnings.close());
  const { id } = await world.endpoint('/a', { events: ['quota.warning', 'key.expiring'] });
  /** Bodies of what was told, the oldest first. */
  const told = async () => {
    const names = await redis.zrange(`platen:{acme}:live:webhook:${id}:deliveries`, '0', '-1');
    const bodies = await Promise.all(
      names.map((name) => redis.hget(`platen:{acme}:live:webhook:${id}:deliveries:${name}`, 'body')),
    );
    return bodies.map((body) => JSON.parse(String(body)) as { type: string; data: Record<string, unknown> });
  };
  return { ...world, keys, warnings, told };
}

function hasFieldsOfSample(t: Test, type: 'quota.warning' | 'key.expiring', data: object = {}): void {
  t.same(
    Object.keys(data),
    Object.keys(sampleData(type, 'live', Date.now())),
    'a sample has the same fields',
  );
}

t.test('80 and 100 % of a quota are told, once each', async (t) => {
  const { redis, warnings, told } = await start(t);
  const month = new Date().toISOString().slice(0, 7);
  const months = limitKeys.months('acme', 'live');
  const settlement = new Settlement(redis, (use) => warnings.counted(use));
  const settle = (requestId: string) =>
    settlement.settle(reservation(requestId, { at: Date.now() }), figures);
  await redis.hset(months, `used:${month}`, 3_998);
  await settle('req_1');
  await settle('req_2');
  await until('80 % are told', async () => (await told()).length === 1);
  await settle('req_3');
  await redis.hset(months, `used:${month}`, 4_999);
  await settle('req_3');
  t.equal((await told()).length, 1, 'a repetition counts nothing');
  await settle('req_4');
  await until('100 % are told', async () => (await told()).length === 2);
  const renewsAt = String((await told())[0]?.data.renewsAt);
  t.match(await told(), [
    { type: 'quota.warning', data: { month, percent: 80, used: 4_000, quota: 5_000 } },
    { type: 'quota.warning', data: { month, percent: 100, used: 5_000, quota: 5_000 } },
  ]);
  t.ok(Date.parse(renewsAt) > Date.now());
  hasFieldsOfSample(t, 'quota.warning', (await told())[0]?.data);
});

t.test('conversions of two months within a second, and what is still to be told at the end', async (t) => {
  const { warnings, told } = await start(t);
  const count = (month: string, used: number) =>
    warnings.counted({ account: 'acme', environment: 'live', month, used });
  count('2026-01', 5_000);
  count('2026-02', 1);
  count('2026-01', 4_999);
  await warnings.close();
  const tellings = (await told()).map(({ data: { month, percent, used } }) => ({ month, percent, used }));
  t.strictSame(tellings, [
    { month: '2026-01', percent: 80, used: 5_000 },
    { month: '2026-01', percent: 100, used: 5_000 },
  ]);
});

t.test('warnings that a dead server did not send are sent later', async (t) => {
  const { redis, warnings, told } = await start(t);
  const month = new Date().toISOString().slice(0, 7);
  await redis.hset(limitKeys.months('acme', 'live'), `used:${month}`, 4_500);
  await warnings.look();
  await warnings.look();
  t.match(await told(), [{ data: { percent: 80, used: 4_500 } }]);
  t.equal((await told()).length, 1);
});

t.test('a key is told to expire 7 days and 1 day before', async (t) => {
  const { keys, warnings, told } = await start(t);
  const now = Date.now();
  const usual = { account: 'acme', type: 'sk', environment: 'live' } as const;
  await keys.createKey({ ...usual, name: 'later', expiresAt: new Date(now + 30 * DAY_MS) });
  await keys.createKey({
    ...usual,
    name: 'test',
    environment: 'test',
    expiresAt: new Date(now + 5 * DAY_MS),
  });
  const revoked = await keys.createKey({ ...usual, name: 'revoked', expiresAt: new Date(now + 5 * DAY_MS) });
  await keys.revokeKey(revoked.id);
  const key = await keys.createKey({ ...usual, name: 'soon', expiresAt: new Date(now + 8 * DAY_MS) });
  await warnings.look(now);
  t.same(await told(), []);
  for (const after of [2, 3, 7.5, 7.6]) await warnings.look(now + after * DAY_MS);
  t.match(await told(), [
    { type: 'key.expiring', data: { id: key.id, name: 'soon', days: 7, expiresAt: key.expiresAt } },
    { type: 'key.expiring', data: { id: key.id, days: 1 } },
  ]);
  hasFieldsOfSample(t, 'key.expiring', (await told())[0]?.data);
  t.equal((await told()).length, 2);
  t.notMatch(JSON.stringify(await told()), key.key);
});

t.test('a server that starts looks, if no other one did', async (t) => {
  const { redis, warnings, told } = await start(t);
  const month = new Date().toISOString().slice(0, 7);
  await redis.hset(limitKeys.months('acme', 'live'), `used:${month}`, 5_000);
  warnings.start();
  await until('both are told', async () => (await told()).length === 2);
  t.equal(await redis.exists('platen:webhooks:look'), 1);
});
