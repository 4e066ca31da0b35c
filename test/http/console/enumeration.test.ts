/**
 * Requests do not reveal whether a member, an address, a passkey or an invitation exists: answers are the same, and so
 * are the commands to Redis, which take most of the time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Command } from 'ioredis';
import t, { type Test } from 'tap';
import { Authenticator } from '../../support/authenticator.ts';
import { Service } from '../../support/service.ts';
import { fromPage, invite, MemberPage, send, signIn, site } from './support.ts';

const service = await Service.start(t, {
  env: { AUTH_FAILURES_PER_MINUTE: '100000', TRUST_PROXY: '127.0.0.1' },
});
const { members, redis } = service.services;
const actor = { by: 'cli', who: 'test' } as const;
await service.createAccount('ours', 'enterprise');
await service.createAccount('theirs', 'enterprise');
const owner = await MemberPage.join(service, 'ours', 'owner');
const member = await MemberPage.join(service, 'theirs', 'owner', 'member@theirs.example');

interface Question {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly payload?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What each request sent to Redis, in its order, by the address of its client. */
const asked = new Map<string, string[]>();
const asking = new AsyncLocalStorage<string[]>();
service.app.server.prependListener('request', ({ headers }: IncomingMessage) => {
  const commands: string[] = [];
  asked.set(String(headers['x-forwarded-for']), commands);
  asking.enterWith(commands);
});
const sendCommand = redis.sendCommand.bind(redis) as (...args: [Command, ...unknown[]]) => unknown;
redis.sendCommand = (command: Command, ...others: unknown[]) => {
  asking.getStore()?.push(command.name);
  return sendCommand(command, ...others);
};

let clients = 0;

/** An answer without its random parts, and the commands that it took. */
async function ask({ method, path, payload, headers = {} }: Question) {
  clients += 1;
  const client = `2001:db8:0:${clients.toString(16)}::1`;
  const answer = await fetch(`${service.url}/account/v1/${path}`, {
    method,
    headers: {
      ...{ ...fromPage, 'x-forwarded-for': client, ...headers },
      ...(payload && { 'content-type': 'application/json' }),
    },
    ...(payload && { body: JSON.stringify(payload) }),
  });
  const { 'x-request-id': id, date: _, ...others } = Object.fromEntries(answer.headers);
  const { timestamp: _at, ...body } = JSON.parse((await answer.text()).replace(String(id), 'ID'));
  return { status: answer.status, headers: others, body, commands: [...(asked.get(client) ?? [])] };
}

async function isAlike(t: Test, requests: readonly Question[], status: number) {
  // The first of all loads scripts.
  for (const request of requests) await ask(request);
  const answers = [];
  for (const request of requests) answers.push(await ask(request));
  const [one, ...others] = answers;
  t.equal(one?.status, status, JSON.stringify(one?.body));
  t.ok(one?.commands.length);
  for (const other of others) t.strictSame(other, one);
}

const post = (path: string, payload: object, headers = {}): Question => ({
  ...{ method: 'POST', path, payload, headers },
});

t.test('the passkey of a member, and of nobody', async (t) => {
  const { options } = (await send(service, 'sign-in', {})).body;
  const stranger = new Authenticator(site);
  stranger.register({ challenge: '', user: { id: 'x' } });
  const counting = await MemberPage.join(service, 'theirs', 'billing');
  t.equal((await signIn(service, counting.authenticator, { counter: 5 })).status, 201);
  const guess = (id: string) => post('session', { response: stranger.signIn(options, { id, counter: 1 }) });
  const ids = [member.authenticator.id, counting.authenticator.id, stranger.id];
  const logged = service.log.length;
  await isAlike(t, ids.map(guess), 401);
  const refused = service.log.slice(logged).filter(({ msg }) => msg === 'a passkey was refused');
  // Each is verified to the end: that takes most of the time.
  t.strictSame(
    refused.map(({ cause }) => cause),
    [...ids, ...ids].map(() => 'the signature is not right'),
  );
});

t.test('an invitation that was replaced, one that was withdrawn, and none', async (t) => {
  const replaced = await invite(service, 'theirs', 'billing', 'guest@theirs.example');
  const withdrawn = await invite(service, 'theirs', 'billing', 'guest@theirs.example');
  const [{ id = '' } = {}] = (await members.read('theirs')).invitations;
  await members.withdraw(actor, 'theirs', id);
  const tokens = [replaced, withdrawn, 'A'.repeat(43)];
  await isAlike(
    t,
    tokens.map((token) => post('invitation', { token })),
    404,
  );
  const { options } = (await send(service, 'sign-in', {})).body;
  const response = new Authenticator(site).register({ ...options, user: { id: 'x' } });
  const accept = (token: string) => post('invitation/accept', { token, name: 'x', passkey: 'x', response });
  await isAlike(t, tokens.map(accept), 404);
});

t.test('the session of a member, and of nobody', async (t) => {
  const secret = 'A'.repeat(43);
  const cookies = [`theirs.${member.id}`, `theirs.mem_${'0'.repeat(18)}`, `nobody.${member.id}`].map(
    (subject) => ({ cookie: `platen-console=${subject}~${secret}` }),
  );
  await isAlike(
    t,
    cookies.map((headers) => ({ method: 'GET', path: 'members', headers })),
    401,
  );
});

t.test('an owner invites a member of another account, and nobody', async (t) => {
  const headers = { cookie: owner.cookie, 'x-csrf-token': owner.csrfToken };
  const emails = ['member@theirs.example', 'nobody@theirs.example'];
  const answers = [];
  for (const email of emails)
    answers.push(await ask(post('invitations', { email, role: 'billing' }, headers)));
  const [known, unknown] = answers;
  t.equal(known?.status, 201, JSON.stringify(known?.body));
  t.strictSame(unknown?.commands, known?.commands);
  const shape = (body: object = {}) => Object.entries(body).map(([name, value]) => [name, typeof value]);
  t.strictSame(shape(unknown?.body), shape(known?.body));
});

t.test('a member of another account, and nobody', async (t) => {
  const headers = { cookie: owner.cookie, 'x-csrf-token': owner.csrfToken };
  const ids = [member.id, `mem_${'0'.repeat(18)}`];
  const steps: readonly ((id: string) => Question)[] = [
    (id) => post(`members/${id}/invitation`, {}, headers),
    (id) => ({ method: 'PUT', path: `members/${id}/role`, payload: { role: 'owner' }, headers }),
    (id) => ({ method: 'DELETE', path: `members/${id}`, headers }),
    (id) => ({ method: 'DELETE', path: `members/${id}/sessions`, headers }),
  ];
  for (const step of steps) await isAlike(t, ids.map(step), 404);
});
