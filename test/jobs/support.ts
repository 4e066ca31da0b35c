/** Jobs on a real Redis, without an engine. */
import type { Redis } from 'ioredis';
import type { Test } from 'tap';
import type { JobRef } from '../../src/jobs/job.ts';
import { newJobId } from '../../src/jobs/job.ts';
import type { FileIntake } from '../../src/jobs/job-record.ts';
import { JobRecords, type NewJob } from '../../src/jobs/job-records.ts';
import { jobKeys } from '../../src/jobs/redis-keys.ts';
import { LONGEST_FAILOVER_MS, type RedisClient } from '../../src/redis/connect.ts';
import { redisClient } from '../redis/support.ts';

export const HOUR_MS = 3_600_000;
export const SHA256 = 'a'.repeat(64);

export function filesOf(count: number): FileIntake[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${index + 1}.docx`,
    bytes: 1_000,
    sha256: SHA256,
  }));
}

/** A job of the account "acme", with three files. */
export function newJob(job: Partial<NewJob> = {}): NewJob {
  return {
    account: 'acme',
    environment: 'live',
    id: newJobId(),
    key: 'key_1',
    at: Date.now(),
    files: filesOf(3),
    options: { pdfa: '2b' },
    metadata: { order: '7' },
    perMonth: null,
    maxJobs: null,
    ...job,
  };
}

interface Records {
  readonly redis: Redis;
  readonly records: JobRecords;
}

/** Records whose results are kept for an hour. */
export async function testRecords(t: Test, retentionMs = HOUR_MS): Promise<Records> {
  const redis = await redisClient(t);
  return { redis, records: new JobRecords(redis, retentionMs) };
}

/** Takes a job that nothing keeps from being taken. */
export async function take(records: JobRecords, job: Partial<NewJob> = {}): Promise<JobRef> {
  const wanted = newJob(job);
  const { outcome } = await records.take(wanted);
  if (outcome !== 'taken') throw new Error(outcome);
  const { account, environment, id } = wanted;
  return { account, environment, id };
}

/** Makes a job's end so old that no failover of Redis can undo it. */
export async function endLongAgo(redis: RedisClient, { account, environment, id }: JobRef): Promise<void> {
  await redis.hset(jobKeys.job(account, environment, id), 'completedAt', Date.now() - LONGEST_FAILOVER_MS);
}

export const result = {
  key: 'jobs/x/out/1/t/result.pdf',
  pages: 2,
  bytes: 2_000,
  sha256: 'b'.repeat(64),
  durationMs: 40,
  warnings: [],
};
