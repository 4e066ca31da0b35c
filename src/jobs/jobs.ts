/** Jobs: takes, cancels and deletes them, and runs them in the background. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisClient } from '../redis/connect.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Log } from '../system/log.ts';
import { cancelJob, removeObjects } from './cancel.ts';
import { FetchedBytes } from './fetched-bytes.ts';
import { FileConversion, type FileConversionOptions } from './file-conversion.ts';
import { HeldAccounts } from './held-accounts.ts';
import { type JobFileRef, type JobOwner, type JobRef, newJobId, wholeOf } from './job.ts';
import { objectNames } from './job-objects.ts';
import { JobQueues, LOCK_MS, type LookedAfter, openUpkeep } from './job-queues.ts';
import { JobRecords, type NewJob, type Taking } from './job-records.ts';
import { releaseFiles } from './reservations.ts';
import { Runner, type RunnerOptions } from './runner.ts';
import { tellState } from './tell.ts';
import { lookAfter } from './upkeep.ts';

/** Extra time for a job to arrive beyond the longest intake, for slow servers. */
const SLACK_MS = 60_000;
/** Time until Redis is tried again after a failure. */
const OUTAGE_MS = 1_000;

export interface JobsOptions
  extends Omit<FileConversionOptions, 'records'>,
    Pick<RunnerOptions, 'queue' | 'maintenance'> {
  readonly redis: RedisClient;
  readonly log: Log;
  /** How long results are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Longest time from the first byte of a job to its record, in milliseconds. */
  readonly intakeMs: number;
}

export class Jobs {
  readonly records: JobRecords;
  readonly queues: JobQueues;
  readonly storage: ObjectStore;
  readonly conversion: FileConversion;
  readonly runner: Runner;
  readonly #options: JobsOptions;
  readonly #bytes: FetchedBytes;
  readonly #closing = new AbortController();
  #upkeep: Promise<void> | undefined;
  #closeUpkeep: (() => Promise<void>) | undefined;

  constructor(options: JobsOptions) {
    const { redis, queue, maintenance, log, storage, retentionMs } = options;
    this.#options = options;
    this.storage = storage;
    this.records = new JobRecords(redis, retentionMs);
    this.queues = new JobQueues(redis);
    this.#bytes = new FetchedBytes(redis);
    this.conversion = new FileConversion({ ...options, records: this.records });
    this.runner = new Runner({
      redis,
      records: this.records,
      queues: this.queues,
      queue,
      maintenance,
      conversion: this.conversion,
      log,
    });
  }

  /** Starts to convert files in the background. */
  start(): void {
    this.runner.start();
    this.#upkeep ??= this.#keepUp();
  }

  /** Takes no more files from the queue. */
  drain(): void {
    this.runner.stop();
  }

  /** Waits for running files and closes its connections. @param patienceMs how long files may run. */
  async close(patienceMs: number): Promise<void> {
    this.#closing.abort();
    await this.runner.close(patienceMs);
    await this.#closeUpkeep?.();
    await this.#upkeep;
    await this.queues.close();
  }

  /**
   * To be called before any object of a job is stored: if the job is not taken, its objects are removed.
   *
   * @throws Error if Redis failed.
   */
  async announce(owner: JobOwner): Promise<JobRef> {
    const job = { ...owner, id: newJobId() };
    const arrivesUntil = Date.now() + this.#options.intakeMs + SLACK_MS;
    await this.queues.addUpkeep({ ...job, arrivesUntil });
    return job;
  }

  /** Removes the objects of a job that is not taken; again a minute later, as some may still be on their way. Never rejects. */
  async withdraw(job: JobRef): Promise<void> {
    await this.storage.remove(objectNames.all(job.id)).catch(() => {});
    await this.queues.hastenUpkeep(job).catch(() => {});
  }

  /**
   * Takes an announced job whose inputs are stored, and queues its files. A job that is not taken is withdrawn.
   *
   * @throws Error if Redis failed; then it is unknown whether the job was taken.
   */
  async take(job: NewJob): Promise<Taking> {
    const taking = await this.records.take(job);
    if (taking.outcome !== 'taken') {
      await this.withdraw(job);
      return taking;
    }
    await this.#queue(job, taking.waited).catch((error: Error) => {
      // Upkeep queues them.
      this.#options.log.warn(
        { job: job.id, cause: error.message },
        'the files of a job could not be queued yet',
      );
    });
    return taking;
  }

  /**
   * Cancels the files that have no PDF yet; running ones end within a second.
   *
   * @returns whether there is such a job.
   * @throws Error if Redis failed.
   */
  async cancel(job: JobRef): Promise<boolean> {
    const options = { ...this.#options, records: this.records, queues: this.queues };
    if (!(await cancelJob(job, options))) return false;
    // If it fails, upkeep tells the owner.
    await tellState(job, options).catch(() => {});
    return true;
  }

  /**
   * Deletes a job: its record, inputs and results.
   *
   * @returns whether there was such a job.
   * @throws Error if Redis failed.
   */
  async remove(job: JobRef): Promise<boolean> {
    const found = await this.records.find(job);
    if (!found) return false;
    const files = filesOf(job, found.files.length);
    // First, as only the record names them. PDFs that are made meanwhile need no reservation.
    await releaseFiles(files, { records: this.records, settlement: this.#options.settlement });
    // Also before: this server may die, and another one may still store a running file's PDF.
    await this.queues.hastenUpkeep(job);
    if (!(await this.records.remove(job))) return false;
    await this.queues.removeFiles([...files, wholeOf(job)]);
    await this.#bytes.forget(job);
    await removeObjects(this.storage, [objectNames.all(job.id)], this.#options.log);
    await this.#options.webhooks.forget(job, job.id);
    return true;
  }

  /**
   * Deletes all jobs of an account, with their waiting files and messages.
   *
   * @returns how many there were.
   * @throws Error if Redis or the storage failed.
   */
  async removeAll(owner: JobOwner): Promise<number> {
    const ids = await this.records.ids(owner);
    for (const id of ids) {
      const job = { ...owner, id };
      await this.#options.webhooks.drop(job);
      // While the record exists: if this fails, the next call finds the job again.
      await this.storage.remove(objectNames.all(id));
      await this.remove(job);
      // PDFs that were made meanwhile. If this fails, upkeep does it.
      await this.storage.remove(objectNames.all(id));
      await this.queues.removeUpkeep(job);
    }
    return ids.length;
  }

  /** Upkeep of a job; see upkeep.ts. */
  async lookAfter(job: LookedAfter): Promise<number | undefined> {
    const { redis } = this.#options;
    const held = new HeldAccounts(redis);
    const options = { ...this.#options, records: this.records, queues: this.queues, held };
    const next = await lookAfter(job, options);
    // The server that deleted the job may have died before it did this.
    if (next === undefined) await this.#bytes.forget(job);
    return next;
  }

  async #queue(job: NewJob, waited: number): Promise<void> {
    const files = filesOf(job, job.files.length);
    if (job.combine && job.files.every(({ sha256 }) => sha256 !== null)) {
      return this.queues.addFiles([wholeOf(job)], waited);
    }
    const isThere = ({ n }: JobFileRef) => job.files[n - 1]?.sha256 !== null;
    const there = files.filter(isThere);
    // A file that this server converts already is kept from others, as long as this server lives.
    const delayMs = job.conversion?.isRunning ? LOCK_MS : 0;
    if (there.length > 0) await this.queues.addFiles(there, waited, delayMs);
    const toFetch = files.filter((file) => !isThere(file));
    if (toFetch.length > 0) await this.queues.addFetches(toFetch, waited + there.length);
  }

  async #keepUp(): Promise<void> {
    const { redis, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted && !this.#closeUpkeep) {
      try {
        const { close } = await openUpkeep(redis, log, (job) => this.lookAfter(job));
        this.#closeUpkeep = close;
        if (signal.aborted) await close();
      } catch (error) {
        log.debug({ cause: (error as Error).message }, 'the upkeep of jobs does not begin yet');
        await delay(OUTAGE_MS, undefined, { signal }).catch(() => {});
      }
    }
  }
}

function filesOf(job: JobRef, count: number): JobFileRef[] {
  const { account, environment, id } = job;
  return Array.from({ length: count }, (_, index) => ({ account, environment, id, n: index + 1 }));
}
