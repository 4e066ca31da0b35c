/** A Redis of the test's own with two replicas, and three Sentinels that put a replica in the place of a lost master. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { until } from '../../support/until.ts';
import { reservePorts } from './ports.ts';
import { type RedisNode, RedisNodes } from './redis-nodes.ts';
import { documentedUsers, NODES_PASSWORD, runDocumented } from './redis-users.ts';

const MASTER = 'platen';
/** How long a master is silent until the Sentinels replace it: as short as a busy machine allows. */
const DOWN_AFTER_MS = 1_000;
const FAILOVER_TIMEOUT_MS = 5_000;
const SENTINEL_PASSWORD = 'sentinel+secret';

export interface TestSentinels {
  /** As in REDIS_URL, with users that have no more permissions than the documentation gives them. */
  readonly url: string;
  /** As `url`, for egress. */
  readonly egressUrl: string;
  readonly sentinels: readonly RedisNode[];
  readonly nodes: readonly RedisNode[];
  /** The master that the first Sentinel names. */
  master(): Promise<RedisNode>;
  /** A client of the test, with all permissions, which reconnects. */
  client(node: RedisNode): Redis;
  /** Pauses writes to a master for some seconds, as docs/redis.md says. */
  pause(master: RedisNode): Promise<void>;
  /** Makes the Sentinels replace a living master, as docs/redis.md says. */
  failOver(): Promise<void>;
  /** Resolves when a Sentinel names another master. */
  switched(): Promise<void>;
  /** Waits until all nodes run, replicas are in sync with the master, and every Sentinel knows them. */
  restored(): Promise<void>;
}

/**
 * Starts them. Their processes end and their folder goes with the test.
 *
 * @param settings more arguments of the Redis servers.
 */
export async function startRedisSentinel(
  t: Pick<Test, 'teardown'>,
  settings: readonly string[] = [],
): Promise<TestSentinels> {
  const processes = await RedisNodes.open(t);
  const users = await documentedUsers(processes.folder);
  const ports = await reservePorts(t, 6);
  const [first = 0] = ports;
  const nodes: RedisNode[] = [];
  for (const port of ports.slice(0, 3)) {
    const common = ['--appendonly', 'yes', '--repl-diskless-sync-delay', '0'];
    const node = await processes.start(port, [...common, ...users.settings, ...settings]);
    nodes.push(node);
  }
  const open = (port: number, username: string, password: string) => {
    const client = new Redis({ port, username, password, host: '127.0.0.1', maxRetriesPerRequest: null });
    client.on('error', () => {});
    t.teardown(() => client.disconnect());
    return client;
  };
  const clients = nodes.map(({ port }) => open(port, 'admin', NODES_PASSWORD));
  for (const replica of clients.slice(1)) await replica.replicaof('127.0.0.1', first);
  // A Sentinel looks for replicas at its start, and then every ten seconds.
  await until('the replicas are there', async () => {
    const about = String(await clients[0]?.info('replication'));
    return about.match(/state=online/g)?.length === 2;
  });
  const sentinels: RedisNode[] = [];
  for (const port of ports.slice(3)) {
    const file = join(processes.folder, `sentinel-${port}.conf`);
    await writeFile(
      file,
      sentinelConfiguration(port, first, processes.folder, users.atSentinels(SENTINEL_PASSWORD)),
    );
    sentinels.push(await processes.run(port, [file, '--sentinel']));
  }
  const asked = sentinels.map(({ port }) => open(port, 'default', SENTINEL_PASSWORD));
  const listener = open(ports[3] as number, 'default', SENTINEL_PASSWORD);
  await listener.subscribe('+switch-master');
  const master = async () => {
    const address = await asked[0]?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER);
    const [, port] = address as [string, string];
    return nodes.find((node) => node.port === Number(port)) as RedisNode;
  };
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join();
  const query = `sentinelUsername=platen&sentinelPassword=${encodeURIComponent(SENTINEL_PASSWORD)}`;
  const test: TestSentinels = {
    url: `redis+sentinel://${users.credentials}@${hosts}/${MASTER}?${query}`,
    egressUrl: `redis+sentinel://${users.egressCredentials}@${hosts}/${MASTER}?${query}`,
    sentinels,
    nodes,
    master,
    client: (node) => clients[nodes.indexOf(node)] as Redis,
    async pause({ port }) {
      await runDocumented('CLIENT PAUSE', ['-p', String(port)]);
    },
    async failOver() {
      const options = { password: SENTINEL_PASSWORD, name: MASTER };
      await runDocumented('SENTINEL FAILOVER', ['-p', String(ports[3])], options);
    },
    async switched() {
      await once(listener, 'message');
    },
    async restored() {
      await until('the Sentinels know everybody', async () => {
        for (const sentinel of asked) {
          const replicas = (await sentinel.call('SENTINEL', 'REPLICAS', MASTER)) as string[][];
          const others = (await sentinel.call('SENTINEL', 'SENTINELS', MASTER)) as string[][];
          const areWell = [...replicas, ...others].every((each) =>
            /^(slave|sentinel)$/.test(field(each, 'flags')),
          );
          const areLinked = replicas.every((each) => field(each, 'master-link-status') === 'ok');
          if (replicas.length !== 2 || others.length !== 2 || !areWell || !areLinked) return false;
        }
        return true;
      });
    },
  };
  await test.restored();
  return test;
}

function field(fields: readonly string[], name: string): string {
  return String(fields[fields.indexOf(name) + 1]);
}

function sentinelConfiguration(port: number, master: number, dir: string, user: string): string {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `requirepass ${SENTINEL_PASSWORD}`,
    user,
    `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
    `sentinel monitor ${MASTER} 127.0.0.1 ${master} 2`,
    `sentinel auth-user ${MASTER} sentinel`,
    `sentinel auth-pass ${MASTER} ${NODES_PASSWORD}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} ${FAILOVER_TIMEOUT_MS}`,
    `sentinel parallel-syncs ${MASTER} 2`,
    '',
  ].join('\n');
}
