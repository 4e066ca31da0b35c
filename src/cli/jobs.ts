/** platen jobs … */

import { type Command, Option } from 'commander';
import { Settlement } from '../billing/settlement.ts';
import { type Config, readConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { cancelJob } from '../jobs/cancel.ts';
import { isJobId, type JobRef, type JobState, type JobSummary, jobStates } from '../jobs/job.ts';
import { JobQueues } from '../jobs/job-queues.ts';
import { JobRecords } from '../jobs/job-records.ts';
import type { Environment } from '../keys/format.ts';
import { KeyStore } from '../keys/store.ts';
import type { Log } from '../log.ts';
import { Audit } from '../operator/audit.ts';
import { Management } from '../operator/management.ts';
import type { Plans } from '../plans/plans.ts';
import type { RedisClient } from '../redis/connect.ts';
import { openObjectStore } from '../storage/open.ts';
import { iso, isoOrNull } from '../system/iso-time.ts';
import { columns, command, group, print, systemUser, withRedis } from './command.ts';

const MOST = 50;

interface ListOptions {
  readonly account: string;
  readonly env: Environment;
  readonly state?: JobState;
  readonly json?: boolean;
}

export function jobCommands(): Command {
  return group('jobs', 'Jobs of accounts.', [list(), show(), cancel()]);
}

function list(): Command {
  return command('list', `List the newest ${MOST} jobs of an account.`)
    .requiredOption('--account <id>', 'account that owns them')
    .addOption(
      new Option('--env <env>', 'environment of their keys').choices(['test', 'live']).default('live'),
    )
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(jobStates))
    .action(async ({ account, env, state, json }: ListOptions) => {
      const jobs = await withJobs(async ({ records, redis, plans }) => {
        const { id } = await new KeyStore(redis, plans).requireAccount(account);
        const found = await records.list({ account: id, environment: env }, { limit: MOST, state });
        return found.jobs.map((job) => summaryOf(id, job));
      });
      const head = ['ID', 'STATE', 'CREATED', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'];
      const rows = jobs.map(({ id, state: now, createdAt, counts }) => [
        ...[id, now, createdAt],
        ...[counts.queued, counts.running, counts.succeeded, counts.failed, counts.canceled].map(String),
      ]);
      print(json, jobs, columns(head, rows));
    });
}

function show(): Command {
  return command('show', 'Show a job and its files, without their names.')
    .argument('<id>', 'id of the job')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const job = await withJobs(async (parts) => read(await find(id, parts), parts));
      print(json, job, describe(job));
    });
}

function cancel(): Command {
  return command('cancel', 'Cancel the files of a job that have no PDF yet.')
    .argument('<id>', 'id of the job')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const job = await withJobs(async (parts) => {
        const { config, redis, plans, log } = parts;
        const name = await find(id, parts);
        const storage = await openObjectStore(config, log);
        try {
          const management = new Management({ redis, plans, audit: new Audit(redis, log) });
          const act = () => cancelJob(name, { ...parts, storage, settlement: new Settlement(redis) });
          await management.cancelJob({ by: 'cli', who: systemUser() }, name.account, id, act);
        } finally {
          storage.close();
        }
        return read(name, parts);
      });
      print(json, job, describe(job));
    });
}

interface Parts {
  readonly config: Config;
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly log: Log;
  readonly records: JobRecords;
  readonly queues: JobQueues;
}

/** @throws OperatorError */
function withJobs<T>(task: (parts: Parts) => Promise<T>): Promise<T> {
  return withRedis(async (redis, plans, log) => {
    const config = readConfig(process.env);
    const queues = new JobQueues(redis);
    try {
      const records = new JobRecords(redis, config.jobRetentionMs);
      return await task({ config, redis, plans, log, records, queues });
    } finally {
      await queues.close();
    }
  });
}

/** @throws OperatorError */
async function find(id: string, { queues }: Parts): Promise<JobRef> {
  const name = isJobId(id) ? await queues.ownerOf(id) : undefined;
  if (!name) throw noJob(id);
  return name;
}

/** @throws OperatorError */
async function read(name: JobRef, { records }: Parts) {
  const job = await records.find(name);
  if (!job) throw noJob(name.id);
  const files = job.files.map(({ number, state, bytes, result, error }) => ({
    number,
    state,
    bytes,
    pages: result?.pages ?? null,
    error: error?.code ?? null,
  }));
  return { ...summaryOf(name.account, job), files };
}

const noJob = (id: string) => new OperatorError(`there is no job ${id}`);

/** Leaves out what its owner wrote about it, which operators do not see. */
function summaryOf(
  account: string,
  { id, environment, key, state, createdAt, completedAt, counts }: JobSummary,
) {
  return {
    id,
    account,
    environment,
    key,
    state,
    createdAt: iso(createdAt),
    completedAt: isoOrNull(completedAt),
    counts,
  };
}

function describe(job: Awaited<ReturnType<typeof read>>): string[] {
  const { id, account, environment, key, state, createdAt, completedAt, files } = job;
  const rows = files.map(({ number, state: now, bytes, pages, error }) => [
    ...[`${number}`, now, `${bytes ?? ''}`, `${pages ?? ''}`, error ?? ''],
  ]);
  return [
    `Job ${id} of account ${account} (${environment}, key ${key}): ${state}.`,
    `Created ${createdAt}, completed ${completedAt ?? '–'}.`,
    '',
    ...columns(['FILE', 'STATE', 'BYTES', 'PAGES', 'ERROR'], rows),
  ];
}
