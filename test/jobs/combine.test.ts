/** Jobs whose files become one PDF: they share their state, their reservation and their end. */
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { PlatenError } from '../../src/errors.ts';
import { type JobRef, wholeOf } from '../../src/jobs/job.ts';
import { objectNames, putFetched, putRequest } from '../../src/jobs/job-objects.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import type { Services } from '../../src/services.ts';
import { docx } from '../support/documents.ts';
import { testServices } from '../support/service.ts';
import { StubEngine } from '../support/stub-engine.ts';
import { until } from '../support/until.ts';
import { endLongAgo, filesOf, newJob, result, testRecords } from './support.ts';

interface World {
  readonly services: Services;
  readonly jobs: Jobs;
  readonly engine: StubEngine;
}

async function start(t: Test, env: Readonly<Record<string, string>> = {}): Promise<World> {
  const engine = new StubEngine();
  const services = await testServices(t, { engine, env: { WORKERS: '2', ...env } });
  const jobs = services.jobs as Jobs;
  await services.warmUp();
  return { services, jobs, engine };
}

interface Sent {
  readonly documents?: readonly Buffer[];
  /** Whether the documents are still to be fetched. */
  readonly isByUrl?: boolean;
}

/** Takes a job of documents that become one PDF. */
async function send(
  t: Test,
  jobs: Jobs,
  { documents = [docx(), docx(), docx()], isByUrl = false }: Sent = {},
): Promise<JobRef> {
  const job = await jobs.announce({ account: 'acme', environment: 'live' });
  await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
  for (const [index, document] of documents.entries())
    await jobs.storage.put(objectNames.document(job.id, index + 1), document);
  const files = filesOf(documents.length).map((file) => {
    return isByUrl ? { ...file, bytes: null, sha256: null } : file;
  });
  const taking = await jobs.take(newJob({ ...job, files, combine: true }));
  t.equal(taking.outcome, 'taken');
  return job;
}

async function ended(jobs: Jobs, job: JobRef) {
  await until('the job ends', async () => (await jobs.records.find(job))?.completedAt !== null);
  const found = await jobs.records.find(job);
  if (!found) throw new Error('no job');
  return found;
}

const month = new Date().toISOString().slice(0, 7);

async function quotaOf({ redis }: Services) {
  const [used, reserved] = await redis.hmget(
    limitKeys.months('acme', 'live'),
    `used:${month}`,
    `reserved:${month}`,
  );
  return { used: Number(used), reserved: Number(reserved) };
}

t.test('one PDF of all files, billed as so many conversions', async (t) => {
  const { services, jobs } = await start(t);
  const job = await send(t, jobs);
  t.strictSame(await quotaOf(services), { used: 0, reserved: 3 });
  jobs.start();
  const found = await ended(jobs, job);
  t.match(found, { state: 'completed', combine: true, counts: { succeeded: 3 }, result: { pages: 3 } });
  t.ok(found.files.every(({ result, startedAt, endedAt }) => !result && startedAt && endedAt));
  t.strictSame(found.result?.documentPages, [1, 1, 1]);
  const pdf = await jobs.storage.open(String(found.result?.key));
  t.match(await text(pdf?.stream as NonNullable<typeof pdf>['stream']), /^%PDF-/);
  await until('it is billed', async () => (await quotaOf(services)).used === 3);
  t.strictSame(await quotaOf(services), { used: 3, reserved: 0 });
  const bills = await services.redis.xrange(limitKeys.ledger('acme', month), '-', '+');
  t.strictSame(
    bills.map(([, fields]) => fields[fields.indexOf('requestId') + 1]),
    [1, 2, 3].map((n) => `${job.id}.${n}`),
  );
  await endLongAgo(services.redis, job);
  t.equal(await jobs.lookAfter(job), found.expiresAt);
  const left: string[] = [];
  for await (const key of jobs.storage.list(objectNames.all(job.id))) left.push(key);
  t.strictSame(left, [found.result?.key], 'only the PDF stays');
  t.strictSame(await quotaOf(services), { used: 3, reserved: 0 });
});

t.test('one document that fails fails all, and nothing is billed', async (t) => {
  const { services, jobs, engine } = await start(t);
  const job = await send(t, jobs, { documents: [docx(), docx(), Buffer.from('no document')] });
  const { documents } = engine.status();
  jobs.start();
  const found = await ended(jobs, job);
  t.match(found, { state: 'completed', counts: { failed: 3 }, result: null });
  for (const { error } of found.files) {
    t.match(error, { code: 'INVALID_FILE_TYPE', file: 2, message: /^files\[2\]: / });
  }
  t.equal(engine.status().documents, documents, 'nothing was converted in vain');
  await until('it is released', async () => (await quotaOf(services)).reserved === 0);
  t.equal((await quotaOf(services)).used, 0);
});

t.test('what a server that died has left', async (t) => {
  const { services, jobs } = await start(t);
  const running = await send(t, jobs);
  await jobs.records.start(wholeOf(running));
  t.match(await jobs.records.find(running), { state: 'running', counts: { running: 3 } });
  const made = await send(t, jobs, { documents: [docx(), docx()] });
  await jobs.records.start(wholeOf(made));
  await jobs.records.make(wholeOf(made), { ...result, documentPages: [1, 1] });
  jobs.start();
  t.match(await ended(jobs, running), { counts: { succeeded: 3 }, result: { pages: 3 } });
  t.match(await ended(jobs, made), { counts: { succeeded: 2 }, result: { pages: 2 } });
  await until('both are billed', async () => (await quotaOf(services)).used === 5);
  t.equal((await quotaOf(services)).reserved, 0);
});

t.test('it is tried three times', async (t) => {
  const { services, jobs } = await start(t);
  const job = await send(t, jobs);
  for (let n = 0; n < 3; n++) await jobs.records.start(wholeOf(job));
  jobs.start();
  const { files } = await ended(jobs, job);
  t.match(files[0]?.error, { code: 'CONVERSION_FAILED', message: /broke off 3 times/ });
  await until('it is released', async () => (await quotaOf(services)).reserved === 0);
});

t.test('a wait is no try, and the files wait together', async (t) => {
  const { jobs, engine } = await start(t);
  engine.failure = new PlatenError('SERVICE_UNAVAILABLE');
  const job = await send(t, jobs);
  jobs.start();
  await until('it waits again', async () => jobs.runner.counts.retried > 0);
  t.match(await jobs.records.find(job), { counts: { queued: 3, running: 0 } });
  engine.failure = undefined;
  t.match(await ended(jobs, job), { counts: { succeeded: 3 } });
});

t.test('a cancelled or deleted job ends while it runs, and leaves nothing', async (t) => {
  const { services, jobs, engine } = await start(t);
  engine.hold();
  jobs.start();
  for (const end of ['cancel', 'remove'] as const) {
    const job = await send(t, jobs);
    await until('it runs', () => engine.status().children.running > 0);
    t.ok(await jobs[end](job));
    await until('its workers are free', () => services.queue.running === 0);
    t.strictSame(await quotaOf(services), { used: 0, reserved: 0 });
    t.match(await jobs.records.find(job), end === 'cancel' ? { counts: { canceled: 3 } } : undefined);
  }
  await until('the queue is empty', async () => (await jobs.queues.counts()).active === 0);
});

t.test('documents that are fetched', async (t) => {
  const { services, jobs } = await start(t);
  jobs.start();
  const fetched = { bytes: 1_000, sha256: 'a'.repeat(64) };
  const job = await send(t, jobs, { documents: [docx(), docx()], isByUrl: true });
  const arrive = async (of: JobRef, n: number, what: Parameters<typeof putFetched>[2] = fetched) => {
    await putFetched(jobs.storage, { ...of, n }, what);
    await jobs.queues.addFiles([{ ...of, n }], 0);
  };
  await arrive(job, 2);
  await until('one is there', async () => (await jobs.records.find(job))?.files[1]?.sha256 !== null);
  t.match(await jobs.records.find(job), { state: 'queued', counts: { queued: 2 } }, 'it waits for the other');
  await arrive(job, 1);
  t.match(await ended(jobs, job), { counts: { succeeded: 2 }, result: { pages: 2 } });

  const failing = await send(t, jobs, { documents: [docx(), docx()], isByUrl: true });
  await arrive(failing, 2, { failure: 'status', message: 'Its host answered 404.' });
  const { files } = await ended(jobs, failing);
  const error = { code: 'FETCH_FAILED', file: 1, message: 'files[1]: Its host answered 404.' };
  t.match(files, [{ error }, { error }]);

  const large = await send(t, jobs, { documents: [docx(), docx()], isByUrl: true });
  await arrive(large, 1, { ...fetched, bytes: 100 * 1_048_576 });
  await arrive(large, 2);
  t.match((await ended(jobs, large)).files[0]?.error, {
    code: 'FILE_TOO_LARGE',
    message: /together larger than 100 MB/,
  });
  await until('only the first is billed', async () => (await quotaOf(services)).reserved === 0);
  t.equal((await quotaOf(services)).used, 2);
});

t.test('upkeep queues what is lost from the queue', async (t) => {
  const { jobs } = await start(t);
  const job = await send(t, jobs);
  await jobs.queues.removeFiles([wholeOf(job)]);
  t.equal((await jobs.queues.counts()).waiting, 0);
  await jobs.lookAfter(job);
  t.equal((await jobs.queues.counts()).waiting, 1, 'one entry for all files');
  jobs.start();
  t.match(await ended(jobs, job), { counts: { succeeded: 3 } });
});

t.test('the quota is for all files or none', async (t) => {
  const { redis, records } = await testRecords(t);
  const taking = await records.take(newJob({ combine: true, perMonth: 2 }));
  t.strictSame(taking, { outcome: 'quota', left: 2 });
  const job = newJob({ combine: true, perMonth: 3 });
  t.match(await records.take(job), { outcome: 'taken' });
  const names = await redis.zrange(limitKeys.reservations('acme', 'live'), 0, '-1');
  t.strictSame(
    names.sort(),
    ['', '.2', '.3'].map((end) => `${month} ${job.id}${end}`),
  );
  t.equal(await records.start({ ...job, n: 1 }), 'part', 'no file begins by itself');
});
