/** What is left of keys that have ended, by the clock of a real Redis. */
import t from 'tap';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import { keyEntry } from '../../../src/accounts/keys/account-keys.ts';
import { KeyLocator } from '../../../src/accounts/keys/locate.ts';
import { KEPT_MS, type NewKey } from '../../../src/accounts/keys/records.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { Rotation } from '../../../src/accounts/keys/rotation.ts';
import { type CreatedKey, KeyStore } from '../../../src/accounts/keys/store.ts';
import { Admission } from '../../../src/accounts/limits/admission.ts';
import { Retention } from '../../../src/accounts/limits/retention.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { recordingLog } from '../../redis/support.ts';
import { startClockedRedis } from '../../support/clocked-redis.ts';
import { until } from '../../support/until.ts';
import { keysOf } from '../keys/support.ts';

const { connect, setClock } = await startClockedRedis(t);
const client = await connect();
const store = new KeyStore(client, defaultPlans);
const rotation = new Rotation(client, store);
const admission = new Admission(client, { plans: defaultPlans, reservationMs: 60_000 });
const now = Date.now();
const HOUR_MS = 3_600_000;
const wanted: NewKey = { account: 'acme', name: 'k', environment: 'test', type: 'sk' };

t.beforeEach(async () => {
  setClock(now);
  await client.flushall();
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'free' });
});

/** When what there is of the key expires: its record, its owner and what leads to it from its text. */
async function expiries({ id, key }: CreatedKey): Promise<number[]> {
  const place = (await client.keys(redisKeys.locator('*'))).map(async (name) =>
    (await client.get(name))?.split(' ')[1] === id ? name : undefined,
  );
  const locator = (await Promise.all(place)).find((name) => name !== undefined) ?? `none of ${key}`;
  const names = [redisKeys.key('acme', id), redisKeys.keyOwner(id), locator];
  return Promise.all(names.map((name) => client.pexpiretime(name)));
}

async function use({ key: text }: CreatedKey): Promise<string> {
  const key = await new KeyLocator(client).locate(text);
  if (!key) return 'not found';
  const request = { key, address: '192.0.2.1', permission: undefined, conversion: undefined };
  return (await admission.admit(request)).outcome;
}

t.test('all that there is of a key goes 400 days after its end', async (t) => {
  const expiresAt = new Date(now + 10 * HOUR_MS);
  const stays = await store.createKey(wanted);
  const expires = await store.createKey({ ...wanted, expiresAt });
  const revoked = await store.createKey({ ...wanted, expiresAt });
  await store.revokeKey(revoked.id);
  const [own, byOperator] = [await store.createKey(wanted), await store.createKey({ ...wanted, expiresAt })];
  const location = { account: 'acme', id: own.id, environment: 'test' } as const;
  const { successor } = await rotation.rotateOwn(location, own.key, 3_600);
  const { successor: dated } = await rotation.rotate(byOperator.id, 0);
  const ends: readonly (readonly [string, CreatedKey, number])[] = [
    ['expires', expires, expiresAt.getTime()],
    ['revoked', revoked, now],
    ['rotated', own, now + HOUR_MS],
    ['rotated by the operator', byOperator, now],
    ['its successor, which expires', dated, expiresAt.getTime()],
  ];
  for (const [what, key, end] of ends) {
    const gone = end + KEPT_MS;
    // Nobody waits for what leads to a key that was rotated.
    await until('all of it expires', async () => !(await expiries(key)).includes(-1));
    t.strictSame(await expiries(key), [gone, gone, gone], what);
  }
  for (const key of [stays, successor]) t.strictSame(await expiries(key), [-1, -1, -1], 'never');

  for (const key of [expires, dated, stays, successor]) t.equal(await use(key), 'admitted');
  t.equal(await use(revoked), 'unknown');
  for (const key of [expires, dated]) t.equal((await expiries(key))[0], expiresAt.getTime() + KEPT_MS);
  setClock(expiresAt.getTime() + KEPT_MS - 1_000);
  t.equal(await use(expires), 'expired');
  setClock(expiresAt.getTime() + KEPT_MS + 1_000);
  for (const [what, key] of ends) {
    t.equal(await use(key), 'not found', what);
    t.equal(await store.lookUpKey(key.id), undefined, what);
  }
  for (const key of [stays, successor]) t.equal(await use(key), 'admitted');
  t.strictSame(
    (await keysOf(store, 'acme')).map(({ id }) => id).sort(),
    [stays.id, successor.id].sort(),
    'nothing else is listed',
  );
});

/** A key as versions made and ended it that kept all of it for ever: no SHA-256 in its record, and nothing that expires. */
async function makeAsBefore(end: { expiresAt?: number; revokedAt?: number } = {}): Promise<CreatedKey> {
  const key = await store.createKey(wanted);
  const record = redisKeys.key('acme', key.id);
  await client.hdel(record, 'sha256');
  const [endsAt] = Object.values(end);
  if (endsAt === undefined) return key;
  await client.hset(record, end);
  await client.zrem(redisKeys.accountKeys('acme'), keyEntry(key));
  const expiresAt = new Date(endsAt).toISOString();
  await client.zadd(redisKeys.accountKeys('acme'), 0, keyEntry({ ...key, expiresAt }));
  return key;
}

const never = [-1, -1, -1];
const DAY_MS = 24 * HOUR_MS;

t.test('keys that an older version made or ended go as well', async (t) => {
  const works = await makeAsBefore();
  const later = await makeAsBefore();
  const used = await makeAsBefore();
  const windows = limitKeys.familyWindows('acme', used.id);
  t.equal(await use(used), 'admitted');
  await client.hset(redisKeys.key('acme', used.id), { revokedAt: now });
  await client.persist(windows);
  const ends: readonly (readonly [string, CreatedKey, number])[] = [
    ['used, then revoked', used, now],
    ['revoked', await makeAsBefore({ revokedAt: now - DAY_MS }), now - DAY_MS],
    ['expired', await makeAsBefore({ expiresAt: now - 2 * DAY_MS }), now - 2 * DAY_MS],
    ['revoked before it expires', await makeAsBefore({ revokedAt: now, expiresAt: now + DAY_MS }), now],
    ['will expire', await makeAsBefore({ expiresAt: now + DAY_MS }), now + DAY_MS],
  ];
  const long = [
    await makeAsBefore({ revokedAt: now - KEPT_MS - DAY_MS }),
    await makeAsBefore({ expiresAt: now - 2 * KEPT_MS }),
  ];
  for (const key of [works, ...long, ...ends.map(([, ended]) => ended)])
    t.strictSame(await expiries(key), never);

  // Two servers that start at a time.
  const { log, messages } = recordingLog();
  const other = await connect();
  await Promise.all([new Retention(client, log).start(), new Retention(other, log).start()]);
  t.strictSame(messages, ['ended keys of earlier versions were given an expiration'], 'one of them does it');
  for (const [what, key, end] of ends) t.strictSame(await expiries(key), Array(3).fill(end + KEPT_MS), what);
  t.equal(await client.pexpiretime(windows), now + KEPT_MS, 'with the windows of a test key');
  for (const key of long) {
    t.equal(await use(key), 'not found', 'its time has come');
    t.strictSame(await expiries(key), [-2, -2, -2]);
  }
  for (const key of [works, later]) t.strictSame(await expiries(key), never, 'it works');

  // They end like those of this version from now on.
  await store.revokeKey(works.id);
  await rotation.rotate(later.id, 0);
  for (const key of [works, later]) t.strictSame(await expiries(key), Array(3).fill(now + KEPT_MS));
  setClock(now + KEPT_MS + DAY_MS + 1_000);
  for (const [what, key] of ends) t.equal(await use(key), 'not found', what);
  const names = await client.keys('*');
  for (const { id } of [works, ...long, ...ends.map(([, key]) => key)])
    t.notOk(
      names.some((name) => name.includes(id)),
      'nothing is left',
    );
});

t.test('Redis is looked through once in 30 days, by whoever starts then', async (t) => {
  const { log } = recordingLog();
  await new Retention(client, log).start();
  const key = await makeAsBefore({ revokedAt: now });
  await new Retention(client, log).start();
  t.strictSame(await expiries(key), never);
  setClock(now + 30 * DAY_MS + 1_000);
  await new Retention(client, log).start();
  t.strictSame(await expiries(key), Array(3).fill(now + KEPT_MS));
});

t.test('a pass that breaks off is made again', async (t) => {
  const key = await makeAsBefore({ revokedAt: now });
  const { log } = recordingLog();
  const ended = new Retention(client, log);
  const pass = ended.start();
  await ended.stop();
  await pass;
  t.strictSame(await expiries(key), never, 'its server ended');
  await client.set(redisKeys.retentionPass, '1', 'PX', HOUR_MS);
  await new Retention(client, log).start();
  t.strictSame(await expiries(key), never, 'another server may be at it');
  setClock(now + HOUR_MS + 1);
  await new Retention(client, log).start();
  t.strictSame(await expiries(key), Array(3).fill(now + KEPT_MS), 'it was killed');
});

t.test('a key that is being made is left alone', async (t) => {
  const { log } = recordingLog();
  // What leads to a key is there before its record.
  const announce = () => new Retention(client, log).start();
  const key = await store.createKey(wanted, { announce });
  t.strictSame(await expiries(key), never);
  t.equal(await use(key), 'admitted');
});

t.test('nothing is left to do for a key when the operator has its successor', async (t) => {
  const key = await store.createKey(wanted);
  const command = await connect();
  await new Rotation(command, new KeyStore(command, defaultPlans)).rotate(key.id, 0);
  command.disconnect();
  t.strictSame(await expiries(key), [now + KEPT_MS, now + KEPT_MS, now + KEPT_MS]);
});

t.test('the list of an account has none whose record is gone, and forgets them', async (t) => {
  setClock(now - KEPT_MS - HOUR_MS);
  const keys = [await store.createKey(wanted), await store.createKey(wanted)];
  for (const { id } of keys) await store.revokeKey(id);
  setClock(now);
  t.same(await store.listed.page('acme', undefined, 10), { keys: [], next: null });
  t.equal(await store.listed.count('acme'), 0);
  const { id } = await store.createKey(wanted);
  t.equal(await client.zcard(redisKeys.accountKeys('acme')), 1);
  t.same(
    (await keysOf(store, 'acme')).map((key) => key.id),
    [id],
  );
});

t.test('the windows of a test key go 400 days after the last day of its use', async (t) => {
  const key = await store.createKey(wanted);
  const windows = limitKeys.familyWindows('acme', key.id);
  await use(key);
  t.equal(await client.pexpiretime(windows), now + KEPT_MS);
  setClock(now + 24 * HOUR_MS);
  await use(key);
  t.equal(await client.pexpiretime(windows), now + 24 * HOUR_MS + KEPT_MS);
  await use(await store.createKey({ ...wanted, environment: 'live' }));
  t.equal(await client.ttl(limitKeys.accountWindows('acme')), -1, 'those of an account stay');
});
