/** Queues of BullMQ: what all of them have in common. */
import type { Queue, Worker } from 'bullmq';
import type { Log } from '../system/log.ts';
import { blockingClient, type RedisClient } from './connect.ts';

/** Time until a try is repeated: it doubles from the first to the last. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/** Options of entries that are tried until they are done, and then leave nothing. */
export const untilDone = {
  // In effect for ever.
  attempts: 1_000_000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/** Settings of the workers of such entries. */
export const retrySettings = { backoffStrategy: retryDelayMs };

/**
 * Opens a queue; it fails as fast as the client that it is given.
 *
 * @param prefix of its names in Redis; with a hash tag, so that scripts may use them in a Redis Cluster.
 */
export async function openQueue<T>(redis: RedisClient, prefix: string, name: string): Promise<WorkQueue<T>> {
  const { Queue } = await import('./bullmq.ts');
  const queue = new Queue<T, unknown, string, T, unknown, string>(name, {
    connection: redis,
    prefix,
    // Asked once, and its failure is kept: after an outage at the first use, the queue would not work again.
    skipVersionCheck: true,
    // Nobody reads them, and they name what was deleted.
    streams: { events: { maxLen: 0 } },
  });
  // Its own listener would make each outage an uncaught error; connect.ts logs outages.
  queue.on('error', () => {});
  return queue;
}

export type WorkQueue<T> = Queue<T, unknown, string, T, unknown, string>;

/** Starts a delayed entry now. @returns false if there is none, or it has begun. */
export async function promote(queue: Pick<WorkQueue<unknown>, 'getJob'>, id: string): Promise<boolean> {
  const entry = await queue.getJob(id);
  const promoted = entry?.promote().then(
    () => true,
    () => false,
  );
  return promoted ?? false;
}

/**
 * Connects a worker.
 *
 * @throws Error if Redis does not answer.
 */
export async function openWorker<T>(
  redis: RedisClient,
  log: Log,
  make: (connection: RedisClient) => Worker<T>,
): Promise<{ readonly worker: Worker<T>; close(options?: { readonly isPatient: boolean }): Promise<void> }> {
  const connection = await blockingClient(redis);
  const worker = make(connection);
  worker.on('error', (error) => log.debug({ cause: error.message }, 'a queue reports an error'));
  /** @param isPatient whether to wait for what runs. */
  const close = async ({ isPatient } = { isPatient: false }) => {
    await worker.close(!isPatient).catch(() => {});
    connection.disconnect();
  };
  try {
    await worker.waitUntilReady();
  } catch (error) {
    await close();
    throw error;
  }
  return { worker, close };
}

function retryDelayMs(attempts: number): number {
  const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10));
  // Not all at once after an outage.
  return Math.round(delay * (0.75 + Math.random() / 2));
}
