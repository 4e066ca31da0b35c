/** A job as clients see it. */
import { type Static, Type } from 'typebox';
import { describeWarning } from '../../convert/report/warning-messages.ts';
import { catalogue } from '../../errors.ts';
import {
  type FileResult,
  fileStates,
  type Job as JobData,
  type JobFile as JobFileData,
} from '../../jobs/job.ts';
import { conformanceBody, conformanceSchema } from '../../operations/conformance-schema.ts';
import { JobSummary, jobSummaryExample, summaryOf } from '../../operations/job-schema.ts';
import { bytes, count, orNull, timeOrNull, words } from '../../operations/schema.ts';
import { warningSchema } from '../../operations/warning-schema.ts';
import { isoOrNull } from '../../system/iso-time.ts';
import { undescribed } from '../contract/responses.ts';

const SHA256 = '^[0-9a-f]{64}$';
const sha256 = (description: string) => Type.String({ pattern: SHA256, description });

/** The PDF of a file. */
const pdfFields = {
  pages: Type.Integer({ minimum: 1, description: 'Number of pages of the PDF.' }),
  bytes: bytes('Size of the PDF, or of the picture.'),
  sha256: sha256('SHA-256 of the PDF, or of the picture.'),
  libreOffice: orNull(Type.String(), 'Version of LibreOffice that made it. `null`: unknown.'),
  durationMs: Type.Integer({ minimum: 0, description: 'Duration of the conversion, in ms.' }),
  conformance: conformanceSchema,
  warnings: Type.Array(warningSchema, { description: 'All warnings about the PDF.' }),
};

/** The PDF of all files. */
const wholePdf = Type.Object(
  { ...undescribed(pdfFields), moreWarnings: Type.Optional(count('Warnings beyond 200.')) },
  { description: 'With `combine`: the PDF of all files, once there is one.' },
);

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
  pdf: orNull(
    Type.Object(pdfFields),
    'The PDF; if `options.format` of the job is `png`, the picture of its page. `null`: there is none.',
  ),
  error: Type.Union(
    [
      Type.Object({
        code: Type.Enum(Object.keys(catalogue), {
          type: 'string',
          description: 'As the `code` of an error of `POST /v1/convert`; or `FETCH_FAILED`.',
        }),
        message: Type.String({ description: 'What happened, for people. The text may change.' }),
        file: Type.Optional(
          Type.Integer({ minimum: 0, description: 'With `combine`: which of `files` it is about, from 0.' }),
        ),
        warnings: Type.Optional(
          Type.Array(warningSchema, { description: 'The warnings for which `failOn` refused the PDF.' }),
        ),
      }),
      Type.Null(),
    ],
    { description: 'Why there is no PDF. `null`: it did not fail.' },
  ),
};

export const Job = Type.Object(
  {
    ...JobSummary.properties,
    pdf: Type.Optional(wholePdf),
    files: Type.Array(Type.Object(fileFields), { description: 'Its files, in the order of the form.' }),
  },
  { $id: 'Job', description: 'A job: documents that are converted in the background.' },
);

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
        conformance: [{ level: 'PDF/A-2b', verdict: 'pass' as const, failures: [], hasMore: false }],
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

export function bodyOf(job: JobData): Static<typeof Job> {
  return {
    ...summaryOf(job),
    ...(job.result && { pdf: pdfBody(job.result) }),
    files: job.files.map(fileBody),
  };
}

function pdfBody(result: FileResult) {
  return {
    pages: result.pages,
    bytes: result.bytes,
    sha256: result.sha256,
    libreOffice: result.libreOffice ?? null,
    durationMs: result.durationMs,
    conformance: conformanceBody(result.conformance),
    warnings: result.warnings.map(describeWarning),
    ...(result.moreWarnings !== undefined && { moreWarnings: result.moreWarnings }),
  };
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
  return {
    number,
    name,
    state,
    bytes: size,
    sha256: digest,
    startedAt: isoOrNull(startedAt),
    completedAt: isoOrNull(endedAt),
    pdf: result && pdfBody(result),
    error,
  };
}
