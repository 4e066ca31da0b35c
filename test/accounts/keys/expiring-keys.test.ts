/** The keys of all accounts that expire soon, on a real Redis. */
import t from 'tap';
import { inBatches } from '../../../src/accounts/keys/batches.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { Rotation } from '../../../src/accounts/keys/rotation.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { redisClient } from '../../redis/support.ts';

const client = await redisClient(t);
const store = new KeyStore(client, defaultPlans);
const rotation = new Rotation(client, store);
t.beforeEach(async () => {
  await client.flushdb();
  for (const id of ['a', 'b']) await store.createAccount({ id, name: id, plan: 'free' });
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

function create(account: string, days?: number) {
  const expiresAt = days === undefined ? undefined : inDays(days);
  return store.createKey({ account, name: 'k', environment: 'live', type: 'sk', expiresAt });
}

async function page(days: number, limit = 10) {
  const { keys, more } = await store.expiring.page(inDays(days), limit);
  return { ids: keys.map(({ id }) => id), more };
}

t.test('those that work, of all accounts, the next first', async (t) => {
  const [soon, , later, revoked] = [
    await create('a', 5),
    await create('a'),
    await create('b', 20),
    await create('b', 3),
  ];
  await store.revokeKey(revoked.id);
  t.strictSame(await page(30), { ids: [soon.id, later.id], more: false });
  t.strictSame(await page(10), { ids: [soon.id], more: false });
  t.strictSame(await page(30, 2), { ids: [soon.id, later.id], more: false });
  t.strictSame(await page(30, 1), { ids: [soon.id], more: true });
});

t.test('a key that was rotated is not among them, whoever rotated it; its successor is', async (t) => {
  const [never, dated, own] = [await create('a'), await create('a', 20), await create('b', 10)];
  await rotation.rotate(never.id, 3_600);
  const { successor } = await rotation.rotate(dated.id, 3_600);
  const location = { account: 'b', id: own.id, environment: 'live' } as const;
  const { successor: ownSuccessor } = await rotation.rotateOwn(location, own.key, 3_600);
  t.strictSame(await page(30), { ids: [ownSuccessor.id, successor.id], more: false });
  t.equal(await client.zcard(redisKeys.keysByExpiry), 2, 'nor does it take a place');
});

t.test('what an interrupted revocation or rotation has left hides nothing', async (t) => {
  const { id } = await create('b', 29);
  const left = await inBatches(Array.from({ length: 250 }), () => create('a', 1));
  for (const [i, { id }] of left.entries()) {
    await client.hset(redisKeys.key('a', id), i % 2 === 0 ? 'successor' : 'revokedAt', '1');
  }
  await client.zadd(redisKeys.keysByExpiry, inDays(1).getTime(), 'a key_under-way');
  t.strictSame(await page(30, 1), { ids: [id], more: false });
  t.ok((await client.zcard(redisKeys.keysByExpiry)) < 100, 'and is removed');
  t.ok(await client.zscore(redisKeys.keysByExpiry, 'a key_under-way'), 'but for a key that is being made');
});

t.test('those that have expired are removed, some at a time', async (t) => {
  const { id } = await create('b', 1);
  const ended = Array.from({ length: 1_500 }, (_, i) => [i + 1, `a key_${i}`] as const).flat();
  await client.zadd(redisKeys.keysByExpiry, ...ended);
  t.strictSame(await page(2), { ids: [id], more: false });
  t.equal(await client.zcard(redisKeys.keysByExpiry), 501);
  t.strictSame(await page(2), { ids: [id], more: false });
  t.equal(await client.zcard(redisKeys.keysByExpiry), 1);
});
