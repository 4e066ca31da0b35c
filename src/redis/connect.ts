/** A Redis client that fails fast during an outage and reconnects by itself. */
import { Cluster, type ClusterNode, Redis, type RedisOptions } from 'ioredis';
import { OperatorError } from '../errors.ts';
import type { Log } from '../system/log.ts';
import { limitCommands } from './command-limit.ts';
import { sendOnce } from './send-once.ts';
import {
  describeRefusal,
  describeSentinelError,
  describeSentinels,
  isUnreachable,
  MendedSentinelConnector,
  namesSentinels,
  readSentinelUrl,
  sentinelWaits,
} from './sentinel.ts';

const FIRST_CONNECT_TIMEOUT_MS = 10_000;
/** A connection on which a command may wait is dead if it is silent for longer. */
const BLOCKED_MS = 15_000;

/** How long one waits for a Redis that hangs, in milliseconds. */
export interface RedisWaits {
  /** An HTTP request, for all its answers together; see src/http/core/redis-deadline.ts. */
  readonly requestMs: number;
  /** A command; see command-limit.ts. It is longer, so that a request has its own reason. */
  readonly commandMs: number;
  /** A silent connection, which may be dead unnoticed, before it is replaced. */
  readonly silenceMs: number;
}

/** Whoever asks knows within a second. */
export const redisWaits: RedisWaits = { requestMs: 900, commandMs: 950, silenceMs: 1_500 };

/** How long a failover of Redis, or its restart, may take without the loss of a bill or a file: see docs/redis.md. */
export const LONGEST_FAILOVER_MS = 60_000;

const options = {
  lazyConnect: true,
  // Without a connection a command fails at once.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // A command that has failed for its caller must not be sent again.
  autoResendUnfulfilledCommands: false,
  connectTimeout: 1_000,
  // This Redis has become a replica: the address now leads to another.
  reconnectOnError: (error: Error) => /(^|-)READONLY /.test(error.message),
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
} satisfies RedisOptions;

/** One Redis, perhaps found by Sentinels, or a Redis Cluster: every command and script of Platen stays within one slot. */
export type RedisClient = Redis | Cluster;

interface RedisConnection {
  readonly client: RedisClient;
  /** Ends the connection and all reconnecting. Idempotent. */
  close(): void;
}

/** For a master that Sentinels name. */
const sentinelOptions = {
  ...sentinelWaits,
  Connector: MendedSentinelConnector,
} satisfies RedisOptions;

/** For a cluster whose nodes come and go: a command also gives up within a second. */
const clusterOptions = {
  maxRedirections: 5,
  // For commands that were not sent yet: see sendOnce.
  retryDelayOnFailover: 100,
  retryDelayOnClusterDown: 100,
  slotsRefreshTimeout: 800,
  clusterRetryStrategy: options.retryStrategy,
};

/**
 * Connects to Redis, or to its cluster, and waits up to 10 s until it is ready for commands.
 *
 * From then on every command settles within a second, unless `waits` says otherwise, and the client reconnects until it is closed. An outage is logged when
 * it begins and when it ends.
 *
 * @param target URL (`redis://`, `rediss://`, or of Sentinels) or absolute path of a Unix socket.
 * @throws OperatorError without the password that the URL may hold.
 */
export async function connectRedis({
  target,
  log,
  waits: { commandMs, silenceMs } = redisWaits,
}: {
  target: string;
  log: Log;
  waits?: RedisWaits | undefined;
}): Promise<RedisConnection> {
  const address = describeTarget(target);
  const nodeOptions = { ...options, socketTimeout: silenceMs };
  const hasSentinels = namesSentinels(target);
  const node = hasSentinels
    ? new Redis({ ...nodeOptions, ...sentinelOptions, ...readSentinelUrl(target) })
    : new Redis(target, nodeOptions);
  limitCommands(node, commandMs);
  await untilReady(node, address, log);
  if (hasSentinels) log.info({ redis: address, master: masterOf(node) }, 'the Sentinels name the master');
  else await assertNoSentinel(node, address);
  await assertDatabase(node, address);
  if (hasSentinels || !(await isInCluster(node))) return { client: node, close: () => node.disconnect() };
  const cluster = new Cluster(await clusterAddresses(node, address), {
    ...clusterOptions,
    lazyConnect: true,
    enableOfflineQueue: false,
    redisOptions: clusterNodeOptions(node.options),
  });
  sendOnce(cluster);
  limitCommands(cluster, commandMs);
  node.disconnect();
  await untilReady(cluster, address, log);
  log.info({ redis: address, nodes: cluster.nodes('master').length }, 'Redis is a cluster');
  return { client: cluster, close: () => cluster.disconnect() };
}

/** A Sentinel accepts connections as if it were a Redis. @throws OperatorError */
async function assertNoSentinel(client: Redis, address: string): Promise<void> {
  // Its fields, in whichever form ioredis gives them. An old Redis does not know the command.
  const about = JSON.stringify(await client.call('HELLO').catch(() => ''));
  if (!/"mode"[,:]"sentinel"/.test(about)) return;
  client.disconnect();
  throw new OperatorError(
    `${address} is a Sentinel: name it in REDIS_URL as redis+sentinel://host:port/master-name, or rediss+sentinel:// with TLS`,
  );
}

/** Address of the master to which a client is connected that Sentinels led there. */
function masterOf(client: RedisClient): string | undefined {
  if (!(client instanceof Redis) || !client.options.sentinels) return undefined;
  const { remoteAddress, remotePort } = client.stream;
  // It was lost meanwhile.
  if (remoteAddress === undefined) return undefined;
  return `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
}

/** ioredis ignores that Redis refuses the database, and stays in the first one. @throws OperatorError */
async function assertDatabase(client: Redis, address: string): Promise<void> {
  const { db = 0 } = client.options;
  if (db === 0) return;
  try {
    await client.select(db);
  } catch (error) {
    client.disconnect();
    throw new OperatorError(`Redis at ${address} has no database ${db}: ${(error as Error).message}`);
  }
}

/** Options for all nodes of a cluster: those of the known one. */
function clusterNodeOptions({ username, password, tls, socketTimeout }: RedisOptions) {
  // Left to the cluster client.
  const { lazyConnect: _, enableOfflineQueue: _queue, retryStrategy: _strategy, ...rest } = options;
  return {
    ...rest,
    ...(socketTimeout !== undefined && { socketTimeout }),
    ...(username != null && { username }),
    ...(password != null && { password }),
    ...(tls && { tls }),
  };
}

/** A single node has all slots, and may not even know its own address. */
async function isInCluster(client: Redis): Promise<boolean> {
  // Redis refuses this if it is no cluster, or the user lacks the permission.
  const about = String(await client.cluster('INFO').catch(() => ''));
  return Number(/cluster_known_nodes:(\d+)/.exec(about)?.[1] ?? 0) > 1;
}

/**
 * Addresses of a cluster's nodes, the known one first: a client whose connections are all lost begins with them, and the known one
 * may be what is away.
 *
 * @throws OperatorError if it does not tell.
 */
async function clusterAddresses(node: Redis, address: string): Promise<ClusterNode[]> {
  const { host = 'localhost', port = 6379 } = node.options;
  const ranges = await node.cluster('SLOTS').catch((cause: Error) => {
    node.disconnect();
    throw new OperatorError(`Redis at ${address} does not name the nodes of its cluster: ${cause.message}`, {
      cause,
    });
  });
  const addresses = new Map([[`${host}:${port}`, { host, port }]]);
  for (const [, , ...nodes] of ranges) {
    // A node that does not know its own host has none here.
    for (const [own, at] of nodes) if (own) addresses.set(`${own}:${at}`, { host: own, port: at });
  }
  return [...addresses.values()];
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
      // Not fatal: the client retries until the timer ends it.
      client.connect().catch(() => {});
    });
  } catch (error) {
    client.disconnect();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Logs each outage once. Only the error's text: ioredis attaches the command, password included. */
function followOutages(
  client: RedisClient,
  address: string,
  log: Log,
): { readonly reason: string | undefined } {
  let isAway = false;
  /** What Redis and each of the Sentinels answered last. */
  const reasons = new Map<string, string>();
  const outage = {
    get reason() {
      return reasons.size === 0 ? undefined : [...reasons.values()].join('; ');
    },
  };
  client.on('error', (error: Error) => {
    // The event for each of them has said why.
    if (isUnreachable(error)) return;
    const refusal = describeRefusal(error.message, 'user:password@');
    reasons.set('Redis', refusal ? `Redis ${refusal}` : error.message);
  });
  client.on('sentinelError', (error: Error) => {
    const master = 'name' in client.options ? client.options.name : undefined;
    const { address: sentinel, reason } = describeSentinelError(error, master);
    reasons.set(sentinel, reason);
  });
  // Emitted for connections lost or failed, not for those closed on purpose.
  client.on('reconnecting', () => {
    if (isAway) return;
    isAway = true;
    log.warn({ redis: address, reason: outage.reason ?? 'connection closed' }, 'Redis is away');
  });
  client.on('ready', () => {
    if (isAway) log.info({ redis: address, master: masterOf(client) }, 'Redis is back');
    isAway = false;
    reasons.clear();
  });
  return outage;
}

/**
 * A further connection to the same Redis, for commands that wait there for up to some seconds.
 *
 * @throws Error if there is none within 10 s.
 */
export async function blockingClient(redis: RedisClient): Promise<RedisClient> {
  const patience = { commandTimeout: BLOCKED_MS, socketTimeout: BLOCKED_MS };
  const client =
    redis instanceof Cluster
      ? redis.duplicate(undefined, {
          redisOptions: Object.assign({}, redis.options.redisOptions as object, patience),
        })
      : redis.duplicate(patience);
  if (client instanceof Cluster) sendOnce(client);
  // The first connection tells of outages.
  client.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve);
      timer = setTimeout(() => reject(new Error('no further connection to Redis')), FIRST_CONNECT_TIMEOUT_MS);
      client.connect().catch(() => {});
    });
    return client;
  } catch (error) {
    client.disconnect();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The target without credentials, for logs and messages. */
function describeTarget(target: string): string {
  if (target.startsWith('/')) return target;
  if (namesSentinels(target)) return describeSentinels(target);
  const url = URL.canParse(target) ? new URL(target) : undefined;
  // What is no number, ioredis takes for the first database.
  if (url && /^\/?\d*$/.test(url.pathname)) return `${url.protocol}//${url.host}`;
  throw new OperatorError(
    'REDIS_URL is not a valid URL: use redis://host:port/db, rediss://host:port/db or ' +
      'redis+sentinel://host:port,host:port/master/db (db may be left out)',
  );
}
