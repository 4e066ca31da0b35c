/** A Redis that stalls while a key is made: the key is answered, or it is not made. */
import t, { type Test } from 'tap';
import { KeyLocator } from '../../src/keys/locate.ts';
import { redisKeys } from '../../src/keys/redis-keys.ts';
import { Rotation } from '../../src/keys/rotation.ts';
import { KeyStore } from '../../src/keys/store.ts';
import { defaultPlans } from '../../src/plans/plans.ts';
import { startRedis } from '../redis/support.ts';
import { until } from '../support/until.ts';

const { client } = await startRedis(t);
const store = new KeyStore(client, defaultPlans);
const rotation = new Rotation(client, store);
t.beforeEach(async () => {
  await client.flushall();
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'free' });
});

const wanted = { account: 'acme', name: 'k', environment: 'live', type: 'sk' } as const;
const inTime = () => performance.now() + 900;

/** Redis takes no command for so long, from the next one on. */
const stall = (milliseconds: number) => async () => {
  await client.client('PAUSE', milliseconds, 'ALL');
};

/** Waits until Redis has done what it was asked for meanwhile. */
async function untilAwake(): Promise<void> {
  await until('Redis answers', () =>
    client.ping().then(
      () => true,
      () => false,
    ),
  );
}

/** Asserts that there is no key but these, nor a way to one. */
async function hasOnly(t: Test, ids: readonly string[]): Promise<void> {
  t.strictSame(
    (await store.listKeys('acme')).map(({ id }) => id),
    ids,
  );
  t.equal((await client.keys(redisKeys.key('acme', '*'))).length, ids.length);
}

t.test('a key that is made when nobody waits for it any more is not made', async (t) => {
  await t.rejects(store.createKey(wanted, { until: inTime(), announce: stall(1_000) }), /timed out|too slow/);
  await untilAwake();
  await hasOnly(t, []);
  const { key, id } = await store.createKey(wanted, { until: performance.now() + 60_000 });
  t.match(await new KeyLocator(client).locate(key), { id });
  await hasOnly(t, [id]);
});

t.test('a stall that was over in time delays the key, and no more', async (t) => {
  const { id } = await store.createKey(wanted, { until: performance.now() + 60_000, announce: stall(200) });
  await hasOnly(t, [id]);
});

t.test('a key is not made at the last moment, nor after it', async (t) => {
  for (const past of [performance.now() - 1, performance.now()]) {
    await t.rejects(store.createKey(wanted, { until: past }), /too slow/);
  }
  // What comes before the change has taken more than half of the time.
  const announce = stall(600);
  await t.rejects(store.createKey(wanted, { until: inTime(), announce }), /too slow/);
  await untilAwake();
  await hasOnly(t, []);
  t.strictSame(await client.keys(redisKeys.locator('*')), [], 'and what leads to it is removed');
});

t.test('nor is the successor of a key, whoever rotates it', async (t) => {
  const made = await store.createKey(wanted);
  await t.rejects(
    rotation.rotate(made.id, 0, { until: inTime(), announce: stall(1_000) }),
    /timed out|too slow/,
  );
  await untilAwake();
  await hasOnly(t, [made.id]);
  const location = { account: 'acme', id: made.id, environment: 'live' } as const;
  await t.rejects(rotation.rotateOwn(location, made.key, 0, { until: performance.now() }), /too slow/);
  const { key: _, ...record } = made;
  t.same(await store.getKey('acme', made.id), record, 'the key itself goes on');
  const { successor } = await rotation.rotate(made.id, 3_600, { until: performance.now() + 60_000 });
  t.match(await new KeyLocator(client).locate(successor.key), { id: successor.id });
});
