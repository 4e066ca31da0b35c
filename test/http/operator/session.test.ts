/** Signing in and out over HTTP, and who may change something with a session, on a Redis whose clock the test sets. */
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { authenticationLimit } from '../../../src/http/access/authentication-limit.ts';
import { addSchemas } from '../../../src/http/contract/responses.ts';
import { trustedProxies } from '../../../src/http/core/client-address.ts';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { redisDeadline } from '../../../src/http/core/redis-deadline.ts';
import { newRequestId } from '../../../src/http/core/request-id.ts';
import { validation } from '../../../src/http/core/validation.ts';
import { operatorAuthentication } from '../../../src/http/operator/authentication.ts';
import { operatorOperations } from '../../../src/http/operator/operations.ts';
import { sessionRoutes, signInRoute } from '../../../src/http/operator/session.ts';
import { Members } from '../../../src/members/members.ts';
import { operatorRealm } from '../../../src/members/realm.ts';
import { Audit } from '../../../src/operator/audit.ts';
import { IDLE_MS, operatorSessions } from '../../../src/operator/sessions.ts';
import { OperatorToken } from '../../../src/system/operator-token.ts';
import { log } from '../../redis/support.ts';
import { startClockedRedis } from '../../support/clocked-redis.ts';
import { until } from '../../support/until.ts';

const TOKEN = 'the-token-of-the-operator';
const PATH = '/operator/v1/session';
const redis = await startClockedRedis(t);
const client = redis.connectPatiently();
const start = Date.now();

t.beforeEach(async () => {
  redis.setClock(start);
  await client.flushall();
});

interface Served {
  readonly app: FastifyInstance;
  readonly audit: Audit;
}

async function serve(
  t: Test,
  { perMinute = 1_000, proxies = [] as readonly string[] } = {},
): Promise<Served> {
  const token = await OperatorToken.open(TOKEN, '/', log);
  const sessions = operatorSessions(client, token);
  const audit = new Audit(client, log);
  const operators = new Members(client, operatorRealm, audit);
  const app = Fastify({ ajv: validation, genReqId: newRequestId, trustProxy: trustedProxies(proxies) });
  t.teardown(() => app.close());
  addSchemas(app, operatorOperations);
  await app.register(cookie);
  await app.register(redisDeadline);
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  await app.register(authenticationLimit, { redis: client, perMinute });
  await app.register(signInRoute, { token, sessions, audit });
  await app.register(async (scope) => {
    await scope.register(operatorAuthentication, { token, sessions, operators, audit });
    await scope.register(sessionRoutes, { sessions, audit });
    scope.get('/passive', { config: { passive: true, roles: ['admin'] } }, async () => 'seen');
    scope.put('/change', { config: { roles: ['admin'] } }, async () => 'changed');
  });
  return { app, audit };
}

type Headers = Readonly<Record<string, string>>;
const fromPage = {
  host: 'platen.example',
  origin: 'https://platen.example',
  'sec-fetch-site': 'same-origin',
};

async function signIn(app: FastifyInstance, headers: Headers = {}) {
  const answer = await app.inject({ method: 'POST', url: PATH, payload: { token: TOKEN }, headers });
  const setCookie = String(answer.headers['set-cookie']);
  const cookie = setCookie.split(';')[0] ?? '';
  return { answer, setCookie, cookie, csrfToken: String(answer.json().csrfToken) };
}

t.test('the token in the body becomes a cookie that scripts cannot read', async (t) => {
  const { app } = await serve(t);
  const { answer, setCookie, cookie } = await signIn(app);
  t.equal(answer.statusCode, 201);
  t.match(setCookie, /^platen-session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  t.notOk(answer.body.includes(cookie.slice('platen-session='.length)), 'the body does not have it');
  const seen = await app.inject({ url: PATH, headers: { cookie: `other=1; ${cookie}; third=2` } });
  t.equal(seen.statusCode, 200);
  t.match(seen.json(), { by: 'session', csrfToken: answer.json().csrfToken });
  const idle = Date.parse(seen.json().idleUntil) - Date.parse(seen.json().now);
  t.equal(idle, IDLE_MS);
});

t.test('behind a proxy that is trusted, and speaks TLS, the cookie is for TLS only', async (t) => {
  const trusting = await serve(t, { proxies: ['127.0.0.1'] });
  const proxied = { 'x-forwarded-proto': 'https' };
  const { setCookie, cookie } = await signIn(trusting.app, proxied);
  t.match(setCookie, /^__Host-platen-session=\S+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const known = await trusting.app.inject({ url: PATH, headers: { ...proxied, cookie } });
  t.equal(known.statusCode, 200);
  const { app } = await serve(t);
  t.notMatch((await signIn(app, proxied)).setCookie, /Secure/, 'others may not say so');
});

t.test('who is refused', async (t) => {
  const { app, audit } = await serve(t, { perMinute: 2 });
  const attempt = (payload: object, headers: Headers = {}) =>
    app.inject({ method: 'POST', url: PATH, payload, headers });
  t.match((await attempt({ token: 'guess' })).json(), { code: 'INVALID_API_KEY' });
  t.match((await attempt({ token: TOKEN.toUpperCase() })).json(), { code: 'INVALID_API_KEY' });
  const limited = await attempt({ token: 'guess' });
  t.match(limited.json(), { code: 'RATE_LIMIT_EXCEEDED', retryAfter: Number });
  t.ok(limited.headers['retry-after']);
  for (const payload of [{}, { token: '' }, { token: 7 }, { token: TOKEN, more: 1 }]) {
    t.match((await attempt(payload)).json(), { code: 'INVALID_PARAMETER' });
  }
  const large = await attempt({ token: 'x'.repeat(2_000_000) });
  t.match(
    [large.statusCode, large.json()],
    [400, { code: 'INVALID_REQUEST', message: 'The body is too large.' }],
  );
  redis.setClock(start + 1);
  const { answer } = await signIn(app);
  t.equal(answer.statusCode, 201, 'the token works whatever else its address sends');
  for (const foreign of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ]) {
    const { statusCode, body } = await attempt({ token: TOKEN }, foreign);
    t.match(
      [statusCode, JSON.parse(body)],
      [403, { code: 'INSUFFICIENT_PERMISSIONS' }],
      'no page signs others in',
    );
  }
  const { entries } = await audit.list(undefined, 10);
  t.match(entries, [
    { by: 'session', who: '127.0.0.1', action: 'session.began' },
    { by: 'nobody', who: '127.0.0.1', action: 'session.refused', details: { attempts: '3' } },
  ]);
  t.equal(entries.length, 2);
});

t.test('the audit has addresses only, whatever a proxy forwards', async (t) => {
  const { app, audit } = await serve(t, { perMinute: 2, proxies: ['127.0.0.1'] });
  await signIn(app, { 'x-forwarded-for': '[2001:db8::1]:443' });
  await signIn(app, { 'x-forwarded-for': '<script>' });
  const statuses: number[] = [];
  for (const port of [1, 2, 3]) {
    const headers = { 'x-forwarded-for': `192.0.2.1:${port}` };
    const answer = await app.inject({ method: 'POST', url: PATH, payload: { token: 'guess' }, headers });
    statuses.push(answer.statusCode);
  }
  t.strictSame(statuses, [401, 401, 429], 'another port is no other client');
  await until('it is there', async () => (await audit.list(undefined, 10)).entries.length === 3);
  const { entries } = await audit.list(undefined, 10);
  t.strictSame(entries.map(({ who }) => who).sort(), ['127.0.0.1', '192.0.2.1', '2001:db8::1']);
});

t.test('changes with a session come only from our own pages', async (t) => {
  const { app } = await serve(t);
  const { cookie, csrfToken } = await signIn(app);
  const { csrfToken: ofAnother } = await signIn(app);
  const change = async (headers: Headers) => {
    const { statusCode, body } = await app.inject({ method: 'PUT', url: '/change', headers });
    return statusCode === 200 ? body : `${statusCode} ${JSON.parse(body).code}`;
  };
  const own = { ...fromPage, cookie, 'x-csrf-token': csrfToken };
  const { 'sec-fetch-site': _site, ...withoutMetadata } = own;
  const { origin: _origin, ...withoutOrigin } = own;
  const { origin: _o, ...withoutBoth } = withoutMetadata;
  const { 'x-csrf-token': _token, ...withoutToken } = own;
  for (const headers of [own, withoutMetadata, withoutOrigin]) t.equal(await change(headers), 'changed');
  const refused = '403 INSUFFICIENT_PERMISSIONS';
  t.equal(await change(withoutToken), refused);
  t.equal(await change({ ...own, 'x-csrf-token': '' }), refused);
  t.equal(await change({ ...own, 'x-csrf-token': ofAnother }), refused);
  t.equal(await change({ ...own, 'x-csrf-token': csrfToken.toLowerCase() }), refused);
  t.equal(await change(withoutBoth), refused);
  for (const site of ['cross-site', 'same-site', 'none', '']) {
    t.equal(await change({ ...own, 'sec-fetch-site': site }), refused, site);
  }
  for (const origin of ['https://elsewhere.example', 'null', '', 'https://platen.example:444']) {
    t.equal(await change({ ...withoutMetadata, origin }), refused, origin);
  }
  t.equal(await change({ authorization: `Bearer ${TOKEN}` }), 'changed', 'programs need none of it');
  const wrong = { ...own, authorization: 'Bearer guess' };
  t.equal(await change(wrong), '401 INVALID_API_KEY', 'a wrong token is not made good by a session');
});

t.test('behind a proxy that wants a password of its own', async (t) => {
  const { app } = await serve(t, { perMinute: 1 });
  const { cookie, csrfToken } = await signIn(app, { authorization: 'Basic b3BzOnNlY3JldA==' });
  const own = { ...fromPage, cookie, 'x-csrf-token': csrfToken, authorization: 'Basic b3BzOnNlY3JldA==' };
  const change = (headers: Headers) => app.inject({ method: 'PUT', url: '/change', headers });
  t.equal((await change(own)).body, 'changed');
  t.equal((await change({ ...own, 'x-csrf-token': 'x' })).statusCode, 403, 'no way around the rest');
  const { cookie: _cookie, ...signedOut } = own;
  for (let i = 0; i < 3; i++) t.equal((await change(signedOut)).statusCode, 401, 'and no guess');
  const ended = await change({ ...own, cookie: `${cookie.slice(0, -1)}_` });
  t.match([ended.statusCode, ended.json()], [401, { code: 'MISSING_AUTH' }]);
});

t.test('signing out', async (t) => {
  const { app, audit } = await serve(t);
  const { cookie, csrfToken } = await signIn(app);
  const other = await signIn(app);
  const own = { ...fromPage, cookie, 'x-csrf-token': csrfToken };
  t.equal(
    (await app.inject({ method: 'DELETE', url: PATH, headers: { ...own, 'x-csrf-token': 'x' } })).statusCode,
    403,
  );
  t.equal((await app.inject({ url: PATH, headers: { cookie } })).statusCode, 200, 'still there');
  const out = await app.inject({ method: 'DELETE', url: PATH, headers: own });
  t.equal(out.statusCode, 204);
  t.equal(out.body, '');
  t.match(
    String(out.headers['set-cookie']),
    /^platen-session=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970/,
  );
  const { statusCode, body } = await app.inject({ url: PATH, headers: { cookie } });
  t.match([statusCode, JSON.parse(body)], [401, { code: 'MISSING_AUTH', message: /Sign in again/ }]);
  t.equal((await app.inject({ url: PATH, headers: { cookie: other.cookie } })).statusCode, 200);
  t.match((await audit.list(undefined, 1)).entries, [{ by: 'session', action: 'session.ended' }]);
});

t.test('who signs in again leaves no session behind', async (t) => {
  const { app } = await serve(t);
  const { cookie } = await signIn(app);
  await signIn(app, { cookie });
  t.equal((await app.inject({ url: PATH, headers: { cookie } })).statusCode, 401);
});

t.test('an unused session ends; automatic requests are no use', async (t) => {
  const { app } = await serve(t);
  const { cookie } = await signIn(app);
  redis.setClock(start + IDLE_MS - 1);
  t.equal((await app.inject({ url: '/passive', headers: { cookie } })).body, 'seen');
  redis.setClock(start + IDLE_MS);
  t.equal((await app.inject({ url: '/passive', headers: { cookie } })).statusCode, 401);
  const { cookie: next } = await signIn(app);
  redis.setClock(start + 2 * IDLE_MS - 1);
  t.equal((await app.inject({ url: PATH, headers: { cookie: next } })).statusCode, 200);
  redis.setClock(start + 2 * IDLE_MS);
  t.equal((await app.inject({ url: PATH, headers: { cookie: next } })).statusCode, 200);
});

t.test('by token there is no session', async (t) => {
  const { app } = await serve(t);
  const authorization = `Bearer ${TOKEN}`;
  const { statusCode, body } = await app.inject({ url: PATH, headers: { authorization } });
  t.match([statusCode, JSON.parse(body)], [200, { by: 'token', expiresAt: null, csrfToken: null }]);
  t.equal((await app.inject({ method: 'DELETE', url: PATH, headers: { authorization } })).statusCode, 204);
  for (const cookie of [
    'platen-session=guess',
    'platen-session=',
    `platen-session=${'x'.repeat(9_000)}`,
    ';;=',
  ]) {
    t.equal((await app.inject({ url: PATH, headers: { cookie } })).statusCode, 401, cookie.slice(0, 30));
  }
});
