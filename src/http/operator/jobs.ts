/** Jobs of accounts, for support. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { isJobId, type Job, type JobFile, type JobRef, type JobSummary } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { KeyStore } from '../../keys/store.ts';
import { readCursor } from '../../operations/schema.ts';
import type { Management } from '../../operator/management.ts';
import { isoOrNull } from '../../system/iso-time.ts';
import { summaryOf } from '../conversion/job-body.ts';
import { assertJobs } from '../conversion/job-taking.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { noAccount } from './accounts.contract.ts';
import { answerOf, foundBy } from './answer.ts';
import { actorOf } from './authentication.ts';
import {
  cancelJobOf,
  getJobOf,
  listJobsOf,
  noJobOf,
  type OperatorJob,
  type OperatorJobSummary,
} from './jobs.contract.ts';

export interface JobRoutesOptions {
  readonly keys: KeyStore;
  readonly management: Management;
  /** Undefined if this server has no jobs. */
  readonly jobs: Jobs | undefined;
}

const PAGE = 20;

/** Register it in a scope that only operators enter. */
export const jobRoutes: FastifyPluginAsyncTypebox<JobRoutesOptions> = async (app, options) => {
  const { keys, management } = options;

  app.get(listJobsOf.path, { schema: listJobsOf.schema }, async (request) => {
    const { environment = 'live', state, after, limit = PAGE } = request.query;
    const wish = { state, after: readCursor(after, isJobId), limit };
    const { id: account } = await foundBy(request, keys.getAccount(request.params.account), noAccount);
    const { records } = assertJobs(options.jobs);
    const { jobs, next = null } = await answerOf(request, records.list({ account, environment }, wish));
    return { jobs: jobs.map((job) => summaryFor(account, job)), next };
  });

  /** @throws PlatenError `NOT_FOUND` */
  const find = async (
    request: FastifyRequest,
    id: string,
  ): Promise<{ readonly name: JobRef; readonly job: Job }> => {
    const { queues, records } = assertJobs(options.jobs);
    const name = await foundBy(request, queues.ownerOf(id), noJobOf);
    return { name, job: await foundBy(request, records.find(name), noJobOf) };
  };

  app.get(getJobOf.path, { schema: getJobOf.schema }, async (request) => {
    const { name, job } = await find(request, request.params.id);
    return jobFor(name.account, job);
  });

  app.post(cancelJobOf.path, { schema: cancelJobOf.schema }, async (request) => {
    const { name } = await find(request, request.params.id);
    const cancel = () => assertJobs(options.jobs).cancel(name);
    const canceling = management.cancelJob(actorOf(request), name.account, name.id, cancel);
    await orUnavailable(canceling, nextDeadline(request));
    const { job } = await find(request, name.id);
    return jobFor(name.account, job);
  });
};

/** A job as an answer, without the texts of its owner. */
export function summaryFor(account: string, job: JobSummary): Static<typeof OperatorJobSummary> {
  const { metadata: _, webhook: __, ...summary } = summaryOf(job);
  return { ...summary, account, key: job.key };
}

export function jobFor(account: string, job: Job): Static<typeof OperatorJob> {
  return { ...summaryFor(account, job), files: job.files.map(fileFor) };
}

function fileFor({ number, state, bytes, startedAt, endedAt, result, error }: JobFile) {
  return {
    number,
    state,
    bytes,
    startedAt: isoOrNull(startedAt),
    completedAt: isoOrNull(endedAt),
    pages: result?.pages ?? null,
    bytesOut: result?.bytes ?? null,
    durationMs: result?.durationMs ?? null,
    libreOffice: result?.libreOffice ?? null,
    warnings: result?.warnings.map(({ code }) => code) ?? [],
    error: error?.code ?? null,
  };
}
