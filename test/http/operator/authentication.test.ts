/** Who gets into the operator's scope, on a real Redis. */
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { authenticationLimit } from '../../../src/http/access/authentication-limit.ts';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { redisDeadline } from '../../../src/http/core/redis-deadline.ts';
import { newRequestId } from '../../../src/http/core/request-id.ts';
import { operatorAuthentication } from '../../../src/http/operator/authentication.ts';
import { Members } from '../../../src/members/members.ts';
import { operatorRealm } from '../../../src/members/realm.ts';
import { Audit } from '../../../src/operator/audit.ts';
import { operatorSessions } from '../../../src/operator/sessions.ts';
import type { Log } from '../../../src/system/log.ts';
import { OperatorToken } from '../../../src/system/operator-token.ts';
import { log, recordingLog, redisClient } from '../../redis/support.ts';
import { until } from '../../support/until.ts';

const TOKEN = 'the-token-of-the-operator';

async function serve(t: Test, redis: Redis, perMinute = 1_000, told: Log = log): Promise<FastifyInstance> {
  const app = Fastify({ genReqId: newRequestId });
  // Fastify's own lines are of no interest here.
  app.addHook('onRequest', async (request) => Object.assign(request, { log: told }));
  t.teardown(() => app.close());
  await app.register(cookie);
  await app.register(redisDeadline);
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  await app.register(async (scope) => {
    await scope.register(authenticationLimit, { redis, perMinute });
    const token = await OperatorToken.open(TOKEN, '/', log);
    const sessions = operatorSessions(redis, token);
    const audit = new Audit(redis, told);
    const operators = new Members(redis, operatorRealm, audit);
    await scope.register(operatorAuthentication, { token, sessions, operators, audit });
    scope.get('/inside', { config: { roles: ['admin'] } }, async () => 'inside');
  });
  app.get('/outside', async () => 'outside');
  return app;
}

async function ask(app: FastifyInstance, authorization?: string, from = '192.0.2.1') {
  const headers = authorization === undefined ? {} : { authorization };
  const { statusCode, body, ...answer } = await app.inject({ url: '/inside', headers, remoteAddress: from });
  return { status: statusCode, challenge: answer.headers['www-authenticate'], body };
}

t.test('the operator, and nobody else', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client);
  for (const right of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`]) {
    t.match(await ask(app, right), { status: 200, body: 'inside' }, right);
  }
  for (const none of [undefined, '']) {
    const { status, challenge, body } = await ask(app, none);
    t.equal(status, 401);
    t.equal(challenge, 'Bearer');
    t.match(JSON.parse(body), { code: 'MISSING_AUTH', message: /operator token/ });
  }
  const wrongs = [
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${'x'.repeat(5_000)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    'Bearer',
    'Bearer __proto__',
  ];
  for (const wrong of wrongs) {
    const { status, challenge, body } = await ask(app, wrong);
    t.equal(status, 401, wrong);
    t.equal(challenge, 'Bearer');
    t.match(JSON.parse(body), { code: 'INVALID_API_KEY', message: /not the operator token/ });
    t.notMatch(body, TOKEN);
  }
  const basic = Buffer.from(`operator:${TOKEN}`).toString('base64');
  for (const other of [TOKEN, `Basic ${basic}`, `Bearers ${TOKEN}`]) {
    const { status, body } = await ask(app, other);
    t.equal(status, 401, other);
    t.match(JSON.parse(body), { code: 'MISSING_AUTH', message: /"Authorization: Bearer …"/ });
    t.notMatch(body, TOKEN);
  }
  t.equal((await app.inject('/outside')).statusCode, 200, 'the scope ends where it ends');
});

t.test('failed attempts are limited for an address, the token works all the same', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, 2);
  const statuses: number[] = [];
  for (const attempt of ['Bearer guess', 'bearer', 'Bearer guess', 'Bearer guess']) {
    statuses.push((await ask(app, attempt)).status);
  }
  t.strictSame(statuses, [401, 401, 429, 429]);
  t.equal((await ask(app)).status, 401, 'no token is no attempt');
  t.equal((await ask(app, 'Basic guess')).status, 401, 'nor is what a proxy asks for');
  t.equal((await ask(app, `Bearer ${TOKEN}`)).status, 200);
  t.equal((await ask(app, 'Bearer guess', '192.0.2.2')).status, 401, 'another address');
});

t.test(
  'tokens that are wrong are in the audit, also those beyond the limit, and never themselves',
  async (t) => {
    const client = await redisClient(t);
    const audit = new Audit(client, log);
    const app = await serve(t, client, 2);
    for (let i = 0; i < 5; i++) await ask(app, `Bearer guess-${i}`);
    for (const none of [undefined, `Bearer ${TOKEN}`, 'Basic guess']) await ask(app, none);
    await ask(app, 'Bearer guess', '2001:db8::1');
    await ask(app, 'Bearer guess', '2001:db8::2');
    await until('it is there', async () => (await audit.list(undefined, 10)).entries.length === 2);
    const { entries } = await audit.list(undefined, 10);
    t.match(entries, [
      { action: 'token.refused', by: 'nobody', who: '2001:db8::2', details: { attempts: '2' } },
      { action: 'token.refused', by: 'nobody', who: '192.0.2.1', details: { attempts: '5' } },
    ]);
    t.notMatch(JSON.stringify(entries), 'guess');
  },
);

t.test('without Redis the log of who is refused does not grow with them', async (t) => {
  const client = await redisClient(t);
  const { log: recording, messages } = recordingLog();
  const app = await serve(t, client, 2, recording);
  client.disconnect();
  for (let i = 0; i < 5; i++) t.equal((await ask(app, 'Bearer guess')).status, 401);
  t.strictSame(messages.sort(), [
    'a failed authentication could not be counted',
    'the audit could not be written',
  ]);
});

t.test('without Redis the operator gets in, and nobody else', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client);
  client.disconnect();
  t.equal((await ask(app, `Bearer ${TOKEN}`)).status, 200);
  t.equal((await ask(app, 'Bearer guess')).status, 401);
});
