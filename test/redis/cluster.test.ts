/** Connections to a Redis Cluster. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from 'ioredis';
import t from 'tap';
import { connectRedis } from '../../src/redis/connect.ts';
import { startRedisCluster } from '../e2e/support/redis-cluster.ts';
import { until } from '../support/until.ts';
import { log } from './support.ts';

const KEY = 'platen:count';
/** Longer than what ioredis waits before it sends a command again. */
const AGAIN_MS = 300;

t.test('a command that failed for its caller is not sent again', async (t) => {
  const cluster = await startRedisCluster(t);
  const { client, close } = await connectRedis({ target: cluster.url, log });
  t.teardown(close);
  await client.set(KEY, 0);
  const node = await cluster.masterOf(KEY);
  const isReplaced = new Promise((resolve) => (client as Cluster).once('-node', resolve));
  await node.signal('SIGSTOP');
  await t.rejects(client.incr(KEY), { message: 'Command timed out' });
  await isReplaced;
  await delay(AGAIN_MS);
  await node.signal('SIGCONT');
  let count: string | null = null;
  await until('the node is back', async () => {
    count = await client.get(KEY).catch(() => null);
    return count !== null;
  });
  // It was on its way once.
  t.equal(count, '1');
});
