/** Pages of other origins: what browsers show them, and that their preflight requests cost no Redis call. */
import t, { type Test } from 'tap';
import { EXPOSED_HEADERS, SENT_HEADERS } from '../../../src/http/core/cross-origin.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { withChecksum } from '../../e2e/support/keys.ts';
import { operatorToken } from '../../e2e/support/operator.ts';
import { type Answer, bearer, convert, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { readOpenApi } from '../../support/openapi-document.ts';
import { form } from '../../support/server.ts';
import { Service } from '../../support/service.ts';

const SHOP = 'https://shop.example';
const ALLOWED = 'access-control-allow-origin';
/** What every page may read, or send in the form in which it is sent here (Fetch, sections 2.2.2 and 3.2.3). */
const SAFE_TO_READ = ['Content-Length', 'Content-Type', 'Cache-Control'];

const hello = docx();
const service = await Service.start(t, { env: { PUBLIC_PER_HOUR: '1000', PUBLIC_PER_SECOND: '1000' } });
const { key, id, account } = await service.createKey({
  type: 'pk',
  origins: [SHOP, 'http://localhost:3000'],
});
const { key: secret } = await service.createKey();
const from = (origin: string) => ({ headers: { origin } });

/** @param origin undefined: the page sees nothing of the answer. */
function isReadableBy(t: Test, { headers }: Answer, origin: string | undefined, what = 'a page'): void {
  t.equal(headers.get(ALLOWED) ?? undefined, origin, what);
  const exposed = origin === undefined ? null : EXPOSED_HEADERS.join(', ');
  t.equal(headers.get('access-control-expose-headers'), exposed, what);
  t.equal(headers.get('vary'), 'Origin', what);
  t.notOk(headers.has('access-control-allow-credentials'), 'there are no cookies');
}

t.test("a page of one of the key's origins reads the PDF, its headers and what became of it", async (t) => {
  for (const origin of [SHOP, 'http://localhost:3000']) {
    const answer = await convert(service, key, hello, from(origin));
    isDelivered(t, answer);
    isReadableBy(t, answer, origin);
    const outcome = await send(service, `/v1/conversions/${answer.headers.get('x-request-id')}`, {
      method: 'GET',
      key,
      ...from(origin),
    });
    t.equal(outcome.status, 200);
    isReadableBy(t, outcome, origin);
  }
});

t.test('another origin is refused before the body is read, and reads nothing', async (t) => {
  const last = service.engine.lastJob;
  for (const origin of [
    'https://other.example',
    'http://shop.example',
    `${SHOP}:8443`,
    'null',
    `${SHOP}, ${SHOP}`,
  ]) {
    const answer = await convert(service, key, hello, from(origin));
    isError(t, answer, 'ORIGIN_NOT_ALLOWED', 403, origin);
    isReadableBy(t, answer, undefined, origin);
  }
  for (const origin of [SHOP, 'null']) {
    const answer = await convert(service, secret, hello, from(origin));
    isError(t, answer, 'ORIGIN_NOT_ALLOWED', 403, 'a secret key is for no page');
    isReadableBy(t, answer, undefined);
  }
  t.equal(service.engine.lastJob, last);
});

t.test('a program, and a page of this service, are asked for no origin', async (t) => {
  const host = new URL(service.url).host;
  const kinds: readonly Readonly<Record<string, string>>[] = [
    {},
    { origin: `http://${host}` },
    { origin: 'https://behind.proxy.example', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of kinds) {
    for (const each of [key, secret]) {
      const answer = await convert(service, each, hello, { headers });
      isDelivered(t, answer);
      isReadableBy(t, answer, undefined, JSON.stringify(headers));
    }
  }
  const headers = { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' };
  isError(t, await convert(service, secret, hello, { headers }), 'ORIGIN_NOT_ALLOWED');
});

t.test('a page reads the errors of its own requests', async (t) => {
  const { key: reader } = await service.createKey({
    type: 'pk',
    origins: [SHOP],
    ipRestrictions: ['10.0.0.0/8'],
  });
  const { key: tested } = await service.createKey({ type: 'pk', environment: 'test', origins: [SHOP] });
  const simulate = (code: string) => ({
    headers: { origin: SHOP, 'platen-simulate': code },
  });
  const ask = (path: string, method = 'GET', who?: string) =>
    send(service, path, { method, ...(who !== undefined && { key: who }), ...from(SHOP) });
  const unknown = withChecksum(`svc_live_pk_${'7'.repeat(43)}`);
  const expected: readonly (readonly [Promise<Answer>, string, string | undefined])[] = [
    [ask('/v1/usage'), 'MISSING_AUTH', '*'],
    [ask('/v1/usage', 'GET', unknown), 'INVALID_API_KEY', '*'],
    [ask('/v1/usage', 'GET', 'svc_live_pk_short'), 'INVALID_API_KEY', '*'],
    [ask('/v1/nowhere'), 'NOT_FOUND', '*'],
    [ask('/v1/convert'), 'METHOD_NOT_ALLOWED', '*'],
    [ask('/v1/usage', 'GET', key), 'INSUFFICIENT_PERMISSIONS', SHOP],
    [ask('/v1/jobs', 'GET', key), 'INSUFFICIENT_PERMISSIONS', SHOP],
    [ask(`/v1/jobs/job_${'0'.repeat(32)}/events`, 'GET', key), 'INSUFFICIENT_PERMISSIONS', SHOP],
    [ask('/v1/keys/rotate', 'POST', key), 'INSUFFICIENT_PERMISSIONS', SHOP],
    [convert(service, reader, hello, from(SHOP)), 'IP_NOT_ALLOWED', SHOP],
    [convert(service, key, Buffer.from('text'), from(SHOP)), 'INVALID_FILE_TYPE', SHOP],
    [
      send(service, '/v1/convert?format=jpeg', { key, body: form(hello), ...from(SHOP) }),
      'INVALID_PARAMETER',
      SHOP,
    ],
    [convert(service, tested, hello, simulate('RATE_LIMIT_EXCEEDED')), 'RATE_LIMIT_EXCEEDED', SHOP],
    [convert(service, tested, hello, simulate('EXPIRED_API_KEY')), 'EXPIRED_API_KEY', '*'],
    [convert(service, tested, hello, simulate('ORIGIN_NOT_ALLOWED')), 'ORIGIN_NOT_ALLOWED', undefined],
  ];
  for (const [asked, code, origin] of expected) {
    const answer = await asked;
    isError(t, answer, code);
    isReadableBy(t, answer, origin, code);
  }
  await service.suspend(account);
  const suspended = await ask('/v1/usage', 'GET', key);
  await service.resume(account);
  isError(t, suspended, 'ACCOUNT_SUSPENDED');
  isReadableBy(t, suspended, SHOP);
});

t.test('any page may use and read what needs no key, and nothing outside of /v1', async (t) => {
  const answer = await convert(service, undefined, hello, from('https://any.example'));
  isDelivered(t, answer);
  isReadableBy(t, answer, '*');
  for (const path of ['/v1', '/v1/health', '/v1/openapi.json']) {
    t.equal((await send(service, path, { method: 'GET', ...from('null') })).headers.get(ALLOWED), '*', path);
  }
  for (const path of [
    '/health',
    '/console',
    '/dashboard',
    '/metrics',
    '/operator/v1/accounts',
    '/nowhere',
    '/v12',
  ]) {
    const { headers } = await fetch(service.url + path, from('https://any.example'));
    t.equal(headers.get(ALLOWED), null, path);
  }
});

t.test('a preflight request says what pages may send, and costs no Redis call', async (t) => {
  const preflight = (path: string) =>
    fetch(service.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://stranger.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
  const token = bearer(await operatorToken(service));
  /** How often requests have waited for Redis. */
  const waits = async () => {
    const { body } = await send(service, '/metrics', { method: 'GET', headers: token });
    return Number(/^platen_redis_wait_duration_seconds_count (\d+)$/m.exec(body.toString())?.[1]);
  };
  const first = await waits();
  const second = await waits();
  for (const path of [
    '/v1/convert',
    '/v1/public/convert',
    '/v1/conversions/req_1',
    '/v1/jobs',
    '/v1/nowhere',
  ]) {
    const { status, headers } = await preflight(path);
    t.equal(status, 204, path);
    t.match(Object.fromEntries(headers), {
      [ALLOWED]: '*',
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': SENT_HEADERS.join(', '),
      'access-control-max-age': '7200',
      vary: 'Origin',
      'x-request-id': /^req_/,
    });
  }
  t.equal((await waits()) - second, second - first, 'no more than the metrics themselves');
  await send(service, '/v1/usage', { method: 'GET', key });
  t.ok((await waits()) - second > 2 * (second - first), 'which would be seen');
  for (const path of ['/operator/v1/accounts', '/console', '/health']) {
    t.not((await preflight(path)).status, 204, `${path} is for no other page`);
  }
  const plain = await send(service, '/v1/convert', { method: 'OPTIONS', ...from(SHOP) });
  isError(t, plain, 'METHOD_NOT_ALLOWED', 405, 'an OPTIONS that is no preflight request');
});

t.test('a page may send and read every header of the OpenAPI document, and use every method', async (t) => {
  interface Operation {
    readonly parameters?: readonly { readonly in: string; readonly name: string }[];
    readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
  }
  const { paths } = readOpenApi('openapi.json') as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const sent = operations.flatMap(({ parameters = [] }) =>
    parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name),
  );
  const read = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  const beside = ['Authorization', 'Content-Type', 'If-None-Match', 'traceparent', 'tracestate'];
  t.strictSame(new Set([...sent, ...beside]), new Set<string>(SENT_HEADERS));
  t.strictSame(
    new Set(read.filter((name) => !SAFE_TO_READ.includes(name))),
    new Set<string>(EXPOSED_HEADERS),
  );
  const methods = new Set(Object.values(paths).flatMap(Object.keys));
  t.strictSame(methods, new Set(['get', 'post', 'patch', 'delete']));
});

t.test('a change of the origins holds from the next request on', async (t) => {
  const { keys } = service.services;
  await keys.changeKey(id, { origins: ['https://new.example'] });
  isError(t, await convert(service, key, hello, from(SHOP)), 'ORIGIN_NOT_ALLOWED');
  isReadableBy(t, await convert(service, key, hello, from('https://new.example')), 'https://new.example');
});
