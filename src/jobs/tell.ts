/** Tells the owner of a job that it has ended, and that its results were removed. */
import { iso } from '../system/iso-time.ts';
import type { WebhookEvent } from '../webhooks/webhook.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { isOpen, type JobRef, type JobSummary } from './job.ts';
import type { JobRecords } from './job-records.ts';

/** Bound of the metadata as JSON, so that no message exceeds 20 kB: only control characters take so much space. */
const MAX_METADATA_BYTES = 16_000;

interface TellOptions {
  readonly records: JobRecords;
  readonly webhooks: Webhooks;
}

/**
 * Tells the owner of the job's state, unless that was done. Servers call it when a job may have ended; upkeep calls it in case
 * they died.
 *
 * @throws Error if Redis failed; the owner may have been told all the same.
 */
export async function tellState(job: JobRef, { records, webhooks }: TellOptions): Promise<void> {
  const known = await records.toTell(job);
  if (!known || isOpen(known.state)) return;
  const { completedAt, expiresAt, state, webhook } = known;
  // The job's URL is told how it ended: an expired job may have ended before.
  const isEnd = state !== 'expired' || Number(completedAt) >= expiresAt;
  const url = isEnd && webhook !== null ? { job: job.id, url: webhook } : undefined;
  await webhooks.tell(job, { ...eventOf(known), trace: await records.trace(job) }, url);
  // Messages about a deleted job are withdrawn.
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
