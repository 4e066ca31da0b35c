/** Finds the job that a request asks for. */

import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { isJobId, type Job, type JobRef } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { ownerOf } from '../access/admitted.ts';
import { noJob } from '../conversion/job-taking.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';

/** @throws PlatenError `NOT_FOUND` if it cannot be the id of a job. */
export function nameOf(request: FastifyRequest, id: string): JobRef {
  if (!isJobId(id)) throw notFound();
  return { ...ownerOf(request), id };
}

/** @throws PlatenError `NOT_FOUND` if the account has no such job. */
export async function findJob(request: FastifyRequest, jobs: Jobs, id: string): Promise<Job> {
  const job = await orUnavailable(jobs.records.find(nameOf(request, id)), nextDeadline(request));
  if (!job) throw notFound();
  return job;
}

export const notFound = (message: string = noJob): PlatenError => new PlatenError('NOT_FOUND', { message });
