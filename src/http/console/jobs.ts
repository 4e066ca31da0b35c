/** /account/v1/jobs. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { isJobId } from '../../jobs/job.ts';
import { readCursor } from '../../operations/schema.ts';
import { nextDeadline } from '../core/redis-deadline.ts';
import { answerOf, foundBy } from '../operator/answer.ts';
import { noJobOf } from '../operator/jobs.contract.ts';
import { jobFor, summaryFor } from '../operator/jobs.ts';
import { scopeOf } from './authentication.ts';
import { cancelOwnJob, getOwnJob, listOwnJobs } from './jobs.contract.ts';
import { routeOf } from './operation.ts';

const PAGE = 20;

/** Register it in a scope that only members enter. */
export const jobRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(listOwnJobs.path, routeOf(listOwnJobs), async (request) => {
    const { environment = 'live', state, after, limit = PAGE } = request.query;
    const scope = scopeOf(request);
    const listed = scope.jobs(environment, { state, after: readCursor(after, isJobId), limit });
    const { jobs, next = null } = await answerOf(request, listed);
    return { jobs: jobs.map((job) => summaryFor(scope.account, job)), next };
  });

  app.get(getOwnJob.path, routeOf(getOwnJob), async (request) => {
    const scope = scopeOf(request);
    return jobFor(scope.account, await foundBy(request, scope.job(request.params.job), noJobOf));
  });

  app.post(cancelOwnJob.path, routeOf(cancelOwnJob), async (request) => {
    const scope = scopeOf(request);
    const { job } = request.params;
    request.redisDeadline = nextDeadline(request);
    return jobFor(scope.account, await foundBy(request, scope.cancelJob(job), noJobOf));
  });
};
