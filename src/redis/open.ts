/** Opens Redis: the one of REDIS_URL, or the embedded one. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { FolderInUseError, wasOwned } from '../system/folder-lock.ts';
import type { Log } from '../system/log.ts';
import type { RedisClient, RedisWaits } from './connect.ts';
import { connectRedis } from './connect.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from './embedded.ts';

const SERVICE_SOCKET = 'redis.sock';
/**
 * A guest's Redis uses another socket than a service's, so that a second guest never connects to a Redis that ends with the
 * first one's command.
 */
const GUEST_SOCKET = 'guest.sock';
/** Redis' data in the folder (`appenddirname`). */
const APPEND_ONLY_FOLDER = 'appendonlydir';
const GUEST_TIMEOUT_MS = 10_000;
/** How long a guest waits for the folder before it looks for a service again. */
const GUEST_TURN_MS = 200;

/**
 * `service` owns the embedded Redis; a `guest` (a command) uses a running service's, or starts one temporarily; a `visitor`
 * does the same, but only if there is data.
 */
export type RedisRole = 'service' | 'guest' | 'visitor';

export interface OpenRedis {
  readonly client: RedisClient;
  /** Whether this process started the Redis it uses. */
  readonly embedded: boolean;
  /** Ends the connection, and the embedded Redis if this process started it. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens Redis.
 *
 * @throws OperatorError when it cannot be reached, when another Platen keeps the data folder for over 10 s, or when a
 * visitor finds no data in it.
 */
export async function openRedis(
  config: Pick<Config, 'redisUrl' | 'dataDir'>,
  log: Log,
  role: RedisRole,
  waits?: RedisWaits,
): Promise<OpenRedis> {
  if (config.redisUrl !== undefined) return openTarget(config.redisUrl, log, waits);
  const folder = join(config.dataDir, 'redis');
  if (role === 'service') {
    return openOwn(await startEmbeddedRedis({ folder, log, socketName: SERVICE_SOCKET }), log, waits);
  }
  if (role === 'visitor' && !hasData(folder)) {
    throw new OperatorError(
      `the data folder ${config.dataDir} has no data: no service has used it, and nothing was created there. Set DATA_DIR or ` +
        'REDIS_URL to those of the service; "accounts create" creates a new data folder.',
    );
  }
  return openAsGuest(folder, log);
}

/** The address of the Redis of a service, which this process does not start. */
export function runningRedis({ redisUrl, dataDir }: Pick<Config, 'redisUrl' | 'dataDir'>): string {
  return redisUrl ?? join(dataDir, 'redis', SERVICE_SOCKET);
}

/** Whether the folder has, had or is getting a Redis. Data from a backup may come without the lock. */
function hasData(folder: string): boolean {
  return wasOwned(folder) || existsSync(join(folder, APPEND_ONLY_FOLDER));
}

async function openAsGuest(folder: string, log: Log): Promise<OpenRedis> {
  const serviceSocket = join(folder, SERVICE_SOCKET);
  const deadline = performance.now() + GUEST_TIMEOUT_MS;
  for (;;) {
    if (await accepts(serviceSocket)) return openTarget(serviceSocket, log);
    try {
      const own = { folder, log, socketName: GUEST_SOCKET, ownerTimeoutMs: GUEST_TURN_MS };
      return await openOwn(await startEmbeddedRedis(own), log);
    } catch (error) {
      // A service is starting, or another guest is active: retry.
      if (!(error instanceof FolderInUseError) || performance.now() > deadline) throw error;
    }
  }
}

async function openTarget(target: string, log: Log, waits?: RedisWaits): Promise<OpenRedis> {
  const { client, close } = await connectRedis({ target, log, waits });
  return { client, embedded: false, close: async () => close() };
}

async function openOwn(redis: EmbeddedRedis, log: Log, waits?: RedisWaits): Promise<OpenRedis> {
  try {
    const { client, close } = await connectRedis({ target: redis.socketPath, log, waits });
    return {
      client,
      embedded: true,
      close() {
        close();
        return redis.stop();
      },
    };
  } catch (error) {
    await redis.stop();
    throw error;
  }
}

/** Whether a server accepts connections on the Unix socket. */
async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
