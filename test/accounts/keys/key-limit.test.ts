/** How many keys an account may have. */
import t from 'tap';
import { keyEntry } from '../../../src/accounts/keys/account-keys.ts';
import { MAX_KEPT_KEYS, MAX_KEYS, type NewKey } from '../../../src/accounts/keys/records.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { Rotation } from '../../../src/accounts/keys/rotation.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { redisClient } from '../../redis/support.ts';
import { keysOf } from './support.ts';

const client = await redisClient(t);
const store = new KeyStore(client, defaultPlans);
const DAY_MS = 86_400_000;
const [yesterday, tomorrow] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());

/** An account with so many keys, as its list has them. */
async function accountWith(id: string, count: number, expiresAt: string | null): Promise<NewKey> {
  await store.createAccount({ id, name: id, plan: 'pro' });
  const createdAt = new Date(0).toISOString();
  const entries = Array.from({ length: count }, (_, i) => keyEntry({ id: `key_${i}`, createdAt, expiresAt }));
  if (count > 0) await client.zadd(redisKeys.accountKeys(id), ...entries.flatMap((entry) => ['0', entry]));
  return { account: id, name: 'key', environment: 'test', type: 'sk' };
}

t.test('an account has so many keys that work, however many are created at once', async (t) => {
  const announced: string[] = [];
  const announce = async ({ id }: { id: string }) => void announced.push(id);
  for (const expiresAt of [null, tomorrow ?? '']) {
    const wanted = await accountWith(`full-${expiresAt === null}`, MAX_KEYS - 1, expiresAt);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => store.createKey(wanted)));
    const created = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    t.equal(created.length, 1);
    for (const each of results) {
      if (each.status === 'rejected') {
        t.match(each.reason, { name: 'OperatorError', message: /has 1000 keys that work.*revoke one/ });
      }
    }
    const [key] = created;
    await t.rejects(store.createKey(wanted, { announce }), /keys that work/);
    t.strictSame(announced.splice(0), [], 'the audit has none that was not made');
    await store.revokeKey(key?.id ?? '');
    await t.resolves(store.createKey(wanted), 'after one was revoked');
  }
});

t.test('a refused key leaves nothing behind', async (t) => {
  const wanted = await accountWith('race', MAX_KEYS - 1, null);
  await Promise.allSettled(Array.from({ length: 5 }, () => store.createKey(wanted)));
  const [owners, locators] = await Promise.all(
    [redisKeys.keyOwner('*'), redisKeys.locator('*')].map((name) => client.keys(name)),
  );
  const [{ id = '' } = {}] = await keysOf(store, 'race');
  t.ok(owners?.includes(redisKeys.keyOwner(id)));
  t.equal(owners?.length, locators?.length);
  t.equal((await store.listed.page('race', undefined, 200)).keys.length, 1, 'one has a record');
});

t.test('ended keys count only as long as they are kept, and in a larger number', async (t) => {
  const wanted = await accountWith('ended', MAX_KEPT_KEYS - 1, yesterday ?? '');
  const { id, key } = await store.createKey(wanted);
  const refusal = { name: 'OperatorError', message: /50000 keys of the last 400 days/ };
  await t.rejects(store.createKey(wanted), refusal);
  const rotation = new Rotation(client, store);
  await t.rejects(rotation.rotate(id, 0), refusal, 'nor by rotating keys without end');
  const own = { id, account: 'ended', environment: 'test' } as const;
  await t.resolves(rotation.rotateOwn(own, key, 0), 'what a program does by itself has its own limit');
});
