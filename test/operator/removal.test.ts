/** The end of an account: nothing of it is left in Redis or the storage but the rows of its ledger, which do not name it. */
import type { Command } from 'ioredis';
import t from 'tap';
import { redisKeys } from '../../src/accounts/keys/redis-keys.ts';
import { memberRealm } from '../../src/members/realm.ts';
import { deleteAccount, restoreAccount } from '../../src/operations/accounts.ts';
import { Removal } from '../../src/operator/removal.ts';
import { isDelivered, isError } from '../e2e/support/assertions.ts';
import { convert } from '../e2e/support/requests.ts';
import { patientClient } from '../redis/support.ts';
import { docx } from '../support/documents.ts';
import { failNext } from '../support/failing-command.ts';
import { operationsAs } from '../support/operations.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { everything, leavesItsLedger, makeDue } from './removal.ts';

const service = await Service.start(t);
const { services } = service;
const { removal, usage, keys } = services;
const redis = patientClient(t, { socketPath: service.redis });
const document = docx();
const month = new Date().toISOString().slice(0, 7);
const { signal } = new AbortController();

async function ledgerOf(account: string) {
  const rows = [];
  for await (const row of usage.ledger(account, month)) rows.push(row);
  return rows;
}

t.test('nothing is left of an account but the rows of its ledger', (t) => leavesItsLedger(t, service, redis));

t.test('nothing is left of an invitation that nobody has answered', async (t) => {
  const { members } = services;
  const stored = memberRealm.keys.members('theta-7');
  for (const isForgotten of [false, true]) {
    await service.createAccount('theta-7', 'free');
    const {
      id,
      token: _,
      ...made
    } = await members.invite(service.actor, 'theta-7', 'bob@example.com', 'owner');
    await redis.hset(stored, id, JSON.stringify({ ...made, id, expiresAt: new Date(0) }));
    await redis.del(memberRealm.keys.invitation(made.hash));
    if (isForgotten) await members.invite(service.actor, 'theta-7', 'ben@example.com', 'owner');
    t.equal(await redis.hexists(stored, id), isForgotten ? 0 : 1);
    await makeDue(redis, 'theta-7');
    for (let time = 0; time < 3; time++) await removal.pass(signal);
    t.equal(await redis.exists(redisKeys.account('theta-7')), 0);
    t.same(
      (await everything(redis)).filter((each) => each.includes('theta-7')),
      [],
    );
  }
});

t.test('a key of an account that is gone leaves nothing behind', async (t) => {
  await service.createAccount('gamma-7', 'pro');
  const { key } = await service.createKey({ account: 'gamma-7' });
  isDelivered(t, await convert(service, key, document));
  await service.perform(deleteAccount, { account: 'gamma-7' });
  isError(t, await convert(service, key, document), 'ACCOUNT_SUSPENDED');
  await services.requests.flush();
  await makeDue(redis, 'gamma-7');
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
  await service.perform(deleteAccount, { account: 'delta-7' });
  const restored = await service.perform(restoreAccount, { account: 'delta-7' });
  t.equal(restored.deletesAt, null);
  await redis.zadd(redisKeys.closingAccounts, Date.now() - 1, 'delta-7');
  await removal.pass(signal);
  isDelivered(t, await convert(service, key, document));
  t.equal(await redis.zcard(redisKeys.closingAccounts), 0);
  const planned = await service.perform(deleteAccount, { account: 'delta-7' });
  await redis.zadd(redisKeys.closingAccounts, Date.now() - 1, 'delta-7');
  await removal.pass(signal);
  t.equal(
    await redis.zscore(redisKeys.closingAccounts, 'delta-7'),
    `${Date.parse(String(planned.deletesAt))}`,
  );
});

t.test('an account whose removal is planned stays in the list', async (t) => {
  const { closingAccounts } = redisKeys;
  const listed = () => redis.zscore(closingAccounts, 'sigma-7');
  await service.createAccount('sigma-7', 'pro');
  await service.perform(deleteAccount, { account: 'sigma-7' });
  await redis.zadd(closingAccounts, Date.now() - 1, 'sigma-7');
  failNext(services.redis, ({ name, args }) => name === 'zadd' && args[0] === closingAccounts);
  await t.rejects(removal.pass(signal), /closed/);
  t.ok(await listed(), 'although Redis has failed');

  await service.perform(restoreAccount, { account: 'sigma-7' });
  await redis.zadd(closingAccounts, Date.now() - 1, 'sigma-7');
  let passed = () => {};
  const pass = new Promise<void>((resolve) => {
    passed = resolve;
  });
  let plan: Promise<{ readonly deletesAt: string | null }> | undefined;
  const send = services.redis.sendCommand;
  services.redis.sendCommand = async (command: Command, ...others: []) => {
    const { name, args } = command;
    if (!plan && name === 'zrem' && args[0] === closingAccounts) {
      plan = operationsAs(services, service.actor)(deleteAccount, { account: 'sigma-7' });
      await until('it is in the list', async () => Number(await listed()) > Date.now());
    } else if (plan && name.startsWith('eval') && args[2] === redisKeys.account('sigma-7')) await pass;
    return send.call(services.redis, command, ...others);
  };
  await removal.pass(signal);
  passed();
  services.redis.sendCommand = send;
  const { deletesAt } = (await plan) ?? {};
  t.equal(await listed(), `${Date.parse(String(deletesAt))}`, 'although it was restored before');
});

t.test('an account that is called like a queue takes nothing of it along', async (t) => {
  await service.createAccount('jobs', 'pro');
  const before = (await redis.keys('platen:{jobs}:upkeep:*')).length;
  t.ok(before > 0);
  await service.perform(deleteAccount, { account: 'jobs' });
  await makeDue(redis, 'jobs');
  for (let time = 0; time < 2; time++) await removal.pass(signal);
  t.equal((await redis.keys('platen:{jobs}:upkeep:*')).length, before);
  t.equal(await keys.getAccount('jobs'), undefined);
});

t.test('the rows of a ledger are moved once, whatever died in between', async (t) => {
  await service.createAccount('epsilon-7', 'pro');
  const { key } = await service.createKey({ account: 'epsilon-7' });
  isDelivered(t, await convert(service, key, document));
  isDelivered(t, await convert(service, key, document));
  await service.perform(deleteAccount, { account: 'epsilon-7' });
  await makeDue(redis, 'epsilon-7');
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
    await service.perform(deleteAccount, { account: id });
    await makeDue(redis, id);
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
