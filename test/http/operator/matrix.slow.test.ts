/** Every route of the operator API, for every role: support reads all but exports no account, changes nothing, and sees no secret. */
import Fastify from 'fastify';
import t from 'tap';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { redisDeadline } from '../../../src/http/core/redis-deadline.ts';
import { operator } from '../../../src/http/operator/index.ts';
import { Metrics } from '../../../src/http/operator/metrics/metrics.ts';
import { operatorOperations } from '../../../src/http/operator/operations.ts';
import { NO_ACCOUNT } from '../../../src/members/realm.ts';
import { operatorToken } from '../../e2e/support/operator.ts';
import { convert } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { invite as inviteMember, MemberPage } from '../console/support.ts';
import { ended, filePart, post, readBody } from '../jobs/support.ts';
import { invite, OperatorPage } from './people.ts';

const service = await Service.start(t, { env: { AUTH_FAILURES_PER_MINUTE: '100000' } });
const { redis, members, operators } = service.services;
await service.createAccount('acme', 'enterprise');
const key = await service.createKey({ account: 'acme', name: 'back end' });
const owner = await MemberPage.join(service, 'acme', 'owner');
const memberToken = await inviteMember(service, 'acme', 'billing');
const admin = await OperatorPage.join(service, 'admin', { email: 'admin@ops.example' });
const support = await OperatorPage.join(service, 'support', { email: 'support@ops.example' });
const guestToken = await invite(service, 'admin', 'guest@ops.example');
const { headers } = await convert(service, key.key, docx());
const { id: job } = readBody(await post(service, key.key, [filePart()]));
await ended(service, key.key, job);
const added = await service.services.webhooks.endpoints.add(
  { account: 'acme', environment: 'live' },
  { url: 'https://hooks.example/path', events: ['job.completed'], description: '', enabled: true },
);
await service.services.requests.flush();
const [webhook] = (await admin.ask('GET', 'accounts/acme/webhooks')).body.webhooks as { id: string }[];
const ids: Record<string, string> = {
  account: 'acme',
  member: owner.id,
  invitation: (await operators.read(NO_ACCOUNT)).invitations[0]?.id ?? '',
  operator: admin.id,
  key: key.id,
  requestId: String(headers.get('x-request-id')),
  job,
  id: webhook?.id ?? '',
  limit: 'perHour',
  passkey: 'AAAA',
  session: `ses_${'0'.repeat(18)}`,
};
/** What no answer may have. */
const secrets = [
  ...[key.key, added?.secret ?? '', memberToken, guestToken, await operatorToken(service)],
  ...[owner.cookie, admin.cookie, admin.csrfToken].map((each) => each.replace(/^.*~/, '')),
];

/** A valid body of each operation that has one. */
const bodies: Readonly<Record<string, object>> = {
  inviteOperator: { email: 'new@ops.example', role: 'admin' },
  setOperatorRole: { role: 'support' },
  setMaintenance: { on: false },
  setBanner: { text: 'Hello' },
  createAccount: { name: 'New', plan: 'free' },
  renameAccount: { name: 'Other' },
  setPlan: { plan: 'free' },
  setLimit: { value: 1 },
  inviteMemberTo: { email: 'new@acme.example', role: 'owner' },
  setMemberRole: { role: 'billing' },
  createKey: { account: 'acme', name: 'mine', environment: 'test', type: 'sk' },
  changeKey: { name: 'mine' },
  rotateKeyOf: {},
  startOperatorPasskey: {},
};
const queries: Readonly<Record<string, string>> = { findKeys: '?ending=abcd', listRequests: '?account=acme' };

/** Those that need no session: they begin one. */
const open = operatorOperations.filter(({ schema }) => schema.security.length === 0);
const closed = operatorOperations.filter(({ schema }) => schema.security.length > 0);
const urlOf = (path: string, operationId: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? '')) +
  (queries[operationId] ?? '');

/** What Redis keeps of accounts and operators, apart from sessions and from what ends by itself. */
async function state(): Promise<string> {
  const kept =
    /^platen:(operators|accounts|email|invitation|banner|maintenance|operator:(?!sessions)|\{audit\}|\{acme\}:(members|key))/;
  const names = (await redis.keys('platen:*')).filter((name) => kept.test(name));
  const values = await Promise.all(
    names.sort().map(async (name): Promise<unknown> => {
      const type = await redis.type(name);
      if (type === 'hash') return redis.hgetall(name);
      if (type === 'zset') return redis.zrange(name, '0', '-1');
      if (type === 'set') return (await redis.smembers(name)).sort();
      if (type === 'stream') return redis.xlen(name);
      if (type === 'list') return redis.lrange(name, 0, -1);
      return redis.get(name);
    }),
  );
  return JSON.stringify(names.map((name, index) => [name, values[index]]));
}

t.test('the document has every route, and says which begin a session', async (t) => {
  const app = Fastify({ exposeHeadRoutes: false });
  t.teardown(() => app.close());
  const routes: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push(`${method} ${url}`);
  });
  await app.register(redisDeadline);
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  const sources = { ...service.services, isStarving: () => false };
  await app.register(operator, {
    ...sources,
    metrics: new Metrics(sources),
    authFailuresPerMinute: 1_000,
  });
  await app.ready();
  t.strictSame(
    routes.filter((route) => !/^OPTIONS|\/metrics$/.test(route)).sort(),
    operatorOperations.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  t.strictSame(
    open.map(({ schema }) => schema.operationId),
    [
      ...['signIn', 'startOperatorSignIn', 'beginOperatorSession', 'beginOperatorOidc'],
      ...['signInOperatorByOidc', 'readOperatorInvitation', 'acceptOperatorInvitation'],
    ],
  );
});

t.test('support reads all but an export, and changes nothing', async (t) => {
  const before = await state();
  const leaks: string[] = [];
  const refusedReads: string[] = [];
  for (const { method, path, roles, schema } of closed) {
    const { operationId } = schema;
    if (operationId === 'signOut' || operationId === 'getEvents') continue;
    const answer = await support.ask(method, urlOf(path, operationId), bodies[operationId]);
    if (!roles || roles.includes('support')) {
      if (method === 'GET') t.equal(answer.status, 200, `${operationId}: ${answer.text}`);
      else t.ok([200, 400, 404].includes(answer.status), `${operationId}: ${answer.status}`);
    } else {
      if (method === 'GET') refusedReads.push(operationId);
      const { status, body } = answer;
      t.match(
        [status, body],
        [403, { code: 'INSUFFICIENT_PERMISSIONS', message: /^Your role is support/ }],
        operationId,
      );
    }
    leaks.push(...secrets.filter((each) => answer.text.includes(each)).map(() => operationId));
  }
  for (const path of ['/metrics', '/operator/v1/events']) {
    const headers = { cookie: support.cookie };
    const left = new AbortController();
    const answer = await fetch(service.url + path, { headers, signal: left.signal });
    t.equal(answer.status, 200, path);
    left.abort();
  }
  t.strictSame(refusedReads, ['exportAccount'], 'which takes all of an account away, and is in the audit');
  t.strictSame(leaks, [], 'no answer has a secret');
  t.equal(await state(), before, 'nothing has changed');
  t.equal((await members.read('acme')).members[0]?.role, 'owner');
});

t.test('without a session of an operator, nothing', async (t) => {
  const cookies = [
    '',
    owner.cookie,
    owner.cookie.replace('platen-console', 'platen-session'),
    `platen-session=-.${admin.id}~${'A'.repeat(43)}`,
  ];
  const forged = [{ 'x-csrf-token': support.csrfToken }, { 'sec-fetch-site': 'cross-site' }];
  for (const { method, path, schema } of closed) {
    const { operationId } = schema;
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const { status, body } = await admin.ask(
        method,
        urlOf(path, operationId),
        bodies[operationId],
        headers,
      );
      return `${status} ${body.code}`;
    };
    const without = await Promise.all(cookies.map((cookie) => ask({ cookie })));
    t.strictSame([...new Set(without)], ['401 MISSING_AUTH'], operationId);
    if (method === 'GET') continue;
    const foreign = await Promise.all(forged.map(ask));
    t.strictSame([...new Set(foreign)], ['403 INSUFFICIENT_PERMISSIONS'], `${operationId}: CSRF`);
  }
});
