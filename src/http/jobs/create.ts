/** POST /v1/jobs: takes documents, and answers once all of them are stored. */
import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { LARGEST_TOGETHER, type Plans } from '../../accounts/plans/plans.ts';
import type { Converter } from '../../convert/converter.ts';
import { PlatenError } from '../../errors.ts';
import { assertJobs } from '../../jobs/assert-jobs.ts';
import { type JobRef, MAX_JOB_BYTES } from '../../jobs/job.ts';
import { putRequest } from '../../jobs/job-objects.ts';
import type { FileIntake } from '../../jobs/job-record.ts';
import type { NewJob } from '../../jobs/job-records.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Queue } from '../../queue/queue.ts';
import type { EgressPulse } from '../../redis/egress-pulse.ts';
import {
  type ConversionOptions,
  type FormOptions,
  notedOptions,
  type PageNumbering,
} from '../../shared/options/conversion-options.ts';
import { StorageError } from '../../storage/object-store.ts';
import { admittedOf } from '../access/admitted.ts';
import { assertFeatures } from '../access/features.ts';
import { readIdempotencyKey } from '../access/idempotency-key.ts';
import { readFileSimulation } from '../access/simulated-files.ts';
import {
  assertCombination,
  assertNoPicture,
  assertPageNumbers,
  documentOf,
  readForm,
  readOptions,
} from '../conversion/conversion-request.ts';
import { ClientGone, endingOf } from '../conversion/ending.ts';
import { assertTaken, jobLimits, REPLAYED, sendTaken } from '../conversion/job-taking.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { digestOfUrl, isByUrl, MAX_JOB_JSON_BYTES, readJobByUrl, storeSources } from './job-by-url.ts';
import { type JobUploadOptions, METADATA, receiveJob, WEBHOOK } from './job-upload.ts';
import { createJob } from './jobs.contract.ts';
import { parseMetadata } from './metadata.ts';
import { type JobWebhookOptions, readJobWebhook } from './webhook.ts';

/** When a process that fetches may be there, in seconds. */
const NO_EGRESS_SECONDS = 60;

export interface CreateJobOptions extends JobWebhookOptions {
  readonly jobs: Jobs | undefined;
  readonly converter: Converter;
  readonly queue: Queue;
  readonly plans: Plans;
  /** Whether documents can be fetched. */
  readonly pulse: EgressPulse;
  readonly maxFileBytes: number;
  readonly uploadTimeoutMs: number;
  readonly draining: AbortSignal;
}

type Request = FastifyRequest<{ Querystring: Static<typeof createJob.schema.querystring> }>;

export const createJobRoute: FastifyPluginAsyncTypebox<CreateJobOptions> = async (app, options) => {
  // A body that is no form is not read either: form-body.ts says what is wrong with it.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  const asText = { parseAs: 'string', bodyLimit: MAX_JOB_JSON_BYTES } as const;
  app.addContentTypeParser<string>('application/json', asText, (request, text, done) => {
    void parseJson(request, text, (cause, body) => done(cause && notJson(cause), body));
  });
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post(
    createJob.path,
    { schema: createJob.schema, config: { permission: 'jobs', job: true } },
    async (request: Request, reply) => {
      const jobs = assertJobs(options.jobs);
      const { key } = admittedOf(request);
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
        const receiving = () => receive(request, jobs, name, limits, signal);
        const job = await request.state.trace.timed('upload', receiving).catch(async (error: unknown) => {
          await jobs.withdraw(name);
          throw error instanceof StorageError
            ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error })
            : error;
        });
        // From here on it may be taken, whatever this server knows.
        const taking = await orUnavailable(jobs.take(job), nextDeadline(request));
        assertTaken(taking, job, request);
        if (taking.outcome === 'taken') return await sendTaken(reply, jobs, name);
        return await sendTaken(reply, jobs, { ...name, id: taking.id }, REPLAYED);
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

const notJson = (cause: Error): PlatenError =>
  new PlatenError('INVALID_REQUEST', {
    message: 'The body is not valid JSON. Send an object with "files", or the documents in a form.',
    cause,
  });

/** What was sent, once its documents or their addresses are stored. */
interface Received {
  readonly files: readonly FileIntake[];
  readonly options: ConversionOptions;
  /** Whether the documents become one PDF. */
  readonly combine: boolean;
  /** How their pages are counted then. */
  readonly pageNumbers: PageNumbering | undefined;
  readonly form: FormOptions;
  readonly metadata: Readonly<Record<string, string>>;
  readonly webhook: string | undefined;
  /** What each document is, for a digest: the SHA-256 of its content or of its address. */
  readonly documents: readonly string[];
}

/** Stores everything of the job. */
async function receive(
  request: Request,
  jobs: Jobs,
  job: JobRef,
  limits: Omit<JobUploadOptions, 'maxBytes'> & CreateJobOptions,
  signal: AbortSignal,
): Promise<NewJob> {
  const { state, headers } = request;
  const { key, standing } = admittedOf(request);
  const idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
  const simulation = readFileSimulation(request);
  const received = isByUrl(request)
    ? await receiveAddresses(request, jobs, job, limits)
    : await receiveDocuments(request, job, limits, signal);
  const { files, options, combine, pageNumbers, form, metadata, documents } = received;
  const webhook = await readJobWebhook(request, received.webhook, limits);
  const { attachments = [], ...secrets } = form;
  const stored = attachments.map(({ path, ...each }) => ({ ...each, key: path }));
  // Who wrote a fetched document is known to nobody.
  const isApart = isByUrl(request) || standing.isolation === 'document';
  const secretsKey = await putRequest(jobs.storage, job.id, {
    options: { ...options, ...(isApart && { isolation: 'document' as const }) },
    ...{ pageNumbers, secrets, attachments: stored },
  });
  signal.throwIfAborted();
  const digested = files.map(({ name }, index) => [
    name,
    documentOf({ sha256: documents[index] ?? '' }, options, form),
  ]);
  const digest = createHash('sha256')
    .update(JSON.stringify([digested, metadata, webhook, ...(combine ? ['combine', pageNumbers] : [])]))
    .digest('hex');
  return {
    ...job,
    ...jobLimits(request, limits.plans),
    key: key.id,
    at: standing.at,
    files: files.map((file, index) => {
      const simulate = simulation(index + 1);
      return simulate === undefined ? file : { ...file, simulate };
    }),
    options: {
      ...notedOptions(options, form),
      ...(combine && { combine: 'true' }),
      ...(pageNumbers && { pageNumbers }),
    },
    combine,
    metadata,
    webhook,
    secretsKey,
    trace: state.trace.carrier(),
    idempotencyKey,
    digest,
  };
}

/** @throws PlatenError `INVALID_PARAMETER` */
function readJobOptions({ combine = false, pageNumbers, ...query }: Request['query']) {
  if (combine) assertNoPicture(query, 'leave combine out');
  else if (pageNumbers !== undefined)
    throw new PlatenError('INVALID_PARAMETER', {
      message: 'pageNumbers needs combine=true. Send both, or leave pageNumbers out.',
    });
  const options = readOptions(query);
  assertPageNumbers(pageNumbers, options);
  return { options, combine, pageNumbers: pageNumbers === 'continuous' ? pageNumbers : undefined };
}

async function receiveDocuments(
  request: Request,
  job: JobRef,
  limits: Omit<JobUploadOptions, 'maxBytes'> & CreateJobOptions,
  signal: AbortSignal,
): Promise<Received> {
  const { options, combine, pageNumbers } = readJobOptions(request.query);
  limits.converter.assertPossible(options);
  const maxBytes = combine ? LARGEST_TOGETHER * limits.maxFileBytes : MAX_JOB_BYTES;
  const upload = await receiveJob(request, job, { ...limits, maxBytes }, signal);
  const { files } = upload;
  const metadata = parseMetadata(upload.fields.get(METADATA));
  const webhook = upload.fields.get(WEBHOOK);
  const form = readForm(upload, options, { path: createJob.path, ownFields: [METADATA, WEBHOOK] });
  assertFeatures(request, limits.plans, { ...form });
  assertCombination({ ...options, ...form });
  return {
    files,
    options,
    combine,
    pageNumbers,
    form,
    metadata,
    webhook,
    documents: files.map(({ sha256 }) => sha256 ?? ''),
  };
}

/** Of documents that are fetched later. */
async function receiveAddresses(
  request: Request,
  { storage }: Jobs,
  job: JobRef,
  { pulse, plans, converter, maxFiles, config }: Omit<JobUploadOptions, 'maxBytes'> & CreateJobOptions,
): Promise<Received> {
  const wanted = readJobByUrl(request, { maxFiles, allowHttp: config.egressAllowHttp });
  const { options, combine, pageNumbers } = readJobOptions(wanted.options);
  converter.assertPossible(options);
  const form = readForm({ fields: wanted.secrets, attachments: undefined }, options);
  assertFeatures(request, plans, { ...options, ...form });
  assertCombination({ ...options, ...form });
  if (!(await orUnavailable(pulse.isAlive(), nextDeadline(request)))) {
    throw new PlatenError('SERVICE_UNAVAILABLE', {
      message: 'This service cannot fetch documents now. Send them in a form, or try again later.',
      retryAfter: NO_EGRESS_SECONDS,
    });
  }
  const files = await storeSources(storage, job, wanted);
  const documents = wanted.files.map(({ url }) => digestOfUrl(url));
  const { metadata, webhook } = wanted;
  return { files, options, combine, pageNumbers, form, metadata, webhook, documents };
}
