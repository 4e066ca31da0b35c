import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type OpenRedis, openRedis, type RedisRole } from '../../src/redis/open.ts';
import { lockFolder } from '../../src/system/folder-lock.ts';
import { log, startRedis, temporaryFolder } from './support.ts';

async function open(t: Test, dataDir: string, role: RedisRole, redisUrl?: string): Promise<OpenRedis> {
  const redis = await openRedis({ dataDir, redisUrl }, log, role);
  t.teardown(() => redis.close());
  return redis;
}

t.test('a guest without a service starts Redis and stops it again', async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = await open(t, dataDir, 'guest');
  t.equal(first.embedded, true);
  await first.client.set('kept', 'yes');
  await first.close();
  await (await lockFolder(join(dataDir, 'redis'), 0)).release();

  const service = await open(t, dataDir, 'service');
  t.equal(service.embedded, true);
  t.equal(await service.client.get('kept'), 'yes', 'a service has the same data');
});

t.test("a guest beside a service uses the service's Redis and leaves it running", async (t) => {
  const dataDir = await temporaryFolder(t);
  const service = await open(t, dataDir, 'service');
  const guest = await open(t, dataDir, 'guest');
  t.equal(guest.embedded, false);
  await guest.client.set('from', 'the guest');
  await guest.close();
  t.equal(await service.client.get('from'), 'the guest');
});

t.test('a guest and a service that start together both get there', async (t) => {
  const dataDir = await temporaryFolder(t);
  const [service] = await Promise.all([open(t, dataDir, 'service'), open(t, dataDir, 'guest').then(visit)]);
  t.equal(await service.client.get('guest'), 'was here');
});

t.test('guests take turns', async (t) => {
  const dataDir = await temporaryFolder(t);
  const visits = [1, 2, 3].map(async () => {
    const guest = await open(t, dataDir, 'guest');
    t.equal(guest.embedded, true, "none uses another guest's Redis, which may end at any time");
    const count = await guest.client.incr('visits');
    await guest.close();
    return count;
  });
  t.same((await Promise.all(visits)).sort(), [1, 2, 3]);
});

t.test('a service waits for a guest that holds the folder for a moment', async (t) => {
  const dataDir = await temporaryFolder(t);
  const guest = await open(t, dataDir, 'guest');
  const service = open(t, dataDir, 'service');
  await visit(guest);
  t.equal(await (await service).client.get('guest'), 'was here');
});

t.test('REDIS_URL goes before the data folder', async (t) => {
  const { server, client } = await startRedis(t);
  const service = await open(t, await temporaryFolder(t), 'service', server.socketPath);
  t.equal(service.embedded, false);
  await service.client.set('from', 'the service');
  t.equal(await client.get('from'), 'the service');
  await service.close();
  t.equal(await client.ping(), 'PONG', 'a Redis that it did not start goes on');
});

async function visit(guest: OpenRedis): Promise<void> {
  await guest.client.set('guest', 'was here');
  await guest.close();
}
