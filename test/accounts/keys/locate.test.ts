import t from 'tap';
import { hashKey } from '../../../src/accounts/keys/format.ts';
import { KeyLocator } from '../../../src/accounts/keys/locate.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { startRedis } from '../../redis/support.ts';
import { createKey } from '../limits/support.ts';

const { client } = await startRedis(t);
t.beforeEach(() => client.flushall());

/** A key as it is after a mistake in typing. */
const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

t.test('where the record of a key lies', async (t) => {
  for (const kind of [
    { environment: 'live', type: 'pk' },
    { environment: 'test', type: 'sk' },
  ] as const) {
    const { key } = await createKey(client, defaultPlans, kind);
    t.same(await new KeyLocator(client).locate(key.key), { account: 'acme', id: key.id, ...kind });
  }
});

t.test('a key that nobody made, until it is made', async (t) => {
  const { key } = await createKey(client, defaultPlans);
  const place = redisKeys.locator(hashKey(key.key));
  await client.rename(place, 'elsewhere');
  const locator = new KeyLocator(client);
  t.equal(await locator.locate(key.key), undefined);
  await client.rename('elsewhere', place);
  t.match(await locator.locate(key.key), { id: key.id }, 'that it was not there is not remembered');
});

t.test('what is no key is refused without Redis', async (t) => {
  const { key } = await createKey(client, defaultPlans);
  const locator = new KeyLocator(client);
  await client.config('RESETSTAT');
  for (const text of ['', 'svc_live_sk_', mistyped(key.key), `${key.key}0`, key.key.toUpperCase()]) {
    t.equal(await locator.locate(text), undefined);
  }
  t.notMatch(await client.info('commandstats'), /cmdstat_get:/);
});

t.test('Redis is asked for a location once, and for each key on its own', async (t) => {
  const [first, second] = [await createKey(client, defaultPlans), await createKey(client, defaultPlans)];
  const locator = new KeyLocator(client);
  await client.config('RESETSTAT');
  for (let times = 0; times < 3; times += 1) {
    t.match(await locator.locate(first.key.key), { id: first.key.id });
    t.match(await locator.locate(second.key.key), { id: second.key.id });
  }
  t.match(await client.info('commandstats'), /cmdstat_get:calls=2,/);
});

t.test('without Redis it is an error, and not an unknown key', async (t) => {
  const { client: other } = await startRedis(t);
  const { key } = await createKey(other, defaultPlans);
  other.disconnect();
  await t.rejects(new KeyLocator(other).locate(key.key), Error);
});
