import t, { type Test } from 'tap';
import type { JobRef } from '../../src/jobs/job.ts';
import { objectNames, putRequest } from '../../src/jobs/job-objects.ts';
import type { NewJob } from '../../src/jobs/job-records.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { jobKeys } from '../../src/jobs/redis-keys.ts';
import { openDeliveries } from '../../src/webhooks/deliver.ts';
import { webhookKeys } from '../../src/webhooks/redis-keys.ts';
import { sampleData } from '../../src/webhooks/samples.ts';
import { messageId } from '../../src/webhooks/webhook.ts';
import { docx } from '../support/documents.ts';
import { plainOutbound } from '../support/plain-outbound.ts';
import { Receiver, verified } from '../support/receiver.ts';
import { testServices } from '../support/service.ts';
import { StubEngine } from '../support/stub-engine.ts';
import { until } from '../support/until.ts';
import { filesOf, newJob, result } from './support.ts';

const owner = { account: 'acme', environment: 'live' } as const;
const error = { code: 'CORRUPTED_FILE', message: 'damaged' } as const;

async function start(t: Test) {
  const services = await testServices(t, { engine: new StubEngine() });
  const { jobs, webhooks, redis } = services;
  if (!jobs) throw new Error('no jobs');
  const receiver = await Receiver.start(t);
  const events = ['job.completed', 'job.canceled', 'job.expired'] as const;
  const settings = { url: receiver.url('/all'), events, description: '', enabled: true };
  const endpoint = await webhooks.endpoints.add(owner, settings);
  if (!endpoint) throw new Error('too many endpoints');
  const deliveries = async () => {
    const { log } = services;
    const opened = await openDeliveries(redis, log, plainOutbound, { stalledCheckMs: 100 });
    t.teardown(() => opened.close());
  };
  /** What is, or will be, delivered to the endpoint. */
  const told = async () => {
    const listed = await webhooks.deliveries.list({ ...owner, id: endpoint.id }, 50);
    return listed.map(({ type }) => type);
  };
  return { services, jobs, webhooks, redis, receiver, endpoint, deliveries, told };
}

/** A job whose files fail at once, as of a server that dies then. */
async function ended(jobs: Jobs, job: Partial<NewJob> = {}): Promise<JobRef> {
  const wanted = newJob({ files: filesOf(1), ...job });
  await jobs.records.take(wanted);
  await jobs.records.end({ ...owner, id: wanted.id, n: 1 }, error);
  return { ...owner, id: wanted.id };
}

t.test('the end of a job is told to endpoints and to its URL', async (t) => {
  const { services, jobs, webhooks, receiver, endpoint, deliveries } = await start(t);
  const secret = await webhooks.endpoints.rotateDefault(owner);
  await services.warmUp();
  jobs.start();
  await deliveries();
  const job = await jobs.announce(owner);
  await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
  await jobs.storage.put(objectNames.document(job.id, 1), docx());
  const webhook = receiver.url('/own');
  await jobs.take(newJob({ ...job, files: filesOf(1), webhook }));
  await until('both are told', () => receiver.received.length === 2);
  const [own] = receiver.to('/own');
  const [all] = receiver.to('/all');
  if (!own || !all) throw new Error('not told');
  const found = await jobs.records.find(job);
  const event = verified(all, endpoint.secret);
  t.same(verified(own, secret), event);
  const iso = (time: unknown) => new Date(Number(time)).toISOString();
  t.same(event, {
    type: 'job.completed',
    timestamp: iso(found?.completedAt),
    data: {
      id: job.id,
      environment: 'live',
      state: 'completed',
      counts: { queued: 0, running: 0, succeeded: 1, failed: 0, canceled: 0 },
      createdAt: iso(found?.createdAt),
      completedAt: iso(found?.completedAt),
      expiresAt: iso(found?.expiresAt),
      metadata: { order: '7' },
      link: `/v1/jobs/${job.id}`,
    },
  });
  const sample = sampleData('job.completed', 'live', Date.now());
  t.same(Object.keys(sample), Object.keys((event as { data: object }).data), 'a sample has the same fields');
});

t.test('the end of a job of one PDF is told once', async (t) => {
  const { services, jobs, receiver, endpoint, deliveries, told } = await start(t);
  await services.warmUp();
  jobs.start();
  await deliveries();
  const take = async (...documents: readonly Buffer[]) => {
    const job = await jobs.announce(owner);
    await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
    for (const [index, document] of documents.entries())
      await jobs.storage.put(objectNames.document(job.id, index + 1), document);
    await jobs.take(newJob({ ...job, files: filesOf(documents.length), combine: true }));
    return job;
  };
  const counts = { queued: 0, running: 0, succeeded: 0, failed: 0, canceled: 0 };
  for (const [documents, ended] of [
    [[docx(), docx()], { succeeded: 2 }],
    [[docx(), Buffer.from('no document')], { failed: 2 }],
  ] as const) {
    const { id } = await take(...documents);
    await until('it is told', () => receiver.received.length === 1);
    const [message] = receiver.received.splice(0);
    if (!message) throw new Error('not told');
    t.match(verified(message, endpoint.secret), {
      type: 'job.completed',
      data: { id, state: 'completed', counts: { ...counts, ...ended }, link: `/v1/jobs/${id}` },
    });
  }
  t.same(await told(), ['job.completed', 'job.completed']);
});

t.test('upkeep tells of jobs whose servers died before they did', async (t) => {
  const { jobs, webhooks, redis, told } = await start(t);
  const job = await ended(jobs, { webhook: 'https://shop.example/own' });
  t.same(await told(), []);
  await jobs.lookAfter(job);
  t.same(await told(), ['job.completed']);
  await redis.hdel(jobKeys.job('acme', 'live', job.id), 'told');
  await jobs.lookAfter(job);
  t.same(await told(), ['job.completed'], 'again, it is the same message');
  t.match(await webhooks.queue.waiting(), { due: 2 });

  await redis.hset(jobKeys.job('acme', 'live', job.id), 'completedAt', 1, 'expiresAt', 2);
  await jobs.lookAfter(job);
  t.same((await told()).sort(), ['job.completed', 'job.expired']);
  t.match(await webhooks.queue.waiting(), { due: 3 }, 'its URL knows how it ended');
});

t.test('the end of a job during its upkeep is reported', async (t) => {
  const { jobs, told } = await start(t);
  const job = newJob({ files: filesOf(1) });
  await jobs.records.take(job);
  const expire = jobs.records.expire.bind(jobs.records);
  jobs.records.expire = async (...args) => {
    await jobs.records.end({ ...owner, id: job.id, n: 1 }, error);
    return expire(...args);
  };
  await jobs.lookAfter(job);
  t.same(await told(), ['job.completed']);
});

t.test('a job that did not end in time is told to its URL as well', async (t) => {
  const { jobs, webhooks, redis, told } = await start(t);
  const job = newJob({ webhook: 'https://shop.example/own' });
  await jobs.records.take(job);
  await redis.hset(jobKeys.job('acme', 'live', job.id), 'expiresAt', 1);
  await jobs.lookAfter(job);
  t.same(await told(), ['job.expired']);
  t.match(await webhooks.deliveries.list({ ...owner, id: job.id }, 10), [{ type: 'job.expired' }]);
});

t.test('a job that ended while no server ran is told of twice', async (t) => {
  const { jobs, redis, told } = await start(t);
  const job = await ended(jobs);
  await redis.hset(jobKeys.job('acme', 'live', job.id), 'completedAt', 1, 'expiresAt', 2);
  await jobs.lookAfter(job);
  t.same((await told()).sort(), ['job.completed', 'job.expired']);
});

t.test('no message exceeds 20 kB', async (t) => {
  const { jobs, redis, endpoint } = await start(t);
  const bytes = async (character: string) => {
    const entries = Array.from({ length: 16 }, (_, n) => [`${n}`.padEnd(40, 'x'), character.repeat(200)]);
    const job = await ended(jobs, { metadata: Object.fromEntries(entries) });
    await jobs.lookAfter(job);
    const id = messageId(owner, { type: 'job.completed', cause: job.id });
    const name = webhookKeys.delivery('acme', 'live', endpoint.id, id);
    return Buffer.byteLength(String(await redis.hget(name, 'body')));
  };
  const most = await bytes('\u{1f600}');
  t.ok(most > 13_000 && most < 20_000, `${most}`);
  t.ok((await bytes('\u0001')) < 1_000, 'metadata that would take more is left out');
});

t.test('a cancelled job is told of', async (t) => {
  const { jobs, told } = await start(t);
  const job = newJob();
  await jobs.records.take(job);
  await jobs.cancel(job);
  t.same(await told(), ['job.canceled']);
  await jobs.lookAfter(job);
  t.same(await told(), ['job.canceled']);
});

t.test('a file that was made when the job was cancelled ends it', async (t) => {
  const { jobs, told } = await start(t);
  const job = newJob({ files: filesOf(2) });
  await jobs.records.take(job);
  await jobs.records.make({ ...job, n: 1 }, result);
  await jobs.cancel(job);
  t.same(await told(), [], 'it has not ended yet');
  await jobs.conversion.settle({ ...job, n: 1 });
  t.same(await told(), ['job.canceled']);
});

t.test('a deleted job leaves nothing, and is no longer reported', async (t) => {
  const { jobs, webhooks, redis, receiver, deliveries, told } = await start(t);
  const orphan = await ended(jobs, { webhook: receiver.url('/own') });
  await jobs.lookAfter(orphan);
  // As of a server that dies then.
  await jobs.records.remove(orphan);
  await jobs.lookAfter(orphan);
  const job = await ended(jobs, { webhook: receiver.url('/own') });
  await jobs.lookAfter(job);
  await jobs.remove(job);
  t.same(await told(), []);
  const names = await redis.keys('platen:{acme}*');
  for (const { id } of [orphan, job]) {
    const message = messageId(owner, { type: 'job.completed', cause: id });
    t.same(
      names.filter((name) => name.includes(id) || name.includes(message)),
      [],
    );
  }
  await deliveries();
  await until('the queue is empty', async () => (await webhooks.queue.waiting()).due === 0);
  t.same(receiver.received, []);
});
