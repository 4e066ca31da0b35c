/** What an account knows of its jobs, and their early ends. */
import type { FastifyPluginAsync } from 'fastify';
import { assertJobs } from '../../jobs/assert-jobs.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { summaryOf } from '../../operations/job-schema.ts';
import { keyDoor } from '../account/door.ts';
import { bodyOf } from '../conversion/job-body.ts';
import { jobOf, nameOf, notFound } from './find.ts';
import { cancelJob, deleteJob, getJob, listJobs, PAGE } from './jobs.contract.ts';

export const jobRoutes: FastifyPluginAsync<{ readonly jobs: Jobs | undefined }> = async (app, options) => {
  const route = keyDoor(app, { permission: 'jobs' });

  route(listJobs, async ({ owner, query: { limit = PAGE, after, state } }) => {
    const { records } = assertJobs(options.jobs);
    const { jobs, next = null } = await records.list(owner, { limit, after, state });
    return { jobs: jobs.map(summaryOf), next };
  });

  route(getJob, async ({ owner, params: { id } }) =>
    bodyOf(await jobOf(assertJobs(options.jobs), nameOf(owner, id))),
  );

  route(cancelJob, async ({ owner, params: { id } }) => {
    const jobs = assertJobs(options.jobs);
    const name = nameOf(owner, id);
    if (!(await jobs.cancel(name))) throw notFound();
    return bodyOf(await jobOf(jobs, name));
  });

  route(deleteJob, async ({ owner, params: { id } }) => {
    if (!(await assertJobs(options.jobs).remove(nameOf(owner, id)))) throw notFound();
    return null;
  });
};
