import t from 'tap';
import { parseKey } from '../../../src/accounts/keys/format.ts';
import type { NewKey } from '../../../src/accounts/keys/records.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { patientClient, startRedis } from '../../redis/support.ts';
import { accountsIn, keysOf } from './support.ts';

const client = patientClient(t, (await startRedis(t)).server);
const store = new KeyStore(client, defaultPlans);
t.beforeEach(() => client.flushdb());

const wanted: NewKey = { account: 'acme', name: 'Billing', environment: 'live', type: 'sk' };

t.test('accounts', async (t) => {
  const acme = await store.createAccount({ id: 'acme', name: 'Acme Ltd', plan: 'pro' });
  t.match(acme, { id: 'acme', name: 'Acme Ltd', plan: 'pro', createdAt: /^\d{4}-\d\d-\d\dT.*Z$/ });
  const other = await store.createAccount({ name: 'Other', plan: 'free' });
  t.match(other.id, /^[a-z0-9][a-z0-9_-]{0,62}$/, 'an id is made up');
  t.same(await store.getAccount('acme'), acme);
  t.equal(await store.getAccount('nobody'), undefined);
  t.same((await accountsIn(store)).map(({ id }) => id).sort(), ['acme', other.id].sort());

  t.same(await store.setPlan('acme', 'enterprise'), { ...acme, plan: 'enterprise' });
  t.same(await store.getAccount('acme'), { ...acme, plan: 'enterprise' });
});

t.test('an account id is given once', async (t) => {
  const attempts = ['A', 'B', 'C'].map((name) => store.createAccount({ id: 'acme', name, plan: 'free' }));
  const results = await Promise.allSettled(attempts);
  const created = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  t.equal(created.length, 1);
  for (const error of refused) t.match(error, { name: 'OperatorError', message: 'exists already' });
  t.same(await accountsIn(store), created, 'and is what the first one wrote');
});

t.test('whatever command a creation breaks off at, it can be repeated', async (t) => {
  // A Redis user that may not run a command stands in for the crash just before that command.
  const account = { id: 'acme', name: 'Acme', plan: 'pro' };
  for (const command of ['hsetnx', 'hset', 'sadd', 'multi', 'exec']) {
    await client.flushdb();
    await client.acl('SETUSER', 'default', `-${command}`);
    await store.createAccount(account).catch(() => {});
    await client.acl('SETUSER', 'default', '+@all');
    if ((await accountsIn(store)).length === 0) await store.createAccount(account);
    t.match(await accountsIn(store), [account], command);
  }
});

t.test('a key whose creation broke off does not authenticate', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
  for (const commands of [['set'], ['evalsha', 'eval'], ['zadd'], ['hset']]) {
    await client.acl('SETUSER', 'default', ...commands.map((command) => `-${command}`));
    await t.rejects(store.createKey(wanted), /NOPERM|run (this|the '\w+') command/, `${commands}`);
    await client.acl('SETUSER', 'default', '+@all');
  }
  t.same(await client.keys(redisKeys.key('acme', '*')), [], 'there is none');
  t.same(await keysOf(store, 'acme'), []);
});

t.test('a key of no account', async (t) => {
  await t.rejects(store.createKey(wanted), { name: 'OperatorError', message: 'no account "acme"' });
  t.same(await client.keys('*'), [], 'leaves nothing');
});

t.test('what makes no account', async (t) => {
  const good = { id: 'acme', name: 'Acme', plan: 'free' };
  const mistakes: readonly [change: Partial<typeof good>, message: RegExp][] = [
    [{ name: '' }, /name/],
    [{ name: ' ' }, /name/],
    [{ name: 'x'.repeat(201) }, /name/],
    [{ name: 'Acme\u202eevil' }, /name/],
    [{ name: '\u2067Acme' }, /name/],
    [{ name: 'Acme\u2028Ltd' }, /name/],
    [{ name: 'Acme\ud800' }, /name/],
    [{ name: '\u200b\u3164' }, /name/],
    [{ plan: 'gold' }, /no plan "gold"; choose one of free, pro, enterprise/],
    [{ plan: 'constructor' }, /no plan/],
    ...['', 'Acme', '-acme', 'a b', 'a}b', 'x'.repeat(64), 'acme\n'].map(
      (id): [Partial<typeof good>, RegExp] => [{ id }, /id/],
    ),
  ];
  for (const [change, message] of mistakes) {
    await t.rejects(store.createAccount({ ...good, ...change }), { name: 'OperatorError', message });
  }
  await t.rejects(store.setPlan('acme', 'pro'), { name: 'OperatorError', message: 'no account "acme"' });
  t.equal(await client.dbsize(), 0, 'nothing was written');
});

t.test('the plans are those that the store was given', async (t) => {
  const [plan] = defaultPlans.values();
  const own = new KeyStore(
    client,
    new Map(
      plan && [
        ['gold', plan],
        ['constructor', plan],
      ],
    ),
  );
  for (const name of ['gold', 'constructor']) {
    t.match(await own.createAccount({ id: name, name, plan: name }), { plan: name });
  }
  const message = 'there is no plan "free"; choose one of gold, constructor';
  await t.rejects(own.createAccount({ name: 'Acme', plan: 'free' }), { name: 'OperatorError', message });
  await t.rejects(own.setPlan('gold', 'free'), { name: 'OperatorError', message });
  t.equal((await own.getAccount('gold'))?.plan, 'gold');
});

t.test('an account whose plan is gone', async (t) => {
  await store.assertPlansExist();
  // More than one batch of them.
  const ids = Array.from({ length: 250 }, (_, number) => `a-${number}`);
  await Promise.all(ids.map((id) => store.createAccount({ id, name: id, plan: 'free' })));
  await store.setPlan('a-7', 'pro');
  // What a creation that broke off leaves behind.
  await client.sadd(redisKeys.accounts, 'unfinished');
  await store.assertPlansExist();

  const fewer = new KeyStore(client, new Map([...defaultPlans].filter(([name]) => name !== 'pro')));
  await t.rejects(fewer.assertPlansExist(), {
    name: 'OperatorError',
    message:
      'the account "a-7" has the plan "pro", which is not one of free, enterprise: add it to PLANS_FILE, ' +
      'or give the account another plan with `platen accounts set-plan a-7 PLAN`',
  });
  await fewer.setPlan('a-7', 'free');
  await fewer.assertPlansExist();
});

t.test('a key is found by its hash, as it was made', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
  const expiresAt = new Date(Date.now() + 60_000);
  const settings = {
    permissions: ['convert', 'rotate'],
    ipRestrictions: ['192.0.2.0/24', '2001:db8::1'],
    origins: [],
  } as const;
  const { key, ...record } = await store.createKey({ ...wanted, ...settings, expiresAt });
  t.same(parseKey(key), { environment: 'live', type: 'sk' });
  t.match(record, {
    ...wanted,
    ...settings,
    id: /^key_/,
    display: `svc_live_sk_…${key.slice(-4)}`,
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: null,
    revokedAt: null,
  });
  t.same(await store.getKey('acme', record.id), record);
  t.same(await store.findKey(record.id), record);
  t.same(await keysOf(store, 'acme'), [record]);
  t.equal(await store.getKey('acme', 'key_none'), undefined);
});

t.test('what a key may do unless it is said', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
  const secret = await store.createKey(wanted);
  const open = await store.createKey({ ...wanted, type: 'pk' });
  t.match(secret, {
    permissions: ['convert', 'jobs', 'webhooks', 'usage', 'rotate'],
    ipRestrictions: [],
    expiresAt: null,
  });
  t.same(open.permissions, ['convert']);
  t.same([secret.origins, open.origins], [[], []]);
});

t.test('what makes no key', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
  const before = await client.dbsize();
  const mistakes: readonly [change: Partial<NewKey>, message: RegExp][] = [
    [{ account: 'nobody' }, /no account "nobody"/],
    [{ name: '' }, /name/],
    [{ name: 'x'.repeat(201) }, /name/],
    [{ permissions: [] }, /at least one permission/],
    [{ type: 'pk', permissions: ['convert', 'usage'] }, /pk key can only hold/],
    [{ ipRestrictions: ['192.0.2.0/33'] }, /192\.0\.2\.0\/33/],
    [{ ipRestrictions: Array.from({ length: 101 }, () => '192.0.2.1') }, /at most 100/],
    [{ origins: ['https://shop.example'] }, /only pk keys have origins/],
    [{ type: 'pk', origins: ['https://*.example'] }, /not an origin/],
    [{ type: 'pk', origins: Array.from({ length: 21 }, (_, i) => `https://${i}.example`) }, /at most 20/],
    [{ expiresAt: new Date(Date.now() - 1) }, /future/],
    [{ expiresAt: new Date('never') }, /future/],
  ];
  for (const [change, message] of mistakes) {
    await t.rejects(store.createKey({ ...wanted, ...change }), { name: 'OperatorError', message });
  }
  t.equal(await client.dbsize(), before, 'nothing was written');
});

t.test('the origins of a pk key', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
  const origins = Array.from({ length: 20 }, (_, i) => `https://${i}.example`);
  const { id } = await store.createKey({
    ...wanted,
    type: 'pk',
    origins: [...origins, 'https://0.example'].slice(1),
  });
  t.same((await store.findKey(id)).origins, [...origins.slice(1), 'https://0.example']);
  t.match(await store.changeKey(id, { origins: ['http://localhost', 'http://localhost'] }), {
    origins: ['http://localhost'],
    name: wanted.name,
  });
  await t.rejects(store.changeKey(id, { origins: ['http://shop.example'] }), /must begin with https/);
  t.match(await store.changeKey(id, { name: 'page' }), { origins: ['http://localhost'] });
  t.match(await store.changeKey(id, { origins: [] }), { origins: [] });
  const { id: secret } = await store.createKey(wanted);
  await t.rejects(store.changeKey(secret, { origins }), /only pk keys/);
  t.match(await store.changeKey(secret, { origins: [] }), { origins: [] });
  await client.hdel(`platen:{acme}:key:${secret}`, 'origins');
  t.same((await store.findKey(secret)).origins, [], 'a key of an earlier version has none');
});

t.test('lists', async (t) => {
  for (const id of ['acme', 'other']) await store.createAccount({ id, name: id, plan: 'pro' });
  t.same(await keysOf(store, 'other'), []);
  const keys = [];
  for (const account of ['acme', 'other', 'acme'])
    keys.push((await store.createKey({ ...wanted, account })).id);
  const [first, second, third] = keys;
  const ids = async (account: string) => (await keysOf(store, account)).map(({ id }) => id).sort();
  t.same(await ids('acme'), [first, third].sort());
  t.same(await ids('other'), [second]);
});

t.test('a revoked key stays revoked from its first revocation on', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
  const { id } = await store.createKey(wanted);
  const revoked = await store.revokeKey(id);
  t.match(revoked.revokedAt, /Z$/);
  t.same(await store.revokeKey(id), revoked, 'again changes nothing');
  t.same(await store.findKey(id), revoked);
  await t.rejects(store.revokeKey('key_none'), { name: 'OperatorError', message: 'no key "key_none"' });
});

t.test('Redis never sees a key, and one script finds an account in one slot', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
  const { key, id } = await store.createKey(wanted);
  const names = await client.keys('*');
  t.ok(names.every((name) => name.startsWith('platen:')));
  for (const name of names) {
    t.notMatch(name, key);
    t.notOk(String(await client.dump(name)).includes(key.slice('svc_live_sk_'.length)), name);
  }
  const slots = [redisKeys.account('acme'), redisKeys.accountKeys('acme'), redisKeys.key('acme', id)].map(
    (name) => /\{(.*?)\}/.exec(name)?.[1],
  );
  t.same(slots, ['acme', 'acme', 'acme']);
});
