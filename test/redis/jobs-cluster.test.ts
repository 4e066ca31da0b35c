/** Jobs and webhooks on a Redis Cluster: the keys of a queue are in one slot, those of an account in another. */
import t from 'tap';
import { objectNames, putRequest } from '../../src/jobs/job-objects.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { openDeliveries } from '../../src/webhooks/deliver.ts';
import { startRedisCluster } from '../e2e/support/redis-cluster.ts';
import { filesOf, newJob } from '../jobs/support.ts';
import { docx } from '../support/documents.ts';
import { plainOutbound } from '../support/plain-outbound.ts';
import { Receiver } from '../support/receiver.ts';
import { testServices } from '../support/service.ts';
import { until } from '../support/until.ts';

t.test('files are converted, webhooks told, and the queues left empty', async (t) => {
  const { url } = await startRedisCluster(t);
  const services = await testServices(t, { redis: url });
  const jobs = services.jobs as Jobs;
  await services.warmUp();
  jobs.start();
  const receiver = await Receiver.start(t);
  const { webhooks, redis, log } = services;
  const deliveries = await openDeliveries(redis, log, plainOutbound);
  t.teardown(() => deliveries.close());
  for (const account of ['acme', 'beta', 'gamma']) {
    const owner = { account, environment: 'live' } as const;
    const settings = { url: receiver.url(`/${account}`), description: '', enabled: true };
    const endpoint = await webhooks.endpoints.add(owner, { ...settings, events: ['job.completed'] });
    const job = await jobs.announce(owner);
    await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
    for (const n of [1, 2]) await jobs.storage.put(objectNames.document(job.id, n), docx());
    t.equal((await jobs.take(newJob({ ...job, files: filesOf(2) }))).outcome, 'taken');
    await until('the job ends', async () => (await jobs.records.find(job))?.state === 'completed');
    t.match((await jobs.records.find(job))?.counts, { succeeded: 2 });
    await until('its end is told', () => receiver.to(`/${account}`).length === 1);
    const name = { ...owner, id: String(endpoint?.id) };
    await until('that is noted', async () => {
      const [delivery] = await webhooks.deliveries.list(name, 1);
      return delivery?.state === 'delivered';
    });
    t.equal(await jobs.remove(job), true);
    t.equal(await webhooks.endpoints.remove(name), true);
  }
  await until('the queue is empty', async () => (await jobs.queues.counts()).active === 0);
  t.same(await jobs.queues.counts(), { waiting: 0, delayed: 0, active: 0 });
  t.same(await webhooks.queue.waiting(), { due: 0, delayed: 0 });
});
