/** A client for Redis that fails fast while Redis is away and comes back by itself. */
import { Redis, type RedisOptions } from 'ioredis';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';

const FIRST_CONNECT_TIMEOUT_MS = 10_000;

const options = {
  lazyConnect: true,
  // A command never waits for a connection: without one it fails at once…
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // …and with one that is silent (a hung Redis) well within the second that a client may wait for its 503.
  commandTimeout: 800,
  // A command whose caller was told that it failed must not run after all.
  autoResendUnfulfilledCommands: false,
  // A silent connection may be dead without either side knowing: replace it.
  socketTimeout: 1_500,
  connectTimeout: 1_000,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
} satisfies RedisOptions;

export interface RedisConnection {
  readonly client: Redis;
  /** Ends the connection and its attempts to return. Idempotent. */
  close(): void;
}

/**
 * Connects to Redis and waits until it is ready for commands, 10 s at most.
 *
 * From then on every command settles within a second, whatever state Redis is in, and the client
 * reconnects until it is closed. An outage is logged once when it begins and once when it ends.
 *
 * @param target URL (`redis://`, `rediss://`) or absolute path of a Unix socket.
 * @throws OperatorError without the password that the URL may hold.
 */
export async function connectRedis({ target, log }: { target: string; log: Log }): Promise<RedisConnection> {
  const address = describeTarget(target);
  const client = new Redis(target, options);
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
  return { client, close: () => client.disconnect() };
}

/** Logs each outage once. Only the text of an error: ioredis attaches the command, a password included. */
function followOutages(client: Redis, address: string, log: Log): { readonly reason: string | undefined } {
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
