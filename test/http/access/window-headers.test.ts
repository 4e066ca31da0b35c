/** The rate limit headers of a key's answers, and answers without them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { hasNoRateLimit, hasRateLimit, isDelivered, isError } from '../../e2e/support/assertions.ts';
import { writePlans } from '../../e2e/support/plans.ts';
import { convert, get, multipart, send } from '../../e2e/support/requests.ts';
import { docx, plainText } from '../../support/documents.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import type { TestKey } from '../../support/service.ts';
import { Service } from '../../support/service.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-headers-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const PLANS_FILE = await writePlans(folder, {
  limited: { perSecond: 1_000, perHour: 40, perDay: 500 },
  two: { perHour: 2, perDay: 500 },
  three: { perHour: 3, perDay: 500 },
  once: { perHour: 900, perDay: 10, perMonth: 1 },
  unlimited: {},
});
const service = await Service.start(t, { env: { PLANS_FILE } });
const document = docx();

async function createCustomer(account: string, plan: string, options: TestKey = {}): Promise<string> {
  await service.createAccount(account, plan);
  return (await service.createKey({ account, ...options })).key;
}

const usage = (key: string) => send(service, '/v1/usage', { method: 'GET', key });

const [key, busy, poor, free] = await Promise.all([
  createCustomer('limited', 'limited'),
  createCustomer('busy', 'two'),
  createCustomer('poor', 'once'),
  createCustomer('free', 'unlimited', { permissions: ['convert'] }),
]);
const [elsewhere, reader, tester] = await Promise.all([
  service.createKey({ account: 'limited', ipRestrictions: ['10.0.0.0/8'] }),
  service.createKey({ account: 'limited', permissions: ['usage'] }),
  service.createKey({ account: 'limited', environment: 'test' }),
]);
await awayFromTheHoursEnd();

t.test('each request counts, also one that fails, and each answer says so', async (t) => {
  const field = multipart([{ headers: ['Content-Disposition: form-data; name="format"'], data: 'pdf' }]);
  const success = await convert(service, key, document);
  isDelivered(t, success);
  const first = hasRateLimit(t, success);
  t.match(first, { window: 'hour', limit: 40, remaining: 39 });
  t.equal(first.reset, Math.ceil(Date.now() / 3_600_000) * 3_600, 'the end of this hour');
  t.equal(
    success.headers.get('ratelimit-policy'),
    '"second";q=1000;w=1, "hour";q=40;w=3600, "day";q=500;w=86400',
  );
  const answers = {
    OK: await usage(key),
    INVALID_FILE_TYPE: await convert(service, key, plainText()),
    MISSING_FILE: await send(service, '/v1/convert', { key, ...field }),
    INVALID_PARAMETER: await send(service, '/v1/convert?format=jpeg', { key }),
    INVALID_REQUEST: await send(service, '/v1/convert', { key, body: 'no form' }),
  };
  let { remaining } = first;
  for (const [code, answer] of Object.entries(answers)) {
    if (code === 'OK') t.equal(answer.status, 200);
    else isError(t, answer, code as Exclude<keyof typeof answers, 'OK'>);
    t.strictSame(hasRateLimit(t, answer, code), { ...first, remaining: --remaining }, code);
  }
});

t.test('a refused request does not count, and its answer has the state of the windows', async (t) => {
  const before = hasRateLimit(t, await usage(key));
  const refused = {
    IP_NOT_ALLOWED: await convert(service, elsewhere.key, document),
    INSUFFICIENT_PERMISSIONS: await convert(service, reader.key, document),
  } as const;
  for (const [code, answer] of Object.entries(refused)) {
    isError(t, answer, code as keyof typeof refused);
    t.strictSame(hasRateLimit(t, answer, code), before, code);
  }
  t.equal(hasRateLimit(t, await usage(reader.key)).remaining, before.remaining - 1);
});

t.test('RATE_LIMIT_EXCEEDED', async (t) => {
  for (const remaining of [1, 0]) t.equal(hasRateLimit(t, await usage(busy)).remaining, remaining);
  for (const answer of [await usage(busy), await convert(service, busy, document), await usage(busy)]) {
    const { retryAfter } = isError(t, answer, 'RATE_LIMIT_EXCEEDED');
    t.match(hasRateLimit(t, answer), { window: 'hour', limit: 2, remaining: 0 });
    t.match(answer.headers.get('ratelimit'), `;t=${retryAfter}`, 'RateLimit and Retry-After agree');
  }
  await service.setPlan('busy', 'three');
  t.match(hasRateLimit(t, await usage(busy)), { limit: 3, remaining: 0 }, 'what was refused did not count');
  isError(t, await usage(busy), 'RATE_LIMIT_EXCEEDED');
});

t.test('QUOTA_EXCEEDED', async (t) => {
  const success = await convert(service, poor, document);
  isDelivered(t, success);
  t.match(hasRateLimit(t, success), { window: 'day', limit: 10, remaining: 9 });
  const refused = await convert(service, poor, document);
  isError(t, refused, 'QUOTA_EXCEEDED');
  t.equal(hasRateLimit(t, refused).remaining, 9);
  t.equal(hasRateLimit(t, await usage(poor)).remaining, 8, 'what was refused did not count');
});

t.test('a test key has windows of its own', async (t) => {
  const answer = await convert(service, tester.key, document);
  isDelivered(t, answer);
  const { window, limit, remaining } = hasRateLimit(t, answer);
  // The second has 50, as in the plan "free".
  t.strictSame({ window, limit, remaining }, { window: 'second', limit: 50, remaining: 49 });
  t.equal(answer.headers.get('ratelimit-policy'), '"second";q=50;w=1, "hour";q=100;w=3600');
});

t.test('a plan without windows sends no headers', async (t) => {
  const success = await convert(service, free, document);
  isDelivered(t, success);
  hasNoRateLimit(t, success, 'success');
  hasNoRateLimit(t, await convert(service, free, plainText()), 'failure');
  hasNoRateLimit(t, await usage(free), 'refused');
});

t.test('unauthenticated requests get no rate limit headers', async (t) => {
  await service.revokeKey(reader.id);
  const answers = {
    'no key': [await send(service, '/v1/convert'), 401],
    malformed: [await usage('svc_live_sk_short'), 401],
    revoked: [await usage(reader.key), 401],
    'public endpoint': [await convert(service, undefined, document), 200],
    'public endpoint, with a key': [await send(service, '/v1/public/convert', { key }), 400],
    'no such route': [await send(service, '/v1/nowhere', { key }), 404],
    health: [await get(service, '/health'), 200],
  } as const;
  for (const [what, [answer, status]] of Object.entries(answers)) {
    t.equal(answer.status, status, what);
    hasNoRateLimit(t, answer, what);
  }
});
