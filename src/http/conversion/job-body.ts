/** A job as clients see it. */

import { type Static, Type } from 'typebox';
import { catalogue } from '../../errors.ts';
import {
  fileStates,
  type Job as JobData,
  type JobFile as JobFileData,
  type JobSummary as JobSummaryData,
  jobStates,
} from '../../jobs/job.ts';
import { bytes, orNull, time, timeOrNull, words } from '../../operations/schema.ts';
import { iso, isoOrNull } from '../../system/iso-time.ts';
import { warningSchema } from './results.contract.ts';
import { messageOf } from './warning-messages.ts';

const SHA256 = '^[0-9a-f]{64}$';
const sha256 = (description: string) => Type.String({ pattern: SHA256, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const fileFields = {
  number: Type.Integer({ minimum: 1, description: 'Its place in the form, from 1.' }),
  name: orNull(Type.String(), 'The file name. `null`: it had none.'),
  state: words(fileStates, {
    description: '`succeeded`: its PDF can be fetched. `failed`: see `error`. The last three are final.',
  }),
  bytes: orNull(
    Type.Integer({ format: 'int64', minimum: 0 }),
    'Size of the document. `null`: it is not fetched yet.',
  ),
  sha256: orNull(Type.String({ pattern: SHA256 }), 'SHA-256 of the document. `null`: it is not fetched yet.'),
  startedAt: timeOrNull('When its conversion began. `null`: it has not.'),
  completedAt: timeOrNull('When it reached its final state. `null`: it has not.'),
  pdf: Type.Union(
    [
      Type.Object({
        pages: Type.Integer({ minimum: 1, description: 'Number of pages.' }),
        bytes: bytes('Size of the PDF.'),
        sha256: sha256('SHA-256 of the PDF.'),
        libreOffice: orNull(Type.String(), 'Version of LibreOffice that made it. `null`: unknown.'),
        durationMs: Type.Integer({ minimum: 0, description: 'Duration of the conversion, in ms.' }),
        warnings: Type.Array(warningSchema, { description: 'All warnings about the PDF.' }),
      }),
      Type.Null(),
    ],
    { description: 'The PDF. `null`: there is none.' },
  ),
  error: Type.Union(
    [
      Type.Object({
        code: Type.Enum(Object.keys(catalogue), {
          type: 'string',
          description: 'As the `code` of an error of `POST /v1/convert`; or `FETCH_FAILED`.',
        }),
        message: Type.String({ description: 'What happened, for people. The text may change.' }),
      }),
      Type.Null(),
    ],
    { description: 'Why there is no PDF. `null`: it did not fail.' },
  ),
};

const jobFields = {
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
      'The options that are not their defaults. Of free texts, passwords and attachments it only says `given`.',
  }),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'What was sent as `metadata`.' }),
  webhook: orNull(Type.String(), 'Where its end is told. `null`: only to the endpoints of the account.'),
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
};

export const JobSummary = Type.Object(jobFields, {
  $id: 'JobSummary',
  description: 'A job without its files.',
});

export const Job = Type.Object(
  {
    ...jobFields,
    files: Type.Array(Type.Object(fileFields), { description: 'Its files, in the order of the form.' }),
  },
  { $id: 'Job', description: 'A job: documents that are converted in the background.' },
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

const documentSha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const jobExample = {
  ...jobSummaryExample,
  files: [
    {
      number: 1,
      name: 'report.docx',
      state: 'succeeded',
      bytes: 18_204,
      sha256: documentSha256,
      startedAt: '2026-11-21T08:00:00.120Z',
      completedAt: '2026-11-21T08:00:00.431Z',
      pdf: {
        pages: 4,
        bytes: 37_982,
        sha256: 'f8c43e52527c3887968a759b1a1bf2948aa46075080c95028a118ecbc5aba1c4',
        libreOffice: '25.2.3.2',
        durationMs: 254,
        warnings: [],
      },
      error: null,
    },
    {
      number: 2,
      name: 'invoice.docx',
      state: 'queued',
      bytes: 9_120,
      sha256: documentSha256,
      startedAt: null,
      completedAt: null,
      pdf: null,
      error: null,
    },
  ],
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

export function bodyOf(job: JobData): Static<typeof Job> {
  return { ...summaryOf(job), files: job.files.map(fileBody) };
}

function fileBody({
  number,
  name,
  state,
  bytes: size,
  sha256: digest,
  startedAt,
  endedAt,
  result,
  error,
}: JobFileData) {
  const pdf = result && {
    pages: result.pages,
    bytes: result.bytes,
    sha256: result.sha256,
    libreOffice: result.libreOffice ?? null,
    durationMs: result.durationMs,
    warnings: result.warnings.map((warning) => ({ ...warning, message: messageOf(warning) })),
  };
  return {
    number,
    name,
    state,
    bytes: size,
    sha256: digest,
    startedAt: isoOrNull(startedAt),
    completedAt: isoOrNull(endedAt),
    pdf,
    error,
  };
}
