/** Jobs of accounts, for support and for members. */
import { type Static, Type } from 'typebox';
import type { Account } from '../accounts/keys/records.ts';
import { NotFoundError } from '../errors.ts';
import { assertJobs } from '../jobs/assert-jobs.ts';
import {
  fileStates,
  isJobId,
  type Job as JobRecord,
  type JobRef,
  type JobSummary as JobSummaryRecord,
  jobStates,
} from '../jobs/job.ts';
import { openResult } from '../jobs/results.ts';
import { formatOf } from '../shared/options/conversion-options.ts';
import { isoOrNull } from '../system/iso-time.ts';
import { JobSummary, jobSummaryExample, summaryOf } from './job-schema.ts';
import { admins, type DeepReadonly, everyOperator, keepers, operation, png } from './operation.ts';
import {
  bytes,
  count,
  cursor,
  id,
  named,
  nextCursor,
  orNull,
  pageSize,
  readCursor,
  timeOrNull,
  words,
} from './schema.ts';
import type { OperationServices } from './services.ts';

const PAGE = 20;

const KEPT = 'its record is kept for seven days after its results are removed, unless the account deletes it';
/** What a job is that is not found: see {@link NotFoundError}. */
export const missingJob = `job: ${KEPT}`;

const summaryFields = {
  ...Type.Omit(JobSummary, ['metadata', 'webhook']).properties,
  account: Type.String({ description: 'Id of the account.' }),
  key: Type.String({ description: 'Id of the key that sent it.' }),
};

export const OperatorJobSummary = Type.Object(summaryFields, {
  $id: 'OperatorJobSummary',
  description: 'A job without its files. What its owner wrote about it is left out.',
});

const pdfFields = {
  pages: orNull(count('Pages.'), 'Pages of the PDF. `null`: there is none.'),
  bytesOut: orNull(bytes('Size.'), 'Size of the PDF. `null`: there is none.'),
  durationMs: orNull(count('Milliseconds.'), 'Duration of the conversion, in ms. `null`: there is no PDF.'),
  libreOffice: orNull(
    Type.String(),
    'Version of LibreOffice that made the PDF. `null`: none did, or unknown.',
  ),
  warnings: Type.Array(Type.String(), { description: 'The `code` of each warning.' }),
};

export const OperatorJob = Type.Object(
  {
    ...summaryFields,
    pdf: Type.Optional(
      Type.Object(pdfFields, {
        description: 'With `combine`: the PDF of all files, once there is one.',
      }),
    ),
    files: Type.Array(
      Type.Object({
        number: Type.Integer({ minimum: 1, description: 'Its place in the form, from 1.' }),
        state: words(fileStates, { description: 'How far it is.' }),
        bytes: orNull(bytes('Size.'), 'Size of the document. `null`: it is not fetched yet.'),
        startedAt: timeOrNull('When its conversion began. `null`: it has not.'),
        completedAt: timeOrNull('When it reached its final state. `null`: it has not.'),
        ...pdfFields,
        error: orNull(Type.String(), 'The `code` of its error. `null`: it did not fail.'),
        errorFile: Type.Optional(
          count('With `combine`: which of `files` that error is about, from 0. Left out for all.'),
        ),
      }),
      { description: 'Its files, without their names.' },
    ),
  },
  { $id: 'OperatorJob', description: 'A job and its files. What its owner wrote about them is left out.' },
);

export const OperatorJobList = Type.Object(
  { jobs: Type.Array(named(OperatorJobSummary), { description: 'Newest first.' }), next: nextCursor() },
  { $id: 'OperatorJobList', description: 'A page of jobs.' },
);

const { metadata: _, webhook: __, ...common } = jobSummaryExample;
const summaryExample = { ...common, account: 'acme', key: 'key_4f1c0a9be27d38560c' };
const example = {
  ...summaryExample,
  files: [
    {
      number: 1,
      state: 'succeeded',
      bytes: 18_204,
      startedAt: '2026-11-21T08:00:00.120Z',
      completedAt: '2026-11-21T08:00:00.431Z',
      pages: 4,
      bytesOut: 37_982,
      durationMs: 254,
      libreOffice: '25.2.3.2',
      warnings: ['FONT_SUBSTITUTED'],
      error: null,
    },
  ],
};

export const jobParams = Type.Object({
  job: id('job', 32, 'The id.', jobSummaryExample.id),
});

export const listJobs = operation({
  method: 'GET',
  path: '/jobs',
  tag: 'jobs',
  says: [
    'The jobs of an account',
    'A page may be short although `next` says that there are more. A job is listed until seven days after its results are ' +
      'removed.',
  ],
  operator: { id: 'listJobsOf', roles: everyOperator },
  member: { id: 'listOwnJobs', roles: keepers, summary: 'The jobs of the account' },
  account: 'path',
  query: Type.Object({
    environment: Type.Optional(
      words(['test', 'live'], { description: 'Jobs of these keys. Default: `live`.' }),
    ),
    state: Type.Optional(words(jobStates, { description: 'Only jobs in this state.' })),
    after: cursor(),
    limit: pageSize(PAGE, 50),
  }),
  answers: {
    body: OperatorJobList,
    description: 'A page of jobs.',
    example: { jobs: [summaryExample], next: null },
  },
  async run({ jobs }, { account: { id: account }, query }) {
    const { environment = 'live', state, after, limit = PAGE } = query;
    const wish = { state, after: readCursor(after, isJobId), limit };
    const page = await assertJobs(jobs).records.list({ account, environment }, wish);
    return { jobs: page.jobs.map((job) => describeSummary(account, job)), next: page.next ?? null };
  },
});

export const getJob = operation({
  method: 'GET',
  path: '/jobs/:job',
  tag: 'jobs',
  says: ['A job by its id', 'For a customer who quotes the id: how far it is, and why a file failed.'],
  operator: { id: 'getJobOf', roles: everyOperator },
  member: { id: 'getOwnJob', roles: keepers, description: 'How far it is, and why a file failed.' },
  params: jobParams,
  answers: { body: OperatorJob, description: 'The job.', example },
  missing: missingJob,
  run: async (services, { account, params }) =>
    describeJob(services, await locateJob(services, params.job, account)),
});

/** What a picture is that is not found: see {@link NotFoundError}. */
const PICTURE_KEPT =
  'a job with `format=png` has one of each file that succeeded, until its results are removed';

export const getPicture = operation({
  method: 'GET',
  path: '/jobs/:job/files/:file/picture',
  tag: 'jobs',
  says: [
    'The picture of a file of a job',
    'The PNG that a key gets at `/v1/jobs/{id}/files/{number}`. PDFs are for keys alone.',
  ],
  member: { id: 'getOwnPicture', roles: keepers },
  params: Type.Object({
    ...jobParams.properties,
    file: Type.String({
      pattern: '^[1-9][0-9]{0,2}$',
      title: 'the number of a file, from 1',
      description: 'Its place in the form, from 1.',
      examples: ['1'],
    }),
  }),
  answers: png('The picture, whole.', `${jobSummaryExample.id}-1.png`),
  missing: `picture: ${PICTURE_KEPT}`,
  async run(services, { account, params: { job: id, file } }) {
    const { storage, records } = assertJobs(services.jobs);
    const job = await records.find(await locateJob(services, id, account));
    const isKept = job !== undefined && job.state !== 'expired' && formatOf(job.options) === 'png';
    const result = isKept ? job.files[Number(file) - 1]?.result : undefined;
    const missing = new NotFoundError('picture', `${id}/${file}`, PICTURE_KEPT);
    if (!result) throw missing;
    return async () => {
      const stream = await openResult(assertJobs(storage), result);
      if (!stream) throw missing;
      return { name: `${id}-${file}.png`, bytes: result.bytes, stream };
    };
  },
});

export const cancelJob = operation({
  method: 'POST',
  path: '/jobs/:job/cancel',
  tag: 'jobs',
  says: ['Cancel a job', 'Ends all files that have no PDF yet. A job that has ended stays as it is.'],
  operator: { id: 'cancelJobOf', roles: admins },
  member: { id: 'cancelOwnJob', roles: keepers },
  params: jobParams,
  answers: { body: OperatorJob, description: 'The job.', example },
  missing: missingJob,
  audit: 'job.canceled',
  async run(services, { account, params: { job }, note }) {
    const name = await locateJob(services, job, account);
    await note({ account: name.account, details: { job } });
    await assertJobs(services.jobs).cancel(name);
    return describeJob(services, name);
  },
});

/** In the order of the OpenAPI documents. */
export const jobOperations = [listJobs, getJob, getPicture, cancelJob];

/**
 * Whose job it is.
 *
 * @param account the only one whose job it may be; undefined: any.
 * @throws NotFoundError
 */
export async function locateJob(
  { jobs }: Pick<OperationServices, 'jobs'>,
  id: string,
  account: Pick<Account, 'id'> | undefined,
): Promise<JobRef> {
  const name = isJobId(id) ? await assertJobs(jobs).queues.ownerOf(id) : undefined;
  if (!name || (account && name.account !== account.id)) throw noJob(id);
  return name;
}

const noJob = (id: string) => new NotFoundError('job', id, KEPT);

/** A job as an answer, without the texts of its owner. @throws NotFoundError */
async function describeJob(
  { jobs }: OperationServices,
  name: JobRef,
): Promise<DeepReadonly<Static<typeof OperatorJob>>> {
  const job = await assertJobs(jobs).records.find(name);
  if (!job) throw noJob(name.id);
  return {
    ...describeSummary(name.account, job),
    ...(job.result && { pdf: describePdf(job.result) }),
    files: job.files.map(describeFile),
  };
}

function describeSummary(
  account: string,
  job: JobSummaryRecord,
): DeepReadonly<Static<typeof OperatorJobSummary>> {
  const { metadata: _, webhook: __, ...summary } = summaryOf(job);
  return { ...summary, account, key: job.key };
}

function describeFile({
  number,
  state,
  bytes,
  startedAt,
  endedAt,
  result,
  error,
}: JobRecord['files'][number]) {
  return {
    number,
    state,
    bytes,
    startedAt: isoOrNull(startedAt),
    completedAt: isoOrNull(endedAt),
    ...describePdf(result),
    error: error?.code ?? null,
    ...(error?.file !== undefined && { errorFile: error.file }),
  };
}

function describePdf(result: JobRecord['result']) {
  return {
    pages: result?.pages ?? null,
    bytesOut: result?.bytes ?? null,
    durationMs: result?.durationMs ?? null,
    libreOffice: result?.libreOffice ?? null,
    warnings: result?.warnings.map(({ code }) => code) ?? [],
  };
}
