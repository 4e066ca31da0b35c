/** A client for Redis that fails fast while Redis is away and comes back by itself. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';

const FIRST_CONNECT_TIMEOUT_MS = 10_000;

const options = {
  lazyConnect: true,
  // A command never waits for a connection: without one it fails at once…
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // …and with one that is silent (a hung Redis) within a second. What is asked over HTTP has a limit of its own, which comes
  // first (src/http/core/redis-deadline.ts): this one also fails what is answered, but not read yet.
  commandTimeout: 950,
  // A command whose caller was told that it failed must not run after all.
  autoResendUnfulfilledCommands: false,
  // A silent connection may be dead without either side knowing: replace it.
  socketTimeout: 1_500,
  connectTimeout: 1_000,
  // The address leads to another Redis now; this one became its replica.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
} satisfies RedisOptions;

/** One Redis, or a Redis Cluster: every command and script that Platen runs stays within one slot. */
export type RedisClient = Redis | Cluster;

export interface RedisConnection {
  readonly client: RedisClient;
  /** Ends the connection and its attempts to return. Idempotent. */
  close(): void;
}

/** Of a cluster whose nodes come and go: a command gives up within the second, too. */
const clusterOptions = {
  maxRedirections: 5,
  retryDelayOnFailover: 100,
  retryDelayOnClusterDown: 100,
  slotsRefreshTimeout: 800,
  clusterRetryStrategy: options.retryStrategy,
};

/**
 * Connects to Redis, or to the cluster that it is a node of, and waits until it is ready for commands, 10 s at
 * most.
 *
 * From then on every command settles within a second, whatever state Redis is in, and the client
 * reconnects until it is closed. An outage is logged once when it begins and once when it ends.
 *
 * @param target URL (`redis://`, `rediss://`) or absolute path of a Unix socket.
 * @throws OperatorError without the password that the URL may hold.
 */
export async function connectRedis({ target, log }: { target: string; log: Log }): Promise<RedisConnection> {
  const address = describeTarget(target);
  const node = new Redis(target, options);
  await untilReady(node, address, log);
  if (!(await isInCluster(node))) return { client: node, close: () => node.disconnect() };
  const { host = 'localhost', port = 6379 } = node.options;
  const cluster = new Cluster([{ host, port }], {
    ...clusterOptions,
    lazyConnect: true,
    enableOfflineQueue: false,
    redisOptions: nodeOptions(node.options),
  });
  node.disconnect();
  await untilReady(cluster, address, log);
  log.info({ redis: address, nodes: cluster.nodes('master').length }, 'Redis is a cluster');
  return { client: cluster, close: () => cluster.disconnect() };
}

/** How to reach any node of a cluster: as the one that is known. */
function nodeOptions({ username, password, tls }: RedisOptions) {
  // What a cluster decides itself.
  const { lazyConnect: _, enableOfflineQueue: _queue, retryStrategy: _strategy, ...rest } = options;
  return {
    ...rest,
    ...(username != null && { username }),
    ...(password != null && { password }),
    ...(tls && { tls }),
  };
}

/** A node that knows no other has all the slots, and may not even know its own address. */
async function isInCluster(client: Redis): Promise<boolean> {
  // Redis refuses to tell where it is no cluster, or where the user may not ask.
  const about = String(await client.cluster('INFO').catch(() => ''));
  return Number(/cluster_known_nodes:(\d+)/.exec(about)?.[1] ?? 0) > 1;
}

async function untilReady(client: RedisClient, address: string, log: Log): Promise<void> {
  const outage = followOutages(client, address, log);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve);
      timer = setTimeout(() => {
        const reason = outage.reason ?? 'no answer';
        reject(new OperatorError(`Redis at ${address} cannot be reached: ${reason}`));
      }, FIRST_CONNECT_TIMEOUT_MS);
      // Its first failure is no reason to give up: the client tries again until the timer ends it.
      client.connect().catch(() => {});
    });
  } catch (error) {
    client.disconnect();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Logs each outage once. Only the text of an error: ioredis attaches the command, a password included. */
function followOutages(
  client: RedisClient,
  address: string,
  log: Log,
): { readonly reason: string | undefined } {
  const outage: { away: boolean; reason: string | undefined } = { away: false, reason: undefined };
  client.on('error', (error: Error) => {
    outage.reason = error.message;
  });
  // Emitted for a connection that was lost or not made, not for one that was closed on purpose.
  client.on('reconnecting', () => {
    if (outage.away) return;
    outage.away = true;
    log.warn({ redis: address, reason: outage.reason ?? 'connection closed' }, 'Redis is away');
  });
  client.on('ready', () => {
    if (outage.away) log.info({ redis: address }, 'Redis is back');
    outage.away = false;
    outage.reason = undefined;
  });
  return outage;
}

/** The target without credentials, for logs and messages. */
function describeTarget(target: string): string {
  if (target.startsWith('/')) return target;
  try {
    const { protocol, host } = new URL(target);
    return `${protocol}//${host}`;
  } catch {
    throw new OperatorError('REDIS_URL is not a valid URL: use redis://host:port or rediss://host:port');
  }
}
