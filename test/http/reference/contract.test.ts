/** The check of every answer in these tests: only documented answers pass it. */
import t from 'tap';
import { assertDocumented, type DocumentedAnswer } from '../../e2e/support/contract.ts';
import { readOpenApi } from '../../support/openapi-document.ts';

interface Response {
  readonly headers: Readonly<Record<string, { required?: boolean; schema: { example: unknown } }>>;
  readonly content?: Readonly<
    Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
  >;
}

const { paths } = readOpenApi('openapi.json') as {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
};

/** An answer with all documented headers and the first example of a response. */
function exampleOf(path: string, method: string, status: number): DocumentedAnswer {
  const response = paths[path]?.[method]?.responses[status];
  if (!response) throw new Error(`${method} ${path} has no ${status}`);
  const listed = Object.entries(response.headers).map(([name, { schema }]) => [name, String(schema.example)]);
  const headers = new Headers({ 'cache-control': 'no-store', ...Object.fromEntries(listed) });
  if (!response.content) return { status, headers, body: Buffer.alloc(0) };
  const [[type = '', media] = []] = Object.entries(response.content);
  headers.set('content-type', type);
  const [first] = Object.values(media?.examples ?? {});
  const value = media?.example ?? first?.value;
  const file = type === 'application/zip' ? 'PK' : '%PDF-1.7';
  const body = value === undefined ? file : JSON.stringify(value);
  return { status, headers, body: Buffer.from(body) };
}

/** The answer with some headers set, or removed. */
function withHeaders(
  answer: DocumentedAnswer,
  changes: Readonly<Record<string, string | undefined>>,
): DocumentedAnswer {
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  return { ...answer, headers };
}

function withField(answer: DocumentedAnswer, changes: Readonly<Record<string, unknown>>): DocumentedAnswer {
  const body = { ...JSON.parse(answer.body.toString('utf8')), ...changes };
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

t.test('every example of the document passes', (t) => {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(item)) {
      for (const status of Object.keys(responses).map(Number)) {
        const answer = exampleOf(path, method, status);
        t.doesNotThrow(() => assertDocumented(answer, method.toUpperCase(), path), `${path} ${status}`);
        t.doesNotThrow(() => assertDocumented(answer), `${path} ${status}, of whatever was asked`);
      }
    }
  }
  t.end();
});

t.test('an alias answers as its operation does, and a HEAD has no body', (t) => {
  const { status, headers } = exampleOf('/v1/health', 'get', 200);
  assertDocumented(exampleOf('/v1/health', 'get', 503), 'GET', '/health?a');
  assertDocumented({ status, headers, body: Buffer.alloc(0) }, 'HEAD', '/v1/health');
  t.end();
});

t.test('an unknown path or method has the answers for that, and no others', (t) => {
  assertDocumented(exampleOf('/v1', 'get', 404), 'GET', '/nothing');
  assertDocumented(exampleOf('/v1/convert', 'post', 405), 'PUT', '/v1/convert');
  for (const target of ['/nothing', '/v1/convert']) {
    t.throws(() => assertDocumented(exampleOf('/v1', 'get', 200), 'GET', target), /does not document GET/);
  }
  t.end();
});

t.test('undocumented answers do not pass', (t) => {
  const pdf = exampleOf('/v1/convert', 'post', 200);
  const full = exampleOf('/v1/convert', 'post', 429);
  const usage = exampleOf('/v1/usage', 'get', 200);
  const { days } = JSON.parse(usage.body.toString('utf8'));
  const refused = exampleOf('/v1/convert', 'post', 403);
  const undocumented: readonly (readonly [name: string, answer: DocumentedAnswer, problem: RegExp])[] = [
    ['a status', { ...full, status: 418 }, /status 418/],
    ['a code of another status', withField(full, { code: 'MISSING_FILE' }), /code/],
    ['a field more', withField(full, { hint: 'none' }), /unevaluated/],
    ['a field less', withField(full, { message: undefined }), /message/],
    ['a 429 without retryAfter', withField(full, { retryAfter: undefined }), /retryAfter/],
    ['a field of another type', withField(full, { retryAfter: '7' }), /retryAfter/],
    ['a time that is none', withField(full, { timestamp: 'yesterday' }), /timestamp/],
    ['no request id', withHeaders(full, { 'x-request-id': undefined }), /no header x-request-id/],
    ['no Retry-After', withHeaders(full, { 'retry-after': undefined }), /no header retry-after/],
    ['Retry-After as a date', withHeaders(full, { 'retry-after': 'tomorrow' }), /header retry-after/],
    ['a header of another status', withHeaders(refused, { 'retry-after': '1' }), /header retry-after/],
    ['one that caches may keep', withHeaders(full, { 'cache-control': 'private' }), /cache-control private/],
    ['HTML', withHeaders(full, { 'content-type': 'text/html' }), /content type text\/html/],
    ['a PDF that is none', { ...pdf, body: Buffer.from('PK') }, /no PDF/],
    ['a PDF without its pages', withHeaders(pdf, { 'x-conversion-pages': undefined }), /x-conversion-pages/],
  ];
  for (const [name, answer, problem] of undocumented) {
    t.throws(() => assertDocumented(answer, 'POST', '/v1/convert'), problem, name);
  }
  const deeper = withField(usage, { days: [{ ...days[0], month: '2026-11' }] });
  t.throws(() => assertDocumented(deeper, 'GET', '/v1/usage'), /days\/0/, 'a field more inside');
  t.throws(() => assertDocumented(pdf, 'GET', '/v1'), /status|content type|header/, 'of another operation');
  t.throws(() => assertDocumented({ ...full, status: 418 }), /a request/, 'of no operation');
  t.end();
});
