/** BullMQ queues that distribute the work of jobs among servers. They hold ids; job-records.ts has the records. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Job as Entry, Worker } from 'bullmq';
import type { RedisClient } from '../redis/connect.ts';
import {
  openQueue,
  openWorker,
  promote,
  retrySettings,
  untilDone,
  type WorkQueue,
} from '../redis/work-queue.ts';
import type { Log } from '../system/log.ts';
import type { JobFileRef, JobRef } from './job.ts';

/** One hash tag for all keys, so that scripts may use them in a Redis Cluster. */
const PREFIX = 'platen:{jobs}';
const FILES = 'files';
const FETCHES = 'fetches';
const UPKEEP = 'upkeep';
/** BullMQ's largest. */
const MAX_PRIORITY = 2_097_151;
/** Files of live keys have higher priority, those of test keys lower. */
const TEST_PRIORITY = 1_000_000;
/**
 * How long a server keeps a file without renewing its lock, and how often such files are looked for. Together that is the
 * longest time that a file waits after its server died. If a server only hangs for so long, the file is converted twice and
 * counted once.
 */
export const LOCK_MS = 9_000;
const STALLED_CHECK_MS = 4_000;
/** Interval of upkeep of a job until it has ended. */
export const LOOK_AFTER_MS = 60_000;
/** Least time from one upkeep of a job to the next. */
const SOONEST_MS = 1_000;
/** Upkeeps that a server runs at a time: one may wait for the storage. */
const LOOKS = 4;

/** A file in the queue. */
export type FileEntry = Entry<JobFileRef>;

/** A file whose document is to be fetched. */
interface Fetch extends JobFileRef {
  /** Files of the account that waited before it. */
  readonly waited: number;
}

export type FetchEntry = Entry<Fetch>;

/** A job in the queue of upkeep. */
export interface LookedAfter extends JobRef {
  /** Time until which it may be taken, in milliseconds since the epoch; until then its objects are kept. */
  readonly arrivesUntil?: number;
}

type UpkeepEntry = Entry<LookedAfter>;

/** Number of files in the queue. */
interface QueuedFiles {
  readonly waiting: number;
  /** To be tried again later. */
  readonly delayed: number;
  /** Held by a server. */
  readonly active: number;
}

/** Adds to the queues and removes from them; fails as fast as its client. */
export class JobQueues {
  readonly #redis: RedisClient;
  #queues: Promise<Queues> | undefined;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Loads BullMQ, so that the first use does not wait. */
  async load(): Promise<void> {
    await this.#opened();
  }

  /**
   * Queues files of one account; queued ones stay as they are.
   *
   * @param waited files of the account that waited before. Accounts with fewer go first, and live keys before test keys.
   * @param delayMs shortest time until they start.
   */
  async addFiles(files: readonly JobFileRef[], waited: number, delayMs = 0): Promise<void> {
    const { files: queue } = await this.#opened();
    await queue.addBulk(
      files.map((file, index) => {
        const opts = { ...entryOptions(file, waited + index + 1), delay: delayMs };
        return { name: FILES, data: file, opts };
      }),
    );
  }

  /** Queues documents of one account to be fetched, as {@link addFiles} queues files. Each is then queued as a file. */
  async addFetches(files: readonly JobFileRef[], waited: number): Promise<void> {
    const { fetches: queue } = await this.#opened();
    await queue.addBulk(
      files.map((file, index) => {
        const place = waited + index;
        return { name: FETCHES, data: { ...file, waited: place }, opts: entryOptions(file, place + 1) };
      }),
    );
  }

  /** Keeps a file that was queued with a delay from other servers, for {@link LOCK_MS} from now. */
  async keepFile(file: JobFileRef): Promise<void> {
    const { files: queue } = await this.#opened();
    const entry = await queue.getJob(entryId(file));
    await entry?.changeDelay(LOCK_MS);
  }

  /** Queues files of one account that were lost from the queue. */
  async restoreFiles(files: readonly JobFileRef[]): Promise<void> {
    if (files.length === 0) return;
    const { files: queue } = await this.#opened();
    const entries = files.map((file) => queue.toKey(entryId(file)));
    if ((await this.#redis.exists(...entries)) < files.length) await this.addFiles(files, 0);
  }

  /** Queues documents to be fetched whose files were lost from both queues. */
  async restoreFetches(files: readonly JobFileRef[]): Promise<void> {
    const { files: queue, fetches } = await this.#opened();
    for (const file of files) {
      const entries = [queue, fetches].map((each) => each.toKey(entryId(file)));
      if ((await this.#redis.exists(...entries)) === 0) await this.addFetches([file], 0);
    }
  }

  /** As {@link promote}, for documents to be fetched. */
  async promoteFetch(id: string): Promise<boolean> {
    const { fetches } = await this.#opened();
    return promote(fetches, id);
  }

  /** Removes files from the queues. A file that a process runs stays with it. */
  async removeFiles(files: readonly JobFileRef[]): Promise<void> {
    const { files: queue, fetches } = await this.#opened();
    await Promise.all(
      files.flatMap((file) =>
        [queue, fetches].map((each: Pick<WorkQueue<Fetch>, 'remove'>) => each.remove(entryId(file))),
      ),
    );
  }

  /** Queues upkeep of a job, first after {@link LOOK_AFTER_MS} and then when upkeep.ts says. */
  async addUpkeep(job: LookedAfter): Promise<void> {
    const { upkeep: queue } = await this.#opened();
    await queue.add(UPKEEP, job, {
      jobId: job.id,
      delay: LOOK_AFTER_MS,
      ...untilDone,
    });
  }

  /** Owner of a job; undefined if upkeep has no job with this id. */
  async ownerOf(id: string): Promise<JobRef | undefined> {
    const { upkeep: queue } = await this.#opened();
    return (await queue.getJob(id))?.data;
  }

  /** Makes upkeep of a job due soon that was deleted, or is not taken. */
  async hastenUpkeep({ account, environment, id }: JobRef): Promise<void> {
    const { upkeep: queue } = await this.#opened();
    // Only its identity: egress reads the queues.
    const job: LookedAfter = { account, environment, id };
    const entry = await queue.getJob(id);
    await entry?.updateData(job);
    // A running upkeep decides itself when it is due again.
    if (await entry?.isDelayed()) await entry?.changeDelay(LOOK_AFTER_MS).catch(() => {});
    else await this.addUpkeep(job);
  }

  async removeUpkeep({ id }: JobRef): Promise<void> {
    const { upkeep: queue } = await this.#opened();
    await queue.remove(id);
  }

  async counts(): Promise<QueuedFiles> {
    const { files } = await this.#opened();
    return countsOf(files);
  }

  /** For documents to be fetched. */
  async fetchCounts(): Promise<QueuedFiles> {
    const { fetches } = await this.#opened();
    return countsOf(fetches);
  }

  /** The client stays open. */
  async close(): Promise<void> {
    const queues = await this.#queues?.catch(() => undefined);
    await Promise.all([queues?.files.close(), queues?.fetches.close(), queues?.upkeep.close()]);
  }

  /** Opens the queues when they are first needed. */
  #opened() {
    this.#queues ??= (async () => ({
      files: await openQueue<JobFileRef>(this.#redis, PREFIX, FILES),
      fetches: await openQueue<Fetch>(this.#redis, PREFIX, FETCHES),
      upkeep: await openQueue<LookedAfter>(this.#redis, PREFIX, UPKEEP),
    }))();
    return this.#queues;
  }
}

interface Queues {
  readonly files: WorkQueue<JobFileRef>;
  readonly fetches: WorkQueue<Fetch>;
  readonly upkeep: WorkQueue<LookedAfter>;
}

/** @param place number of files of the account before it, plus one. */
function entryOptions(file: JobFileRef, place: number) {
  const priority =
    file.environment === 'live'
      ? Math.min(place, TEST_PRIORITY - 1)
      : Math.min(TEST_PRIORITY + place, MAX_PRIORITY);
  return {
    jobId: entryId(file),
    priority,
    ...untilDone,
  };
}

async function countsOf(queue: Pick<WorkQueue<unknown>, 'getJobCounts'>): Promise<QueuedFiles> {
  const {
    prioritized = 0,
    waiting = 0,
    delayed = 0,
    active = 0,
  } = await queue.getJobCounts('prioritized', 'waiting', 'delayed', 'active');
  return { waiting: prioritized + waiting, delayed, active };
}

/** Takes files from the queue, one at a time. */
export interface FileSource {
  readonly worker: Worker<JobFileRef>;
  /** Closes its connections. */
  close(): Promise<void>;
}

/**
 * Connects to the queue of files; from then on, files of servers that died return to the queue.
 *
 * @throws Error if Redis does not answer.
 */
export async function openFileSource(redis: RedisClient, log: Log): Promise<FileSource> {
  const { Worker } = await import('../redis/bullmq.ts');
  return openWorker(redis, log, (connection) => {
    const worker = new Worker<JobFileRef>(FILES, null, {
      connection,
      prefix: PREFIX,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // start-file.lua counts the tries.
      maxStalledCount: untilDone.attempts,
      settings: retrySettings,
    });
    void worker.startStalledCheckTimer();
    return worker;
  });
}

/**
 * Runs upkeep when it is due, until closed. What fails is repeated.
 *
 * @param look returns when it is due again, in milliseconds since the epoch; undefined: never.
 * @throws Error if Redis does not answer.
 */
export async function openUpkeep(
  redis: RedisClient,
  log: Log,
  look: (job: LookedAfter) => Promise<number | undefined>,
): Promise<{ close(): Promise<void> }> {
  const { DelayedError, Worker } = await import('../redis/bullmq.ts');
  const work = async (entry: UpkeepEntry, token?: string) => {
    const next = await look(entry.data);
    if (next === undefined) return;
    // The clock of this server may be ahead of that of Redis, which decides.
    await entry.moveToDelayed(Math.max(next, Date.now() + SOONEST_MS), token);
    throw new DelayedError();
  };
  return openWorker(redis, log, (connection) => {
    return new Worker<LookedAfter>(UPKEEP, work, {
      connection,
      prefix: PREFIX,
      concurrency: LOOKS,
      // Retried however many servers die.
      maxStalledCount: untilDone.attempts,
      settings: retrySettings,
    });
  });
}

/**
 * Fetches documents until closed. What fails is repeated.
 *
 * @param concurrency how many at a time.
 * @throws Error if Redis does not answer.
 */
export async function openFetches(
  redis: RedisClient,
  log: Log,
  concurrency: number,
  fetchOne: (entry: FetchEntry, token?: string) => Promise<void>,
): Promise<{ close(patienceMs: number): Promise<void> }> {
  const { Worker } = await import('../redis/bullmq.ts');
  const { worker, close } = await openWorker(redis, log, (connection) => {
    return new Worker<Fetch>(FETCHES, fetchOne, {
      connection,
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // The processor counts stalls itself.
      maxStalledCount: untilDone.attempts,
      settings: retrySettings,
    });
  });
  return {
    /** Documents that take longer return to the queue. */
    async close(patienceMs) {
      const timer = new AbortController();
      const late = delay(patienceMs, undefined, { signal: timer.signal });
      await Promise.race([worker.pause(), late]).catch(() => {});
      timer.abort();
      await close();
    },
  };
}

function entryId({ id, n }: JobFileRef): string {
  return `${id}.${n}`;
}
