/**
 * Takes files of jobs from the queue and converts them, with workers that synchronous requests leave free. It takes a file only
 * when a worker is free and nobody waits for it, so that other servers can take the rest.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from '../queue/queue.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Maintenance } from '../redis/maintenance.ts';
import type { Log } from '../system/log.ts';
import { beginTrace, SpanKind, type Trace } from '../telemetry/trace.ts';
import { type FileConversion, Postponed, type RunningConversion, Unwanted } from './file-conversion.ts';
import { type JobFileRef, wholeOf } from './job.ts';
import { type FileEntry, type FileSource, type JobQueues, LOCK_MS, openFileSource } from './job-queues.ts';
import type { JobRecords } from './job-records.ts';

/** How often the runner checks whether a file is still wanted. */
const LOOK_MS = 500;
/** Checks between two renewals of the lock. */
const LOOKS_A_LOCK = Math.floor(LOCK_MS / 3 / LOOK_MS);
/** How often the runner checks whether maintenance has ended. */
const MAINTENANCE_LOOK_MS = 1_000;
/** Time until Redis is tried again after a failure. */
const OUTAGE_MS = 1_000;

export interface RunnerOptions {
  readonly redis: RedisClient;
  readonly records: JobRecords;
  readonly queues: JobQueues;
  readonly queue: Queue;
  /** Files wait during maintenance. */
  readonly maintenance: Maintenance;
  readonly conversion: FileConversion;
  readonly log: Log;
}

/** Number of files since the start. */
interface FileCounts {
  succeeded: number;
  failed: number;
  /** Ended before conversion, taken by another server, or held as their account is suspended. */
  elsewhere: number;
  /** To be tried again, as the service itself failed. */
  retried: number;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #counts: FileCounts = { succeeded: 0, failed: 0, elsewhere: 0, retried: 0 };
  #source: FileSource | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get counts(): Readonly<FileCounts> {
    return this.#counts;
  }

  /** Files that this server converts now. */
  get running(): number {
    return this.#running.size;
  }

  /** Starts; never rejects. */
  start(): void {
    this.#loop ??= this.#take();
  }

  /** Takes no more files. Running ones go on. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Waits until its files have ended, and closes its connections. Files that run longer return to the queue.
   *
   * @param patienceMs how long they may run.
   */
  async close(patienceMs: number): Promise<void> {
    this.stop();
    const timer = setTimeout(() => this.#ending.abort(new Error('the server stops')), patienceMs);
    while (this.#running.size > 0) await Promise.all(this.#running);
    clearTimeout(timer);
    // The runner may wait in Redis, and only this ends the wait.
    await this.#source?.close();
    await this.#loop;
  }

  async #take(): Promise<void> {
    const { queue, redis, maintenance, log } = this.#options;
    const { signal } = this.#stopping;
    const isHeldBack = async () => (await maintenance.since()) !== undefined;
    for (let n = 0; !signal.aborted; n++) {
      try {
        this.#source ??= await openFileSource(redis, log);
        await queue.spareWorker(signal);
        if (signal.aborted) break;
        if (await isHeldBack()) {
          await delay(MAINTENANCE_LOOK_MS, undefined, { signal }).catch(() => {});
          continue;
        }
        const token = `${process.pid}.${n}.${Math.random()}`;
        const entry = (await this.#source.worker.getNextJob(token)) as FileEntry | undefined;
        if (!entry) continue;
        // Maintenance may have begun during the wait for an entry.
        const isLate = await isHeldBack();
        if (isLate || signal.aborted || !queue.hasSpareWorker) await giveBack(entry, token);
        else this.#follow(entry.data, this.#run(entry, token));
      } catch (error) {
        log.debug({ cause: (error as Error).message }, 'no file can be taken from the queue');
        await delay(OUTAGE_MS, undefined, { signal }).catch(() => {});
      }
    }
    // It may have been opened while the server stopped.
    if (this.#running.size === 0) await this.#source?.close();
  }

  /**
   * Ends a file that this server already converts. Its entry in the queue is there in case the server dies.
   *
   * @param controller aborts the conversion.
   */
  adopt(file: JobFileRef, conversion: RunningConversion, controller: AbortController): void {
    // It may fail before anyone waits for it.
    conversion.converting.catch(() => {});
    this.#follow(file, this.#runAdopted(file, conversion, controller));
  }

  #follow(file: JobFileRef, run: Promise<void>): void {
    const running = run
      .catch((error: Error) => {
        // Its lock expires, and the file runs again.
        this.#options.log.debug(
          { job: file.id, cause: error.message },
          'the end of a file could not be told',
        );
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #runAdopted(
    file: JobFileRef,
    running: RunningConversion,
    controller: AbortController,
  ): Promise<void> {
    const { conversion, records, queues } = this.#options;
    const trace = await this.#beginTrace(file, performance.now());
    // Once another server has started it, this has no effect.
    const keep = () => queues.keepFile(file).catch(() => {});
    const stopLooking = this.#look(file, controller, keep);
    try {
      const end = await conversion.finish(file, running, controller.signal, trace);
      this.#counts[end]++;
      trace.end({ 'platen.outcome': end });
      // If that fails, the next server to take the entry finds that the file has ended.
      await queues.removeFiles([file]).catch(() => {});
    } catch (error) {
      trace.end({}, error);
      this.#counts.retried++;
      await records.requeue(file, !(error instanceof Postponed));
      await queues.removeFiles([file]);
      await queues.addFiles([file], 0);
    } finally {
      stopLooking();
    }
  }

  async #run(entry: FileEntry, token: string): Promise<void> {
    const { conversion, records, queues, queue, log } = this.#options;
    const file = entry.data;
    const { account, environment } = file;
    // At once, so that no other file is taken for the same worker.
    const place = queue.enter({ class: 'job', account, environment });
    const controller = new AbortController();
    const stopLooking = this.#look(file, controller, () => entry.extendLock(token, LOCK_MS));
    const started = performance.now();
    const trace = await this.#beginTrace(file, started);
    const about = {
      job: file.id,
      file: file.n,
      account,
      ...(trace.id !== undefined && { traceId: trace.id }),
    };
    try {
      const end = await conversion.run(file, place, controller.signal, trace);
      if (end === 'arrived') await queues.addFiles([wholeOf(file)], 0);
      this.#counts[end === 'arrived' ? 'elsewhere' : end]++;
      trace.end({ 'platen.outcome': end });
      log.info({ ...about, outcome: end, ms: Math.round(performance.now() - started) }, 'file of a job');
      // Else its lock expires, and the next server finds that the file has ended.
      await entry.moveToCompleted(undefined, token, false).catch(() => {});
    } catch (error) {
      trace.end({}, error);
      this.#counts.retried++;
      const cause = error as Error;
      const isTry = !(error instanceof Postponed);
      log.warn({ ...about, cause: cause.message, isTry }, 'a file of a job is tried again');
      await records.requeue(file, isTry).catch(() => {});
      if (this.#ending.signal.aborted) await giveBack(entry, token);
      else await entry.moveToFailed(cause, token, false);
    } finally {
      stopLooking();
      place.leave();
    }
  }

  /** Its span, as a part of the request that sent its job. @param from when it began, by `performance.now()`. */
  async #beginTrace(file: JobFileRef, from: number): Promise<Trace> {
    // Without Redis the file itself is tried again.
    const carrier = await this.#options.records.trace(file).catch(() => undefined);
    const { account, id, n } = file;
    const attributes = { 'platen.account': account, 'platen.job': id, 'platen.file': n };
    return beginTrace('job', { carrier, kind: SpanKind.CONSUMER, attributes, from });
  }

  /**
   * Renews the lock of a file, and aborts the file if nobody wants it any more or this server must stop.
   *
   * @param renew renews the lock.
   * @returns a function that ends this.
   */
  #look(file: JobFileRef, controller: AbortController, renew: () => Promise<unknown>): () => void {
    let looks = 0;
    const look = async () => {
      looks++;
      if (looks % LOOKS_A_LOCK === 0) await renew();
      if (!(await this.#options.records.isRunning(file))) controller.abort(new Unwanted());
    };
    const timer = setInterval(() => {
      // A Redis outage does not abort the conversion.
      look().catch(() => {});
    }, LOOK_MS);
    const { signal } = this.#ending;
    const abort = () => controller.abort(signal.reason);
    signal.addEventListener('abort', abort);
    return () => {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
    };
  }
}

/** Returns a file to the queue at once: BullMQ's moveToWait wakes no waiting server, which costs seconds. */
async function giveBack(entry: FileEntry, token: string): Promise<void> {
  await entry.moveToDelayed(Date.now(), token);
}
