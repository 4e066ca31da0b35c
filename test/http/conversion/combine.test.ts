/** POST /v1/combine in front of a stub engine: what is refused, with which words, what is billed, and what is left. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { type Answer, multipart, type Part, send } from '../../e2e/support/requests.ts';
import { docx, docxOfSize } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MB = 1_048_576;
const service = await Service.start(t, { env: { MAX_FILE_MB: '1', WORKERS: '2' } });
const { key } = await service.createKey();
await service.createAccount('free', 'free');
const { key: free } = await service.createKey({ account: 'free' });

const hello = docx();

function part(name: string, data: Buffer | string, fileName?: string): Part {
  const suffix = fileName === undefined ? '' : `; filename="${fileName}"`;
  return { headers: [`Content-Disposition: form-data; name="${name}"${suffix}`], data };
}

const files = (...contents: readonly (Buffer | string)[]) =>
  contents.map((content, index) => part('file', content, `${index + 1}.docx`));

const combine = (parts: readonly Part[], query = '', options: Parameters<typeof send>[2] = {}) => {
  const form = multipart(parts);
  const headers = { ...form.headers, ...options.headers };
  return send(service, `/v1/combine?${query}`, { key, ...options, ...form, headers });
};

async function usageOf(own = key) {
  const answer = await send(service, '/v1/usage', { method: 'GET', key: own });
  const { conversions } = JSON.parse(answer.body.toString()) as { conversions: { used: number } };
  return conversions.used;
}

async function plansFile(t: Test): Promise<string> {
  const path = join(t.testdir(), 'plans.json');
  const small = { perHour: null, perDay: null, perSecond: null, perMonth: 3, maxFilesPerJob: 4 };
  await writeFile(
    path,
    JSON.stringify({ small: { ...small, features: [] }, enterprise: { ...small, features: [] } }),
  );
  return path;
}

/** Asserts a refusal that names no file. */
function isRefused(t: Test, answer: Answer, code: string, message: RegExp) {
  t.match(isError(t, answer, code).message, message);
}

t.test('what is refused before a document is read', async (t) => {
  for (const [query, parts, code, message] of [
    ['format=png', files(hello), 'INVALID_PARAMETER', /A picture is of one document. Leave format out/],
    ['page=1', files(hello), 'INVALID_PARAMETER', /Leave page out/],
    ['wdth=1', files(hello), 'INVALID_PARAMETER', /wdth/],
    ['pageNumbers=continuous&pages=1', files(hello), 'INVALID_PARAMETER', /Leave pageNumbers or pages out/],
    ['userPassword=a', files(hello), 'INVALID_PARAMETER', /userPassword is not a parameter/],
    ['', [], 'MISSING_FILE', /has no file/],
    ['', [part('file', 'text')], 'MISSING_FILE', /"file" is text/],
    ['', [...files(hello), part('document', hello, 'a.docx')], 'MISSING_FILE', /not under the name "file"/],
    ['', files(...Array.from({ length: 51 }, () => 'a')), 'INVALID_REQUEST', /Your plan allows 50 files/],
    ['', [...files(hello), part('format', 'png')], 'INVALID_PARAMETER', /combine\?format=png|asks for png/],
    [
      '',
      [...files(hello), part('titel', 'a')],
      'INVALID_PARAMETER',
      /there are: file, password, userPassword/,
    ],
    ['', [...files(hello), part('title', 'a')], 'INVALID_PARAMETER', /query: \/v1\/combine\?title/],
    ['pdfa=2b', [...files(hello), part('userPassword', 'a')], 'INVALID_PARAMETER', /must not be encrypted/],
  ] as const) {
    isRefused(t, await combine(parts, query), code, message);
  }
  t.equal(await usageOf(), 0);
  t.strictSame(await service.jobs(), [], 'nothing is left');
});

t.test('sizes', async (t) => {
  const large = await combine(files(hello, docxOfSize(MB + 1)));
  const { message, ...rest } = JSON.parse(large.body.toString()) as Record<string, unknown>;
  t.match(rest, { code: 'FILE_TOO_LARGE', file: 1, fileName: '2.docx' });
  t.equal(message, 'files[1]: The file is larger than 1 MB, the most that this endpoint accepts.');
  const mega = docxOfSize(MB);
  const together = await combine(files(mega, mega, mega, mega, hello));
  isRefused(t, together, 'FILE_TOO_LARGE', /^The files of the form are together larger than 4 MB/);
});

t.test('a document that cannot be converted', async (t) => {
  const { documents } = service.engine.status();
  const broken = await combine(files(hello, hello, hello, hello.subarray(0, hello.length - 100)), '', {
    headers: { 'idempotency-key': 'broken' },
  });
  const { message, requestId, timestamp: _, ...rest } = JSON.parse(broken.body.toString());
  t.strictSame(rest, { code: 'CORRUPTED_FILE', error: 'Bad Request', file: 3, fileName: '4.docx' });
  t.match(message, /^files\[3\]: /);
  t.equal(broken.headers.get('x-request-id'), requestId);
  const reported = await send(service, `/v1/conversions/${requestId}`, { method: 'GET', key });
  t.match(JSON.parse(reported.body.toString()), { code: 'CORRUPTED_FILE', file: 3 });
  const none = await combine([part('file', hello, 'a.docx'), part('file', 'text', '')]);
  const { file, ...others } = JSON.parse(none.body.toString());
  t.equal(file, 1);
  t.equal(others.code, 'INVALID_FILE_TYPE');
  t.notOk('fileName' in others, 'it has no name');
  const again = await combine(files(hello, hello.subarray(0, hello.length - 100)), '', {
    headers: { 'idempotency-key': 'broken' },
  });
  t.match(JSON.parse(again.body.toString()), { code: 'CORRUPTED_FILE', file: 1 }, 'its key is free');
  t.equal(service.engine.status().documents, documents, 'nothing was converted in vain');
  t.equal(await usageOf(), 0, 'nothing is billed');
  t.strictSame(await service.jobs(), [], 'nothing is left');
  const lines = JSON.stringify(service.log);
  t.notMatch(lines, /\d\.docx/, 'the log has no names');
});

t.test('a failure of the engine', async (t) => {
  service.engine.failure = new Error('broken');
  isRefused(t, await combine(files(hello, hello)), 'INTERNAL_ERROR', /./);
  service.engine.failure = undefined;
  t.strictSame(await service.jobs(), [], 'nothing is left');
});

t.test('features and quotas of the plan', async (t) => {
  for (const [query, parts] of [
    ['pdfa=2b', files(hello)],
    ['', [...files(hello), part('ownerPassword', 'a')]],
    ['', [...files(hello), part('attachment', 'a', 'a.txt')]],
  ] as const) {
    isRefused(
      t,
      await combine(parts, query, { key: free }),
      'FEATURE_NOT_IN_PLAN',
      /is not in your plan "free"/,
    );
  }
  const small = await Service.start(t, { env: { PLANS_FILE: await plansFile(t) } });
  const { key: own } = await small.createKey({ account: (await small.createAccount('small', 'small')).id });
  const ask = (count: number) => {
    const form = multipart(files(...Array.from({ length: count }, () => hello)));
    return send(small, '/v1/combine', { key: own, ...form });
  };
  isRefused(
    t,
    await ask(4),
    'QUOTA_EXCEEDED',
    /The form has 4 documents, but the quota of 3 a month has 3 conversions left/,
  );
  isRefused(t, await ask(5), 'INVALID_REQUEST', /Your plan allows 4 files/);
});

t.test('a client that leaves', async (t) => {
  service.engine.hold();
  const controller = new AbortController();
  const leaving = combine(files(hello, hello, hello, hello), '', { signal: controller.signal });
  await until('two documents run', () => service.engine.status().children.running === 2);
  t.equal((await service.jobs()).length, 1, 'one folder');
  t.equal(service.services.queue.arriving, 0, 'its place is free for another upload');
  controller.abort();
  await t.rejects(leaving);
  await until('nothing runs', () => service.engine.status().children.running === 0);
  await until('nothing is left', async () => (await service.jobs()).length === 0);
  service.engine.hold()();
  t.equal(await usageOf(), 0, 'nothing is billed');
});

t.test('the time of all documents together', async (t) => {
  const slow = await Service.start(t, {
    env: { WORKERS: '1', QUEUE_TIMEOUT_MS: '1000', CONVERT_TIMEOUT_MS: '8000' },
  });
  const { key: own } = await slow.createKey();
  const ask = (count: number) => {
    const form = multipart(files(...Array.from({ length: count }, () => hello)));
    return send(slow, '/v1/combine', { key: own, ...form });
  };
  /** From now on each conversion takes so long. */
  const convert = slow.engine.convert.bind(slow.engine);
  const take = (ms: number) => {
    slow.engine.convert = async (...args) => {
      await delay(ms, undefined, { signal: args[1] });
      return convert(...args);
    };
  };
  take(1_500);
  const two = await ask(2);
  t.equal(two.status, 200, 'the second waits for the first, not for a worker of its own');
  // The first one takes more than half of the time of all.
  take(5_500);
  const many = await ask(2);
  const body = JSON.parse(many.body.toString());
  t.match(body, {
    code: 'CONVERSION_FAILED',
    message: /longer than the 10 seconds that they may take together/,
  });
  t.notOk('file' in body, 'it is no fault of one');
  t.strictSame(await slow.jobs(), [], 'nothing is left');
  t.match(await slow.logged('request', ({ reqId }) => reqId === body.requestId), {
    reason: 'time',
    conversion: { documents: 2 },
  });
  take(0);
  const again = await ask(1);
  t.equal(again.status, 200, 'the document is not held against its sender');
});

t.test('what a PDF of several documents says', async (t) => {
  const answer = await combine([...files(hello, hello), part('attachment', 'a', 'a.txt')], 'title=A%2FB');
  t.equal(answer.status, 200, answer.status === 200 ? '' : answer.body.toString());
  t.equal(answer.headers.get('x-conversion-pages'), '2');
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="B.pdf"');
  t.equal(await usageOf(), 2);
});

t.test('errors that a test key asks for', async (t) => {
  const { key: tester } = await service.createKey({ environment: 'test' });
  const simulate = (value: string, own = tester) =>
    combine(files(hello, hello), '', { key: own, headers: { 'platen-simulate': value } });
  const whole = await simulate('CONVERSION_FAILED');
  t.notOk('file' in isError(t, whole, 'CONVERSION_FAILED'));
  const broken = await combine(files(hello, hello.subarray(0, 400)), '', { key: tester });
  for (const value of ['2=CORRUPTED_FILE', '3=INVALID_FILE_TYPE, 2=CORRUPTED_FILE']) {
    const answer = await simulate(value);
    const { requestId, timestamp, ...body } = JSON.parse(answer.body.toString());
    const { requestId: _, timestamp: __, ...real } = JSON.parse(broken.body.toString());
    t.strictSame([answer.status, body], [broken.status, real], 'the same as the real one');
    t.match(body, { file: 1, fileName: '2.docx', message: /^files\[1\]: / });
    t.match(await service.logged('request', ({ reqId }) => reqId === requestId), { code: 'simulated' });
  }
  t.notOk('file' in isError(t, await simulate('1=INTERNAL_ERROR'), 'INTERNAL_ERROR'), 'nor has the real one');
  t.equal((await simulate('3=CORRUPTED_FILE')).status, 200, 'there is no third');
  for (const value of ['2=', '0=CORRUPTED_FILE', '2=QUOTA_EXCEEDED', '2=slow', 'none']) {
    isRefused(t, await simulate(value), 'INVALID_PARAMETER', /Platen-Simulate/);
  }
  const twice = await simulate('2=CORRUPTED_FILE, 1=CORRUPTED_FILE, 2=INVALID_FILE_TYPE');
  isRefused(t, twice, 'INVALID_PARAMETER', /names file 2 twice/);
  for (const value of ['CONVERSION_FAILED', '2=CORRUPTED_FILE']) {
    isRefused(t, await simulate(value, key), 'INVALID_PARAMETER', /test key/);
  }
  t.strictSame(await service.jobs(), [], 'nothing is left');
});
