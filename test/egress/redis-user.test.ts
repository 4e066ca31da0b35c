/** The user of Redis that docker/make-secrets.sh makes for egress: it suffices, and reaches nothing else. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import t from 'tap';
import { readConfig } from '../../src/config.ts';
import { openEgress } from '../../src/egress/egress.ts';
import { newJobId } from '../../src/jobs/job.ts';
import { JobQueues } from '../../src/jobs/job-queues.ts';
import { EgressPulse } from '../../src/redis/egress-pulse.ts';
import { FolderStore } from '../../src/storage/folder-store.ts';
import { Webhooks } from '../../src/webhooks/webhooks.ts';
import { log, startRedis, temporaryFolder } from '../redis/support.ts';
import { until } from '../support/until.ts';

const script = fileURLToPath(new URL('../../docker/make-secrets.sh', import.meta.url));

t.test('egress works with a user of its own', async (t) => {
  const folder = await temporaryFolder(t);
  copyFileSync(script, join(folder, 'make-secrets.sh'));
  // The second time leaves what is there.
  for (let time = 0; time < 2; time++) execFileSync('sh', ['make-secrets.sh'], { cwd: folder });
  const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8').trim();
  const users = secret('redis-users').split('\n');
  const { username, password } = new URL(secret('redis-url-egress'));
  const { server, client } = await startRedis(t);
  const [, name = '', ...rules] = users.find((user) => user.includes(username))?.split(' ') ?? [];
  t.equal(username, name);
  await client.call('ACL', 'SETUSER', name, ...rules);

  const own = new Redis(server.socketPath, { username, password });
  t.teardown(() => own.disconnect());
  const others = [
    'platen:{acme}:live:job:job_1',
    'platen:{acme}:live:jobs',
    'platen:{acme}:months',
    'platen:x',
  ];
  for (const key of others) await t.rejects(own.get(key), /NOPERM/, key);
  await t.rejects(own.config('GET', '*'), /NOPERM/);

  const redisUrl = `${server.socketPath}?username=${username}&password=${password}`;
  const config = readConfig({
    REDIS_URL: redisUrl,
    DATA_DIR: join(folder, 'data'),
    WORK_DIR: join(folder, 'jobs'),
  });
  const openStorage = async () => FolderStore.open(join(folder, 'data/objects'));
  const egress = await openEgress(config, log, { openStorage });
  t.teardown(() => egress.close());
  await until('it gives a sign of life', () => new EgressPulse(client).isAlive());

  const connections = String(await client.call('CLIENT', 'LIST')).split('\n');
  const usersOf = connections
    .filter((line) => !line.includes('user=default'))
    .map((line) => /user=(\S+)/.exec(line)?.[1]);
  t.ok(usersOf.filter((user) => user === username).length > 2, 'its connections are of its user');

  const queues = new JobQueues(client);
  t.teardown(() => queues.close());
  const owner = { account: 'acme', environment: 'live' } as const;
  const id = newJobId();
  await queues.addFetches([{ ...owner, id, n: 1 }], 0);
  await until('it has seen that nobody wants the document', async () => {
    const { waiting, delayed, active } = await queues.fetchCounts();
    return waiting + delayed + active === 0;
  });

  const webhooks = new Webhooks(client);
  t.teardown(() => webhooks.close());
  const event = { type: 'job.completed', cause: id, at: Date.now(), data: {} } as const;
  await webhooks.tell(owner, event, { job: id, url: 'https://127.0.0.1/' });
  await until('it has noted an attempt', async () => {
    const [delivery] = await webhooks.deliveries.list({ ...owner, id }, 1);
    return delivery?.attempts[0]?.failure === 'forbidden';
  });
});
