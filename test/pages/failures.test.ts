/** What the page to try the service tells people of errors. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { catalogue, type ErrorCode } from '../../src/errors.ts';
import { explain, type Limits, tooLarge } from '../../src/pages/try-it/failures.ts';

const limits: Limits = { maxFileBytes: 1_048_576, maxFile: '1 MB', perHour: 7, perSecond: 3 };
/** Words for programmers. */
const JARGON = /multipart|retryAfter|header|field|endpoint|status|GET|POST|[A-Z]+_[A-Z]+/;

/** The codes that the OpenAPI document has for the public endpoint. */
function publishedCodes(): Set<string> {
  const file = new URL('../../openapi/openapi.json', import.meta.url);
  const operation = JSON.parse(readFileSync(file, 'utf8')).paths['/v1/public/convert'].post;
  const words = JSON.stringify(operation.responses).match(/[A-Z]+(_[A-Z]+)*/g) ?? [];
  return new Set(words.filter((word) => Object.hasOwn(catalogue, word)));
}

t.test('every code of the public endpoint is a sentence that a person understands', async (t) => {
  const codes = publishedCodes();
  t.ok(codes.size >= 12, `the document has ${codes.size}`);
  for (const code of codes) {
    const { status, message } = catalogue[code as ErrorCode];
    const retryAfter = [429, 503].includes(status) ? { retryAfter: 3 } : {};
    const { title, text, canRetry } = explain({ code, status, message, ...retryAfter }, limits);
    const unknown = explain({ code: 'NEW_CODE', status, message }, limits);
    t.not(title, unknown.title, `${code} is known`);
    t.match(text, /^[A-Z].+\.$/, `${code}: whole sentences`);
    if (code !== 'CONVERSION_FAILED') t.notMatch(`${title} ${text}`, JARGON, `${code}: plain words`);
    if (retryAfter.retryAfter) t.match(text, 'Try again in 3 seconds.', `${code}: when`);
    t.equal(
      canRetry,
      status >= 429 && code !== 'CONVERSION_FAILED' ? true : code === 'INVALID_REQUEST',
      code,
    );
  }
});

t.test('what the service says of a document is what people read', async (t) => {
  for (const code of ['INVALID_FILE_TYPE', 'CORRUPTED_FILE', 'CONVERSION_FAILED']) {
    t.equal(explain({ code, status: 400, message: 'This is a PDF.' }, limits).text, 'This is a PDF.');
  }
});

t.test('limits are those of the server', async (t) => {
  t.match(explain({ code: 'RATE_LIMIT_EXCEEDED', status: 429, retryAfter: 3_000 }, limits), {
    text: 'Without an API key, an address may send 7 documents an hour and 3 a second. Try again in 50 minutes.',
    canRetry: true,
  });
  t.match(
    tooLarge({ size: 3_250_000 }, limits).text,
    /^It has 3\.1 MB\. This page takes documents up to 1 MB\./,
  );
});

t.test('an answer that is not of the service, or of a newer one, is told by its status', async (t) => {
  const of = (status: number, code = 'UNKNOWN') => explain({ code, status }, limits);
  t.match(of(502), { text: /status 502/, canRetry: true });
  t.match(of(429), { canRetry: true });
  t.match(of(403), { text: /status 403/, canRetry: false });
  t.equal(
    of(413).title,
    explain({ code: 'FILE_TOO_LARGE' }, limits).title,
    'a proxy with a limit of its own',
  );
  t.match(explain({ code: 'toString', status: 500, message: 'Oh.' }, limits), { text: /^Oh\. Try again/ });
  t.match(explain({ code: 'UNREACHABLE' }, limits), { text: /Try again in a moment\.$/, canRetry: true });
});
