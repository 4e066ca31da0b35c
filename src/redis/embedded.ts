/** The embedded Redis: Platen's own redis-server in the data folder, kept running until stopped. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { FolderInUseError, lockFolder } from '../system/folder-lock.ts';
import type { Log } from '../system/log.ts';
import { type RedisProcess, startRedisProcess } from './server-process.ts';

/** Longest path that fits into `sockaddr_un.sun_path` with its final NUL, in bytes (unix(7)). */
const MAX_SOCKET_PATH = 107;
const OWNER_TIMEOUT_MS = 10_000;
const FIRST_RESTART_DELAY_MS = 100;
const LAST_RESTART_DELAY_MS = 5_000;
/** A process that lived this long was healthy: back-off starts over. */
const HEALTHY_AFTER_MS = 10_000;

interface EmbeddedRedisOptions {
  /** Folder of Redis; created if missing. */
  readonly folder: string;
  readonly log: Log;
  /** File name of the Unix socket inside the folder. */
  readonly socketName?: string;
  /** How long to wait for another owner of the folder, in milliseconds; 10 s by default. */
  readonly ownerTimeoutMs?: number;
}

export interface EmbeddedRedis {
  /** Absolute path of the Unix socket; the same after a restart. */
  readonly socketPath: string;
  /** Process id of redis-server; during a restart, of the previous one. */
  readonly pid: number;
  /** Stops Redis and releases the folder; resolves when both are done. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded Redis and resolves when it answers. It is restarted when it ends unexpectedly (the append-only file
 * restores the data), and dies with this process, however that ends.
 *
 * @throws FolderInUseError when another Platen owns the folder; OperatorError for anything else that prevents it.
 */
export async function startEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
  const { folder, log, socketName = 'redis.sock', ownerTimeoutMs = OWNER_TIMEOUT_MS } = options;
  const socketPath = join(folder, socketName);
  const length = Buffer.byteLength(socketPath);
  if (length > MAX_SOCKET_PATH) {
    throw new OperatorError(
      `the path of the Redis socket has ${length} bytes, but at most ${MAX_SOCKET_PATH} are possible: set DATA_DIR to a shorter path (${socketPath})`,
    );
  }
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new OperatorError(`the data folder cannot be made: ${error.message}`, { cause: error });
  });

  const lock = await lockFolder(folder, 0).catch(async (error: unknown) => {
    if (!(error instanceof FolderInUseError)) throw error;
    log.info({ folder }, 'waiting for another Platen to release the data folder');
    return lockFolder(folder, ownerTimeoutMs);
  });
  const stopping = new AbortController();
  const start = () =>
    startRedisProcess({ folder, socketPath, lockFd: lock.fd, log, signal: stopping.signal });
  let current: RedisProcess;
  try {
    current = await start();
  } catch (error) {
    await lock.release();
    throw error;
  }
  log.info({ redis: current.pid, socket: socketPath }, 'embedded Redis started');

  /** Restarts Redis whenever it ends, until it is stopped. */
  async function supervise(): Promise<void> {
    let wait = FIRST_RESTART_DELAY_MS;
    let startedAt = performance.now();
    for (;;) {
      const reason = await current.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) wait = FIRST_RESTART_DELAY_MS;
      log.error({ reason, restartInMs: wait }, 'embedded Redis ended');
      try {
        await delay(wait, undefined, { signal: stopping.signal });
        startedAt = performance.now();
        current = await start();
        log.info({ redis: current.pid }, 'embedded Redis restarted');
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, 'embedded Redis could not be restarted');
      }
      wait = Math.min(wait * 2, LAST_RESTART_DELAY_MS);
    }
  }
  const supervision = supervise();

  async function end(): Promise<void> {
    stopping.abort();
    await current.stop();
    await supervision;
    await lock.release();
  }
  let ended: Promise<void> | undefined;
  return {
    socketPath,
    get pid() {
      return current.pid;
    },
    stop() {
      ended ??= end();
      return ended;
    },
  };
}
