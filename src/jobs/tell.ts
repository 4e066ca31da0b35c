/** Tells the owner of a job that it has ended, and that its results are gone. */
import { iso } from '../system/iso-time.ts';
import type { WebhookEvent } from '../webhooks/webhook.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { isOpen, type JobName, type JobSummary } from './job.ts';
import type { JobRecords } from './job-records.ts';

/** Of the metadata as JSON, so that no message exceeds 20 kB: only control characters take as much. */
const MAX_METADATA_BYTES = 16_000;

export interface TellOptions {
  readonly records: JobRecords;
  readonly webhooks: Webhooks;
}

/**
 * Tells of the job's state, if it has one that is to be told and was not. Servers call it as soon as a job may have ended;
 * upkeep calls it for those that died before.
 *
 * @throws Error if Redis failed; it may have been told all the same.
 */
export async function tellState(job: JobName, { records, webhooks }: TellOptions): Promise<void> {
  const known = await records.toTell(job);
  if (!known || isOpen(known.state)) return;
  const { completedAt, expiresAt, state, webhook } = known;
  // The URL of a job is told how it ended: a job that expires may have ended before.
  const isEnd = state !== 'expired' || Number(completedAt) >= expiresAt;
  const url = isEnd && webhook !== null ? { job: job.id, url: webhook } : undefined;
  await webhooks.tell(job, eventOf(known), url);
  // A deleted job is told of no more.
  if (!(await records.noteTold(job, state))) await webhooks.forget(job, job.id);
}

function eventOf({
  id,
  environment,
  state,
  counts,
  createdAt,
  completedAt,
  expiresAt,
  metadata,
}: JobSummary): WebhookEvent {
  return {
    type: state === 'canceled' ? 'job.canceled' : state === 'expired' ? 'job.expired' : 'job.completed',
    cause: id,
    at: state === 'expired' ? expiresAt : Number(completedAt),
    data: {
      id,
      environment,
      state,
      counts,
      createdAt: iso(createdAt),
      completedAt: iso(Number(completedAt)),
      expiresAt: iso(expiresAt),
      metadata: Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES ? {} : metadata,
      link: `/v1/jobs/${id}`,
    },
  };
}
