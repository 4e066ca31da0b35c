/** Who gets into the operator's scope, on a real Redis. */
import Fastify, { type FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { authenticationLimit } from '../../src/http/authentication-limit.ts';
import { errorHandling } from '../../src/http/errors.ts';
import { operatorAuthentication } from '../../src/http/operator-authentication.ts';
import { redisDeadline } from '../../src/http/redis-deadline.ts';
import { newRequestId, requestId } from '../../src/http/request-id.ts';
import { Sessions } from '../../src/operator/sessions.ts';
import { OperatorToken } from '../../src/operator-token.ts';
import { log, startRedis } from '../redis/support.ts';

const TOKEN = 'the-token-of-the-operator';

async function serve(t: Test, redis: Redis, perMinute = 1_000): Promise<FastifyInstance> {
  const app = Fastify({ genReqId: newRequestId });
  t.teardown(() => app.close());
  await app.register(redisDeadline);
  await app.register(requestId);
  await app.register(errorHandling);
  await app.register(async (scope) => {
    await scope.register(authenticationLimit, { redis, perMinute });
    const token = await OperatorToken.open(TOKEN, '/', log);
    await scope.register(operatorAuthentication, { token, sessions: new Sessions(redis, token) });
    scope.get('/inside', async () => 'inside');
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
  const { client } = await startRedis(t);
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
  const basic = Buffer.from(`operator:${TOKEN}`).toString('base64');
  const wrongs = [
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${'x'.repeat(5_000)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    'Bearer',
    'Bearer __proto__',
    TOKEN,
    `Basic ${basic}`,
  ];
  for (const wrong of wrongs) {
    const { status, challenge, body } = await ask(app, wrong);
    t.equal(status, 401, wrong);
    t.equal(challenge, 'Bearer');
    t.match(JSON.parse(body), { code: 'INVALID_API_KEY', message: /not the operator token/ });
    t.notMatch(body, TOKEN);
  }
  t.equal((await app.inject('/outside')).statusCode, 200, 'the scope ends where it ends');
});

t.test('failed attempts are limited for an address, the token works all the same', async (t) => {
  const { client } = await startRedis(t);
  const app = await serve(t, client, 2);
  const statuses: number[] = [];
  for (const attempt of ['Bearer guess', 'Basic guess', 'Bearer guess', 'Bearer guess']) {
    statuses.push((await ask(app, attempt)).status);
  }
  t.strictSame(statuses, [401, 401, 429, 429]);
  t.equal((await ask(app)).status, 401, 'no token is no attempt');
  t.equal((await ask(app, `Bearer ${TOKEN}`)).status, 200);
  t.equal((await ask(app, 'Bearer guess', '192.0.2.2')).status, 401, 'another address');
});

t.test('without Redis the operator gets in, and nobody else', async (t) => {
  const { client } = await startRedis(t);
  const app = await serve(t, client);
  client.disconnect();
  t.equal((await ask(app, `Bearer ${TOKEN}`)).status, 200);
  t.equal((await ask(app, 'Bearer guess')).status, 401);
});
