/** The limits for a client's address, on a real Redis. */
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import type { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { PlatenError } from '../../../src/errors.ts';
import { addressLimit } from '../../../src/http/access/address-limit.ts';
import { authenticationLimit } from '../../../src/http/access/authentication-limit.ts';
import { publicLimit } from '../../../src/http/access/public-limit.ts';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { redisDeadline } from '../../../src/http/core/redis-deadline.ts';
import { newRequestId } from '../../../src/http/core/request-id.ts';
import { redisClient, startRedis } from '../../redis/support.ts';
import { until } from '../../support/until.ts';

interface Limits {
  readonly perHour?: number;
  readonly perSecond?: number;
  readonly perMinute?: number;
  readonly limitsOwn?: boolean;
}

/**
 * A server with both limits side by side, as in the service: `/public`, and `/keys` where every key but "valid"
 * is refused.
 */
async function serve(
  t: Test,
  redis: Redis,
  { perHour = 1_000, perSecond = 1_000, perMinute = 1_000, limitsOwn = true }: Limits,
): Promise<FastifyInstance> {
  const app = Fastify({ genReqId: newRequestId });
  t.teardown(() => app.close());
  await app.register(redisDeadline);
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  await app.register(async (scope) => {
    await scope.register(publicLimit, { redis, perHour, perSecond, limitsOwn });
    scope.get('/public', async () => 'done');
  });
  await app.register(async (scope) => {
    await scope.register(authenticationLimit, { redis, perMinute });
    scope.addHook('onRequest', async (request) => {
      if (request.headers.authorization === 'valid') return;
      await scope.countAuthenticationFailure(request);
      throw new PlatenError('INVALID_API_KEY');
    });
    scope.get('/keys', async () => 'done');
  });
  await app.ready();
  return app;
}

async function ask(app: FastifyInstance, url: string, from: string, key?: string) {
  const options: InjectOptions = { url, remoteAddress: from };
  if (key !== undefined) options.headers = { authorization: key };
  const { statusCode, headers, body } = await app.inject(options);
  return { status: statusCode, headers, body };
}

/** Statuses of `count` requests, one after another. */
async function statuses(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const answers: number[] = [];
  for (let i = 0; i < count; i++) answers.push((await send()).status);
  return answers;
}

t.test('the public endpoint: a limit per hour and client', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, { perHour: 3 });
  const other = await serve(t, client, { perHour: 3 });
  t.strictSame(await statuses(2, () => ask(app, '/public', '192.0.2.1')), [200, 200]);
  t.equal((await ask(other, '/public', '192.0.2.1')).status, 200, 'another server');
  const answer = await ask(other, '/public', '::ffff:192.0.2.1');
  t.equal(answer.status, 429);
  const { code, message, retryAfter } = JSON.parse(answer.body);
  t.equal(code, 'RATE_LIMIT_EXCEEDED');
  t.match(message, '3 documents an hour and 1000 a second');
  t.ok(retryAfter > 3_000 && retryAfter <= 3_600, `${retryAfter} s`);
  t.equal(answer.headers['retry-after'], `${retryAfter}`);
  t.equal((await ask(app, '/public', '192.0.2.2')).status, 200, 'another client');
});

t.test('somebody who tries the service on this machine has no limit', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, { perHour: 1, limitsOwn: false });
  for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    t.strictSame(await statuses(3, () => ask(app, '/public', own)), [200, 200, 200], own);
  }
  t.strictSame(await statuses(2, () => ask(app, '/public', '192.0.2.1')), [200, 429], 'another machine');
  const strangers: readonly Record<string, string>[] = [
    { 'x-forwarded-for': '192.0.2.2' },
    { 'x-forwarded-proto': 'https' },
    { host: 'platen.example' },
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  await client.flushdb();
  for (const headers of strangers) {
    const { statusCode } = await app.inject({ url: '/public', remoteAddress: '127.0.0.1', headers });
    t.equal(statusCode, headers === strangers[0] ? 200 : 429, JSON.stringify(headers));
  }
  for (const host of ['127.0.0.1:3000', '[::1]:3000']) {
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    const { statusCode } = await app.inject({ url: '/public', remoteAddress: '::1', headers });
    t.equal(statusCode, 200, `our page at ${host}`);
  }
});

t.test('an IPv6 client is its /64', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, { perHour: 1 });
  t.equal((await ask(app, '/public', '2001:db8:1:2::1')).status, 200);
  t.equal((await ask(app, '/public', '2001:db8:1:2:ffff::9')).status, 429);
  t.equal((await ask(app, '/public', '2001:db8:1:3::1')).status, 200);
});

t.test('a request refused by the limit per second does not count for the hour', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, { perHour: 2, perSecond: 0 });
  const refused = await ask(app, '/public', '192.0.2.1');
  t.equal(JSON.parse(refused.body).retryAfter, 1);
  t.equal(await client.get('platen:public:hour:192.0.2.1'), null);
});

t.test('failed authentications: a limit per minute and client', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, { perMinute: 2 });
  const guess = () => ask(app, '/keys', '192.0.2.1', 'guessed');
  t.strictSame(await statuses(4, guess), [401, 401, 429, 429]);
  const answer = await guess();
  const { code, message, retryAfter } = JSON.parse(answer.body);
  t.equal(code, 'RATE_LIMIT_EXCEEDED');
  t.match(message, /More than 2 requests a minute .*Check your API key/);
  t.ok(retryAfter > 0 && retryAfter <= 60, `${retryAfter} s`);
  t.equal(answer.headers['retry-after'], `${retryAfter}`);
  t.equal(answer.headers['www-authenticate'], undefined);
  t.equal((await ask(app, '/keys', '192.0.2.1', 'valid')).status, 200, 'a valid key from the same address');
  t.equal((await ask(app, '/keys', '192.0.2.2', 'guessed')).status, 401, 'another address');
  t.equal((await ask(app, '/public', '192.0.2.1')).status, 200, 'the other limit');
});

t.test('valid keys are not counted', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, { perMinute: 1 });
  t.strictSame(await statuses(3, () => ask(app, '/keys', '192.0.2.1', 'valid')), [200, 200, 200]);
  t.strictSame(await statuses(2, () => ask(app, '/keys', '192.0.2.1', 'guessed')), [401, 429]);
});

t.test('parallel failures are all counted', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, { perMinute: 10 });
  const all = await Promise.all(Array.from({ length: 30 }, () => ask(app, '/keys', '192.0.2.1')));
  t.equal(all.filter(({ status }) => status === 401).length, 10);
  t.equal(all.filter(({ status }) => status === 429).length, 20);
});

t.test('counters have the prefix of Platen, one for each limit and client, and expire', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, {});
  await ask(app, '/public', '192.0.2.1');
  await ask(app, '/keys', '2001:db8::1');
  const windows = new Map([
    ['platen:failed-authentication:2001:db8:0:0::/64', 60_000],
    ['platen:public:hour:192.0.2.1', 3_600_000],
    ['platen:public:second:192.0.2.1', 1_000],
  ]);
  for (const key of await client.keys('*')) {
    const left = await client.pttl(key);
    t.ok(left <= (windows.get(key) ?? -3), `${key}: ${left} ms`);
    t.not(left, -1, `${key} does not stay`);
  }
  t.equal(await client.exists('platen:failed-authentication:2001:db8:0:0::/64'), 1);
  t.equal(await client.exists('platen:public:hour:192.0.2.1'), 1);
});

t.test('a window ends, and a limit in a nested scope has its own counters', async (t) => {
  const client = await redisClient(t);
  const app = Fastify();
  t.teardown(() => app.close());
  const outer = await addressLimit(app, { redis: client, name: 'outer', max: 1, windowMs: 600_000 });
  app.get('/outer', async (request) => ({ wait: await outer(request) }));
  await app.register(async (scope) => {
    const inner = await addressLimit(scope, { redis: client, name: 'inner', max: 0, windowMs: 100 });
    scope.get('/inner', async (request) => ({ wait: await inner(request) }));
  });
  const wait = async (url: string) => JSON.parse((await ask(app, url, '192.0.2.1')).body).wait;

  t.equal(await wait('/outer'), undefined);
  t.equal(await wait('/inner'), 1);
  t.equal(await client.get('platen:outer:192.0.2.1'), '1');
  await until('the window ends', async () => (await client.exists('platen:inner:192.0.2.1')) === 0);
  const seconds = await wait('/outer');
  t.ok(seconds > 0 && seconds <= 600, `${seconds} s`);
});

t.test('without Redis requests are refused, without endless waits', async (t) => {
  const client = await redisClient(t);
  const app = await serve(t, client, {});
  t.equal((await ask(app, '/public', '192.0.2.1')).status, 200);
  client.disconnect();
  for (const url of ['/public', '/keys']) {
    const answer = await ask(app, url, '192.0.2.1');
    t.equal(answer.status, 503, url);
    t.equal(JSON.parse(answer.body).code, 'SERVICE_UNAVAILABLE');
    t.equal(answer.headers['retry-after'], '1');
  }
});

t.test('scripts that Redis has forgotten are sent again', async (t) => {
  const { client } = await startRedis(t);
  const app = await serve(t, client, { perMinute: 1 });
  t.equal((await ask(app, '/keys', '192.0.2.1')).status, 401);
  await client.script('FLUSH');
  t.equal((await ask(app, '/keys', '192.0.2.1')).status, 429);
});
