/** Finds the job that a request asks for. */
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { isJobId, type Job, type JobOwner, type JobRef } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { ownerOf } from '../access/admitted.ts';
import { noJob } from '../conversion/job-taking.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';

/** @throws PlatenError `NOT_FOUND` if it cannot be the id of a job. */
export function nameOf(owner: JobOwner, id: string): JobRef {
  if (!isJobId(id)) throw notFound();
  return { ...owner, id };
}

/** @throws PlatenError `NOT_FOUND` if there is no such job; Error if Redis failed. */
export async function jobOf(jobs: Jobs, name: JobRef): Promise<Job> {
  const job = await jobs.records.find(name);
  if (!job) throw notFound();
  return job;
}

/** The job of the caller's account, for answers that are no JSON. @throws PlatenError `NOT_FOUND`, `SERVICE_UNAVAILABLE` */
export async function findJob(request: FastifyRequest, jobs: Jobs, id: string): Promise<Job> {
  return orUnavailable(jobOf(jobs, nameOf(ownerOf(request), id)), nextDeadline(request));
}

export const notFound = (message: string = noJob): PlatenError => new PlatenError('NOT_FOUND', { message });
