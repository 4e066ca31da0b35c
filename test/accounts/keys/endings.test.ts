/** Keys by their last four characters, and what can be edited of them. */
import t from 'tap';
import { displayKey } from '../../../src/accounts/keys/format.ts';
import { KEPT_MS } from '../../../src/accounts/keys/records.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { Rotation } from '../../../src/accounts/keys/rotation.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { Retention } from '../../../src/accounts/limits/retention.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { log, startRedis } from '../../redis/support.ts';

const { client } = await startRedis(t);
t.beforeEach(() => client.flushall());
const store = new KeyStore(client, defaultPlans);
const endOf = (key: string) => key.slice(-4);

async function create(expiresAt?: Date) {
  if (!(await store.getAccount('acme')))
    await store.createAccount({ id: 'acme', name: 'Acme', plan: 'free' });
  return store.createKey({ account: 'acme', name: 'k', environment: 'live', type: 'sk', expiresAt });
}

async function found(ending: string): Promise<string[]> {
  return (await store.endings.find(ending)).map(({ id }) => id);
}

t.test('a key is found by its end, whatever became of it, as long as there is a record', async (t) => {
  const first = await create();
  t.same(await found(endOf(first.key)), [first.id]);
  t.same(await found('----'), []);
  const { successor } = await new Rotation(client, store).rotate(first.id, 60);
  t.same(await found(endOf(successor.key)), [successor.id]);
  t.same(await found(endOf(first.key)), [first.id]);
  const list = redisKeys.keysByEnding(endOf(successor.key));
  t.equal(await client.pttl(list), -1, 'it has no end');
  await store.revokeKey(successor.id);
  t.same(await found(endOf(successor.key)), [successor.id]);
  t.ok(Math.abs((await client.pttl(list)) - KEPT_MS) < 60_000, 'the list goes with the record');
});

t.test('keys with the same end: those that last longest first', async (t) => {
  const dated = await create(new Date(Date.now() + 60_000));
  const endless = await create();
  const display = displayKey(dated.key);
  await store.endings.add({ ...endless, display });
  t.same(await found(endOf(dated.key)), [endless.id, dated.id]);
  t.equal(await client.pttl(redisKeys.keysByEnding(endOf(dated.key))), -1);
  await store.endings.remove({ ...endless, display });
  t.same(await found(endOf(dated.key)), [dated.id]);
});

t.test('a pass of the retention notes the keys of earlier versions', async (t) => {
  const { id, key } = await create();
  await client.del(redisKeys.keysByEnding(endOf(key)));
  t.same(await found(endOf(key)), []);
  await new Retention(client, log).start();
  t.same(await found(endOf(key)), [id]);
});

t.test('name and restrictions of a working key can be edited', async (t) => {
  const { id } = await create();
  t.match(await store.changeKey(id, { name: 'other' }), { name: 'other', ipRestrictions: [] });
  t.match(await store.changeKey(id, { ipRestrictions: ['10.0.0.0/8'] }), {
    name: 'other',
    ipRestrictions: ['10.0.0.0/8'],
  });
  t.equal(await client.hget(redisKeys.key('acme', id), 'addressPrefixes'), '400001010');
  t.match(await store.changeKey(id, { ipRestrictions: [] }), { ipRestrictions: [] });
  t.equal(await client.hget(redisKeys.key('acme', id), 'addressPrefixes'), '');
  await t.rejects(store.changeKey(id, {}), /there is nothing to change/);
  await t.rejects(store.changeKey(id, { name: ' ' }), /name/);
  await t.rejects(store.changeKey(id, { ipRestrictions: ['nowhere'] }), /nowhere/);
  await t.rejects(store.changeKey('key_none', { name: 'x' }), /no key/);
  await store.revokeKey(id);
  await t.rejects(store.changeKey(id, { name: 'x' }), /revoked or expired/);
});
