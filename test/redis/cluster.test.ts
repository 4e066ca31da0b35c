/** Connections to a Redis Cluster. */
import { Cluster, Redis } from 'ioredis';
import t from 'tap';
import { blockingClient, connectRedis } from '../../src/redis/connect.ts';
import { startRedisCluster } from '../e2e/support/redis-cluster.ts';
import { until } from '../support/until.ts';
import { log } from './support.ts';

const [KEY, OTHER] = ['platen:{count}', 'platen:{count}:other'];

const cluster = await startRedisCluster(t);
const { client, close } = await connectRedis({ target: cluster.url, log });
t.teardown(close);
const node = await cluster.masterOf(KEY);

const alone = (): Promise<unknown> => client.incr(KEY);
const inTransaction = (): Promise<unknown> => client.multi().incr(KEY).exec();

for (const [name, send, isCut, message] of [
  ['a command that has timed out', alone, false, 'Command timed out'],
  ['a command whose connection breaks', alone, true, 'Connection is closed.'],
  ['a transaction whose connection breaks', inTransaction, true, 'The connection broke.'],
] as const) {
  t.test(`${name} is not sent again`, async (t) => {
    // ioredis alone sends its command again, and later than it would send the other one.
    const plain = new Cluster([cluster.url], { retryDelayOnFailover: 200 });
    t.teardown(() => plain.disconnect());
    await client.set(KEY, 0);
    await plain.set(OTHER, 0);
    await node.signal('SIGSTOP');
    const failing = send();
    const again = plain.incr(OTHER);
    const isReplaced = isCut || new Promise((resolve) => (client as Cluster).once('-node', resolve));
    if (isCut) cut(client as Cluster);
    await t.rejects(failing, { message });
    await isReplaced;
    cut(plain);
    await node.signal('SIGCONT');
    t.equal(await again, 2);
    let count: string | null = null;
    await until('the node is back', async () => {
      count = await client.get(KEY).catch(() => null);
      return count !== null;
    });
    // It was on its way once.
    t.equal(count, '1');
  });
}

t.test(
  'a further connection is made by the other nodes while the one that REDIS_URL names is away',
  async () => {
    const [named, ...others] = cluster.nodes;
    // They go on for as long as the test may take.
    for (const { port } of others) {
      const other = new Redis(port);
      await other.config('SET', 'cluster-require-full-coverage', 'no');
      other.disconnect();
    }
    await named?.signal('SIGKILL');
    await until('it is made', async () => {
      const further = await blockingClient(client).catch(() => undefined);
      further?.disconnect();
      return further !== undefined;
    });
  },
);

function cut(client: Cluster): void {
  for (const { stream } of client.nodes()) stream?.destroy();
}
