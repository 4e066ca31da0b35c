/** An account that has everything, and what is left of it once it is removed. */
import { Cluster, type Redis } from 'ioredis';
import type { Test } from 'tap';
import { hashKey } from '../../src/accounts/keys/format.ts';
import { newId } from '../../src/accounts/keys/records.ts';
import { redisKeys } from '../../src/accounts/keys/redis-keys.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { memberRealm, subjectOf } from '../../src/members/realm.ts';
import { MemberStore } from '../../src/members/store.ts';
import { createAccount, deleteAccount, renameAccount, setLimit } from '../../src/operations/accounts.ts';
import { setContacts } from '../../src/operations/contacts.ts';
import type { RedisClient } from '../../src/redis/connect.ts';
import { isDelivered, isError } from '../e2e/support/assertions.ts';
import { convert, send } from '../e2e/support/requests.ts';
import { ended, filePart, post, readBody } from '../http/jobs/support.ts';
import { docx } from '../support/documents.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const document = docx();
const month = new Date().toISOString().slice(0, 7);
const { signal } = new AbortController();

/** All that Redis has, on all its nodes: names, and values as text. */
export async function everything(redis: RedisClient): Promise<string[]> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  return (await Promise.all(nodes.map(allOf))).flat();
}

async function allOf(client: Redis): Promise<string[]> {
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

/** Its days of grace are over. */
export async function makeDue(redis: RedisClient, account: string): Promise<void> {
  await redis.hset(redisKeys.account(account), 'deletesAt', Date.now() - 1);
  await redis.zadd(redisKeys.closingAccounts, Date.now() - 1, account);
}

/** A member who is signed in, and an invitation. */
async function join(service: Service, redis: RedisClient, account: string): Promise<void> {
  const { members } = service.services;
  const store = new MemberStore(redis, memberRealm);
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
async function live(
  t: Test,
  service: Service,
  redis: RedisClient,
  { account, name }: { account: string; name: string },
): Promise<string[]> {
  const { services } = service;
  const { webhooks } = services;
  await service.perform(createAccount, { body: { id: account, name, plan: 'pro' } });
  const key = await service.createKey({ account, name: `${name} back end` });
  const test = await service.createKey({ account, environment: 'test' });
  const { successor } = await services.rotation.rotate(key.id, 3_600);
  const expiring = await service.createKey({ account, expiresAt: new Date(Date.now() + 3_600_000) });
  await service.revokeKey(test.id);
  const headers = { 'idempotency-key': 'order-7' };
  isDelivered(t, await convert(service, key.key, document, { headers }));
  isError(t, await convert(service, successor.key, Buffer.from('text')), 'INVALID_FILE_TYPE');
  isError(t, await send(service, '/v1/usage', { method: 'GET', key: test.key }), 'INVALID_API_KEY');
  const owner = { account, environment: 'live' } as const;
  const settings = {
    url: 'https://example.com/hook',
    events: ['job.completed'],
    description: '',
    enabled: true,
  } as const;
  await webhooks.endpoints.add(owner, { ...settings, events: [...settings.events] });
  const { due } = await webhooks.queue.waiting();
  const { id: job } = readBody(await post(service, key.key, [filePart()]));
  await ended(service, key.key, job);
  await until('its end is told', async () => (await webhooks.queue.waiting()).due === due + 1);
  await webhooks.tell(owner, { type: 'job.completed', cause: 'x', at: Date.now(), data: {} });
  await redis.set(`platen:{${account}}:poison:${'a'.repeat(64)}`, '1');
  await service.perform(setLimit, { account: account, params: { limit: 'perDay' }, body: { value: 9 } });
  await service.perform(renameAccount, { account: account, body: { name: `${name} Corp` } });
  const contact = `ops@${name.split(' ')[0]}.example`.toLowerCase();
  await service.perform(setContacts, { account, body: { addresses: [contact], warnings: true } });
  await redis.set(`platen:{${account}}:live:warning-mail:msg_1`, 'sent');
  await redis.set(`platen:{${account}}:mails:warnings:2026-11-01`, '1');
  await join(service, redis, account);
  await services.requests.flush();
  await until('the end of the conversion is kept', async () =>
    (await everything(redis)).some((each) => each.includes(`{${account}}:live:conversion:`)),
  );
  const all = [key, test, successor, expiring];
  return [
    account,
    name,
    name.toLowerCase(),
    contact,
    ...all.flatMap((each) => [each.id, each.display, hashKey(each.key)]),
  ];
}

/**
 * Removes an account that has everything, beside another.
 *
 * @param redis a client of the service's.
 */
export async function leavesItsLedger(t: Test, service: Service, redis: RedisClient): Promise<void> {
  const { services } = service;
  const { removal, usage, keys } = services;
  const { storage } = services.jobs as Jobs;
  const results = async () => {
    const found: string[] = [];
    for await (const key of storage.list('jobs/')) if (key.includes('/out/')) found.push(key);
    return found;
  };
  const ledgerOf = async (account: string) => {
    const rows = [];
    for await (const row of usage.ledger(account, month)) rows.push(row);
    return rows;
  };
  const secrets = await live(t, service, redis, { account: 'acme-7', name: 'Acme Limited' });
  const others = await live(t, service, redis, { account: 'beta-7', name: 'Beta Limited' });
  const traces = async () =>
    (await everything(redis)).filter((each) => secrets.some((secret) => each.includes(secret)));
  const remaining = async () =>
    (await everything(redis)).filter((each) => others.some((secret) => each.includes(secret))).length;
  t.ok((await traces()).length > 30);
  const before = await remaining();
  const [first, ...more] = await ledgerOf('acme-7');
  t.match([first, more.length], [{ account: 'acme-7' }, 1]);

  await service.perform(deleteAccount, { account: 'acme-7' });
  await removal.pass(signal);
  t.ok(await keys.getAccount('acme-7'), 'not before its time');
  await makeDue(redis, 'acme-7');
  await removal.pass(signal);
  t.equal(await keys.getAccount('acme-7'), undefined);
  await t.rejects(service.createAccount('acme-7', 'free'), /exists already/, 'its id is not free yet');
  await removal.pass(signal);
  t.same(await traces(), []);
  t.equal((await results()).length, 1, 'that of the other account');
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
}
