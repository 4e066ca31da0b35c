/** The end of an account: nothing of it is left in Redis or the storage but the rows of its ledger, which do not name it. */
import type { Redis } from 'ioredis';
import t from 'tap';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { hashKey } from '../../src/keys/format.ts';
import { newId } from '../../src/keys/records.ts';
import { redisKeys } from '../../src/keys/redis-keys.ts';
import { subjectOf } from '../../src/members/members.ts';
import { MemberStore } from '../../src/members/store.ts';
import { Removal } from '../../src/operator/removal.ts';
import { isDelivered, isError } from '../e2e/support/assertions.ts';
import { convert, send } from '../e2e/support/requests.ts';
import { ended, filePart, post, readBody } from '../http/jobs/support.ts';
import { patientClient } from '../redis/support.ts';
import { docx } from '../support/documents.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await Service.start(t);
const { services } = service;
const { removal, webhooks, usage, keys, members } = services;
const jobs = services.jobs as Jobs;
const redis = patientClient(t, { socketPath: service.redis });
const document = docx();
const month = new Date().toISOString().slice(0, 7);
const { signal } = new AbortController();

/** All that Redis has: names, and values as text. */
async function everything(client: Redis): Promise<string[]> {
  const found: string[] = [];
  for await (const names of client.scanStream()) {
    for (const name of names as string[]) {
      const read: Readonly<Record<string, () => Promise<unknown>>> = {
        string: () => client.get(name),
        hash: () => client.hgetall(name),
        set: () => client.smembers(name),
        zset: () => client.zrange(name, 0, '-1'),
        list: () => client.lrange(name, 0, '-1'),
        stream: () => client.xrange(name, '-', '+'),
      };
      const value = await read[await client.type(name)]?.();
      found.push(`${name} ${JSON.stringify(value)}`);
    }
  }
  return found;
}

async function objects(): Promise<string[]> {
  const found: string[] = [];
  for await (const key of jobs.storage.list('jobs/')) found.push(key);
  return found;
}

/** Its days of grace are over. */
async function makeDue(account: string): Promise<void> {
  await redis.hset(redisKeys.account(account), 'deletesAt', Date.now() - 1);
  await redis.zadd(redisKeys.closingAccounts, Date.now() - 1, account);
}

async function ledgerOf(account: string) {
  const rows = [];
  for await (const row of usage.ledger(account, month)) rows.push(row);
  return rows;
}

/** A member who is signed in, and an invitation. */
async function join(account: string): Promise<void> {
  const store = new MemberStore(redis);
  const { id, hash } = await members.invite(service.actor, account, `owner@${account}.example`, 'owner');
  const place = { account, id: newId('mem') };
  const passkey = {
    ...{ id: `passkey of ${account}`, publicKey: '', counter: 0, transports: [], name: 'Phone' },
    ...{ createdAt: new Date().toISOString(), lastUsedAt: null },
  };
  await store.placePasskey(passkey.id, place);
  await store.change(account, (roster) => roster.accept(id, place.id, 'Ann', passkey));
  await store.unplaceInvitation(hash);
  await members.sessions.begin(subjectOf(account, place.id), { address: '192.0.2.1', agent: '' });
  await members.invite(service.actor, account, `other@${account}.example`, 'billing');
}

/** An account that has everything. @returns what must not be found of it later. */
async function live(account: string, name: string): Promise<string[]> {
  await service.management.createAccount(service.actor, { id: account, name, plan: 'pro' });
  const key = await service.createKey({ account, name: `${name} back end` });
  const test = await service.createKey({ account, environment: 'test' });
  const { successor } = await services.rotation.rotate(key.id, 3_600);
  const expiring = await service.createKey({ account, expiresAt: new Date(Date.now() + 3_600_000) });
  await service.revokeKey(test.id);
  const headers = { 'idempotency-key': 'order-7' };
  isDelivered(t, await convert(service, key.key, document, { headers }));
  isError(t, await convert(service, successor.key, Buffer.from('text')), 'INVALID_FILE_TYPE');
  isError(t, await send(service, '/v1/usage', { method: 'GET', key: test.key }), 'INVALID_API_KEY');
  const { id: job } = readBody(await post(service, key.key, [filePart()]));
  await ended(service, key.key, job);
  const owner = { account, environment: 'live' } as const;
  const settings = {
    url: 'https://example.com/hook',
    events: ['job.completed'],
    description: '',
    enabled: true,
  } as const;
  await webhooks.endpoints.add(owner, { ...settings, events: [...settings.events] });
  await webhooks.tell(owner, { type: 'job.completed', cause: 'x', at: Date.now(), data: {} });
  await redis.set(`platen:{${account}}:poison:${'a'.repeat(64)}`, '1');
  await service.management.setLimit(service.actor, account, {
    limit: 'perDay',
    value: 9,
    from: null,
    until: null,
  });
  await service.management.rename(service.actor, account, `${name} Corp`);
  await join(account);
  await services.requests.flush();
  await until('the end of the conversion is kept', async () =>
    (await everything(redis)).some((each) => each.includes(`{${account}}:live:conversion:`)),
  );
  const all = [key, test, successor, expiring];
  return [
    account,
    name,
    name.toLowerCase(),
    ...all.flatMap((each) => [each.id, each.display, hashKey(each.key)]),
  ];
}

t.test('nothing is left of an account but the rows of its ledger', async (t) => {
  const secrets = await live('acme-7', 'Acme Limited');
  const others = await live('beta-7', 'Beta Limited');
  const traces = async () =>
    (await everything(redis)).filter((each) => secrets.some((secret) => each.includes(secret)));
  const remaining = async () =>
    (await everything(redis)).filter((each) => others.some((secret) => each.includes(secret))).length;
  t.ok((await traces()).length > 30);
  const before = await remaining();
  const [first, ...more] = await ledgerOf('acme-7');
  t.match([first, more.length], [{ account: 'acme-7' }, 1]);

  await service.management.planDeletion(service.actor, 'acme-7');
  await removal.pass(signal);
  t.ok(await keys.getAccount('acme-7'), 'not before its time');
  await makeDue('acme-7');
  await removal.pass(signal);
  t.equal(await keys.getAccount('acme-7'), undefined);
  await t.rejects(service.createAccount('acme-7', 'free'), /exists already/, 'its id is not free yet');
  await removal.pass(signal);
  t.same(await traces(), []);
  t.equal((await objects()).length, 1, 'the result of the other account');
  t.equal(await remaining(), before, 'nothing of another account is touched');

  const ids = await keys.accountIds();
  const [alias = ''] = ids.filter((id) => id.startsWith('deleted_'));
  const rows = await ledgerOf(alias);
  t.match(rows, [
    { ...first, account: alias, key: '' },
    { account: alias, key: '' },
  ]);
  t.ok((await redis.pttl(`platen:{${alias}}:ledger:${month}`)) > 0, 'for as long as any');
  const { entries } = await services.audit.list(undefined, 1);
  t.match(entries, [{ action: 'account.removed', by: 'service', account: null, details: { ledger: alias } }]);
  t.equal(await redis.zcard(redisKeys.closingAccounts), 0);
  await service.createAccount('acme-7', 'free');
});

t.test('a key of an account that is gone leaves nothing behind', async (t) => {
  await service.createAccount('gamma-7', 'pro');
  const { key } = await service.createKey({ account: 'gamma-7' });
  isDelivered(t, await convert(service, key, document));
  await service.management.planDeletion(service.actor, 'gamma-7');
  isError(t, await convert(service, key, document), 'ACCOUNT_SUSPENDED');
  await services.requests.flush();
  await makeDue('gamma-7');
  await removal.pass(signal);
  // The server remembers where the key was.
  for (let time = 0; time < 2; time++) isError(t, await convert(service, key, document), 'INVALID_API_KEY');
  await services.requests.flush();
  await removal.pass(signal);
  t.same(
    (await everything(redis)).filter((each) => each.includes('gamma-7')),
    [],
  );
});

t.test('an account that is restored stays, whatever the list says', async (t) => {
  await service.createAccount('delta-7', 'pro');
  const { key } = await service.createKey({ account: 'delta-7' });
  await service.management.planDeletion(service.actor, 'delta-7');
  const restored = await service.management.restore(service.actor, 'delta-7');
  t.equal(restored.deletesAt, null);
  await redis.zadd(redisKeys.closingAccounts, Date.now() - 1, 'delta-7');
  await removal.pass(signal);
  isDelivered(t, await convert(service, key, document));
  t.equal(await redis.zcard(redisKeys.closingAccounts), 0);
  const planned = await service.management.planDeletion(service.actor, 'delta-7');
  await redis.zadd(redisKeys.closingAccounts, Date.now() - 1, 'delta-7');
  await removal.pass(signal);
  t.equal(
    await redis.zscore(redisKeys.closingAccounts, 'delta-7'),
    `${Date.parse(String(planned.deletesAt))}`,
  );
});

t.test('an account that is called like a queue takes nothing of it along', async (t) => {
  await service.createAccount('jobs', 'pro');
  const before = (await redis.keys('platen:{jobs}:upkeep:*')).length;
  t.ok(before > 0);
  await service.management.planDeletion(service.actor, 'jobs');
  await makeDue('jobs');
  for (let time = 0; time < 2; time++) await removal.pass(signal);
  t.equal((await redis.keys('platen:{jobs}:upkeep:*')).length, before);
  t.equal(await keys.getAccount('jobs'), undefined);
});

t.test('the rows of a ledger are moved once, whatever died in between', async (t) => {
  await service.createAccount('epsilon-7', 'pro');
  const { key } = await service.createKey({ account: 'epsilon-7' });
  isDelivered(t, await convert(service, key, document));
  isDelivered(t, await convert(service, key, document));
  await service.management.planDeletion(service.actor, 'epsilon-7');
  await makeDue('epsilon-7');
  await redis.hset(redisKeys.account('epsilon-7'), 'removal', 'deleted_half');
  const ledger = `platen:{epsilon-7}:ledger:${month}`;
  const [[id = '', fields = []] = []] = await redis.xrange(ledger, '-', '+', 'COUNT', 1);
  await redis.xadd(`platen:{deleted_half}:ledger:${month}`, id, ...fields);
  await removal.pass(signal);
  t.equal((await ledgerOf('deleted_half')).length, 2);
  t.equal(await redis.exists(ledger), 0);
});

t.test('what fails of one account is left to the next pass, and keeps no other', async (t) => {
  for (const id of ['zeta-7', 'eta-7']) {
    await service.createAccount(id, 'pro');
    await service.management.planDeletion(service.actor, id);
    await makeDue(id);
  }
  let isAway = true;
  const asked: string[] = [];
  const others = [
    async (account: string) => {
      asked.push(account);
      if (isAway && account === 'zeta-7') throw new Error('away');
      return 0;
    },
  ];
  const { jobs, webhooks, requests, audit, log } = services;
  const own = new Removal({ redis: services.redis, keys, jobs, webhooks, requests, audit, log, others });
  const left = async () => redis.exists(redisKeys.account('zeta-7'), redisKeys.account('eta-7'));
  for (let time = 0; time < 2; time++) await own.pass(signal);
  t.equal(await left(), 1);
  isAway = false;
  for (let time = 0; time < 2; time++) await own.pass(signal);
  t.equal(await left(), 0);
  for (const id of ['zeta-7', 'eta-7']) t.ok(asked.includes(id), id);
});
