/** What an account knows of its jobs, and their early ends. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { assertJobs } from '../../jobs/assert-jobs.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { summaryOf } from '../../operations/job-schema.ts';
import { ownerOf } from '../access/admitted.ts';
import { bodyOf } from '../conversion/job-body.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { findJob, nameOf, notFound } from './find.ts';
import { cancelJob, deleteJob, getJob, listJobs, PAGE } from './jobs.contract.ts';

const config = { permission: 'jobs' } as const;

export const jobRoutes: FastifyPluginAsyncTypebox<{ readonly jobs: Jobs | undefined }> = async (
  app,
  options,
) => {
  app.get(listJobs.path, { schema: listJobs.schema, config }, async (request) => {
    const { records } = assertJobs(options.jobs);
    const { limit = PAGE, after, state } = request.query;
    const listed = records.list(ownerOf(request), { limit, after, state });
    const { jobs, next = null } = await orUnavailable(listed, request.redisDeadline);
    return { jobs: jobs.map(summaryOf), next };
  });

  app.get(getJob.path, { schema: getJob.schema, config }, async (request) =>
    bodyOf(await findJob(request, assertJobs(options.jobs), request.params.id)),
  );

  app.post(cancelJob.path, { schema: cancelJob.schema, config }, async (request) => {
    const jobs = assertJobs(options.jobs);
    const { id } = request.params;
    const found = await orUnavailable(jobs.cancel(nameOf(request, id)), nextDeadline(request));
    if (!found) throw notFound();
    return bodyOf(await findJob(request, jobs, id));
  });

  app.delete(deleteJob.path, { schema: deleteJob.schema, config }, async (request, reply) => {
    const removed = assertJobs(options.jobs).remove(nameOf(request, request.params.id));
    const found = await orUnavailable(removed, nextDeadline(request));
    if (!found) throw notFound();
    return reply.code(204).send(null);
  });
};
