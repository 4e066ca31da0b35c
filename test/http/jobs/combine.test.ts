/** Jobs with `combine`: what clients send and get; the engine is a stub. */
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { bearer, send } from '../../e2e/support/requests.ts';
import { docx, docxOfSize } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ask, ended, filePart, post, readBody } from './support.ts';

const MB = 1_048_576;
const service = await Service.start(t, { env: { MAX_FILE_MB: '1' } });
const { key } = await service.createKey();
const query = '?combine=true';
const parts = [filePart(docx(), 'one.docx'), filePart(docx(), 'two.docx')];

async function usageOf(own: string): Promise<number> {
  const { body } = await send(service, '/v1/usage', { method: 'GET', key: own });
  return JSON.parse(body.toString()).conversions.used;
}

t.test('one PDF of all files', async (t) => {
  const taken = await post(service, key, parts, { query: `${query}&title=Secret` });
  t.equal(taken.status, 202, taken.body.toString());
  const job = readBody<{ id: string; options: object; pdf: unknown }>(taken);
  t.strictSame(job.options, { title: 'given', combine: 'true' });
  t.notOk('pdf' in job);
  const events = await fetch(`${service.url}/v1/jobs/${job.id}/events`, { headers: bearer(key) });
  t.match(await events.text(), /"succeeded":2/);
  const done = await ended(service, key, job.id);
  t.match(done, { state: 'completed', counts: { succeeded: 2 }, pdf: { pages: 2, warnings: [] } });
  t.match(done.files, [
    { name: 'one.docx', state: 'succeeded', pdf: null, error: null },
    { name: 'two.docx', state: 'succeeded', pdf: null, error: null },
  ]);
  const pdf = await ask(service, key, `/${job.id}/files/0`);
  t.equal(pdf.status, 200);
  t.equal(pdf.headers.get('content-disposition'), 'attachment; filename="combined.pdf"');
  t.equal(pdf.headers.get('x-conversion-pages'), '2');
  t.equal(pdf.body.length, done.pdf?.bytes);
  const own = isError(t, await ask(service, key, `/${job.id}/files/1`), 'NOT_FOUND');
  t.match(own.message, /one PDF of all its files: ask for file 0/);
  const archive = (await ask(service, key, `/${job.id}/archive`)).body.toString('latin1');
  t.ok(archive.includes('0-combined.pdf'));
  t.equal(await usageOf(key), 2);
});

t.test('before it is there, and once it was cancelled', async (t) => {
  const release = service.engine.hold();
  const { id } = readBody(await post(service, key, parts, { query }));
  isError(t, await ask(service, key, `/${id}/files/0`), 'REQUEST_IN_PROGRESS');
  t.match(readBody(await ask(service, key, `/${id}/cancel`, 'POST')), { counts: { canceled: 2 } });
  isError(t, await ask(service, key, `/${id}/files/0`), 'NOT_FOUND');
  release();
  await until('its workers are free', async () => service.services.queue.running === 0);
});

t.test('a file that fails is named by the error of all', async (t) => {
  const before = await usageOf(key);
  const broken = [...parts, filePart(Buffer.from('no document'), 'three.docx')];
  const { id } = readBody(await post(service, key, broken, { query }));
  const { files, pdf } = await ended(service, key, id);
  t.equal(pdf, undefined);
  const error = { code: 'INVALID_FILE_TYPE', file: 2, message: /^files\[2\]: / };
  t.match(files, [{ error }, { error }, { error }]);
  isError(t, await ask(service, key, `/${id}/files/0`), 'NOT_FOUND');
  t.equal(await usageOf(key), before);
});

t.test('a warning of one file that is refused', async (t) => {
  const { id } = readBody(
    await post(service, key, parts, { query: `${query}&pages=1-2&failOn=PAGES_CLAMPED` }),
  );
  const { files } = await ended(service, key, id);
  t.match(files[1]?.error, { code: 'CONVERSION_FAILED', warnings: [{ code: 'PAGES_CLAMPED' }] });
});

t.test('errors that a test key asks for', async (t) => {
  const { key: own } = await service.createKey({ environment: 'test' });
  const headers = { 'platen-simulate': '2=CORRUPTED_FILE' };
  const { id } = readBody(await post(service, own, parts, { query, headers }));
  const { files } = await ended(service, own, id);
  const error = { code: 'CORRUPTED_FILE', file: 1, message: /^files\[1\]: / };
  t.match(files, [{ error }, { error }]);
});

t.test('an idempotency key is for one kind of job', async (t) => {
  const headers = { 'idempotency-key': 'one-pdf' };
  const first = readBody(await post(service, key, parts, { query, headers }));
  await ended(service, key, first.id);
  const again = await post(service, key, parts, { query, headers });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.equal(readBody(again).id, first.id);
  isError(t, await post(service, key, parts, { headers }), 'IDEMPOTENCY_KEY_REUSED');
  isError(t, await post(service, key, parts.toReversed(), { query, headers }), 'IDEMPOTENCY_KEY_REUSED');
});

t.test('what is refused', async (t) => {
  for (const [asked, sent, code, message] of [
    ['&format=png', parts, 'INVALID_PARAMETER', /A picture is of one document/],
    ['&width=100', parts, 'INVALID_PARAMETER', /Leave width out, or leave combine out/],
    ['&pageNumbers=continuous&pages=1', parts, 'INVALID_PARAMETER', /Leave pageNumbers or pages out/],
    ['&combine=maybe', parts, 'INVALID_PARAMETER', /combine/],
    ['', Array.from({ length: 5 }, () => filePart(docxOfSize(MB))), 'FILE_TOO_LARGE', /than 4 MB/],
  ] as const) {
    t.match(isError(t, await post(service, key, sent, { query: query + asked }), code).message, message);
  }
  const alone = await post(service, key, parts, { query: '?pageNumbers=continuous' });
  t.match(isError(t, alone, 'INVALID_PARAMETER').message, /pageNumbers needs combine=true/);
  const large = Array.from({ length: 5 }, () => filePart(docxOfSize(MB)));
  const separate = await post(service, key, large);
  t.equal(separate.status, 202, 'files that stay apart may have more together');
  const plain = readBody(separate).id;
  isError(t, await ask(service, key, `/${plain}/files/0`), 'NOT_FOUND');
  await ended(service, key, plain);
});

t.test('page numbers that run on', async (t) => {
  const { documents } = service.engine.status();
  const { id } = readBody(await post(service, key, parts, { query: `${query}&pageNumbers=continuous` }));
  const { pdf, options } = await ended(service, key, id);
  t.match(pdf, { pages: 2 });
  t.strictSame(options, { combine: 'true', pageNumbers: 'continuous' });
  t.equal(service.engine.status().documents - documents, 4, 'each is laid out again');
});

t.test('by address', async (t) => {
  await service.services.pulse.beat(new Map());
  const asJson = (body: object) =>
    send(service, '/v1/jobs', {
      key,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const files = [{ url: 'https://example.com/a.docx' }, { url: 'https://example.com/b.docx' }];
  const taken = await asJson({ files, options: { combine: true, pdfa: '2b' } });
  t.equal(taken.status, 202, taken.body.toString());
  t.match(readBody(taken), { options: { combine: 'true', pdfa: '2b' }, counts: { queued: 2 } });
  isError(t, await asJson({ files, options: { combine: true, format: 'png' } }), 'INVALID_PARAMETER');
});
