/** `Prefer: respond-async` (RFC 7240): converts for as long as the client waits, then makes a job of the conversion. */
import { closeSync, linkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Plans } from '../../accounts/plans/plans.ts';
import type { ConvertedPdf } from '../../convert/converter.ts';
import type { Workspace } from '../../convert/workspace.ts';
import type { JobRef } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { type AsyncPreference, appliedPreference } from '../access/preference.ts';
import { type Arrived, becomeJob, knownJob } from './become-job.ts';
import { ClientGone } from './ending.ts';
import { REPLAYED, sendTaken } from './job-taking.ts';

/** Of the document as it came, in its workspace. */
const ORIGINAL_NAME = 'original';

interface AsyncWork<Outcome extends { readonly pdf: ConvertedPdf }> {
  readonly preference: AsyncPreference;
  readonly arrived: Arrived;
  readonly workspace: Workspace;
  /** Aborts when the client leaves or the conversion loses its place. */
  readonly signal: AbortSignal;
  readonly convert: (signal: AbortSignal) => Promise<Outcome>;
}

interface AsyncWorkOptions {
  readonly jobs: Jobs;
  readonly plans: Plans;
}

/** Instead of a PDF. */
interface BecomesJob {
  readonly job: JobRef;
  /** Whether it is this request's, not an earlier one's with the same `Idempotency-Key`. */
  readonly isNew: boolean;
  /** Resolves when the conversion no longer uses its workspace. */
  readonly rest: Promise<unknown>;
}

/**
 * Converts for as long as the client waits.
 *
 * @returns the outcome in time, or the job.
 * @throws PlatenError; {@link ClientGone}
 */
export async function convertOrBecomeJob<Outcome extends { readonly pdf: ConvertedPdf }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { preference, arrived, workspace, signal, convert }: AsyncWork<Outcome>,
  { jobs, plans }: AsyncWorkOptions,
): Promise<{ readonly outcome: Outcome } | BecomesJob> {
  const { waitSeconds } = preference;
  const known = await knownJob(request, arrived, jobs);
  if (known) return { job: known, isNew: false, rest: Promise.resolve() };
  if (waitSeconds === undefined) {
    const became = await becomeJob(request, arrived, signal, { jobs, plans });
    return { ...became, rest: Promise.resolve() };
  }
  signal.throwIfAborted();
  // Some documents are replaced before they are converted.
  const original = join(workspace.folder, ORIGINAL_NAME);
  linkSync(workspace.input, original);
  const controller = new AbortController();
  const leave = () => controller.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const startedAt = performance.now();
  const converting = convert(controller.signal);
  const leftMs = Math.max(0, waitSeconds * 1_000 - reply.elapsedTime);
  if (await endsWithin(converting, leftMs)) return { outcome: await converting };
  const taking = { jobs, plans, isRunning: true };
  const became = await becomeJob(request, { ...arrived, original }, signal, taking).catch((error: Error) => {
    if (signal.aborted) return;
    request.log.info(
      { cause: error.message },
      'a conversion could not become a job, and its client waits on',
    );
  });
  if (!became) return { outcome: await converting };
  signal.removeEventListener('abort', leave);
  const { job, isNew } = became;
  const made = converting.then(({ pdf }) => pdf);
  if (isNew) jobs.runner.adopt({ ...job, n: 1 }, { converting: made, startedAt }, controller);
  else {
    controller.abort(new ClientGone());
    // It may be there already.
    made.then(({ fd }) => closeSync(fd)).catch(() => {});
  }
  return { job, isNew, rest: converting.catch(() => {}) };
}

/** Answers with the job that a conversion became. @throws PlatenError */
export async function sendJob(
  reply: FastifyReply,
  jobs: Jobs,
  { job, isNew }: Pick<BecomesJob, 'job' | 'isNew'>,
  preference: AsyncPreference,
): Promise<void> {
  const { state } = reply.request;
  state.isJob = true;
  // A new job may repeat a PDF.
  const isRepetition = !isNew || state.bill?.isRepetition;
  const applied = { 'preference-applied': appliedPreference(preference) };
  await sendTaken(reply, jobs, job, isRepetition ? { ...applied, ...REPLAYED } : applied);
}

/** Whether it settles within this time. */
async function endsWithin(task: Promise<unknown>, ms: number): Promise<boolean> {
  const patience = new AbortController();
  const late = delay(ms, false, { signal: patience.signal }).catch(() => false);
  const ended = task.then(
    () => true,
    () => true,
  );
  const isInTime = await Promise.race([ended, late]);
  patience.abort();
  return isInTime;
}
