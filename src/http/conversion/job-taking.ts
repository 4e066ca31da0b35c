/** What a job's client is told when it is taken or refused. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withOwnLimits } from '../../accounts/plans/own-limits.ts';
import { jobLimitsOf, type Plans } from '../../accounts/plans/plans.ts';
import { PlatenError } from '../../errors.ts';
import type { JobRef } from '../../jobs/job.ts';
import type { NewJob, Taking } from '../../jobs/job-records.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { quotaExceeded } from '../access/admission.ts';
import { admittedOf } from '../access/admitted.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { bodyOf } from './job-body.ts';

/** When a client may ask for a job again, in seconds. */
const ASK_AGAIN_SECONDS = 2;
/** When one of many open jobs may have ended, in seconds. */
const JOB_ENDS_SECONDS = 30;

/** How much the account allows of jobs. */
export function jobLimits(request: FastifyRequest, plans: Plans) {
  const { key, standing } = admittedOf(request);
  const plan = plans.get(standing.plan);
  if (!plan)
    throw new PlatenError('INTERNAL_ERROR', { cause: `a plan "${standing.plan}" that this server lacks` });
  const { ownLimits = [], at, quota } = standing;
  return { ...jobLimitsOf(withOwnLimits(plan, ownLimits, at), key.environment), perMonth: quota };
}

/** Refuses a job that was not taken. @throws PlatenError */
export function assertTaken(
  taking: Taking,
  { files, maxJobs, perMonth }: NewJob,
  { state: { standing } }: FastifyRequest,
): asserts taking is Extract<Taking, { outcome: 'taken' | 'known' }> {
  if (taking.outcome === 'quota' && standing) {
    throw quotaExceeded(
      standing,
      `The job has ${counted(files.length, 'file')}, but the quota of ${perMonth} a month has ${counted(taking.left, 'conversion')} left.`,
    );
  }
  if (taking.outcome === 'jobs') {
    throw new PlatenError('RATE_LIMIT_EXCEEDED', {
      message: `Your account may have ${counted(maxJobs ?? 0, 'job')} at a time. Wait until one has ended, then send it again.`,
      retryAfter: JOB_ENDS_SECONDS,
      reason: 'jobs',
    });
  }
  if (taking.outcome === 'reused') {
    throw new PlatenError('IDEMPOTENCY_KEY_REUSED', {
      message:
        'Another job was sent with this Idempotency-Key. Use a new key for each job, and the same key only to repeat it.',
    });
  }
}

/** The headers of an answer that repeats an earlier one by its `Idempotency-Key`. */
export const REPLAYED = { 'idempotent-replayed': 'true' };

/** Answers with a job that was taken. @throws PlatenError if it cannot be read, or was deleted meanwhile. */
export async function sendTaken(
  reply: FastifyReply,
  jobs: Jobs,
  name: JobRef,
  headers: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  const job = await orUnavailable(jobs.records.find(name), nextDeadline(reply.request));
  if (!job) throw new PlatenError('NOT_FOUND', { message: noJob });
  return reply
    .code(202)
    .headers({ location: `/v1/jobs/${job.id}`, 'retry-after': ASK_AGAIN_SECONDS, ...headers })
    .send(bodyOf(job));
}

export const noJob =
  'There is no such job. Check the id, and use a key of the same account and environment (test or live). Jobs are known for ' +
  'a week after their results were removed.';

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
