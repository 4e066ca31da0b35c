/** Redis fails in the middle of what belongs together. */
import type { Command } from 'ioredis';
import t from 'tap';
import { MAX_ENDPOINTS } from '../../../src/webhooks/webhook.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { failNext, readingOnceInvited } from '../../support/failing-command.ts';
import { Service } from '../../support/service.ts';
import { accept, invite, MemberPage, signIn, site } from './support.ts';

const service = await Service.start(t);
const { redis, members, audit } = service.services;
let accounts = 0;

async function account(): Promise<string> {
  accounts += 1;
  return (await service.createAccount(`a${accounts}`, 'free')).id;
}

/** A command that deletes a key with this prefix. */
const deletes =
  (prefix: string) =>
  ({ name, args }: Command) =>
    name === 'del' && String(args[0]).startsWith(prefix);
/** The script that changes members. */
const changesMembers = ({ name, args }: Command) =>
  name.startsWith('eval') && String(args[2]).endsWith(':members');

t.test('whoever has joined can sign in, even if the answer of Redis is lost', async (t) => {
  const authenticator = new Authenticator(site);
  const token = await invite(service, await account(), 'owner');
  failNext(redis, changesMembers, true);
  const { answer } = await accept(service, token, { authenticator });
  t.equal(answer.status, 503);
  t.equal((await signIn(service, authenticator)).status, 201);
});

/** Somebody with two passkeys, signed in with each. */
async function withTwo(ours: string) {
  const page = await MemberPage.join(service, ours, 'owner');
  const second = new Authenticator(site);
  const { options } = (await page.ask('POST', 'passkeys/options', {})).body;
  await page.ask('POST', 'passkeys', { name: 'phone', response: second.register(options) });
  return { page, second, other: new MemberPage(service, await signIn(service, second), second) };
}

const newest = async (ours: string, count: number) =>
  (await audit.listOf(ours, undefined, count)).entries.map(({ action }) => action);

t.test('a new link ends all sessions, even if an entry cannot be deleted', async (t) => {
  for (const prefix of ['platen:invitation:', 'platen:passkey:']) {
    const ours = await account();
    const lost = await MemberPage.join(service, ours, 'owner');
    const { token } = await members.inviteAgain(service.actor, ours, lost.id);
    failNext(redis, deletes(prefix));
    t.equal((await accept(service, token)).answer.status, 201, prefix);
    t.equal((await lost.ask('GET', 'session')).status, 401);
    t.equal((await signIn(service, lost.authenticator)).status, 401);
    t.same(await newest(ours, 2), ['session.began', 'passkey.replaced']);
  }
});

t.test('a removed passkey ends all other sessions, even if its entry cannot be deleted', async (t) => {
  const ours = await account();
  const { page, second, other } = await withTwo(ours);
  failNext(redis, deletes('platen:passkey:'));
  t.equal((await page.ask('DELETE', `passkeys/${second.id}`)).status, 204);
  t.equal((await other.ask('GET', 'session')).status, 401);
  t.equal((await signIn(service, second)).status, 401);
  t.same(await newest(ours, 1), ['passkey.removed']);
});

t.test('what was done has an entry, even if the answer of Redis is lost', async (t) => {
  const ours = await account();
  const token = await invite(service, ours, 'owner');
  failNext(redis, changesMembers, true);
  const { answer, authenticator } = await accept(service, token);
  t.equal(answer.status, 503);
  t.same(await newest(ours, 1), ['member.joined']);
  const page = new MemberPage(service, await signIn(service, authenticator), authenticator);

  const second = new Authenticator(site);
  const { options } = (await page.ask('POST', 'passkeys/options', {})).body;
  failNext(redis, changesMembers, true);
  const added = { name: 'phone', response: second.register(options) };
  t.equal((await page.ask('POST', 'passkeys', added)).status, 503);
  t.same(await newest(ours, 1), ['passkey.added']);
  failNext(redis, changesMembers, true);
  t.equal((await page.ask('DELETE', `passkeys/${second.id}`)).status, 503);
  t.same(await newest(ours, 1), ['passkey.removed']);
  t.equal((await signIn(service, second)).status, 401);

  const wanted = { environment: 'live', url: 'https://shop.example/hook', events: ['job.completed'] };
  failNext(redis, ({ name, args }) => name.startsWith('eval') && String(args[2]).endsWith(':webhooks'), true);
  t.equal((await page.ask('POST', 'webhooks', wanted)).status, 503);
  t.same(await newest(ours, 1), ['webhook.created']);
  const { webhooks } = (await page.ask('GET', 'webhooks')).body;
  const script = ({ name, args }: Command) =>
    name.startsWith('eval') && String(args[2]).endsWith(webhooks[0].id);
  failNext(redis, script, true);
  t.equal((await page.ask('PATCH', `webhooks/${webhooks[0].id}`, { description: 'shop' })).status, 503);
  t.same(await newest(ours, 1), ['webhook.changed']);
  failNext(redis, ({ name }) => name === 'hdel', true);
  t.equal((await page.ask('DELETE', 'session')).status, 503);
  t.same(await newest(ours, 1), ['session.ended']);
});

t.test('what is refused has no entry', async (t) => {
  const ours = await account();
  const page = await MemberPage.join(service, ours, 'owner');
  const before = await newest(ours, 9);
  const wanted = { environment: 'live', events: ['job.completed'] };
  t.equal((await page.ask('POST', 'webhooks', { ...wanted, url: 'ftp://shop.example/hook' })).status, 400);
  t.equal((await page.ask('DELETE', `passkeys/${page.authenticator.id}`)).status, 400);
  t.equal((await page.ask('DELETE', 'sessions/ses_000000000000000000')).status, 404);
  t.same(await newest(ours, 9), before);
  for (let number = 0; number < MAX_ENDPOINTS; number++) {
    t.equal(
      (await page.ask('POST', 'webhooks', { ...wanted, url: `https://shop.example/${number}` })).status,
      201,
    );
  }
  const full = await newest(ours, 99);
  t.equal((await page.ask('POST', 'webhooks', { ...wanted, url: 'https://shop.example/' })).status, 400);
  t.same(await newest(ours, 99), full);
});

t.test('nothing has changed if the sessions cannot be ended', async (t) => {
  const ours = await account();
  const { page, second, other } = await withTwo(ours);
  const readsSessions = ({ name }: Command) => name === 'hkeys';
  failNext(redis, readsSessions);
  t.equal((await page.ask('DELETE', `passkeys/${second.id}`)).status, 503);
  t.equal((await page.ask('DELETE', `passkeys/${second.id}`)).status, 204, 'once more');
  t.equal((await other.ask('GET', 'session')).status, 401);

  const { token } = await members.inviteAgain(service.actor, ours, page.id);
  failNext(redis, readsSessions);
  t.equal((await accept(service, token)).answer.status, 503);
  t.equal((await accept(service, token)).answer.status, 201, 'once more');
  t.equal((await page.ask('GET', 'session')).status, 401);
});

t.test('who may not remove their last passkey keeps their sessions', async (t) => {
  const page = await MemberPage.join(service, await account(), 'owner');
  const other = new MemberPage(service, await signIn(service, page.authenticator), page.authenticator);
  t.equal((await page.ask('DELETE', `passkeys/${page.authenticator.id}`)).status, 400);
  t.equal((await other.ask('GET', 'session')).status, 200);
});

t.test('the link of an invitation needs nothing more of Redis', async (t) => {
  for (const path of ['invitations', 'members/:owner/invitation']) {
    const ours = await account();
    const page = await MemberPage.join(service, ours, 'owner');
    const payload = path === 'invitations' ? { email: 'ben@example.com', role: 'billing' } : undefined;
    failNext(redis, readingOnceInvited(ours));
    const made = await page.ask('POST', path.replace(':owner', page.id), payload);
    t.match(made, { status: 201, body: { link: /#/ } }, path);
  }
});
