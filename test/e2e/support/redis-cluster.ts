/** A Redis Cluster of the test's own: three masters, and a replica of each if it is to fail over. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { until } from '../../support/until.ts';
import { reservePorts } from './ports.ts';
import { type RedisNode, RedisNodes } from './redis-nodes.ts';
import { documentedUsers, NODES_PASSWORD, runDocumented } from './redis-users.ts';

const run = promisify(execFile);
const MASTERS = 3;
/** How long a node is silent until a replica takes its place. */
const NODE_TIMEOUT_MS = 2_000;

interface TestCluster {
  /** URL of one of its nodes; with replicas, as a user with the documented permissions only. */
  readonly url: string;
  /** As `url`, for egress. */
  readonly egressUrl: string;
  /** The masters, then their replicas. */
  readonly nodes: readonly RedisNode[];
  /** The master of a key, as the other nodes have it. */
  masterOf(key: string, except?: RedisNode): Promise<RedisNode>;
  /** Replaces a master by its replica, as docs/redis.md says. */
  failOver(master: RedisNode): Promise<void>;
  /** Waits until each master has its replica. */
  restored(): Promise<void>;
}

/** Starts a cluster that takes commands. Its processes end and its folder goes with the test. */
export async function startRedisCluster(
  t: Pick<Test, 'teardown'>,
  { replicas = 0 } = {},
): Promise<TestCluster> {
  const processes = await RedisNodes.open(t);
  const count = MASTERS * (1 + replicas);
  const ports = await reservePorts(t, 2 * count);
  const users = replicas > 0 ? await documentedUsers(processes.folder) : undefined;
  const login = users && { username: 'admin', password: NODES_PASSWORD };
  const nodes: RedisNode[] = [];
  for (const [n, port] of ports.slice(0, count).entries()) {
    const settings = ['--cluster-enabled', 'yes', '--cluster-port', String(ports[count + n])];
    if (users) {
      settings.push(
        '--cluster-node-timeout',
        String(NODE_TIMEOUT_MS),
        '--appendonly',
        'yes',
        ...users.settings,
      );
    }
    nodes.push(await processes.start(port, settings));
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const options = ['--cluster-replicas', String(replicas), '--cluster-yes'];
  if (login) options.push('--user', login.username, '--pass', login.password, '--no-auth-warning');
  await run('redis-cli', ['--cluster', 'create', ...addresses, ...options]);
  const clients = nodes.map(({ port }) => {
    const client = new Redis({
      port,
      host: '127.0.0.1',
      ...login,
      lazyConnect: true,
      maxRetriesPerRequest: null,
    });
    client.on('error', () => {});
    t.teardown(() => client.disconnect());
    return client;
  });
  return {
    url: `redis://${users ? `${users.credentials}@` : ''}${addresses[0]}`,
    egressUrl: `redis://${users ? `${users.egressCredentials}@` : ''}${addresses[0]}`,
    nodes,
    async masterOf(key, except) {
      const client = clients[nodes.findIndex((node) => node !== except)] as Redis;
      const slot = Number(await client.cluster('KEYSLOT', key));
      const ranges = await client.cluster('SLOTS');
      const range = ranges.find(([first, last]) => first <= slot && slot <= last);
      const master = nodes.find((node) => node.port === range?.[2]?.[1]);
      if (!master) throw new Error(`nobody has ${key}`);
      return master;
    },
    async failOver(master) {
      const client = clients[nodes.indexOf(master)] as Redis;
      const [, , replicas] = (await client.call('ROLE')) as [string, number, string[][]];
      const [[, port] = []] = replicas;
      await runDocumented('CLUSTER FAILOVER', ['-p', String(port)]);
    },
    async restored() {
      await until('each master has its replica', async () => {
        for (const client of clients) {
          const lines = String(await client.cluster('NODES'))
            .trim()
            .split('\n');
          const areWell = lines.every((line) => /^\S+ \S+ (myself,)?(master|slave) /.test(line));
          const about = String(await client.info('replication'));
          const isWell = /role:slave/.test(about)
            ? /master_link_status:up/.test(about)
            : about.match(/state=online/g)?.length === replicas;
          if (!areWell || !isWell || lines.length !== count) return false;
        }
        return true;
      });
    },
  };
}
