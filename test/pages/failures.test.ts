/** Messages of the try-it page about errors. */
import t from 'tap';
import { catalogue, type ErrorCode } from '../../src/errors.ts';
import { simulatedFileErrors } from '../../src/jobs/job.ts';
import {
  explain,
  explainJob,
  isTemporary,
  type JobLimits,
  type Limits,
  misfit,
  tooLarge,
} from '../../src/pages/try-it/failures.ts';
import { readOpenApi } from '../support/openapi-document.ts';

const limits: Limits = { maxFileBytes: 1_048_576, maxFile: '1 MB', perHour: 7, perSecond: 3 };
const jobLimits: JobLimits = {
  ...{ maxFileBytes: 1_048_576, maxFile: '1 MB', maxFiles: 3 },
  ...{ maxBytes: 2_097_152, maxTotal: '2 MB' },
};
/** Words for programmers. */
const JARGON = /multipart|retryAfter|header|field|endpoint|status|GET|POST|[A-Z]+_[A-Z]+/;

/** The codes that the OpenAPI document has for the operations of a path and below it. */
function publishedCodes(path: string): Set<string> {
  const { paths } = readOpenApi('openapi.json') as { paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([each, methods]) =>
    each === path || each.startsWith(`${path}/`) ? (Object.values(methods) as { responses: object }[]) : [],
  );
  const words = JSON.stringify(operations.map(({ responses }) => responses)).match(/[A-Z]+(_[A-Z]+)*/g) ?? [];
  return new Set(words.filter((word) => Object.hasOwn(catalogue, word)));
}

t.test('every code of the public endpoint is a sentence that a person understands', async (t) => {
  const codes = publishedCodes('/v1/public/convert');
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

t.test('and every code of jobs and their files', async (t) => {
  const codes = new Set([...publishedCodes('/v1/jobs'), ...simulatedFileErrors]);
  t.ok(codes.size >= 20, `the document has ${codes.size}`);
  for (const code of codes) {
    const { status, message } = catalogue[code as ErrorCode];
    const { title, text } = explainJob({ code, status, message }, jobLimits);
    t.not(title, explainJob({ code: 'NEW_CODE', status, message }, jobLimits).title, `${code} is known`);
    t.match(text, /^[A-Z].+\.$/, `${code}: whole sentences`);
    if (code !== 'CONVERSION_FAILED') t.notMatch(`${title} ${text}`, JARGON, `${code}: plain words`);
  }
});

t.test('what is wrong with a job is told before it is sent', async (t) => {
  const file = (name: string, size: number) => ({ name, size });
  const half = 524_288;
  t.equal(misfit([file('a', 2 * half), file('b', 2 * half)], jobLimits), undefined);
  for (const [files, text] of [
    [Array(4).fill(file('a', 1)), 'These are 4. Choose up to 3 documents.'],
    [[file('a', 1), file('b', 2 * half + 1)], /^b has 1\.1 MB\. A document may have up to 1 MB, all/],
    [Array(3).fill(file('a', 2 * half)), /^Together they have 3\.0 MB\. .* together 2 MB\.$/],
  ] as const) {
    t.match(misfit(files, jobLimits), { text, canRetry: false });
  }
});

t.test('a plan that allows fewer files', async (t) => {
  const message = 'The form has too many parts. Your plan allows 2 files a job, with up to 10 attachments.';
  t.match(explainJob({ code: 'INVALID_REQUEST', status: 400, message }, jobLimits), {
    title: 'The plan allows fewer at once',
    text: 'Choose up to 2 documents.',
  });
});

t.test('errors that pass with time', async (t) => {
  for (const status of [408, 429, 500, 503]) t.ok(isTemporary({ code: 'NEW_CODE', status }));
  t.ok(isTemporary({ code: 'UNREACHABLE' }));
  for (const status of [400, 401, 403, 404]) t.notOk(isTemporary({ code: 'NEW_CODE', status }));
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
