import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { PlatenError } from '../../src/errors.ts';
import { FetchedBytes } from '../../src/jobs/fetched-bytes.ts';
import { type JobRef, RECORD_KEPT_MS } from '../../src/jobs/job.ts';
import { objectNames, putRequest } from '../../src/jobs/job-objects.ts';
import { LOOK_AFTER_MS, openUpkeep } from '../../src/jobs/job-queues.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { jobKeys } from '../../src/jobs/redis-keys.ts';
import { createAccount, resumeAccount, suspendAccount } from '../../src/operations/accounts.ts';
import { LONGEST_FAILOVER_MS } from '../../src/redis/connect.ts';
import type { Services } from '../../src/services.ts';
import { StorageError } from '../../src/storage/object-store.ts';
import { docx } from '../support/documents.ts';
import { operationsAs } from '../support/operations.ts';
import { testServices } from '../support/service.ts';
import { StubEngine } from '../support/stub-engine.ts';
import { until } from '../support/until.ts';
import { endLongAgo, filesOf, newJob, result } from './support.ts';

interface World {
  readonly services: Services;
  readonly jobs: Jobs;
  readonly engine: StubEngine;
}

/** A service that converts files of jobs. */
async function start(t: Test, env: Readonly<Record<string, string>> = {}): Promise<World> {
  const engine = new StubEngine();
  const services = await testServices(t, { engine, env: { WORKERS: '2', ...env } });
  const { jobs } = services;
  if (!jobs) throw new Error('no jobs');
  await services.warmUp();
  jobs.start();
  return { services, jobs, engine };
}

/** Stores the inputs of a job and takes it. */
async function send(
  t: Test,
  jobs: Jobs,
  count = 2,
  environment: JobRef['environment'] = 'live',
): Promise<JobRef> {
  const job = await jobs.announce({ account: 'acme', environment });
  await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
  for (let n = 1; n <= count; n++) await jobs.storage.put(objectNames.document(job.id, n), docx());
  const taking = await jobs.take(newJob({ ...job, files: filesOf(count) }));
  t.equal(taking.outcome, 'taken');
  return job;
}

async function objects({ storage }: Jobs, { id }: JobRef): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.list(objectNames.all(id))) keys.push(key);
  return keys;
}

async function ended(jobs: Jobs, job: JobRef) {
  await until('the job ends', async () => (await jobs.records.find(job))?.completedAt !== null);
  const found = await jobs.records.find(job);
  if (!found) throw new Error('no job');
  return found;
}

const actor = { by: 'cli', who: 'test' } as const;
const month = () => new Date().toISOString().slice(0, 7);

t.test('files are converted, stored and billed', async (t) => {
  const { services, jobs } = await start(t);
  const job = await send(t, jobs, 3);
  const found = await ended(jobs, job);
  t.match(found, { state: 'completed', counts: { succeeded: 3 } });
  const [first] = found.files;
  const pdf = await jobs.storage.open(String(first?.result?.key));
  t.match(await text(pdf?.stream as NonNullable<typeof pdf>['stream']), /^%PDF-/);
  t.equal(pdf?.bytes, first?.result?.bytes);
  t.equal(await jobs.lookAfter(job), Number(found.completedAt) + LONGEST_FAILOVER_MS);
  t.equal((await objects(jobs, job)).length, 3 + 3 + 1, 'its files may have to run again');
  await endLongAgo(services.redis, job);
  t.equal(await jobs.lookAfter(job), found.expiresAt);
  t.strictSame((await objects(jobs, job)).sort(), found.files.map((file) => file.result?.key).sort());
  const figures = await services.redis.hgetall(limitKeys.months('acme', 'live'));
  t.same(figures, { [`used:${month()}`]: '3', [`reserved:${month()}`]: '0' });
  t.equal(await services.redis.xlen(limitKeys.ledger('acme', month())), 3);
  await until('the last is counted', () => jobs.runner.counts.succeeded === 3);
  t.match(jobs.runner.counts, { failed: 0, elsewhere: 0, retried: 0 });
  await services.statistics.flush();
  t.match((await services.statistics.read()).lastHour.total, { conversions: 3, outcomes: { success: 3 } });
  await until('the queue is empty', async () => (await jobs.queues.counts()).active === 0);
  t.same(await jobs.queues.counts(), { waiting: 0, delayed: 0, active: 0 });
});

t.test('the request of a job is read once, also if it has secrets', async (t) => {
  const { jobs } = await start(t, { WORKERS: '1' });
  const { storage } = jobs;
  const opened: string[] = [];
  const open = storage.open.bind(storage);
  storage.open = (key, options) => {
    opened.push(key);
    return open(key, options);
  };
  const reads = (id: string) => opened.filter((key) => key === objectNames.request(id)).length;
  const plain = await send(t, jobs, 3);
  await ended(jobs, plain);
  t.equal(reads(plain.id), 1);
  const secret = await jobs.announce({ account: 'acme', environment: 'live' });
  const request = { options: {}, secrets: { password: 'secret' }, attachments: [] };
  const secretsKey = await putRequest(storage, secret.id, request);
  for (let n = 1; n <= 2; n++) await storage.put(objectNames.document(secret.id, n), docx());
  await jobs.take(newJob({ ...secret, files: filesOf(2), secretsKey }));
  t.match((await ended(jobs, secret)).counts, { succeeded: 2 });
  t.equal(reads(secret.id), 1);
});

t.test('a job that Redis lost is not billed, a conversion is', async (t) => {
  const { services, jobs } = await start(t);
  await ended(jobs, await send(t, jobs, 1));
  const key = { account: 'acme', id: 'key_1', environment: 'live' } as const;
  const figures = { pages: 1, bytesIn: 1, bytesOut: 1, durationMs: 1 };
  await services.billing.settle({ requestId: 'req_1', key, at: Date.now() }, figures);
  await services.redis.flushdb();
  await services.settlement.close();
  const bills = await services.redis.xrange(limitKeys.ledger('acme', month()), '-', '+');
  t.match(bills, [[/./, ['requestId', 'req_1']]]);
  t.equal(bills.length, 1, 'nobody can get the PDF of the job');
});

t.test('a document that cannot be converted fails alone, and costs nothing', async (t) => {
  const { services, jobs } = await start(t);
  const job = await jobs.announce({ account: 'acme', environment: 'live' });
  await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
  await jobs.storage.put(objectNames.document(job.id, 1), Buffer.from('no document'));
  await jobs.storage.put(objectNames.document(job.id, 2), docx());
  await jobs.take(newJob({ ...job, files: filesOf(2) }));
  const { files } = await ended(jobs, job);
  t.match(files, [{ state: 'failed', error: { code: 'INVALID_FILE_TYPE' } }, { state: 'succeeded' }]);
  await until('the reservation is released', async () => {
    return (await services.redis.hget(limitKeys.months('acme', 'live'), `reserved:${month()}`)) === '0';
  });
  t.equal(await services.redis.hget(limitKeys.months('acme', 'live'), `used:${month()}`), '1');
  await services.statistics.flush();
  t.match((await services.statistics.read()).lastHour.total.outcomes, { INVALID_FILE_TYPE: 1 });
});

t.test('what fails because of the service is tried again', async (t) => {
  const { jobs, engine } = await start(t);
  engine.failure = new PlatenError('SERVICE_UNAVAILABLE');
  const job = await send(t, jobs, 1);
  await until('it is tried again', async () => jobs.runner.counts.retried > 0);
  t.match(await jobs.records.find(job), { files: [{ state: 'queued' }] });
  engine.failure = undefined;
  t.match((await ended(jobs, job)).files, [{ state: 'succeeded' }]);
});

t.test('a file is tried three times, without what it waits for', async (t) => {
  const { services, jobs, engine } = await start(t);
  const unexpected = new Error('broken');
  const killed = new PlatenError('SERVICE_UNAVAILABLE', { reason: 'killed', retryAfter: 5 });
  const waits = [
    new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1 }),
    new PlatenError('OVERLOADED', { reason: 'timeout' }),
    Object.assign(new Error('ENOSPC: mkdir'), { code: 'ENOSPC' }),
    new StorageError('the storage is away'),
  ];
  /** Lets the file fail so, in turn, and returns the job once it has ended. */
  const endAfter = async (failures: readonly Error[]) => {
    const before = jobs.runner.counts.retried;
    engine.failure = failures[0];
    const job = await send(t, jobs, 1);
    const file = { ...job, n: 1 };
    for (const [index] of failures.slice(0, -1).entries()) {
      await until('it is to be tried again', async () => {
        return (
          jobs.runner.counts.retried === before + index + 1 && (await jobs.queues.counts()).delayed === 1
        );
      });
      t.match(await jobs.records.find(job), { files: [{ state: 'queued', error: null }] });
      engine.failure = failures[index + 1];
      // As if it had failed for hours, and without a wait until it is due.
      await services.redis.hset(`platen:{jobs}:files:${job.id}.1`, 'atm', 100);
      await jobs.queues.removeFiles([file]);
      await jobs.queues.addFiles([file], 0);
    }
    return ended(jobs, job);
  };
  const twice = await endAfter([...waits, unexpected, ...waits, unexpected, ...waits, unexpected]);
  t.strictSame(twice.files[0]?.error, {
    code: 'INTERNAL_ERROR',
    message: new PlatenError('INTERNAL_ERROR').message,
  });
  t.strictSame((await endAfter([killed, unexpected, ...waits, killed])).files[0]?.error, {
    code: 'CONVERSION_FAILED',
    message:
      'The conversion broke off 3 times, each time without a result. Simplify the document, or contact support.',
  });
  await until('their reservations are released', async () => {
    return (await services.redis.zcard(limitKeys.reservations('acme', 'live'))) === 0;
  });
});

t.test('a conversion that became a job stays with its server as long as that lives', async (t) => {
  const { services, jobs } = await start(t);
  const job = await jobs.announce({ account: 'acme', environment: 'live' });
  const key = { ...job, id: 'key_1' };
  const reservation = { requestId: 'req_1', key, at: Date.now() };
  const conversion = { reservation, document: undefined, isRunning: true };
  t.equal((await jobs.take(newJob({ ...job, files: filesOf(1), conversion }))).outcome, 'taken');
  const controller = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  const due = async () => Number(await services.redis.zscore('platen:{jobs}:files:delayed', `${job.id}.1`));
  const before = await due();
  t.ok(before > 0);
  jobs.runner.adopt({ ...job, n: 1 }, { converting: aborted, startedAt: performance.now() }, controller);
  await until('its entry is put off', async () => (await due()) > before);
  t.equal(await jobs.remove(job), true);
  await until('it ends', () => jobs.runner.running === 0);
});

t.test('a conversion that fails while it becomes a job fails its file, and nothing else', async (t) => {
  const { services, jobs } = await start(t);
  const job = await jobs.announce({ account: 'acme', environment: 'live' });
  const reservation = { requestId: 'req_1', key: { ...job, id: 'key_1' }, at: Date.now() };
  const conversion = { reservation, document: undefined, isRunning: true };
  await jobs.take(newJob({ ...job, files: filesOf(1), conversion }));
  // As long as Redis takes.
  jobs.records.trace = async () => {
    await services.redis.ping();
    return undefined;
  };
  const converting = Promise.reject(new PlatenError('CONVERSION_FAILED'));
  jobs.runner.adopt({ ...job, n: 1 }, { converting, startedAt: performance.now() }, new AbortController());
  t.match((await ended(jobs, job)).files, [{ state: 'failed', error: { code: 'CONVERSION_FAILED' } }]);
});

t.test('an ended file whose entry cannot be removed is not tried again', async (t) => {
  const { jobs } = await start(t);
  const job = await jobs.announce({ account: 'acme', environment: 'live' });
  const reservation = { requestId: 'req_1', key: { ...job, id: 'key_1' }, at: Date.now() };
  const conversion = { reservation, document: undefined, isRunning: true };
  await jobs.take(newJob({ ...job, files: filesOf(1), conversion }));
  jobs.queues.removeFiles = () => Promise.reject(new Error('Redis is away'));
  const converting = Promise.reject(new PlatenError('CONVERSION_FAILED'));
  jobs.runner.adopt({ ...job, n: 1 }, { converting, startedAt: performance.now() }, new AbortController());
  await until('it ends', () => jobs.runner.running === 0);
  t.match(jobs.runner.counts, { failed: 1, retried: 0 });
  Reflect.deleteProperty(jobs.queues, 'removeFiles');
  t.equal(await jobs.remove(job), true);
});

t.test('a cancelled job frees its worker, and leaves no input', async (t) => {
  const { services, jobs, engine } = await start(t, { WORKERS: '1' });
  engine.hold();
  const job = await send(t, jobs, 2);
  await until('a file runs', async () => engine.status().children.running === 1);
  t.equal(await jobs.cancel(job), true);
  await until('its worker is free', async () => services.queue.running === 0);
  t.match(await jobs.records.find(job), { state: 'canceled', counts: { canceled: 2 } });
  await endLongAgo(services.redis, job);
  await jobs.lookAfter(job);
  t.same(await objects(jobs, job), []);
  t.equal(await services.redis.zcard(limitKeys.reservations('acme', 'live')), 0);
  t.equal(await jobs.cancel({ ...job, id: 'job_none' }), false);
});

t.test('a deleted job leaves nothing, even while it runs', async (t) => {
  const { services, jobs, engine } = await start(t, { WORKERS: '1' });
  engine.hold();
  const job = await send(t, jobs, 2);
  await until('a file runs', async () => engine.status().children.running === 1);
  t.equal(await jobs.remove(job), true);
  await until('its worker is free', async () => services.queue.running === 0);
  t.equal(await jobs.records.find(job), undefined);
  t.same(await objects(jobs, job), []);
  t.equal(await services.redis.zcard(limitKeys.reservations('acme', 'live')), 0);
  t.equal(await jobs.remove(job), false);
});

t.test('maintenance holds back what waits', async (t) => {
  const { services, jobs } = await start(t);
  const { maintenance } = services;
  let looks = 0;
  const since = maintenance.since.bind(maintenance);
  maintenance.since = async () => {
    const answer = await since();
    looks++;
    return answer;
  };
  await maintenance.turnOn();
  const job = await send(t, jobs);
  const before = looks;
  await until('the runner has looked twice', () => looks >= before + 2);
  t.match((await jobs.records.find(job))?.counts, { queued: 2 });
  await maintenance.turnOff();
  t.match((await ended(jobs, job)).counts, { succeeded: 2 });
});

t.test('files of a suspended account wait; those that run end well', async (t) => {
  const { services, jobs, engine } = await start(t, { WORKERS: '1' });
  const { keys } = services;
  const perform = operationsAs(services, actor);
  await perform(createAccount, { body: { id: 'acme', name: 'Acme', plan: 'free' } });
  const release = engine.hold();
  const job = await send(t, jobs, 3);
  await until('a file runs', async () => engine.status().children.running === 1);
  await perform(suspendAccount, { account: 'acme' });
  release();
  await until('the others were passed over', async () => {
    const { waiting, delayed, active } = await jobs.queues.counts();
    return waiting + delayed + active === 0;
  });
  t.match(await jobs.records.find(job), { state: 'running', counts: { succeeded: 1, queued: 2 } });
  await jobs.lookAfter(job);
  t.match(await jobs.queues.counts(), { waiting: 0, active: 0 }, 'and are not queued again');
  await perform(resumeAccount, { account: 'acme' });
  t.equal((await keys.requireAccount('acme')).suspendedAt, null);
  await jobs.lookAfter(job);
  t.match((await ended(jobs, job)).counts, { succeeded: 3 });
});

t.test('files of test keys let those of live keys go first', async (t) => {
  const { jobs, engine } = await start(t, { WORKERS: '1' });
  const release = engine.hold();
  const first = await send(t, jobs, 1);
  await until('a file runs', async () => engine.status().children.running === 1);
  const tested = await send(t, jobs, 2, 'test');
  const live = await send(t, jobs, 3);
  release();
  await ended(jobs, first);
  const [last, next] = [await ended(jobs, tested), await ended(jobs, live)];
  const began = next.files.map(({ startedAt }) => Number(startedAt));
  t.ok(Math.max(...began) <= Math.min(...last.files.map(({ startedAt }) => Number(startedAt))));
});

t.test('a server that stops ends the files that run and takes no more', async (t) => {
  const { services, jobs, engine } = await start(t, { WORKERS: '1' });
  const release = engine.hold();
  const job = await send(t, jobs, 3);
  await until('a file runs', async () => engine.status().children.running === 1);
  services.lifecycle.drain();
  release();
  const closed = jobs.close(60_000);
  await closed;
  t.match((await jobs.records.find(job))?.counts, { succeeded: 1, queued: 2 });
});

t.test('files that run for too long when a server stops return to the queue', async (t) => {
  const { jobs, engine, services } = await start(t, { WORKERS: '1' });
  engine.hold();
  const job = await send(t, jobs, 1);
  await until('a file runs', async () => engine.status().children.running === 1);
  await jobs.close(0);
  t.match((await jobs.records.find(job))?.counts, { queued: 1, running: 0 });
  t.equal(await jobs.records.tries({ ...job, n: 1 }), 0, 'which was no try');
  t.equal(services.queue.running, 0);
});

t.test('upkeep', async (t) => {
  const engine = new StubEngine();
  const services = await testServices(t, { engine });
  const jobs = services.jobs as Jobs;
  const owner = { account: 'acme', environment: 'live' } as const;
  const reservations = () => services.redis.zcard(limitKeys.reservations('acme', 'live'));
  const isSoon = (t: Test, time: number | undefined) =>
    t.ok(Math.abs(Number(time) - Date.now() - LOOK_AFTER_MS) < 30_000, 'it looks again soon');

  await t.test('removes what was stored of a job that was never taken', async (t) => {
    const job = await jobs.announce(owner);
    await jobs.storage.put(objectNames.document(job.id, 1), Buffer.from('x'));
    isSoon(t, await jobs.lookAfter({ ...job, arrivesUntil: Date.now() + 300_000 }));
    t.equal((await objects(jobs, job)).length, 1, 'it may still arrive');
    await new FetchedBytes(services.redis).take({ ...job, n: 1 }, 1_000, 2_000);
    t.equal(await jobs.lookAfter({ ...job, arrivesUntil: Date.now() - 1 }), undefined);
    t.same(await objects(jobs, job), []);
    t.same(await services.redis.keys(`platen:{jobs}:bytes:${job.id}`), []);
  });

  await t.test('removes what arrives in the storage after a job was withdrawn', async (t) => {
    const job = await jobs.announce(owner);
    await jobs.storage.put(objectNames.document(job.id, 1), Buffer.from('x'));
    await jobs.withdraw(job);
    t.same(await objects(jobs, job), []);
    await jobs.storage.put(objectNames.document(job.id, 2), Buffer.from('x'));
    const entry = await services.redis.hget(`platen:{jobs}:upkeep:${job.id}`, 'data');
    t.equal(await jobs.lookAfter(JSON.parse(String(entry))), undefined);
    t.same(await objects(jobs, job), []);
    await jobs.queues.removeUpkeep(job);
  });

  await t.test('knows no more of a job that is not taken than its name', async (t) => {
    const job = await jobs.announce(owner);
    t.match(await jobs.take(newJob({ ...job, perMonth: 1 })), { outcome: 'quota' });
    const entry = await services.redis.hget(`platen:{jobs}:upkeep:${job.id}`, 'data');
    t.same(JSON.parse(String(entry)), job);
    await jobs.queues.removeUpkeep(job);
  });

  await t.test('queues files that are not in the queue, as often as needed', async (t) => {
    const job = newJob();
    await jobs.records.take(job);
    isSoon(t, await jobs.lookAfter(job));
    t.match(await jobs.queues.counts(), { waiting: 3 });
    await jobs.lookAfter(job);
    t.match(await jobs.queues.counts(), { waiting: 3 }, 'once');
    await jobs.queues.removeFiles([{ ...job, n: 2 }]);
    await jobs.records.start({ ...job, n: 2 });
    await jobs.records.make({ ...job, n: 2 }, result);
    await jobs.lookAfter(job);
    t.match(await jobs.queues.counts(), { waiting: 3 }, 'also one that is to be billed');
    await jobs.remove(job);
  });

  await t.test('does what is left to do at the end of a job', async (t) => {
    const job = newJob({ files: filesOf(2) });
    await jobs.records.take(job);
    const key = objectNames.result(job.id, 1, 'counts', 'pdf');
    for (const name of [
      key,
      objectNames.result(job.id, 1, 'stray', 'pdf'),
      objectNames.request(job.id),
      objectNames.document(job.id, 2),
    ]) {
      await jobs.storage.put(name, Buffer.from('x'));
    }
    await jobs.records.make({ ...job, n: 1 }, { ...result, key });
    await jobs.conversion.settle({ ...job, n: 1 });
    // As of a server that dies before it releases the reservation.
    await jobs.records.end({ ...job, n: 2 }, { code: 'CORRUPTED_FILE', message: 'damaged' });
    t.equal(await reservations(), 1);
    await endLongAgo(services.redis, job);
    t.equal(await jobs.lookAfter(job), (await jobs.records.find(job))?.expiresAt);
    t.equal(await reservations(), 0);
    t.same(await objects(jobs, job), [key]);
    await jobs.remove(job);
    t.same(await objects(jobs, job), []);
  });

  await t.test('does not spin where it is due before the clock of Redis says so', async (t) => {
    const job = await jobs.announce(owner);
    const times: number[] = [];
    const { close } = await openUpkeep(services.redis, services.log, async () => {
      times.push(performance.now());
      return times.length < 2 ? Date.now() - 10_000 : undefined;
    });
    t.teardown(close);
    await jobs.queues.hastenUpkeep(job);
    t.ok(await services.redis.zadd('platen:{jobs}:upkeep:delayed', 'XX', 'CH', 1, job.id));
    await until('it looks twice', () => times.length === 2);
    t.ok(Number(times[1]) - Number(times[0]) > 500, times.join());
  });

  await t.test('looks soon after a job that is deleted', async (t) => {
    const delayed = 'platen:{jobs}:upkeep:delayed';
    const job = await jobs.announce(owner);
    await jobs.records.take(newJob(job));
    // As of a job that has ended. The score is the time in ms, times 4096.
    await services.redis.zadd(delayed, (Date.now() + 86_400_000) * 4_096, job.id);
    // As of a server that dies as soon as the record is gone.
    jobs.queues.removeFiles = () => Promise.reject(new Error('dead'));
    await t.rejects(jobs.remove(job), { message: 'dead' });
    Reflect.deleteProperty(jobs.queues, 'removeFiles');
    t.equal(await jobs.records.find(job), undefined);
    isSoon(t, Number(await services.redis.zscore(delayed, job.id)) / 4_096);
  });

  await t.test('releases at the end of the results, also if it died before', async (t) => {
    const job = newJob();
    await jobs.records.take(job);
    await services.redis.hset(jobKeys.job('acme', 'live', job.id), 'expiresAt', 1);
    t.equal(await jobs.records.expire(job, { code: 'SERVICE_UNAVAILABLE', message: 'late' }), true);
    t.equal(await reservations(), 3);
    t.ok(Number(await jobs.lookAfter(job)) > Date.now() + RECORD_KEPT_MS, 'not before the record is gone');
    t.equal(await reservations(), 0);
    t.match(await jobs.records.find(job), { state: 'expired', counts: { failed: 3 } });
  });
});

t.test('a file whose servers died too often fails, unless its PDF is made', async (t) => {
  const services = await testServices(t);
  const jobs = services.jobs as Jobs;
  const job = newJob({ files: filesOf(2) });
  await jobs.records.take(job);
  await jobs.records.make({ ...job, n: 1 }, result);
  const error = new PlatenError('CONVERSION_FAILED');
  t.equal(await jobs.conversion.fail({ ...job, n: 1 }, error), 'succeeded');
  t.equal(await jobs.conversion.fail({ ...job, n: 2 }, error), 'failed');
  t.equal(await jobs.conversion.fail({ ...job, n: 2 }, error), 'elsewhere');
  const found = await jobs.records.find(job);
  t.match(found, { state: 'completed', counts: { succeeded: 1, failed: 1 } });
  t.strictSame(found?.files[1]?.error, { code: error.code, message: error.message });
  t.match(await services.redis.hgetall(limitKeys.months('acme', 'live')), {
    [`used:${month()}`]: '1',
    [`reserved:${month()}`]: '0',
  });
});
