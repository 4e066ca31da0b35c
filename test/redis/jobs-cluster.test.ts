/** Jobs on a Redis Cluster: the queue's keys are in one slot, those of an account in another. */
import t from 'tap';
import { objectNames, putRequest } from '../../src/jobs/job-objects.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { startRedisCluster } from '../e2e/support/redis-cluster.ts';
import { filesOf, newJob } from '../jobs/support.ts';
import { docx } from '../support/documents.ts';
import { testServices } from '../support/service.ts';
import { until } from '../support/until.ts';

t.test('files are converted, and the queue is left empty', async (t) => {
  const { url } = await startRedisCluster(t);
  const services = await testServices(t, { redis: url });
  const jobs = services.jobs as Jobs;
  await services.warmUp();
  jobs.start();
  for (const account of ['acme', 'beta', 'gamma']) {
    const job = await jobs.announce({ account, environment: 'live' });
    await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
    for (const n of [1, 2]) await jobs.storage.put(objectNames.document(job.id, n), docx());
    t.equal((await jobs.take(newJob({ ...job, files: filesOf(2) }))).outcome, 'taken');
    await until('the job ends', async () => (await jobs.records.find(job))?.state === 'completed');
    t.match((await jobs.records.find(job))?.counts, { succeeded: 2 });
    t.equal(await jobs.remove(job), true);
  }
  await until('the queue is empty', async () => (await jobs.queues.counts()).active === 0);
  t.same(await jobs.queues.counts(), { waiting: 0, delayed: 0, active: 0 });
});
