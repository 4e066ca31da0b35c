/** platen jobs, beside a service. */
import t from 'tap';
import { wholeOf } from '../../src/jobs/job.ts';
import { JobQueues } from '../../src/jobs/job-queues.ts';
import { JobRecords } from '../../src/jobs/job-records.ts';
import { newJob, result } from '../jobs/support.ts';
import { startRedis, temporaryFolder } from '../redis/support.ts';
import { jsonCommands, run } from './support.ts';

const RETENTION_MS = 86_400_000;

t.test('the jobs of an account, and the end of one', async (t) => {
  const { server, client } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath, DATA_DIR: await temporaryFolder(t) };
  const json = jsonCommands(t, env);
  await json('accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme');
  t.same(await json('jobs', 'list', '--account', 'acme'), []);

  const records = new JobRecords(client, RETENTION_MS);
  const queues = new JobQueues(client);
  t.teardown(() => queues.close());
  const job = newJob();
  await queues.addUpkeep(job);
  await records.take(job);

  const summary = { id: job.id, account: 'acme', environment: 'live', key: job.key, state: 'queued' };
  t.match(await json('jobs', 'list', '--account', 'acme'), [{ ...summary, counts: { queued: 3 } }]);
  t.same(await json('jobs', 'list', '--account', 'acme', '--env', 'test'), []);
  t.same(await json('jobs', 'list', '--account', 'acme', '--state', 'expired'), []);
  t.match(await json('jobs', 'show', job.id), {
    ...summary,
    files: [{ number: 1, state: 'queued' }, {}, {}],
  });
  const canceled = await json('jobs', 'cancel', job.id);
  t.match(canceled, { ...summary, state: 'canceled', counts: { queued: 0, canceled: 3 } });
  t.same(await json('jobs', 'show', job.id), canceled);

  const { stdout } = await run(env, 'jobs', 'show', job.id);
  t.match(stdout, new RegExp(`^Job ${job.id} of account acme \\(live, key ${job.key}\\): canceled\\.`));
  t.match(stdout, /^FILE +STATE/m);
  const whole = newJob({ combine: true });
  await queues.addUpkeep(whole);
  await records.take(whole);
  await records.start(wholeOf(whole));
  await records.make(wholeOf(whole), { ...result, documentPages: [1, 1, 0] });
  await records.end(wholeOf(whole));
  const pdf = { pages: 2, bytesOut: 2_000, durationMs: 40, libreOffice: null, warnings: [] };
  t.match(await json('jobs', 'show', whole.id), { pdf, files: [{ pages: null, error: null }, {}, {}] });
  const shown = await run(env, 'jobs', 'show', whole.id);
  t.match(shown.stdout, /^One PDF of all files: 2 pages, 2000 bytes\.$/m);
  for (const [args, message] of [
    [['jobs', 'show', 'job_1'], /there is no job "job_1"/],
    [['jobs', 'cancel', `job_${'0'.repeat(32)}`], /there is no job/],
    [['jobs', 'list', '--account', 'nobody'], /nobody/],
  ] as const) {
    const failed = await run(env, ...args);
    t.equal(failed.code, 1);
    t.match(failed.stderr, message);
  }
});
