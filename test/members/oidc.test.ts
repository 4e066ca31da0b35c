/** Accounts of people whom an issuer has named, and their sessions, without the issuer. */
import type { Command } from 'ioredis';
import t from 'tap';
import type { Jobs } from '../../src/jobs/jobs.ts';
import type { OidcSignIn } from '../../src/members/oidc.ts';
import { memberRealm } from '../../src/members/realm.ts';
import { makeDue } from '../operator/removal.ts';
import { failNext } from '../support/failing-command.ts';
import { Service } from '../support/service.ts';

const service = await Service.start(t, {
  env: {
    ...{ PUBLIC_URL: 'https://platen.example', OIDC_ISSUER: 'https://issuer.example' },
    ...{ OIDC_CLIENT_ID: 'platen', OIDC_CLIENT_SECRET: 'secret' },
  },
});
const { redis, members, audit, removal, jobs } = service.services;
const oidc = service.services.oidc as OidcSignIn;
const client = { address: '192.0.2.1', agent: '' };
const person = (name: string) => ({ sub: name, sid: null, email: `${name}@example.com`, name });

t.test('an account whose removal has failed keeps nobody out of others', async (t) => {
  for (const account of ['old', 'acme']) {
    await service.createAccount(account, 'free');
    await members.invite(service.actor, account, 'anna@example.com', 'owner');
  }
  await oidc.enter(person('anna'), 'old', client);
  await makeDue(redis, 'old');
  t.capture(jobs as Jobs, 'removeAll', async () => {
    throw new Error('the storage is away');
  });
  await removal.pass(new AbortController().signal);
  t.same(await oidc.choices(person('anna')), [{ account: 'acme', role: 'owner', isNew: true }]);
  t.ok(await oidc.enter(person('anna'), 'acme', client));
});

t.test('a session that begins while the issuer ends others can be ended, too', async (t) => {
  await service.createAccount('carls', 'free');
  await members.invite(service.actor, 'carls', 'carl@example.com', 'owner');
  const first = await oidc.enter(person('carl'), 'carls', client);
  const { sessions } = members;
  let second: typeof first;
  const { endListed } = sessions;
  sessions.endListed = async (...of) => {
    sessions.endListed = endListed;
    second = await oidc.enter(person('carl'), 'carls', client);
    return endListed.apply(sessions, of);
  };
  await oidc.end({ id: '1', sub: 'carl', sid: undefined });
  t.equal(await sessions.peek(first?.id ?? ''), undefined);
  t.ok(await sessions.peek(second?.id ?? ''));
  await oidc.end({ id: '2', sub: 'carl', sid: undefined });
  t.equal(await sessions.peek(second?.id ?? ''), undefined);
});

t.test(
  'the audit has a session that the issuer has ended, even if the answer of Redis is lost',
  async (t) => {
    await service.createAccount('doras', 'free');
    await members.invite(service.actor, 'doras', 'dora@example.com', 'owner');
    await oidc.enter(person('dora'), 'doras', client);
    failNext(redis, ({ name }) => name === 'hdel', true);
    const logout = { id: '3', sub: 'dora', sid: undefined };
    await t.rejects(oidc.end(logout));
    await oidc.end(logout);
    const { entries } = await audit.listOf('doras', undefined, 1);
    t.match(entries, [{ action: 'session.ended', details: { by: 'oidc' } }]);
  },
);

t.test('the audit has who has joined at the issuer, even if the answer of Redis is lost', async (t) => {
  await service.createAccount('eves', 'free');
  await members.invite(service.actor, 'eves', 'eve@example.com', 'owner');
  failNext(redis, ({ name, args }) => name.startsWith('eval') && String(args[2]).endsWith(':members'), true);
  await t.rejects(oidc.enter(person('eve'), 'eves', client));
  t.ok(await oidc.enter(person('eve'), 'eves', client));
  const { entries } = await audit.listOf('eves', undefined, 3);
  t.match(entries, [{ action: 'session.began' }, { action: 'member.joined' }, { action: 'member.invited' }]);
});

t.test('the audit has who was invited just before they joined at the issuer', async (t) => {
  await service.createAccount('finns', 'free');
  const { id, token: _, ...made } = await members.invite(service.actor, 'finns', 'gus@example.com', 'owner');
  const expired = JSON.stringify({ ...made, id, expiresAt: new Date(0) });
  await redis.hset(memberRealm.keys.members('finns'), id, expired);
  const send = redis.sendCommand;
  redis.sendCommand = async (command: Command, ...others: []) => {
    // The change that drops the expired invitation comes too late.
    if (command.name.startsWith('eval') && command.args[2] === memberRealm.keys.members('finns')) {
      redis.sendCommand = send;
      await members.invite(service.actor, 'finns', 'finn@example.com', 'owner');
    }
    return send.call(redis, command, ...others);
  };
  t.ok(await oidc.enter(person('finn'), 'finns', client));
  const { entries } = await audit.listOf('finns', undefined, 3);
  t.match(entries, [{ action: 'session.began' }, { action: 'member.joined' }, { action: 'member.invited' }]);
});

t.test('an invited person joins, even if the entry of the invitation cannot be deleted', async (t) => {
  await service.createAccount('bens', 'free');
  await members.invite(service.actor, 'bens', 'ben@example.com', 'owner');
  failNext(redis, ({ name, args }) => name === 'del' && String(args[0]).startsWith('platen:invitation:'));
  t.ok(await oidc.enter(person('ben'), 'bens', client));
  const { entries } = await audit.listOf('bens', undefined, 2);
  t.match(entries, [{ action: 'session.began' }, { action: 'member.joined' }]);
});
