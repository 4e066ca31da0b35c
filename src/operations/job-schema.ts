/** A job without its files, as all see it. */
import { type Static, Type } from 'typebox';
import { type JobSummary as JobSummaryData, jobStates } from '../jobs/job.ts';
import { iso, isoOrNull } from '../system/iso-time.ts';
import { count, orNull, time, timeOrNull, words } from './schema.ts';

export const JobSummary = Type.Object(
  {
    id: Type.String({
      pattern: '^job_[0-9a-f]{32}$',
      description: 'Id of the job. Later ones are greater, as texts.',
    }),
    environment: words(['test', 'live'], { description: 'The environment of the key that sent it.' }),
    state: words(jobStates, {
      description:
        '`queued`: no file has begun. `completed`: each file has succeeded or failed. `canceled`: it was cancelled, and PDFs that ' +
        'were made before can be fetched. `expired`: its results were removed.',
    }),
    createdAt: time('When it was taken.'),
    startedAt: timeOrNull('When its first file began. `null`: none has.'),
    completedAt: timeOrNull('When its last file reached its final state. `null`: it has not.'),
    expiresAt: time('When its results are removed; it moves when the job completes.'),
    options: Type.Record(Type.String(), Type.String(), {
      description:
        'The options that are not their defaults. Free texts, passwords and attachments are only said to be `given`.',
    }),
    metadata: Type.Record(Type.String(), Type.String(), { description: 'What was sent as `metadata`.' }),
    webhook: orNull(
      Type.String(),
      'Where a message goes when it ends. `null`: only to the endpoints of the account.',
    ),
    counts: Type.Object(
      {
        queued: count('Files that wait.'),
        running: count('Files that are being converted.'),
        succeeded: count('Files with a PDF.'),
        failed: count('Files that could not be converted.'),
        canceled: count('Files that were cancelled.'),
      },
      { description: 'Number of files by state.' },
    ),
  },
  {
    $id: 'JobSummary',
    description: 'A job without its files.',
  },
);

export const jobSummaryExample = {
  id: 'job_019a3c5f2b7e0123456789abcdef0123',
  environment: 'live',
  state: 'running',
  createdAt: '2026-11-21T08:00:00.000Z',
  startedAt: '2026-11-21T08:00:00.120Z',
  completedAt: null,
  expiresAt: '2026-11-22T08:00:00.000Z',
  options: { pdfa: '2b' },
  metadata: { order: '4711' },
  webhook: null,
  counts: { queued: 1, running: 0, succeeded: 1, failed: 0, canceled: 0 },
};

/** The job without its files. */
export function summaryOf(job: JobSummaryData): Static<typeof JobSummary> {
  const { id, environment, state, options, metadata, webhook, counts } = job;
  return {
    id,
    environment,
    state,
    createdAt: iso(job.createdAt),
    startedAt: isoOrNull(job.startedAt),
    completedAt: isoOrNull(job.completedAt),
    expiresAt: iso(job.expiresAt),
    options,
    metadata,
    webhook,
    counts,
  };
}
