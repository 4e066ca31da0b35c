/** POST /v1/jobs: takes documents, and answers once all of them are stored. */
import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Converter } from '../../convert/converter.ts';
import { PlatenError } from '../../errors.ts';
import type { JobName } from '../../jobs/job.ts';
import { putRequest } from '../../jobs/job-objects.ts';
import type { NewJob } from '../../jobs/job-records.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { notedOptions } from '../../options/conversion-options.ts';
import type { Plans } from '../../plans/plans.ts';
import type { Queue } from '../../queue/queue.ts';
import { StorageError } from '../../storage/object-store.ts';
import { assertFeatures } from '../access/features.ts';
import { readIdempotencyKey } from '../access/idempotency-key.ts';
import { assertCombination, documentOf, readForm, readOptions } from '../conversion/conversion-request.ts';
import { ClientGone, endingOf } from '../conversion/ending.ts';
import { assertJobs, assertTaken, jobLimits, sendTaken } from '../conversion/job-taking.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { type JobUploadOptions, METADATA, receiveJob } from './job-upload.ts';
import { createJob } from './jobs.contract.ts';
import { readMetadata } from './metadata.ts';
import { readFileSimulation, withSimulation } from './simulated-files.ts';

export interface CreateJobOptions {
  readonly jobs: Jobs | undefined;
  readonly converter: Converter;
  readonly queue: Queue;
  readonly plans: Plans;
  readonly maxFileBytes: number;
  readonly uploadTimeoutMs: number;
  readonly draining: AbortSignal;
}

type Request = FastifyRequest<{ Querystring: Static<typeof createJob.schema.querystring> }>;

export const createJobRoute: FastifyPluginAsyncTypebox<CreateJobOptions> = async (app, options) => {
  // A body that is no form is not read either: form-body.ts says what is wrong with it.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post(
    createJob.path,
    { schema: createJob.schema, config: { permission: 'jobs', job: true } },
    async (request: Request, reply) => {
      const jobs = assertJobs(options.jobs);
      const { key } = request.state;
      if (!key) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without admission' });
      const { account, environment } = key;
      const place = options.queue.enter(
        { class: environment, account, keyType: key.type },
        { isForLater: true },
      );
      const signal = endingOf(reply.raw, place.signal);
      try {
        await jobs.queues.load();
        const name = await orUnavailable(jobs.announce({ account, environment }), request.redisDeadline);
        const { maxFilesPerJob: maxFiles } = jobLimits(request, options.plans);
        const { progress } = place;
        const limits = {
          ...options,
          timeoutMs: options.uploadTimeoutMs,
          progress,
          storage: jobs.storage,
          maxFiles,
        };
        const job = await receive(request, jobs, name, limits, signal).catch(async (error: unknown) => {
          await jobs.withdraw(name);
          throw error instanceof StorageError
            ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error })
            : error;
        });
        // From here on it may be taken, whatever this server knows.
        const taking = await orUnavailable(jobs.take(job), nextDeadline(request));
        assertTaken(taking, job, request);
        return await sendTaken(reply, jobs, taking.outcome === 'known' ? { ...name, id: taking.id } : name);
      } catch (error) {
        // Nobody waits for the rest of an upload that has lost its place.
        if (place.signal.aborted) reply.header('connection', 'close');
        if (!(error instanceof ClientGone)) throw error;
        return reply;
      } finally {
        place.leave();
      }
    },
  );
};

/** Stores everything of the job. */
async function receive(
  request: Request,
  jobs: Jobs,
  job: JobName,
  limits: JobUploadOptions & CreateJobOptions,
  signal: AbortSignal,
): Promise<NewJob> {
  const { state, headers, query } = request;
  const { key, standing } = state;
  if (!key || !standing) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without admission' });
  const idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
  const simulation = readFileSimulation(request);
  const options = readOptions(query);
  limits.converter.assertPossible(options);
  const upload = await receiveJob(request, job, limits, signal);
  const metadata = readMetadata(upload.fields.get(METADATA));
  const form = readForm(upload, { path: createJob.path, ownFields: [METADATA] });
  assertFeatures(request, limits.plans, { ...form });
  assertCombination({ ...options, ...form });
  const { attachments = [], ...secrets } = form;
  const stored = attachments.map(({ path, ...each }) => ({ ...each, key: path }));
  await putRequest(jobs.storage, job.id, { options, secrets, attachments: stored });
  signal.throwIfAborted();
  const documents = upload.files.map(({ name, sha256 }) => [name, documentOf({ sha256 }, options, form)]);
  const digest = createHash('sha256')
    .update(JSON.stringify([documents, metadata]))
    .digest('hex');
  return {
    ...job,
    ...jobLimits(request, limits.plans),
    key: key.id,
    at: standing.at,
    files: withSimulation(upload.files, simulation),
    options: notedOptions(options, form),
    metadata,
    idempotencyKey,
    digest,
  };
}
