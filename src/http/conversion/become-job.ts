/** A conversion that becomes a job: its client prefers not to wait for it. */
import { createReadStream } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { ReplyError } from 'ioredis';
import { digestOf } from '../../accounts/billing/bill.ts';
import type { Plans } from '../../accounts/plans/plans.ts';
import { PlatenError } from '../../errors.ts';
import type { JobRef } from '../../jobs/job.ts';
import { objectNames, putRequest } from '../../jobs/job-objects.ts';
import type { NewJob } from '../../jobs/job-records.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import {
  type ConversionOptions,
  type FormOptions,
  notedOptions,
} from '../../shared/options/conversion-options.ts';
import { StorageError } from '../../storage/object-store.ts';
import { admittedOf, ownerOf } from '../access/admitted.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { documentOf } from './conversion-request.ts';
import { shownName } from './file-name.ts';
import { assertTaken, jobLimits } from './job-taking.ts';
import type { Upload } from './upload.ts';

/** What arrived, and what is asked of it. */
export interface Arrived {
  readonly upload: Upload;
  readonly options: ConversionOptions;
  readonly form: FormOptions;
  /** Path of the document as it came. */
  readonly original: string;
}

interface BecomeJobOptions {
  readonly jobs: Jobs;
  readonly plans: Plans;
  /** Whether this server converts it already, and adopts it next. */
  readonly isRunning?: boolean;
}

/**
 * The job that was taken under the request's idempotency key.
 *
 * @throws PlatenError `IDEMPOTENCY_KEY_REUSED` if it was of another document.
 */
export async function knownJob(
  request: FastifyRequest,
  { upload, options, form }: Arrived,
  jobs: Jobs,
): Promise<JobRef | undefined> {
  const idempotencyKey = request.state.bill?.reservation.idempotencyKey;
  if (idempotencyKey === undefined) return undefined;
  const owner = ownerOf(request);
  const known = await orUnavailable(jobs.records.known(owner, idempotencyKey), nextDeadline(request));
  if (!known) return undefined;
  if (known.digest !== digestOf(documentOf(upload, options, form))) {
    throw new PlatenError('IDEMPOTENCY_KEY_REUSED');
  }
  const job = { ...owner, id: known.id };
  const revision = await orUnavailable(jobs.records.revision(job), nextDeadline(request));
  return revision === undefined ? undefined : job;
}

/**
 * Makes a job of the request's conversion, which is billed with it.
 *
 * @param signal aborts when the client leaves: then there is no job, unless it is being taken.
 * @returns the job, and whether it is this conversion's.
 * @throws PlatenError; the reason of the signal
 */
export async function becomeJob(
  request: FastifyRequest,
  { upload, options, form, original }: Arrived,
  signal: AbortSignal,
  { jobs, plans, isRunning = false }: BecomeJobOptions,
): Promise<{ readonly job: JobRef; readonly isNew: boolean }> {
  const { key, standing } = admittedOf(request);
  const { bill } = request.state;
  if (!bill) throw new PlatenError('INTERNAL_ERROR', { cause: 'a conversion without a bill' });
  await jobs.queues.load();
  const name = await orUnavailable(jobs.announce(ownerOf(request)), nextDeadline(request));
  const { storage } = jobs;
  const { attachments = [], ...secrets } = form;
  let secretsKey: string | undefined;
  try {
    await storage.put(objectNames.document(name.id, 1), createReadStream(original));
    const stored = attachments.map(({ path, ...each }, index) => {
      return { path, attachment: { ...each, key: objectNames.attachment(name.id, index + 1) } };
    });
    for (const { path, attachment } of stored) await storage.put(attachment.key, createReadStream(path));
    secretsKey = await putRequest(storage, name.id, {
      options: { ...options, ...(standing.isolation === 'document' && { isolation: 'document' }) },
      secrets,
      attachments: stored.map(({ attachment }) => attachment),
    });
    signal.throwIfAborted();
  } catch (error) {
    await jobs.withdraw(name);
    throw error instanceof StorageError ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error }) : error;
  }
  const { reservation, document } = bill;
  const { fileName, bytes, sha256 } = upload;
  const job: NewJob = {
    ...name,
    ...jobLimits(request, plans),
    key: key.id,
    at: standing.at,
    files: [{ name: shownName(fileName), bytes, sha256 }],
    options: notedOptions(options, form),
    metadata: {},
    secretsKey,
    trace: request.state.trace.carrier(),
    idempotencyKey: reservation.idempotencyKey,
    digest: digestOf(documentOf(upload, options, form)),
    conversion: { reservation, document, isRunning },
  };
  // Before: the answer may end meanwhile, or it may stay unknown whether the job was taken.
  bill.handOver();
  const taken = jobs.take(job);
  // Also when it settles after the deadline.
  taken.then(
    ({ outcome }) => {
      if (outcome !== 'taken') bill.takeBack();
    },
    (error: unknown) => {
      // Redis refused, as when its disk is full.
      if (error instanceof ReplyError) bill.takeBack();
    },
  );
  const taking = await orUnavailable(taken, nextDeadline(request));
  if (taking.outcome === 'taken') return { job: name, isNew: true };
  assertTaken(taking, job, request);
  return { job: { ...name, id: taking.id }, isNew: false };
}
