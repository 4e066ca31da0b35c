/** What clients send, ask and get of jobs; the engine is a stub. */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { objectNames } from '../../../src/jobs/job-objects.ts';
import { setIsolation } from '../../../src/operations/accounts.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { bearer, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { until } from '../../support/until.ts';
import { ask, ended, field, filePart, type JobBody, post, readBody } from './support.ts';

const engine = new StubEngine();
const service = await Service.start(t, { engine, env: { MAX_FILE_MB: '1' } });
const { key, account } = await service.createKey();
const report = filePart();

t.test('documents in, PDFs out', async (t) => {
  const metadata = { order: '4711' };
  const parts = [
    report,
    filePart(Buffer.from('no document'), 'Übersicht.docx'),
    field('metadata', JSON.stringify(metadata)),
  ];
  const taken = await post(service, key, parts, { query: '?title=Secret&bookmarks=false' });
  t.equal(taken.status, 202);
  const job = readBody(taken);
  t.equal(taken.headers.get('location'), `/v1/jobs/${job.id}`);
  t.equal(taken.headers.get('retry-after'), '2');
  t.match(job, { environment: 'live', metadata, options: { title: 'given', bookmarks: 'false' } });
  t.match(job.files, [
    { number: 1, name: 'report.docx' },
    { number: 2, name: 'Übersicht.docx' },
  ]);
  const { state, files, counts } = await ended(service, key, job.id);
  t.equal(state, 'completed');
  t.match(counts, { succeeded: 1, failed: 1 });
  t.equal(engine.lastJob?.isPatient, true, 'it leaves the processors to others');
  t.match(files, [
    { state: 'succeeded', pdf: { libreOffice: '25.2' }, error: null },
    { state: 'failed', pdf: null, error: { code: 'INVALID_FILE_TYPE' } },
  ]);

  const pdf = await ask(service, key, `/${job.id}/files/1`);
  t.equal(pdf.status, 200);
  t.equal(pdf.headers.get('content-type'), 'application/pdf');
  t.equal(pdf.headers.get('content-disposition'), 'attachment; filename="report.pdf"');
  t.equal(pdf.headers.get('x-conversion-pages'), '1');
  t.equal(pdf.headers.get('content-length'), String(pdf.body.length));
  t.match(pdf.body.toString('latin1'), /^%PDF-/);
  const digest = createHash('sha256').update(pdf.body);
  t.equal(pdf.headers.get('repr-digest'), `sha-256=:${digest.copy().digest('base64')}:`);
  t.equal(files[0]?.pdf?.sha256, digest.digest('hex'));
  isError(t, await ask(service, key, `/${job.id}/files/2`), 'NOT_FOUND');
  isError(t, await ask(service, key, `/${job.id}/files/3`), 'NOT_FOUND');
  isError(t, await ask(service, key, `/${job.id}/files/0`), 'NOT_FOUND');
  isError(t, await ask(service, key, `/${job.id}/files/1?redirect=maybe`), 'INVALID_PARAMETER');

  const { storage } = service.services.jobs as NonNullable<typeof service.services.jobs>;
  const { open } = storage;
  storage.open = () => Promise.reject(new Error('nothing is to be read'));
  for (const path of [`/${job.id}/files/1`, `/${job.id}/archive`]) {
    const { status, headers, body } = await ask(service, key, path, 'HEAD');
    t.match({ status, bytes: body.length }, { status: 200, bytes: 0 });
    if (path.endsWith('1')) t.equal(headers.get('content-length'), pdf.headers.get('content-length'));
  }
  storage.open = open;

  const archive = await ask(service, key, `/${job.id}/archive`);
  t.equal(archive.status, 200);
  t.equal(archive.headers.get('content-type'), 'application/zip');
  const text = archive.body.toString('latin1');
  t.ok(text.includes('1-report.pdf') && text.includes('manifest.json'));

  const { body } = await send(service, '/v1/usage', { method: 'GET', key });
  t.match(JSON.parse(body.toString()), {
    conversions: { used: 1 },
    days: [{ conversions: 1, failures: { INVALID_FILE_TYPE: 1 } }],
  });
});

t.test('the list', async (t) => {
  const { key } = await service.createKey({ account: (await service.createAccount('lister', 'pro')).id });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift(readBody(await post(service, key, [report])).id);
  for (const id of ids) await ended(service, key, id);
  const listed = async (query: string) =>
    readBody<{ jobs: JobBody[]; next: string | null }>(await ask(service, key, query));
  const all = await listed('');
  t.same(new Set(all.jobs.map(({ id }) => id)), new Set(ids));
  t.equal(all.next, null);
  t.notOk('files' in (all.jobs[0] as object));
  const first = await listed('?limit=2');
  const second = await listed(`?limit=2&after=${first.next}`);
  t.same([...first.jobs, ...second.jobs], all.jobs);
  t.equal((await listed('?state=canceled')).jobs.length, 0);
  t.equal((await listed('?state=completed')).jobs.length, 3);
  isError(t, await ask(service, key, '?state=done'), 'INVALID_PARAMETER');
  isError(t, await ask(service, key, '?limit=1000'), 'INVALID_PARAMETER');
});

t.test('while files run', async (t) => {
  const release = engine.hold();
  const { id } = readBody(await post(service, key, [report, report]));
  isError(t, await ask(service, key, `/${id}/files/1`), 'REQUEST_IN_PROGRESS');
  isError(t, await ask(service, key, `/${id}/archive`), 'REQUEST_IN_PROGRESS');
  const canceled = await ask(service, key, `/${id}/cancel`, 'POST');
  t.equal(canceled.status, 200);
  t.match(readBody(canceled), { state: 'canceled', counts: { canceled: 2 } });
  isError(t, await ask(service, key, `/${id}/files/1`), 'NOT_FOUND');
  t.equal((await ask(service, key, `/${id}/cancel`, 'POST')).status, 200, 'again');
  t.equal((await ask(service, key, `/${id}/archive`)).status, 200, 'of what there is');
  const deleted = await ask(service, key, `/${id}`, 'DELETE');
  t.equal(deleted.status, 204);
  isError(t, await ask(service, key, `/${id}`), 'NOT_FOUND');
  isError(t, await ask(service, key, `/${id}`, 'DELETE'), 'NOT_FOUND');
  release();
  await until('its workers are free', async () => service.services.queue.running === 0);
});

t.test('events', async (t) => {
  const release = engine.hold();
  const { id } = readBody(await post(service, key, [report]));
  const response = await fetch(`${service.url}/v1/jobs/${id}/events`, { headers: bearer(key) });
  t.equal(response.status, 200);
  t.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.equal(response.headers.get('cache-control'), 'no-store');
  release();
  const text = await response.text();
  const states = [...text.matchAll(/^event: job\ndata: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data).state,
  );
  t.equal(states.at(-1), 'completed', 'the stream ends with the job');
  const releaseAll = engine.hold();
  const watched = readBody(await post(service, key, [report])).id;
  const watch = () => fetch(`${service.url}/v1/jobs/${watched}/events`, { headers: bearer(key) });
  const streams = await Promise.all(Array.from({ length: 50 }, watch));
  t.ok(streams.every(({ status }) => status === 200));
  isError(t, await ask(service, key, `/${watched}/events`), 'RATE_LIMIT_EXCEEDED');
  const { key: other } = await service.createKey({
    account: (await service.createAccount('watcher', 'pro')).id,
  });
  const own = readBody(await post(service, other, [report])).id;
  const response2 = await fetch(`${service.url}/v1/jobs/${own}/events`, { headers: bearer(other) });
  t.equal(response2.status, 200, 'others have their share');
  await Promise.all([...streams, response2].map((stream) => stream.body?.cancel()));
  for (const [id, by] of [
    [watched, key],
    [own, other],
  ] as const) {
    await ask(service, by, `/${id}`, 'DELETE');
  }
  releaseAll();
  isError(t, await ask(service, key, `/job_${'0'.repeat(32)}/events`), 'NOT_FOUND');
});

t.test('an idempotency key', async (t) => {
  const headers = { 'idempotency-key': 'one' };
  const [first, second] = await Promise.all([1, 2].map(() => post(service, key, [report], { headers })));
  const ids = [first, second].map((answer) => readBody(answer as NonNullable<typeof answer>).id);
  t.equal(ids[0], ids[1]);
  const replays = [first, second].map((answer) => answer?.headers.get('idempotent-replayed') ?? 'new');
  t.strictSame(replays.toSorted(), ['new', 'true']);
  const other = filePart(docx({ pages: 2 }));
  isError(t, await post(service, key, [other], { headers }), 'IDEMPOTENCY_KEY_REUSED');
  isError(
    t,
    await post(service, key, [report], { headers: { 'idempotency-key': 'a,b' } }),
    'INVALID_PARAMETER',
  );
  await ended(service, key, String(ids[0]));
});

t.test('what is refused', async (t) => {
  const { storage } = service.services.jobs as NonNullable<typeof service.services.jobs>;
  const inputs = async () => {
    const names: string[] = [];
    for await (const name of storage.list('jobs/')) if (name.includes('/in/')) names.push(name);
    return names.sort();
  };
  const before = await inputs();
  isError(t, await send(service, '/v1/jobs', { body: '{}' }), 'MISSING_AUTH');
  isError(
    t,
    await send(service, '/v1/jobs', { key, body: '{}', headers: { 'content-type': 'text/plain' } }),
    'INVALID_REQUEST',
  );
  isError(t, await post(service, key, []), 'MISSING_FILE');
  isError(t, await post(service, key, [field('file', 'text')]), 'MISSING_FILE');
  isError(t, await post(service, key, [filePart(docx(), 'a.docx', 'document')]), 'MISSING_FILE');
  isError(t, await post(service, key, [report, field('metadata', '{"a":1}')]), 'INVALID_PARAMETER');
  isError(t, await post(service, key, [report, field('metadata', 'x')]), 'INVALID_PARAMETER');
  const message = async (...parts: Parameters<typeof post>[2]) =>
    isError(t, await post(service, key, [report, ...parts]), 'INVALID_PARAMETER').message;
  t.match(await message(field('passwort', 'x')), /The nearest is password; .*, metadata, webhook\.$/);
  t.match(await message(field('metadat', '{}')), /The nearest is metadata;/);
  t.match(await message(field('pdfa', '2b')), /\/v1\/jobs\?pdfa=/);
  t.match(await message(filePart(Buffer.from('x'), 'x.txt', 'password')), /^password is a file\./);
  t.match(await message(filePart(Buffer.from('{}'), 'x.json', 'metadata')), /^metadata is a file\./);
  const fields = Array.from({ length: 11 }, (_, n) => field(`field${n}`, 'x'));
  const tooMany = isError(t, await post(service, key, [report, ...fields]), 'INVALID_REQUEST');
  t.notMatch(tooMany.message, /only the file/);
  t.match(
    isError(t, await ask(service, key, '?after=x'), 'INVALID_PARAMETER').message,
    /^after must be the `next` of a page, or left out\.$/,
  );
  for (const name of ['password', 'metadata']) {
    const twice = [report, field(name, '{}'), field(name, '{}')];
    t.match(isError(t, await post(service, key, twice), 'INVALID_PARAMETER').message, /must be given once/);
  }
  const long = 'x'.repeat(8_193);
  const nameless = { headers: ['Content-Disposition: form-data'], data: Buffer.from('x') };
  for (const [part, mistake] of [
    [field('metadata', long), /^A field of the form is too long\.$/],
    [field(long, 'x'), /^A field of the form is too long\.$/],
    [nameless, /^A part of the form has no name\.$/],
  ] as const) {
    t.match(isError(t, await post(service, key, [report, part]), 'INVALID_REQUEST').message, mistake);
  }
  isError(t, await post(service, key, [report], { query: '?pdfa=9' }), 'INVALID_PARAMETER');
  isError(t, await post(service, key, [filePart(Buffer.alloc(1_100_000))]), 'FILE_TOO_LARGE');
  isError(t, await ask(service, key, '/job_x'), 'NOT_FOUND');
  isError(t, await send(service, '/v1/jobs', { key, method: 'PUT' }), 'METHOD_NOT_ALLOWED');
  t.strictSame(await inputs(), before, 'nothing of it is kept');
});

t.test('who may send jobs', async (t) => {
  const { key: converter } = await service.createKey({ permissions: ['convert'] });
  isError(t, await post(service, converter, [report]), 'INSUFFICIENT_PERMISSIONS');
  isError(t, await ask(service, converter, ''), 'INSUFFICIENT_PERMISSIONS');
  await t.rejects(service.createKey({ type: 'pk', permissions: ['jobs'] }));
  const { key: free } = await service.createKey({
    account: (await service.createAccount('free', 'free')).id,
  });
  isError(t, await post(service, free, [report]), 'FEATURE_NOT_IN_PLAN');
  const { id } = readBody(await post(service, key, [report]));
  const { key: other } = await service.createKey({
    account: (await service.createAccount('other', 'pro')).id,
  });
  isError(t, await ask(service, other, `/${id}`), 'NOT_FOUND');
  isError(t, await ask(service, other, `/${id}`, 'DELETE'), 'NOT_FOUND');
  const { key: test } = await service.createKey({ environment: 'test' });
  isError(t, await ask(service, test, `/${id}`), 'NOT_FOUND');
  t.equal((await ended(service, key, id)).state, 'completed');
});

t.test('whose documents share a process', async (t) => {
  const ownerOf = async (query = '', asked = {}) => {
    const { id, options } = readBody(await post(service, key, [report], { query }));
    t.strictSame(options, asked, 'it shows what was asked for');
    t.equal((await ended(service, key, id)).state, 'completed');
    return engine.lastJob?.owner;
  };
  t.type(await ownerOf(), 'string');
  t.equal(await ownerOf('?isolation=document', { isolation: 'document' }), undefined);
  const set = (isolation: 'account' | 'document') =>
    service.perform(setIsolation, { account, body: { isolation } });
  await set('document');
  t.equal(await ownerOf(), undefined, 'the account decides');
  await set('account');
  await service.services.pulse.beat(new Map());
  const { id } = readBody(
    await send(service, '/v1/jobs', {
      key,
      body: JSON.stringify({ files: [{ url: 'https://example.com/a.docx' }] }),
      headers: { 'content-type': 'application/json' },
    }),
  );
  const { storage } = service.services.jobs as NonNullable<typeof service.services.jobs>;
  const { stream } = (await storage.open(objectNames.request(id))) as StoredObject;
  t.match(JSON.parse(await text(stream)), { options: { isolation: 'document' } }, 'fetched ones');
});

t.test('secrets and attachments go to the engine and stay nowhere', async (t) => {
  const parts = [
    report,
    field('userPassword', 'hunter2secret'),
    filePart(Buffer.from('csv'), 'a.csv', 'attachment'),
  ];
  const job = readBody(await post(service, key, parts));
  t.match(job, { options: { userPassword: 'given', attachments: 'given' } });
  t.equal((await ended(service, key, job.id)).state, 'completed');
  t.notMatch(JSON.stringify(service.log), /hunter2secret|report\.docx/);
});

t.test('a service without a storage for jobs says so', async (t) => {
  const service = await Service.start(t, { hasStorage: false });
  const { key } = await service.createKey();
  t.match(isError(t, await post(service, key, [report]), 'SERVICE_UNAVAILABLE').message, /S3_BUCKET/);
  isError(t, await ask(service, key, ''), 'SERVICE_UNAVAILABLE');
  const { body } = await send(service, '/', { method: 'GET' });
  t.match(body.toString(), 'data-in="" id="several" hidden', 'and its page offers none');
});
