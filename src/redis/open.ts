/** Redis for a process: the one that REDIS_URL names, or the embedded one. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { FolderInUseError, wasOwned } from '../system/folder-lock.ts';
import type { RedisClient } from './connect.ts';
import { connectRedis } from './connect.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from './embedded.ts';

const SERVICE_SOCKET = 'redis.sock';
/**
 * A guest's Redis has a socket of its own: what answers on the service's socket lives as long as the
 * service, so a second guest never connects to a Redis that ends with the first one's command.
 */
const GUEST_SOCKET = 'guest.sock';
/** Where Redis keeps its data in the folder; its setting `appenddirname`. */
const APPEND_ONLY_FOLDER = 'appendonlydir';
const GUEST_TIMEOUT_MS = 10_000;
/** How long a guest waits for the folder before it looks for a service again. */
const GUEST_TURN_MS = 200;

/**
 * `service` owns the embedded Redis; a `guest` (a command) uses a running service's, or starts it for a while; a `visitor`
 * does so as well, but only where there is data.
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
): Promise<OpenRedis> {
  if (config.redisUrl !== undefined) return openTarget(config.redisUrl, log);
  const folder = join(config.dataDir, 'redis');
  if (role === 'service') {
    return openOwn(await startEmbeddedRedis({ folder, log, socketName: SERVICE_SOCKET }), log);
  }
  if (role === 'visitor' && !hasData(folder)) {
    throw new OperatorError(
      `there is no data in the data folder ${config.dataDir}, and nothing was made there: no service has run on it. Give ` +
        'the command the DATA_DIR or REDIS_URL of the service; a service of its own begins with "accounts create".',
    );
  }
  return openAsGuest(folder, log);
}

/** Whether a Platen ever had its Redis in the folder, or starts it now. Data from a backup may come without the lock. */
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
      // A service that is starting, or another guest: either will change soon.
      if (!(error instanceof FolderInUseError) || performance.now() > deadline) throw error;
    }
  }
}

async function openTarget(target: string, log: Log): Promise<OpenRedis> {
  const { client, close } = await connectRedis({ target, log });
  return { client, embedded: false, close: async () => close() };
}

async function openOwn(redis: EmbeddedRedis, log: Log): Promise<OpenRedis> {
  try {
    const { client, close } = await connectRedis({ target: redis.socketPath, log });
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
