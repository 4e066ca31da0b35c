/** Jobs of all accounts in Redis. Each change is one script; of two that exclude each other, the first one counts. */
import { KEY_KEPT_MS } from '../accounts/billing/idempotency.ts';
import { monthOf } from '../accounts/billing/months.ts';
import { limitKeys } from '../accounts/billing/redis-keys.ts';
import type { Reservation } from '../accounts/billing/reservation.ts';
import { redisKeys } from '../accounts/keys/redis-keys.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { type Carrier, carriesTraces } from '../telemetry/trace.ts';
import {
  type FileError,
  type FileResult,
  firstIdOf,
  type Job,
  type JobFileRef,
  type JobOwner,
  type JobRef,
  type JobState,
  type JobSummary,
  MAX_TRIES,
  RECORD_KEPT_MS,
} from './job.ts';
import { aboutFiles, type FileIntake, readJob, readSummary, summaryFields } from './job-record.ts';
import { jobKeys } from './redis-keys.ts';

/** How long a reservation outlasts the results: a server may bill the last file late. */
const RESERVATION_LONGER_MS = 3_600_000;
/** Jobs that are read in one step of a list, and most that are read for one page. */
const LIST_STEP = 100;
const LIST_LOOKED_AT = 1_000;

/** A job to take, with all its objects in the storage. */
export interface NewJob extends JobRef {
  /** The key that sent it. */
  readonly key: string;
  /** Time of admission by the clock of Redis, in ms; its month is billed. */
  readonly at: number;
  readonly files: readonly FileIntake[];
  readonly options: Job['options'];
  readonly metadata: Job['metadata'];
  /** URL that is told of its end. */
  readonly webhook?: string | undefined;
  /** The key of its secrets; undefined if it has none. */
  readonly secretsKey?: string | undefined;
  /** What its spans are inside of: the request. */
  readonly trace?: Carrier | undefined;
  /** The plan's conversions a month, and open jobs; null: unlimited. */
  readonly perMonth: number | null;
  readonly maxJobs: number | null;
  /** SHA-256 of its idempotency key, in hexadecimal. */
  readonly idempotencyKey?: string | undefined;
  /** Equal only for the same files and options; needed with an idempotency key. */
  readonly digest?: string | undefined;
  /** Whether its files become one PDF. */
  readonly combine?: boolean | undefined;
  /** The running conversion that becomes its only file, with its reservation. */
  readonly conversion?: {
    readonly reservation: Reservation;
    readonly document: string | undefined;
    /** Whether this server converts it already. */
    readonly isRunning: boolean;
  };
}

export type Taking =
  /** `waited`: files of the account that waited before. */
  | { readonly outcome: 'taken'; readonly waited: number }
  /** This job was taken with the same idempotency key. */
  | { readonly outcome: 'known'; readonly id: string }
  | { readonly outcome: 'reused' | 'jobs' }
  | { readonly outcome: 'quota'; readonly left: number };

/**
 * State of a file, or of all that become one PDF. `made`: its PDF is stored, and must be billed; `held`: it waits, as its account is suspended; `tried`: it had
 * {@link MAX_TRIES}; `part`: it becomes a part of a PDF, and does not begin by itself. Undefined: there is no such job.
 */
type Begin = 'running' | 'made' | 'held' | 'tried' | 'part' | 'succeeded' | 'failed' | 'canceled' | undefined;

/** How a file is billed: to which key, and under which id. */
interface FileBill {
  readonly reservation: Reservation;
  /** For a conversion with an idempotency key. */
  readonly document: string | undefined;
}

export class JobRecords {
  readonly #redis: RedisClient;
  readonly #retentionMs: number;
  readonly #scripts: Readonly<Record<ScriptName, Script>>;

  /** @param retentionMs how long results are kept. */
  constructor(redis: RedisClient, retentionMs: number) {
    this.#redis = redis;
    this.#retentionMs = retentionMs;
    this.#scripts = Object.fromEntries(
      scriptNames.map((name) => [name, new Script(redis, luaFiles[name])]),
    ) as Record<ScriptName, Script>;
  }

  /** Takes the job with all its reservations, or nothing. */
  async take(job: NewJob): Promise<Taking> {
    const { account, environment, id, files, idempotencyKey, conversion } = job;
    const taken = conversion?.reservation;
    const month = monthOf(job.at);
    const fields = {
      key: job.key,
      at: job.at,
      options: JSON.stringify(job.options),
      metadata: JSON.stringify(job.metadata),
      ...(job.webhook !== undefined && { webhook: job.webhook }),
      ...(job.secretsKey !== undefined && { secretsKey: job.secretsKey }),
      ...(job.trace && { trace: JSON.stringify(job.trace) }),
      ...(taken && { bill: taken.requestId, billedAt: taken.at }),
      ...(taken?.idempotencyKey !== undefined && {
        billKey: taken.idempotencyKey,
        document: conversion?.document ?? '',
      }),
    };
    const billedMonth = taken && monthOf(taken.at);
    const [outcome, first, second] = (await this.#scripts.takeJob.run(
      [
        jobKeys.job(account, environment, id),
        jobKeys.jobs(account, environment),
        jobKeys.open(account, environment),
        jobKeys.waiting(account, environment),
        limitKeys.months(account, environment),
        limitKeys.reservations(account, environment),
        ...(idempotencyKey === undefined
          ? []
          : [limitKeys.job, limitKeys.reserved].map((name) => name(account, environment, idempotencyKey))),
      ],
      [
        id,
        files.length,
        conversion?.isRunning ? 'running' : 'queued',
        this.#retentionMs,
        RECORD_KEPT_MS,
        RESERVATION_LONGER_MS,
        month,
        taken ? `${billedMonth} ${taken.requestId}` : '',
        job.perMonth ?? '',
        job.maxJobs ?? '',
        job.digest ?? '',
        KEY_KEPT_MS,
        firstIdOf(job.at - 2 * this.#retentionMs - RECORD_KEPT_MS),
        job.combine ? '1' : '',
        ...Object.entries(fields).flat(),
        ...aboutFiles(files),
      ],
    )) as [Taking['outcome'], number | string, number];
    if (outcome === 'taken') return { outcome, waited: second };
    if (outcome === 'known') return { outcome, id: String(first) };
    if (outcome === 'quota') return { outcome, left: Number(first) };
    return { outcome };
  }

  /** The job that was taken with an idempotency key, and its digest. */
  async known(
    { account, environment }: JobOwner,
    idempotencyKey: string,
  ): Promise<{ readonly id: string; readonly digest: string } | undefined> {
    const [id, digest] =
      (await this.#redis.get(limitKeys.job(account, environment, idempotencyKey)))?.split(' ') ?? [];
    return id === undefined || digest === undefined ? undefined : { id, digest };
  }

  /** A server starts to convert the file: one more try. */
  async start(file: JobFileRef): Promise<Begin> {
    const keys = [keyOf(file), waitingOf(file), redisKeys.account(file.account)];
    const state = await this.#scripts.startFile.run(keys, [file.n, MAX_TRIES]);
    return state === '' ? undefined : (state as Begin);
  }

  /** The file waits again. @param wasTry whether its start counts as a try. */
  async requeue(file: JobFileRef, wasTry: boolean): Promise<void> {
    await this.#scripts.requeueFile.run([keyOf(file), waitingOf(file)], [file.n, wasTry ? 1 : 0]);
  }

  /** Tries of the file, with the one that runs. */
  async tries({ n, ...job }: JobFileRef): Promise<number> {
    return Number(await this.#redis.hget(keyOf(job), `${n}:tries`));
  }

  /** Whether a started file has neither ended nor been removed. */
  async isRunning(file: JobFileRef): Promise<boolean> {
    const state = await this.#redis.hget(keyOf(file), `${Math.max(1, file.n)}:state`);
    return state !== null && ['queued', 'running', 'made'].includes(state);
  }

  /**
   * Stores the result of a file whose PDF is in the storage.
   *
   * @returns false if it has another result, or nobody wants it any more.
   */
  async make(file: JobFileRef, result: FileResult): Promise<boolean> {
    const args = [file.n, JSON.stringify(result)];
    return (await this.#scripts.makeFile.run([keyOf(file), waitingOf(file)], args)) === 1;
  }

  /** The file's document; undefined if there is no such job. */
  async about({ n, ...job }: JobFileRef): Promise<FileIntake | undefined> {
    const about = await this.#redis.hget(keyOf(job), `${n}:about`);
    return about === null ? undefined : JSON.parse(about);
  }

  /** The key of the job's secrets; undefined: there are none, or the job has ended. */
  async secretsKey(job: JobRef): Promise<string | undefined> {
    return (await this.#redis.hget(keyOf(job), 'secretsKey')) ?? undefined;
  }

  /** What the job's spans are inside of; undefined: of nothing, or there are none. */
  async trace(job: JobRef): Promise<Carrier | undefined> {
    if (!carriesTraces()) return undefined;
    const trace = await this.#redis.hget(keyOf(job), 'trace');
    return trace === null ? undefined : JSON.parse(trace);
  }

  /** Stores the file's document, unless nobody wants it any more. */
  async describe(file: JobFileRef, about: FileIntake): Promise<void> {
    await this.#scripts.describeFile.run([keyOf(file)], [file.n, JSON.stringify(about)]);
  }

  /** The file's result, whether or not it is billed yet. */
  async made({ n, ...job }: JobFileRef): Promise<FileResult | undefined> {
    const result = await this.#redis.hget(keyOf(job), `${n}:result`);
    return result === null ? undefined : JSON.parse(result);
  }

  /**
   * Ends the file.
   *
   * @param error undefined: its PDF is made and billed.
   * @returns whether this call ended the file, and with it the job.
   */
  async end(
    file: JobFileRef,
    error?: FileError,
  ): Promise<{ readonly ended: boolean; readonly isLast: boolean }> {
    const args = [file.n, error === undefined ? '' : JSON.stringify(error)];
    const [ended, isLast] = (await this.#scripts.endFile.run(changed(file), args)) as number[];
    return { ended: ended === 1, isLast: isLast === 1 };
  }

  /**
   * Cancels the files that have no PDF yet.
   *
   * @returns their numbers; undefined if there is no such job.
   */
  async cancel(job: JobRef): Promise<number[] | undefined> {
    const [before, ...files] = (await this.#scripts.cancelJob.run(changed(job), [])) as [
      JobState | '',
      ...number[],
    ];
    return before === '' ? undefined : files;
  }

  /** Removes the record. @returns whether there was one. */
  async remove(job: JobRef): Promise<boolean> {
    const { account, environment, id } = job;
    const [open, waiting] = [jobKeys.open(account, environment), jobKeys.waiting(account, environment)];
    const keys = [keyOf(job), jobKeys.jobs(account, environment), open, waiting];
    return (await this.#scripts.removeJob.run(keys, [id])) === 1;
  }

  /**
   * Expires the job if its time is over.
   *
   * @param error for files that have not ended.
   * @returns whether it is expired; false also if there is no such job.
   */
  async expire(job: JobRef, error: FileError): Promise<boolean> {
    const args = [JSON.stringify(error), RECORD_KEPT_MS];
    return (await this.#scripts.expireJob.run(changed(job), args)) === 1;
  }

  /** @throws PlatenError `INTERNAL_ERROR` if the record is damaged. */
  async find(job: JobRef): Promise<Job | undefined> {
    const fields = await this.#redis.hgetall(keyOf(job));
    return fields.id === undefined ? undefined : readJob(job.environment, fields);
  }

  /** As {@link find}, without the files, which are most of a record. */
  async summary(job: JobRef): Promise<JobSummary | undefined> {
    const values = await this.#redis.hmget(keyOf(job), ...summaryFields);
    if (values[0] == null) return undefined;
    const fields: Record<string, string> = {};
    for (const [index, field] of summaryFields.entries()) {
      const value = values[index];
      if (value != null) fields[field] = value;
    }
    return readSummary(job.environment, fields);
  }

  /** The job, if its owner was not told of its state yet. */
  async toTell(job: JobRef): Promise<JobSummary | undefined> {
    const [state, told] = await this.#redis.hmget(keyOf(job), 'state', 'told');
    return state == null || state === told ? undefined : this.summary(job);
  }

  /** Stores that its owner was told of this state. @returns whether there is such a job. */
  async noteTold(job: JobRef, state: JobState): Promise<boolean> {
    return (await this.#scripts.noteTold.run([keyOf(job)], [state])) === 1;
  }

  /** Grows with each change of the job; undefined if there is none. */
  async revision(job: JobRef): Promise<number | undefined> {
    const revision = await this.#redis.hget(keyOf(job), 'revision');
    return revision === null ? undefined : Number(revision);
  }

  /** How the file is billed; undefined if there is no such job. */
  async bill({ n, ...job }: JobFileRef): Promise<FileBill | undefined> {
    const fields = ['key', 'at', 'bill', 'billedAt', 'billKey', 'document'];
    const [id, at, bill, billedAt, idempotencyKey, document] = await this.#redis.hmget(keyOf(job), ...fields);
    if (id == null) return undefined;
    const { account, environment } = job;
    return {
      reservation: {
        requestId: bill ?? billId({ n, ...job }),
        key: { account, environment, id },
        at: Number(billedAt ?? at),
        idempotencyKey: idempotencyKey ?? undefined,
      },
      document: document ?? undefined,
    };
  }

  /** Ids of all its jobs; the oldest may have no record. */
  async ids({ account, environment }: JobOwner): Promise<string[]> {
    return this.#redis.zrange(jobKeys.jobs(account, environment), 0, '-1');
  }

  /**
   * Jobs of an account, the newest first.
   *
   * @param after an id; only older ones are listed.
   * @returns at most `limit` jobs, and the id to continue after, if there may be more.
   */
  async list(
    { account, environment }: JobOwner,
    {
      limit,
      after,
      state,
    }: { readonly limit: number; readonly after?: string | undefined; readonly state?: JobState | undefined },
  ): Promise<{ readonly jobs: readonly JobSummary[]; readonly next: string | undefined }> {
    const jobs: JobSummary[] = [];
    let last = after;
    for (let lookedAt = 0; lookedAt < LIST_LOOKED_AT; lookedAt += LIST_STEP) {
      const from = last === undefined ? '+' : `(${last}`;
      const names = jobKeys.jobs(account, environment);
      const ids = await this.#redis.zrange(names, from, '-', 'BYLEX', 'REV', 'LIMIT', 0, LIST_STEP);
      const states = await Promise.all(
        ids.map((id) => this.#redis.hget(jobKeys.job(account, environment, id), 'state')),
      );
      for (const [index, id] of ids.entries()) {
        last = id;
        if (states[index] == null || (state !== undefined && states[index] !== state)) continue;
        const job = await this.summary({ account, environment, id });
        if (job) jobs.push(job);
        if (jobs.length === limit) return { jobs, next: last };
      }
      if (ids.length < LIST_STEP) return { jobs, next: undefined };
    }
    return { jobs, next: last };
  }
}

const scriptNames = [
  'takeJob',
  'startFile',
  'describeFile',
  'requeueFile',
  'makeFile',
  'endFile',
  'cancelJob',
  'removeJob',
  'expireJob',
  'noteTold',
] as const;
type ScriptName = (typeof scriptNames)[number];

/** The id under which a file is billed; for a conversion that became a job, its own. */
function billId({ id, n }: Pick<JobFileRef, 'id' | 'n'>): string {
  return `${id}.${n}`;
}

const keyOf = ({ account, environment, id }: JobRef) => jobKeys.job(account, environment, id);
const waitingOf = ({ account, environment }: JobOwner) => jobKeys.waiting(account, environment);

/** Keys that scripts take that may end a job. */
function changed(job: JobRef): string[] {
  return [keyOf(job), jobKeys.open(job.account, job.environment), waitingOf(job)];
}
