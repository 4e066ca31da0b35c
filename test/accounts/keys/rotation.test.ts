import t from 'tap';
import { parseKey } from '../../../src/accounts/keys/format.ts';
import { KeyLocator } from '../../../src/accounts/keys/locate.ts';
import type { NewKey } from '../../../src/accounts/keys/records.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import {
  DEFAULT_OVERLAP_SECONDS,
  MAX_OVERLAP_SECONDS,
  ROTATIONS_PER_DAY,
  Rotation,
} from '../../../src/accounts/keys/rotation.ts';
import { type CreatedKey, KeyStore } from '../../../src/accounts/keys/store.ts';
import { Admission, type Verdict } from '../../../src/accounts/limits/admission.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { patientClient, startRedis } from '../../redis/support.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { createKey } from '../limits/support.ts';
import { keysOf } from './support.ts';

const client = patientClient(t, (await startRedis(t)).server);
const store = new KeyStore(client, defaultPlans);
const rotation = new Rotation(client, store);
const admission = new Admission(client, { plans: defaultPlans, reservationMs: 60_000 });
t.beforeEach(() => client.flushdb());

const HOUR = 3_600;

/** What becomes of a request with the key. */
async function use(text: string): Promise<Verdict['outcome'] | 'not found'> {
  const key = await new KeyLocator(client).locate(text);
  if (!key) return 'not found';
  const request = { key, address: '192.0.2.1', permission: undefined, conversion: undefined };
  return (await admission.admit(request)).outcome;
}

/** A key, and its own request to be rotated. */
async function make(options: Partial<NewKey> = {}) {
  const { key, location } = await createKey(client, defaultPlans, options);
  return { key, rotate: (overlap = HOUR) => rotation.rotateOwn(location, key.key, overlap) };
}

async function keyIds(): Promise<string[]> {
  return (await keysOf(store, 'acme')).map(({ id }) => id);
}

/** Names, values, fields and members of the whole database. */
async function everything(): Promise<string> {
  const names = await client.keys('*');
  const texts: unknown[] = [names];
  for (const name of names) {
    const type = await client.type(name);
    if (type === 'string') texts.push(await client.get(name));
    else if (type === 'hash') texts.push(await client.hgetall(name));
    else if (type === 'set') texts.push(await client.smembers(name));
    else if (type === 'zset') texts.push(await client.zrange(name, '0', '-1'));
    else throw new Error(`no test looks into a ${type}`);
  }
  return JSON.stringify(texts);
}

t.test('the successor has the settings of the key, and a text of its own', async (t) => {
  const expiresAt = new Date(Date.now() + 30 * 24 * HOUR * 1000);
  const settings = {
    name: 'Billing',
    permissions: ['convert', 'rotate'],
    ipRestrictions: ['192.0.2.0/24', '2001:db8::/32'],
    expiresAt,
  } as const;
  for (const environment of ['live', 'test'] as const) {
    const { key, rotate } = await make({ ...settings, environment });
    const before = Date.now();
    const { successor, previous } = await rotate();
    t.match(successor, {
      ...settings,
      account: 'acme',
      environment,
      type: 'sk',
      id: /^key_/,
      display: `svc_${environment}_sk_…${successor.key.slice(-4)}`,
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: null,
      revokedAt: null,
      successor: null,
    });
    t.ok(Date.parse(successor.createdAt) >= before - 1);
    t.same(parseKey(successor.key), { environment, type: 'sk' });
    t.not(successor.key, key.key);
    t.equal(previous.id, key.id);
    const { key: _text, ...record } = successor;
    t.same(await store.findKey(successor.id), record);
    t.equal((await store.findKey(key.id)).successor, successor.id);
    t.same([await use(key.key), await use(successor.key)], ['admitted', 'admitted']);
  }
});

t.test('the successor may be used by the same pages', async (t) => {
  const origins = ['https://shop.example', 'http://localhost:3000'];
  const { rotate } = await make({ type: 'pk', permissions: ['convert'], origins });
  t.same((await rotate()).successor.origins, origins);
});

t.test("the successor is held to the key's addresses and permissions", async (t) => {
  const { rotate } = await make({ ipRestrictions: ['198.51.100.7'], permissions: ['rotate'] });
  const { successor } = await rotate();
  const key = { account: 'acme', id: successor.id, environment: 'live' } as const;
  const request = { key, address: '192.0.2.1', permission: undefined, conversion: undefined };
  t.equal((await admission.admit(request)).outcome, 'address');
  const allowed = { ...request, address: '198.51.100.7', permission: 'convert' } as const;
  t.equal((await admission.admit(allowed)).outcome, 'permission');
});

t.test('the overlap', async (t) => {
  for (const overlap of [1, DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS]) {
    const { key, rotate } = await make();
    const before = Date.now();
    const { previous, successor } = await rotate(overlap);
    const after = Date.now();
    const ends = Date.parse(previous.expiresAt) - overlap * 1000;
    // The clock of Redis is this machine's, cut off to the millisecond.
    t.ok(ends >= before - 1 && ends <= after, `${overlap} s`);
    t.equal((await store.findKey(key.id)).expiresAt, previous.expiresAt);
    t.equal(successor.expiresAt, null);
  }
});

t.test('an overlap of 0 ends the key at once', async (t) => {
  const { key, rotate } = await make();
  const { successor } = await rotate(0);
  t.equal(await use(key.key), 'expired');
  t.equal(await use(successor.key), 'admitted');
  await t.rejects(rotate(0), { code: 'EXPIRED_API_KEY' });
});

t.test('a key never lives longer than it had to', async (t) => {
  const expiresAt = new Date(Date.now() + 60_000);
  const { key, rotate } = await make({ expiresAt });
  const { previous, successor } = await rotate(HOUR);
  t.equal(previous.expiresAt, expiresAt.toISOString());
  t.equal(successor.expiresAt, expiresAt.toISOString());
  t.equal((await rotate(MAX_OVERLAP_SECONDS)).previous.expiresAt, previous.expiresAt, 'nor by a retry');
  t.equal((await store.findKey(key.id)).expiresAt, previous.expiresAt);
});

t.test('asked again, it answers the same, and makes no second successor', async (t) => {
  const { key, rotate } = await make();
  const first = await rotate();
  t.notOk(first.repeated);
  t.same(await rotate(0), { ...first, repeated: true }, 'the overlap is that of the first time');
  t.same(await rotate(), { ...first, repeated: true });
  t.same((await keyIds()).sort(), [key.id, first.successor.id].sort());
  t.equal((await client.keys(redisKeys.keyOwner('*'))).length, 2, 'nothing else is left');
  t.equal((await client.keys(redisKeys.locator('*'))).length, 2);
});

t.test('asked many times at once, from two servers, it makes one', async (t) => {
  const { key } = await make();
  const location = { account: 'acme', id: key.id, environment: 'live' } as const;
  const servers = [rotation, new Rotation(client, store)];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => servers[n % 2]?.rotateOwn(location, key.key, HOUR)),
  );
  for (const answer of answers) t.same({ ...answer, repeated: true }, { ...answers[0], repeated: true });
  t.equal(answers.filter((answer) => answer?.repeated === false).length, 1);
  t.equal((await keyIds()).length, 2);
  t.equal((await client.keys(redisKeys.keyOwner('*'))).length, 2);
  t.equal(await use(answers[0]?.successor.key ?? ''), 'admitted');
});

t.test('whatever command it breaks off at, asking again gives a successor that works', async (t) => {
  // A Redis user that may not run a command stands in for the crash just before that command.
  for (const command of ['set', 'evalsha', 'eval', 'hgetall', 'del']) {
    await client.flushdb();
    const { rotate } = await make();
    await client.acl('SETUSER', 'default', `-${command}`);
    await rotate().catch(() => {});
    await client.acl('SETUSER', 'default', '+@all');
    const { successor } = await rotate();
    t.equal(await use(successor.key), 'admitted', command);
    t.equal((await keyIds()).length, 2, command);
  }
});

t.test('once the successor is used, nobody gets it again', async (t) => {
  const { key, rotate } = await make();
  const { successor } = await rotate();
  t.equal(await use(successor.key), 'admitted');
  const refused = { code: 'INSUFFICIENT_PERMISSIONS', message: `use its successor ${successor.display}` };
  await t.rejects(rotate(), refused);
  t.equal(await use(key.key), 'admitted', 'the key itself lives on for its overlap');
  t.equal((await keyIds()).length, 2);
});

t.test('a revoked successor is not given again, nor replaced', async (t) => {
  const { rotate } = await make();
  const { successor } = await rotate();
  await store.revokeKey(successor.id);
  t.equal(await use(successor.key), 'unknown');
  await t.rejects(rotate(), { code: 'INSUFFICIENT_PERMISSIONS' });
  t.equal((await keyIds()).length, 2);
});

t.test('a successor is rotated like any key', async (t) => {
  const { key, rotate } = await make();
  const { successor } = await rotate();
  const location = { account: 'acme', id: successor.id, environment: 'live' } as const;
  const next = await rotation.rotateOwn(location, successor.key, HOUR);
  t.equal(new Set([key.key, successor.key, next.successor.key]).size, 3);
  t.equal(await use(next.successor.key), 'admitted');
});

t.test('the keys of an account, all together, have their rotations of a day', async (t) => {
  await awayFromTheHoursEnd();
  const rotations = redisKeys.rotations('acme');
  const other = await make({ environment: 'test' });
  const { successor } = await other.rotate();
  let last = await make({ environment: 'test' });
  let answer = await last.rotate();
  for (let count = 2; count < ROTATIONS_PER_DAY; count++) {
    const { id, key } = answer.successor;
    const location = { account: 'acme', id, environment: 'test' } as const;
    last = { key: answer.successor, rotate: () => rotation.rotateOwn(location, key, HOUR) };
    answer = await last.rotate();
  }
  t.equal(await client.hget(rotations, 'count'), `${ROTATIONS_PER_DAY}`);
  const refused = await make();
  await t.rejects(refused.rotate(), { code: 'RATE_LIMIT_EXCEEDED', reason: 'rotations' });
  const { retryAfter } = await refused.rotate().catch((error) => error);
  const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
  t.ok(Math.abs(retryAfter - untilMidnight) <= 5 || untilMidnight > 86_395, `${retryAfter} s`);
  t.equal((await store.findKey(refused.key.id)).successor, null);
  t.equal((await store.findKey(refused.key.id)).expiresAt, null, 'the key goes on');
  t.equal((await client.keys(redisKeys.keyOwner('*'))).length, (await keyIds()).length);

  t.same((await last.rotate()).successor, answer.successor, 'what was made is told again');
  t.same((await other.rotate()).successor, successor);
  t.equal(await client.hget(rotations, 'count'), `${ROTATIONS_PER_DAY}`, 'which does not count');
  await t.resolves(rotation.rotate(refused.key.id, HOUR), 'nor does what the operator does');
  t.equal(await client.hget(rotations, 'count'), `${ROTATIONS_PER_DAY}`);

  const next = await make();
  await client.hincrby(rotations, 'start', -86_400);
  await t.resolves(next.rotate(), 'the day after');
  t.equal(await client.hget(rotations, 'count'), '1');
});

t.test('many at once, on two servers, have no more than those', async (t) => {
  await (await make()).rotate();
  await client.hset(redisKeys.rotations('acme'), 'count', ROTATIONS_PER_DAY - 2);
  const servers = [rotation, new Rotation(client, store)];
  const keys = await Promise.all(Array.from({ length: 6 }, () => make()));
  const answers = await Promise.allSettled(
    keys.map(({ key: { id, key } }, n) =>
      servers[n % 2]?.rotateOwn({ account: 'acme', id, environment: 'live' }, key, HOUR),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 2);
});

t.test('a revoked or expired key cannot rotate', async (t) => {
  const revoked = await make();
  await store.revokeKey(revoked.key.id);
  await t.rejects(revoked.rotate(), { code: 'INVALID_API_KEY' });
  await t.rejects(rotation.rotate(revoked.key.id, HOUR), { name: 'OperatorError', message: /revoked/ });

  const expired = await make();
  await client.hset(redisKeys.key('acme', expired.key.id), 'expiresAt', Date.now() - 1);
  await t.rejects(expired.rotate(), { code: 'EXPIRED_API_KEY' });
  await t.rejects(rotation.rotate(expired.key.id, HOUR), { name: 'OperatorError', message: /expired/ });

  const rotated = await make();
  await rotated.rotate();
  await store.revokeKey(rotated.key.id);
  await t.rejects(rotated.rotate(), { code: 'INVALID_API_KEY' }, 'nor ask for its successor');

  await t.rejects(rotation.rotate('key_none', HOUR), { name: 'OperatorError', message: 'no key "key_none"' });
  t.equal((await keyIds()).length, 4);
  t.equal((await client.keys(redisKeys.keyOwner('*'))).length, 4);
});

t.test('what is no key cannot rotate', async (t) => {
  const { key } = await make();
  const location = { account: 'acme', id: key.id, environment: 'live' } as const;
  await t.rejects(rotation.rotateOwn(location, `${key.key}x`, HOUR), { code: 'INVALID_API_KEY' });
  t.equal((await store.findKey(key.id)).successor, null);
});

t.test("the operator's rotation", async (t) => {
  const settings = { name: 'Shop', permissions: ['usage'], type: 'sk' } as const;
  const { key, rotate } = await make(settings);
  const { successor, previous } = await rotation.rotate(key.id, 0);
  t.match(successor, settings);
  t.equal(previous.id, key.id);
  t.equal(await use(key.key), 'expired');
  t.equal(await use(successor.key), 'admitted');
  await t.rejects(rotate(), { code: 'EXPIRED_API_KEY' });

  const other = await make();
  const rotated = await rotation.rotate(other.key.id, HOUR);
  await t.rejects(rotation.rotate(other.key.id, HOUR), {
    name: 'OperatorError',
    message: `its successor "${rotated.successor.id}"`,
  });
  await t.rejects(
    other.rotate(),
    { code: 'INSUFFICIENT_PERMISSIONS' },
    'what the operator was shown is shown to nobody else',
  );
});

t.test('the operator sees a pk key rotated into one', async (t) => {
  const { key } = await make({ type: 'pk' });
  const { successor } = await rotation.rotate(key.id, HOUR);
  t.same([parseKey(successor.key)?.type, successor.type, successor.permissions], ['pk', 'pk', ['convert']]);
});

t.test('no text of a key is in Redis', async (t) => {
  const keys: CreatedKey[] = [];
  for (const environment of ['live', 'test'] as const) {
    const own = await make({ environment });
    const byOperator = await make({ environment });
    keys.push(own.key, (await own.rotate()).successor, (await own.rotate()).successor, byOperator.key);
    keys.push((await rotation.rotate(byOperator.key.id, HOUR)).successor);
  }
  for (const { key } of keys) t.equal(await use(key), 'admitted');
  const all = await everything();
  for (const { key, id } of keys) {
    t.ok(all.includes(id), 'the look goes to where the keys are');
    const secret = key.slice('svc_live_sk_'.length);
    t.notOk(all.includes(secret) || all.includes(secret.slice(0, 10)) || all.includes(secret.slice(-10)));
  }
});
