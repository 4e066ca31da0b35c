/** Every route of the console, for every role, with the ids of another account: nothing of it is seen or changed. */
import Fastify from 'fastify';
import t from 'tap';
import { consoleApi } from '../../../src/http/console/index.ts';
import { consoleOperations } from '../../../src/http/console/operations.ts';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { redisDeadline } from '../../../src/http/core/redis-deadline.ts';
import { roles } from '../../../src/members/member.ts';
import { convert } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ended, filePart, post, readBody } from '../jobs/support.ts';
import { invite, MemberPage } from './support.ts';

const service = await Service.start(t, { env: { AUTH_FAILURES_PER_MINUTE: '100000' } });
const { redis, members } = service.services;
await service.createAccount('ours', 'enterprise');
await service.createAccount('theirs', 'enterprise');

/** What the other account has. */
const theirs = await MemberPage.join(service, 'theirs', 'owner', 'secret-owner@theirs.example');
const other = await MemberPage.join(service, 'theirs', 'developer', 'secret-developer@theirs.example');
await invite(service, 'theirs', 'billing', 'secret-guest@theirs.example');
const key = await service.createKey({ account: 'theirs', name: 'secret-key-name' });
const { headers } = await convert(service, key.key, docx());
const requestId = String(headers.get('x-request-id'));
const { id: job } = readBody(await post(service, key.key, [filePart()], { query: '?format=png&width=16' }));
await ended(service, key.key, job);
await service.services.webhooks.endpoints.add(
  { account: 'theirs', environment: 'live' },
  { url: 'https://secret-host.example/', events: ['job.completed'], description: '', enabled: true },
);
const { body: sent } = await theirs.ask('POST', 'webhooks', {
  ...{ environment: 'test', url: 'https://secret-test.example/', events: ['job.completed'] },
});
const { body: message } = await theirs.ask('POST', `webhooks/${sent.id}/test`, {});
await service.services.requests.flush();
const [theirWebhook] = (await theirs.ask('GET', 'webhooks')).body.webhooks as { id: string }[];
const [theirInvitation] = (await members.read('theirs')).invitations;
const [theirSession] = (await theirs.ask('GET', 'sessions')).body.sessions as { id: string }[];
const [theirPasskey] = (await theirs.ask('GET', 'passkeys')).body.passkeys as { id: string }[];
const ids: Readonly<Record<string, string>> = {
  member: other.id,
  invitation: theirInvitation?.id ?? '',
  key: key.id,
  requestId,
  session: theirSession?.id ?? '',
  passkey: theirPasskey?.id ?? '',
  job,
  file: '1',
  webhook: theirWebhook?.id ?? '',
  delivery: message.id,
  message: message.id,
};
/** Must be in no answer to anybody else. */
const { file: _, ...ofThem } = ids;
const secrets = ['secret-', 'theirs', ...Object.values(ofThem), key.display, sent.id, sent.secret];

/** A valid body of each operation that has one. */
const bodies: Readonly<Record<string, object>> = {
  renameOwnAccount: { name: 'Ours' },
  setOwnContacts: { addresses: ['ops@ours.example'], warnings: true },
  createOwnKey: { name: 'mine', environment: 'test', type: 'sk' },
  changeOwnKey: { name: 'mine' },
  rotateOwnKey: { overlapSeconds: 0 },
  createOwnWebhook: { environment: 'live', url: 'https://ours.example/', events: ['job.completed'] },
  changeOwnWebhook: { url: 'https://ours.example/' },
  rotateOwnJobSecret: { environment: 'live' },
  testOwnWebhook: {},
  inviteMember: { email: 'new@ours.example', role: 'billing' },
  setRole: { role: 'billing' },
  startPasskey: {},
};

/** All that Redis has of the other account, apart from when its sessions end. */
async function stateOfTheirs(): Promise<string> {
  const keys = (await redis.keys('platen:{theirs}:*')).filter((name) => !name.includes(':sessions:')).sort();
  const values = await Promise.all(
    keys.map(async (name): Promise<unknown> => {
      const type = await redis.type(name);
      if (type === 'hash') return redis.hgetall(name);
      if (type === 'zset') return redis.zrange(name, '0', '-1');
      if (type === 'stream') return redis.xlen(name);
      if (type === 'set') return (await redis.smembers(name)).sort();
      return type === 'string' ? redis.get(name) : type;
    }),
  );
  return JSON.stringify(keys.map((name, index) => [name, values[index]]));
}

t.test('the table of permissions has every route', async (t) => {
  const app = Fastify({ exposeHeadRoutes: false });
  t.teardown(() => app.close());
  const routes: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push(`${method} ${url}`);
  });
  await app.register(redisDeadline);
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  await app.register(consoleApi, { ...service.services, authFailuresPerMinute: 1_000 });
  await app.ready();
  t.strictSame(
    routes.filter((route) => !route.startsWith('OPTIONS')).sort(),
    consoleOperations.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

t.test('every operation, for every role, with the ids of another account', async (t) => {
  const before = await stateOfTheirs();
  const sessionsBefore = await members.sessions.list(`theirs.${other.id}`);
  for (const role of roles) {
    const page = await MemberPage.join(service, 'ours', role);
    // Else they would be the last owner.
    if (role === 'owner') await MemberPage.join(service, 'ours', 'owner', 'second@ours.example');
    for (const { method, path, roles: allowed, schema } of consoleOperations) {
      if (allowed === 'anybody' || schema.operationId === 'endOwnSession') continue;
      const name = `${role}: ${schema.operationId}`;
      const url = path.replaceAll(/:(\w+)/g, (_, parameter: string) =>
        encodeURIComponent(ids[parameter] ?? ''),
      );
      const answer = await page.ask(method, url, bodies[schema.operationId]);
      const isAllowed = (allowed as readonly string[]).includes(role);
      if (!isAllowed) {
        t.match([answer.status, answer.body], [403, { code: 'INSUFFICIENT_PERMISSIONS' }], name);
      } else if (path.includes(':')) {
        t.match([answer.status, answer.body], [404, { code: 'NOT_FOUND' }], name);
      } else {
        t.ok([200, 201, 400].includes(answer.status), `${name}: ${answer.status} ${answer.text}`);
        if (answer.status === 400) t.equal(schema.operationId, 'addPasskey', name);
      }
      for (const secret of secrets) t.notOk(answer.text.includes(secret), `${name}: ${secret}`);
    }
  }
  t.equal(await stateOfTheirs(), before, 'nothing has changed there');
  t.strictSame(
    (await members.sessions.list(`theirs.${other.id}`)).map(({ id }) => id),
    sessionsBefore.map(({ id }) => id),
  );
});

t.test('without a session, and with one of the operator, nothing', async (t) => {
  const operator = await service.services.sessions.begin('', { address: '', agent: '' });
  const cookies = [
    '',
    `platen-session=${operator.id}`,
    `platen-console=${operator.id}`,
    `platen-console=ours.${theirs.id}~${'A'.repeat(43)}`,
    `platen-console=${theirs.cookie.replace('platen-console=theirs', 'ours')}`,
  ];
  for (const { method, path, roles: allowed, schema } of consoleOperations) {
    if (allowed === 'anybody') continue;
    const url = path.replaceAll(/:(\w+)/g, (_, parameter: string) =>
      encodeURIComponent(ids[parameter] ?? ''),
    );
    for (const cookie of cookies) {
      const answer = await theirs.ask(method, url, bodies[schema.operationId], { cookie });
      t.match(
        [answer.status, answer.body],
        [401, { code: 'MISSING_AUTH' }],
        `${schema.operationId} ${cookie}`,
      );
    }
    const token = service.services.config.operatorToken ?? '';
    const answer = await theirs.ask(method, url, bodies[schema.operationId], {
      cookie: '',
      authorization: `Bearer ${token}`,
    });
    t.equal(answer.status, 401, 'nor does the token of the operator');
  }
  const overview = await theirs.ask('GET', '/operator/v1/overview', undefined, {
    cookie: theirs.cookie.replace('platen-console', 'platen-session'),
  });
  t.match([overview.status, overview.body], [401, { code: 'MISSING_AUTH' }], 'a member is no operator');
});

t.test('the other account finds its own data', async (t) => {
  await until('it is there', async () => (await theirs.ask('GET', `requests/${requestId}`)).status === 200);
  t.match((await theirs.ask('GET', `keys/${key.id}`)).body, { id: key.id, name: 'secret-key-name' });
  const { jobs } = (await theirs.ask('GET', 'jobs')).body;
  t.match(jobs, [{ id: job, state: 'completed' }]);
  t.match((await theirs.ask('GET', `jobs/${job}`)).body, { files: [{ state: 'succeeded', pages: 1 }] });
  t.match((await theirs.ask('POST', `jobs/${job}/cancel`)).body, { state: 'completed' });
  const { webhooks } = (await theirs.ask('GET', 'webhooks')).body;
  t.match(webhooks, [{ url: 'https://secret-host.example/', enabled: true }, { id: sent.id }]);
  const disabled = await theirs.ask('POST', `webhooks/${webhooks[0].id}/disable`);
  t.match(disabled.body, { enabled: false, disabledReason: null });
  const enabled = await theirs.ask('POST', `webhooks/${webhooks[0].id}/enable`);
  t.match(enabled.body, { enabled: true });
  t.match((await theirs.ask('GET', 'members')).body, { members: [{ id: theirs.id }, { id: other.id }] });
});
