import t from 'tap';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { Settlement } from '../../src/accounts/billing/settlement.ts';
import { redisKeys } from '../../src/accounts/keys/redis-keys.ts';
import { jobKeys } from '../../src/jobs/redis-keys.ts';
import { filesOf, HOUR_MS, newJob, result, SHA256, take, testRecords } from './support.ts';

const error = { code: 'CORRUPTED_FILE', message: 'damaged' } as const;

t.test('a job is taken with all that it needs', async (t) => {
  const { redis, records } = await testRecords(t);
  const job = newJob();
  t.same(await records.take(job), { outcome: 'taken', waited: 0 });
  const found = await records.find(job);
  const createdAt = Number(found?.createdAt);
  t.ok(Math.abs(createdAt - Date.now()) < 60_000);
  const file = {
    bytes: 1_000,
    sha256: SHA256,
    state: 'queued',
    startedAt: null,
    endedAt: null,
    result: null,
    error: null,
  };
  t.strictSame(found, {
    id: job.id,
    key: 'key_1',
    environment: 'live',
    state: 'queued',
    createdAt,
    startedAt: null,
    completedAt: null,
    expiresAt: createdAt + HOUR_MS,
    options: { pdfa: '2b' },
    metadata: { order: '7' },
    webhook: null,
    counts: { queued: 3, running: 0, succeeded: 0, failed: 0, canceled: 0 },
    combine: false,
    result: null,
    files: [1, 2, 3].map((number) => ({ number, name: `${number}.docx`, ...file })),
    revision: 1,
  });
  const month = new Date(job.at).toISOString().slice(0, 7);
  t.same(await redis.zrange(limitKeys.reservations('acme', 'live'), '0', '-1'), [
    `${month} ${job.id}.1`,
    `${month} ${job.id}.2`,
    `${month} ${job.id}.3`,
  ]);
  t.equal(await redis.hget(limitKeys.months('acme', 'live'), `reserved:${month}`), '3');
  t.same(await records.take(newJob()), { outcome: 'taken', waited: 3 }, 'the next one tells how many wait');
  const names = await redis.keys('*:job*');
  const lifetimes = await Promise.all(names.map((name) => redis.pttl(name)));
  t.ok(
    lifetimes.every((lifetime) => lifetime > HOUR_MS),
    'nothing stays for ever',
  );
});

t.test('the quota is for all files or none', async (t) => {
  const { redis, records } = await testRecords(t);
  await take(records, { perMonth: 5 });
  const before = await redis.dbsize();
  t.same(await records.take(newJob({ perMonth: 5 })), { outcome: 'quota', left: 2 });
  t.equal(await redis.dbsize(), before, 'nothing was taken');
  await take(records, { perMonth: 5, files: filesOf(2) });
  t.same(await records.take(newJob({ perMonth: 5, files: filesOf(1) })), { outcome: 'quota', left: 0 });
});

t.test('a plan may bound the jobs that are open', async (t) => {
  const { records } = await testRecords(t);
  const first = await take(records, { maxJobs: 2, files: filesOf(1) });
  await take(records, { maxJobs: 2 });
  t.same(await records.take(newJob({ maxJobs: 2 })), { outcome: 'jobs' });
  t.equal((await records.take(newJob({ maxJobs: 2, environment: 'test' }))).outcome, 'taken', 'apart');
  await records.end({ ...first, n: 1 }, error);
  t.equal((await records.take(newJob({ maxJobs: 2 }))).outcome, 'taken', 'one has ended');
});

t.test('an idempotency key names one job', async (t) => {
  const { records } = await testRecords(t);
  const keyed = { idempotencyKey: SHA256, digest: 'one' };
  const first = await take(records, keyed);
  t.same(await records.take(newJob(keyed)), { outcome: 'known', id: first.id });
  t.same(await records.take(newJob({ ...keyed, digest: 'two' })), { outcome: 'reused' });
  t.same(await records.known(first, SHA256), { id: first.id, digest: 'one' });
  await records.remove(first);
  t.equal((await records.take(newJob(keyed))).outcome, 'taken', 'a deleted job is as good as none');
  t.equal((await records.list(first, { limit: 10 })).jobs.length, 1);
});

t.test('from the first file to the last', async (t) => {
  const { redis, records } = await testRecords(t);
  const job = await take(records, { files: filesOf(2) });
  const [one, two] = [1, 2].map((n) => ({ ...job, n })) as [
    typeof job & { n: number },
    typeof job & { n: number },
  ];
  t.equal(await records.start(one), 'running');
  t.equal(await records.start(one), 'running', 'again, on another server');
  t.match(await records.find(job), { state: 'running', counts: { queued: 1, running: 1 } });
  t.equal(await redis.get(jobKeys.waiting('acme', 'live')), '1');
  await records.requeue(one, true);
  t.match(await records.find(job), { counts: { queued: 2, running: 0 } });
  t.equal(await redis.get(jobKeys.waiting('acme', 'live')), '2');
  await records.start(one);
  t.same(await records.end(one), { ended: false, isLast: false }, 'there is no PDF yet');
  t.equal(await records.make(one, result), true);
  t.equal(await records.make(one, { ...result, key: 'other' }), false, 'the first writer wins');
  t.match(
    (await records.find(job))?.files[0],
    { state: 'running', result: null },
    'not shown before it is billed',
  );
  t.equal(await records.start(one), 'made');
  t.same(await records.end(one, error), { ended: false, isLast: false }, 'it can no longer fail');
  t.same(await records.end(one), { ended: true, isLast: false });
  t.same(await records.end(one), { ended: false, isLast: false });
  t.equal(await records.start(one), 'succeeded');
  t.same(await records.end(two, error), { ended: true, isLast: true });
  const ended = await records.find(job);
  t.match(ended, {
    state: 'completed',
    counts: { queued: 0, running: 0, succeeded: 1, failed: 1, canceled: 0 },
  });
  t.match(ended?.files, [
    { state: 'succeeded', result, error: null },
    { state: 'failed', result: null, error },
  ]);
  t.equal(ended?.expiresAt, Number(ended?.completedAt) + HOUR_MS);
  t.equal(await redis.exists(jobKeys.waiting('acme', 'live'), jobKeys.open('acme', 'live')), 0);
});

t.test('a file is tried three times, whatever became of its servers', async (t) => {
  const { redis, records } = await testRecords(t);
  const job = await take(records, { files: filesOf(2) });
  const [one, two] = [
    { ...job, n: 1 },
    { ...job, n: 2 },
  ] as const;
  for (let wait = 0; wait < 10; wait++) {
    t.equal(await records.start(one), 'running');
    await records.requeue(one, false);
  }
  t.equal(await records.tries(one), 0, 'a wait is no try');
  t.equal(await records.start(one), 'running');
  t.equal(await records.start(one), 'running', 'after the death of its server');
  await records.requeue(one, true);
  t.equal(await records.start(one), 'running');
  t.equal(await records.start(one), 'tried', 'after the death of another one');
  t.equal(await records.tries(one), 3);
  t.match(await records.find(job), { counts: { queued: 1, running: 1 } }, 'it has not ended yet');
  await records.make(one, result);
  t.equal(await records.start(one), 'made', 'a PDF counts all the same');

  await redis.hset(redisKeys.account('acme'), 'suspendedAt', 1);
  for (let n = 0; n < 4; n++) t.equal(await records.start(two), 'held');
  t.equal(await records.tries(two), 0, 'nor is a start that is held');

  const reservation = { requestId: 'req_1', key: { ...job, id: 'key_1' }, at: Date.now() };
  const conversion = { reservation, document: undefined, isRunning: true };
  const adopted = { ...(await take(records, { files: filesOf(1), conversion })), n: 1 };
  t.equal(await records.tries(adopted), 1, 'its server has begun');
});

t.test('a cancelled job keeps the PDFs that it has', async (t) => {
  const { redis, records } = await testRecords(t);
  const job = await take(records);
  await records.start({ ...job, n: 1 });
  await records.make({ ...job, n: 1 }, result);
  await records.start({ ...job, n: 2 });
  t.same(await records.cancel(job), [2, 3]);
  t.equal(await records.isRunning({ ...job, n: 2 }), false);
  t.equal(await records.isRunning({ ...job, n: 1 }), true);
  t.equal(await records.make({ ...job, n: 2 }, result), false);
  t.same(await records.end({ ...job, n: 2 }, error), { ended: false, isLast: false });
  t.same(await records.end({ ...job, n: 1 }), { ended: true, isLast: true });
  t.match(await records.find(job), {
    state: 'canceled',
    counts: { succeeded: 1, canceled: 2, running: 0, queued: 0 },
  });
  t.same(await records.cancel(job), []);
  t.equal(await records.cancel(newJob()), undefined);
  t.equal(await redis.exists(jobKeys.waiting('acme', 'live')), 0);
});

t.test('a deleted job leaves nothing', async (t) => {
  const { redis, records } = await testRecords(t);
  const other = await take(records);
  const names = (await redis.keys('*')).sort();
  const counted = await redis.get(jobKeys.waiting('acme', 'live'));
  const job = await take(records, { idempotencyKey: SHA256, digest: 'one' });
  await records.start({ ...job, n: 3 });
  t.equal(await records.remove(job), true);
  t.equal(await records.remove(job), false);
  t.same((await redis.keys('*')).sort(), names);
  t.equal(await redis.get(jobKeys.waiting('acme', 'live')), counted);
  t.equal(await records.start({ ...job, n: 1 }), undefined);
  t.equal(await records.make({ ...job, n: 3 }, result), false);
  t.same(await records.end({ ...job, n: 3 }, error), { ended: false, isLast: false });
  t.match(await records.find(other), { state: 'queued' });
});

t.test('results have their time, and the record a week more', async (t) => {
  const { redis, records } = await testRecords(t);
  const job = await take(records, { files: filesOf(2) });
  t.equal(await records.expire(job, error), false, 'not yet');
  await records.start({ ...job, n: 1 });
  await records.make({ ...job, n: 1 }, result);
  await records.end({ ...job, n: 1 });
  await redis.hset(jobKeys.job('acme', 'live', job.id), 'expiresAt', 1);
  t.equal(await records.expire(job, error), true);
  t.match(await records.find(job), {
    state: 'expired',
    counts: { succeeded: 1, failed: 1 },
    files: [{}, { error }],
  });
  const left = await redis.pttl(jobKeys.job('acme', 'live', job.id));
  t.ok(left > 6 * 86_400_000 && left <= 7 * 86_400_000);
  t.equal(await redis.exists(jobKeys.open('acme', 'live')), 0);
  t.equal(await records.expire(job, error), true, 'again');
  t.equal(await records.expire(newJob(), error), false, 'there is no such job');
});

t.test('a list begins with the newest', async (t) => {
  const { records } = await testRecords(t);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    const id = `job_${String(n).padStart(32, '0')}`;
    ids.unshift((await take(records, { id, at: HOUR_MS, files: filesOf(1) })).id);
  }
  const [newest, , third] = ids as [string, string, string];
  const owner = { account: 'acme', environment: 'live' } as const;
  const idsOf = async (options: Parameters<typeof records.list>[1]) => {
    const { jobs, next } = await records.list(owner, options);
    return [jobs.map(({ id }) => id), next];
  };
  t.same(await idsOf({ limit: 10 }), [ids, undefined]);
  t.same(await idsOf({ limit: 2 }), [ids.slice(0, 2), ids[1]]);
  t.same(await idsOf({ limit: 2, after: ids[1] }), [ids.slice(2, 4), ids[3]]);
  await records.end({ ...owner, id: third, n: 1 }, error);
  t.same(await idsOf({ limit: 10, state: 'completed' }), [[third], undefined]);
  t.same((await idsOf({ limit: 1, state: 'queued' }))[0], [newest]);
  t.same(await records.list({ account: 'other', environment: 'live' }, { limit: 10 }), {
    jobs: [],
    next: undefined,
  });
});

t.test('each file is billed once, under its own id', async (t) => {
  const { redis, records } = await testRecords(t);
  const settlement = new Settlement(redis);
  const job = await take(records, { perMonth: 3 });
  const bill = await records.bill({ ...job, n: 2 });
  if (!bill) throw new Error('no bill');
  t.match(bill, { reservation: { requestId: `${job.id}.2`, key: { account: 'acme', id: 'key_1' } } });
  const figures = { pages: 1, bytesIn: 1, bytesOut: 1, durationMs: 1 };
  await settlement.settle(bill.reservation, figures);
  await settlement.settle(bill.reservation, figures);
  const month = new Date(bill.reservation.at).toISOString().slice(0, 7);
  t.match(await redis.hgetall(limitKeys.months('acme', 'live')), {
    [`used:${month}`]: '1',
    [`reserved:${month}`]: '2',
  });
  t.equal(await redis.xlen(limitKeys.ledger('acme', month)), 1);
  t.equal(await records.bill({ ...newJob(), n: 1 }), undefined);
});

t.test('a conversion that runs becomes a job with the reservation that it has', async (t) => {
  const { redis, records } = await testRecords(t);
  const at = Date.now();
  const month = new Date(at).toISOString().slice(0, 7);
  await redis.zadd(limitKeys.reservations('acme', 'live'), at + 1_000, `${month} req_1`);
  const key = { account: 'acme', environment: 'live', id: 'key_1' } as const;
  const reservation = { requestId: 'req_1', key, at, idempotencyKey: SHA256 };
  const conversion = { reservation, document: 'sha256:1', isRunning: true };
  const job = await take(records, { files: filesOf(1), conversion, perMonth: 0 });
  t.match(await records.find(job), { state: 'running', counts: { running: 1, queued: 0 } });
  const deadline = Number(await redis.zscore(limitKeys.reservations('acme', 'live'), `${month} req_1`));
  t.ok(deadline > at + HOUR_MS);
  t.match(await records.bill({ ...job, n: 1 }), {
    reservation: { requestId: 'req_1', at, idempotencyKey: SHA256 },
    document: 'sha256:1',
  });
});
