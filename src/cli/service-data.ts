/** What the operator's commands work on: the Redis of the service, and its operations. */
import { userInfo } from 'node:os';
import { Settlement } from '../accounts/billing/settlement.ts';
import { type Plans, readPlans } from '../accounts/plans/plans.ts';
import { readConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { cancelJob } from '../jobs/cancel.ts';
import type { JobRef } from '../jobs/job.ts';
import { JobQueues } from '../jobs/job-queues.ts';
import { JobRecords } from '../jobs/job-records.ts';
import type { Caller } from '../operations/operation.ts';
import { type OperationServices, openOperations } from '../operations/services.ts';
import { Audit } from '../operator/audit.ts';
import type { RedisClient } from '../redis/connect.ts';
import { openRedis, type RedisRole } from '../redis/open.ts';
import { openObjectStore } from '../storage/open.ts';
import type { Log } from '../system/log.ts';
import { commandLog, interruption } from './command.ts';

/** A `visitor` needs existing data: a mistyped DATA_DIR must not become a new, empty service. */
export type CommandRole = Exclude<RedisRole, 'service'>;

/** Runs operations as the operator. @throws OperatorError */
export function withOperations<T>(
  task: (services: OperationServices, caller: Caller) => Promise<T>,
  role: CommandRole = 'visitor',
): Promise<T> {
  return withRedis(async (redis, plans, log) => {
    const config = readConfig(process.env);
    const actor = { by: 'cli', who: systemUser() } as const;
    const records = new JobRecords(redis, config.jobRetentionMs);
    const queues = new JobQueues(redis);
    const cancel = async (job: JobRef) => {
      const storage = await openObjectStore(config, log);
      try {
        return await cancelJob(job, { records, queues, storage, log, settlement: new Settlement(redis) });
      } finally {
        storage.close();
      }
    };
    const jobs = { records, queues, cancel };
    try {
      return await task(openOperations({ config, redis, plans, log, jobs, audit: new Audit(redis, log) }), {
        account: undefined,
        actor,
        role: 'admin',
        port: null,
      });
    } finally {
      await queues.close();
    }
  }, role);
}

/** The user of the command; a number if it has no name, as in a container. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/**
 * Runs a task on the Redis of the service that the environment names, with its plans, and closes what it opened,
 * whether the task succeeds, fails or is interrupted.
 *
 * @throws OperatorError
 */
export async function withRedis<T>(
  task: (redis: RedisClient, plans: Plans, log: Log) => Promise<T>,
  role: CommandRole = 'visitor',
): Promise<T> {
  const config = readConfig(process.env);
  const plans = readPlans(config.plansFile);
  const log = commandLog();
  const redis = await openRedis(config, log, role);
  // Probably the command lacks the service's environment, and would work on other data.
  if (redis.embedded) {
    console.error(
      `platen: no service runs on the data folder ${config.dataDir}; the command uses the data in it. For a service that runs ` +
        'elsewhere, set its DATA_DIR or REDIS_URL.',
    );
  }
  const interrupted = interruption();
  try {
    return await Promise.race([task(redis.client, plans, log), interrupted.promise]);
  } catch (cause) {
    // ioredis has no class for it.
    const isSilent = cause instanceof Error && cause.message === 'Command timed out';
    throw isSilent ? new OperatorError('Redis does not answer in time', { cause }) : cause;
  } finally {
    interrupted.stop();
    await redis.close();
  }
}
