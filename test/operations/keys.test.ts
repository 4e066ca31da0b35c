/** What is done with keys, whoever does it. */
import t from 'tap';
import { keyEntry } from '../../src/accounts/keys/account-keys.ts';
import { MAX_KEYS } from '../../src/accounts/keys/records.ts';
import { redisKeys } from '../../src/accounts/keys/redis-keys.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { readConfig } from '../../src/config.ts';
import {
  changeKey,
  createKey,
  findKeys,
  getKey,
  listExpiringKeys,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../src/operations/keys.ts';
import { openOperations } from '../../src/operations/services.ts';
import { Audit } from '../../src/operator/audit.ts';
import { log, redisClient } from '../redis/support.ts';
import { operationsAs } from '../support/operations.ts';

const redis = await redisClient(t);
const audit = new Audit(redis, log);
const services = openOperations({ config: readConfig({}), redis, plans: defaultPlans, log, audit });
const acme = await services.keys.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
const other = await services.keys.createAccount({ id: 'other', name: 'Other', plan: 'pro' });
const person = { id: 'op_1', name: 'Olga', email: 'olga@example.com' };
const operator = operationsAs(services, { by: 'operator', who: 'Olga', person });
const anna = {
  by: 'member',
  who: 'Anna',
  person: { id: 'mem_1', name: 'Anna', email: 'anna@acme.example' },
} as const;
const member = operationsAs(services, anna, acme);
const stranger = operationsAs(services, { ...anna, who: 'Otto' }, other);
const wanted = { name: 'back end', environment: 'live', type: 'sk' } as const;

t.test('the life of a key', async (t) => {
  const made = await operator(createKey, {
    account: 'acme',
    body: { ...wanted, ipRestrictions: ['192.0.2.0/24'] },
  });
  const { key, ...settings } = made;
  t.match(key, /^svc_live_sk_/);
  const params = { key: made.id };
  t.match(await member(getKey, { params }), {
    id: made.id,
    state: 'valid',
    lastUsedAt: null,
    successor: null,
  });
  t.match(await member(changeKey, { params, body: { name: 'front end', ipRestrictions: [] } }), {
    ...{ name: 'front end', ipRestrictions: [] },
  });
  const successor = await member(rotateKey, { params, body: { overlapSeconds: 3_600 } });
  t.match(successor, {
    name: 'front end',
    previous: { id: made.id },
    madeBy: { by: 'member', name: 'Anna' },
  });
  await t.rejects(member(rotateKey, { params }), /rotated already/);
  t.match(await member(revokeKey, { params }), { state: 'revoked', successor: successor.id });
  const revoked = await operator(revokeKey, { params });
  t.match(revoked, { state: 'revoked' }, 'again, which changes nothing');
  await t.rejects(operator(changeKey, { params, body: { name: 'x' } }), /revoked or expired/);

  const { keys, next } = await operator(listKeys, { account: 'acme' });
  t.same([keys.map(({ id }) => id), next], [[successor.id, made.id], null]);
  const page = await member(listKeys, { query: { limit: 1 } });
  t.same(
    page.keys.map(({ id }) => id),
    [successor.id],
  );
  const rest = await member(listKeys, { query: { limit: 1, after: page.next ?? '' } });
  t.same([rest.keys.map(({ id }) => id), rest.next], [[made.id], null]);
  t.notOk(JSON.stringify([keys, page, rest]).includes(key), 'no key is shown twice');
  t.match(await operator(findKeys, { query: { ending: key.slice(-4) } }), { keys: [{ id: settings.id }] });

  const { entries } = await audit.list(undefined, 10);
  t.match(entries, [
    { action: 'key.revoked', by: 'member', key: made.id, details: { name: 'front end' } },
    { action: 'key.rotated', details: { successor: successor.id, overlapSeconds: '3600' } },
    {
      action: 'key.changed',
      details: { name: 'front end', formerName: 'back end', ipRestrictions: 'everywhere' },
    },
    { action: 'key.created', by: 'operator', details: { ipRestrictions: '192.0.2.0/24' } },
  ]);
  t.equal(entries.length, 4);
});

t.test('origins are shown, changed and in the audit', async (t) => {
  const origins = ['https://shop.example', 'http://localhost:3000'];
  const made = await member(createKey, { body: { ...wanted, type: 'pk', origins } });
  t.same(made.origins, origins);
  const params = { key: made.id };
  t.match(await operator(changeKey, { params, body: { origins: [] } }), { origins: [] });
  t.match(await member(changeKey, { params, body: { origins: ['https://new.example'] } }), {
    origins: ['https://new.example'],
  });
  t.match(await member(rotateKey, { params }), { origins: ['https://new.example'] });
  const { entries } = await audit.list(undefined, 4);
  t.match(
    entries.map(({ action, details }) => [action, details]),
    [
      ['key.rotated', { origins: 'https://new.example' }],
      ['key.changed', { origins: 'https://new.example', formerOrigins: 'none' }],
      ['key.changed', { origins: 'none', formerOrigins: origins.join(' ') }],
      ['key.created', { origins: origins.join(' ') }],
    ],
  );
});

t.test('members see and change the keys of their account only, and no names of operators', async (t) => {
  const { id } = await operator(createKey, { account: 'acme', body: wanted });
  const params = { key: id };
  for (const attempt of [
    (): Promise<unknown> => stranger(getKey, { params }),
    () => stranger(changeKey, { params, body: { name: 'x' } }),
    () => stranger(revokeKey, { params }),
    () => stranger(rotateKey, { params }),
  ])
    await t.rejects(attempt, /there is no key/);
  t.same(await stranger(listKeys, { account: 'acme' }), { keys: [], next: null });
  const own = await stranger(createKey, { account: 'acme', body: wanted });
  t.equal(own.account, 'other', 'an account that a member names is not used');
  t.match((await operator(getKey, { params })).madeBy, { by: 'operator', name: 'Olga' });
  t.match((await member(getKey, { params })).madeBy, { by: 'operator', name: null });
});

t.test('keys that expire soon', async (t) => {
  const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const { id } = await operator(createKey, { account: 'acme', body: { ...wanted, expiresAt } });
  t.match(await operator(listExpiringKeys), { keys: [{ id, expiresAt }], more: false });
  t.match(await operator(listExpiringKeys, { query: { days: 4 } }), { keys: [], more: false });
});

t.test('what cannot be done is said, and is not in the audit', async (t) => {
  const before = (await audit.list(undefined, 1)).entries;
  const refused: readonly [object, RegExp][] = [
    [{ name: ' ' }, /name/],
    [{ type: 'pk', permissions: ['usage'] }, /pk key/],
    [{ ipRestrictions: ['nowhere'] }, /nowhere/],
    [{ origins: ['https://shop.example'] }, /only pk keys/],
    [{ type: 'pk', origins: ['shop.example'] }, /such as https/],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, /future/],
  ];
  for (const [change, message] of refused)
    await t.rejects(operator(createKey, { account: 'acme', body: { ...wanted, ...change } }), message);
  await t.rejects(operator(createKey, { account: 'nobody', body: wanted }), /no account "nobody"/);
  await t.rejects(operator(revokeKey, { params: { key: 'key_none' } }), /no key "key_none"/);
  await t.rejects(operator(listKeys, { account: 'acme', query: { after: 'key_1' } }), /after must be/);

  await services.keys.createAccount({ id: 'many', name: 'Many', plan: 'pro' });
  const entries = Array.from({ length: MAX_KEYS }, (_, i) =>
    keyEntry({ id: `key_${i}`, createdAt: new Date(0).toISOString(), expiresAt: null }),
  );
  await redis.zadd(redisKeys.accountKeys('many'), ...entries.flatMap((each) => ['0', each]));
  await t.rejects(operator(createKey, { account: 'many', body: wanted }), /1000 keys that work/);
  t.same((await audit.list(undefined, 1)).entries, before);
});
