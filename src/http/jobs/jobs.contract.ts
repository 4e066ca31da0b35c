/** /v1/jobs: documents that are converted in the background. */
import { Type } from 'typebox';
import { MAX_JOB_FILES } from '../../accounts/plans/plans.ts';
import { type ErrorCode, PlatenError } from '../../errors.ts';
import { jobStates, simulatedFileErrors } from '../../jobs/job.ts';
import { JobSummary, jobSummaryExample } from '../../operations/job-schema.ts';
import { orNull, referenceTo, words } from '../../operations/schema.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '../access/idempotency-key.ts';
import {
  dispositionHeader,
  rateLimitHeaders,
  requestIdHeader,
  resultHeaders,
  takenHeaders,
} from '../contract/headers.ts';
import { contractsOf, type Operation, withApiKey } from '../contract/operation.ts';
import {
  accountErrorResponses,
  emptyResponse,
  errorResponses,
  jsonResponse,
  keyErrors,
} from '../contract/responses.ts';
import { contentOfResults, convertDocument, UploadForm } from '../conversion/convert.contract.ts';
import { Job, jobExample } from '../conversion/job-body.ts';
import { noJob } from '../conversion/job-taking.ts';
import { pageNumbers } from '../conversion/options.contract.ts';
import { combine, JobByUrl } from './job-by-url.ts';
import { METADATA_RULE } from './metadata.ts';
import { WEBHOOK_TEXT } from './webhook.ts';

const MAX_PAGE = 50;
export const PAGE = 20;
/** How long an address of a PDF in the storage works, in seconds. */
export const ADDRESS_SECONDS = 300;

const params = Type.Object({ id: Type.String({ description: 'Id of the job.' }) });
const notFound = new PlatenError('NOT_FOUND', { message: noJob });
const errors = (own: readonly (ErrorCode | PlatenError)[] = []) => accountErrorResponses([notFound, ...own]);
const ofJobs = contractsOf(
  'jobs',
  'Needs a key with the permission `jobs`, and counts against the rate windows.',
);

export const NOT_READY =
  'The file is not converted yet. Wait for the seconds in the Retry-After header, then retry.';
const notReady = new PlatenError('REQUEST_IN_PROGRESS', { message: NOT_READY });

/** For documentation only: job-upload.ts reads the parts one by one. */
export const JobForm = Type.Object({
  ...UploadForm.properties,
  file: Type.Array(Type.String({ format: 'binary' }), {
    minItems: 1,
    maxItems: MAX_JOB_FILES,
    description: `The documents, each as a part of this name: up to ${MAX_JOB_FILES}, or fewer as the plan says.`,
  }),
  metadata: Type.Optional(
    Type.String({
      examples: [''],
      description: `Your own data, which is part of the job: ${METADATA_RULE}.`,
    }),
  ),
  webhook: Type.Optional(
    Type.String({
      examples: [''],
      description: WEBHOOK_TEXT,
    }),
  ),
});

export const createJob = {
  method: 'POST',
  path: '/v1/jobs',
  schema: {
    operationId: 'createJob',
    tags: ['jobs'],
    summary: 'Convert documents in the background',
    description:
      'Send up to 100 Word documents in one form, or their addresses as JSON, and fetch their PDFs later. The options of `POST /v1/convert` are those of ' +
      'each file; `combine` makes one PDF of them. A file may have 25 MB unless the operator set another limit, those of a job together 500 MB. The answer comes once ' +
      'all of it is stored; then nothing is lost, whatever server fails. Documents by address are fetched after that; one ' +
      'that cannot be, or is beyond the 500 MB, fails its file with `FETCH_FAILED`.\n\nIt counts as one request; each PDF that is made ' +
      'counts against the quota, which is reserved for all files or none. Documents are removed a minute after the end of the job, ' +
      'PDFs after 24 hours unless the operator set another time. Needs a key with the permission `jobs`, and the feature `jobs`.',
    security: withApiKey,
    /** Forms are read part by part. */
    body: { content: { 'application/json': { schema: JobByUrl } } },
    querystring: Type.Object(
      { ...convertDocument.schema.querystring.properties, combine, pageNumbers },
      { additionalProperties: false },
    ),
    headers: Type.Object({
      'Idempotency-Key': Type.Optional(
        Type.String({
          pattern: IDEMPOTENCY_KEY_PATTERN,
          description:
            'Makes a retry safe: the same job, sent again with the same key within 24 hours, is the job that was taken first.',
        }),
      ),
      'Platen-Simulate': Type.Optional(
        Type.String({
          description:
            'With a test key: fail with this error instead of converting; all files or, such as `2=CONVERSION_FAILED`, one. ' +
            `Errors: ${simulatedFileErrors.join(', ')}. Live keys get INVALID_PARAMETER.`,
        }),
      ),
    }),
    response: {
      202: jsonResponse(Job, {
        description: 'The job.',
        example: jobExample,
        headers: takenHeaders,
        withKey: true,
      }),
      ...errorResponses(
        'Jobs',
        [
          ...keyErrors,
          'FEATURE_NOT_IN_PLAN',
          'QUOTA_EXCEEDED',
          'MISSING_FILE',
          'INVALID_PARAMETER',
          'INVALID_REQUEST',
          'FETCH_FAILED',
          'FILE_TOO_LARGE',
          'RATE_LIMIT_EXCEEDED',
          'IDEMPOTENCY_KEY_REUSED',
          'OVERLOADED',
          'SERVICE_UNAVAILABLE',
        ],
        { withKey: true },
      ),
    },
  },
} as const satisfies Operation;

const JobList = Type.Object(
  {
    jobs: Type.Array(Type.Unsafe<object>(referenceTo(JobSummary)), { description: 'The newest first.' }),
    next: orNull(Type.String(), 'The `after` of the next page. `null`: there is none.'),
  },
  { $id: 'JobList', description: 'Jobs of an account.' },
);

export const listJobs = ofJobs({
  method: 'GET',
  path: '/v1/jobs',
  id: 'listJobs',
  says: [
    'The jobs of the account',
    'The newest first; those of test keys and of live keys are kept apart. A page may be short although `next` says that there are more.',
  ],
  schema: {
    querystring: Type.Object(
      {
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_PAGE,
            description: `Most jobs on a page. Default: ${PAGE}.`,
          }),
        ),
        after: Type.Optional(
          Type.String({
            pattern: '^job_[0-9a-f]{32}$',
            title: 'the `next` of a page',
            description: 'The `next` of the previous page.',
          }),
        ),
        state: Type.Optional(words(jobStates, { description: 'Only jobs in this state.' })),
      },
      { additionalProperties: false },
    ),
    response: {
      200: jsonResponse(JobList, {
        description: 'A page of jobs.',
        example: { jobs: [jobSummaryExample], next: null },
        withKey: true,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER']),
    },
  },
});

export const getJob = ofJobs({
  method: 'GET',
  path: '/v1/jobs/:id',
  id: 'getJob',
  says: ['A job and its files', 'How far it is.'],
  schema: {
    params,
    response: {
      200: jsonResponse(Job, { description: 'The job.', example: jobExample, withKey: true }),
      ...errors(),
    },
  },
});

const binary = Type.String({ format: 'binary' });

export const getJobFile = ofJobs({
  method: 'GET',
  path: '/v1/jobs/:id/files/:number',
  id: 'getJobFile',
  says: [
    'The PDF of a file',
    'The PDF, or the address of where it is: follow redirects, and send no key there. 409: it is not there yet. 404: it will ' +
      'not come, as the file failed, was cancelled, or is expired.',
  ],
  schema: {
    params: Type.Object({
      ...params.properties,
      number: Type.String({
        pattern: '^(0|[1-9][0-9]{0,2})$',
        title: 'the number of a file, from 1',
        description: 'Number of the file, from 1. `0`: the PDF of all files, with `combine`.',
      }),
    }),
    querystring: Type.Object({
      redirect: Type.Optional(
        Type.Boolean({
          description:
            '`false`: the PDF itself, always. For what cannot follow a redirect to another host, such as a page in a browser.',
        }),
      ),
    }),
    response: {
      200: {
        description: 'The whole PDF; with `format=png`, the picture of a page.',
        headers: {
          ...requestIdHeader,
          ...rateLimitHeaders,
          ...resultHeaders,
        },
        content: contentOfResults,
      },
      303: {
        description: `The PDF is at the address in \`Location\`, for ${ADDRESS_SECONDS} seconds.`,
        headers: {
          ...requestIdHeader,
          ...rateLimitHeaders,
          Location: {
            type: 'string',
            required: true,
            description: 'Where it is.',
            example: 'https://bucket.s3.example/jobs/result.pdf?X-Amz-Signature=0123',
          },
        },
        type: 'null',
      },
      ...errors([notReady, 'INVALID_PARAMETER']),
    },
  },
});

export const getJobArchive = ofJobs({
  method: 'GET',
  path: '/v1/jobs/:id/archive',
  id: 'getJobArchive',
  says: [
    'All PDFs of a job',
    'A ZIP archive of the PDFs, and of the job as `manifest.json`. 409: the job has not ended.',
  ],
  schema: {
    params,
    response: {
      200: {
        description: 'The archive. If it breaks off, so does the connection.',
        headers: {
          ...requestIdHeader,
          ...rateLimitHeaders,
          ...dispositionHeader(`attachment; filename="${jobSummaryExample.id}.zip"`),
        },
        content: { 'application/zip': { schema: binary } },
      },
      ...errors([notReady]),
    },
  },
});

export const getJobEvents = ofJobs({
  method: 'GET',
  path: '/v1/jobs/:id/events',
  id: 'getJobEvents',
  says: [
    'The progress of a job, as it happens',
    'Server-sent events: `job` with the job without its files, at once and after each change, at most one a second; the ' +
      'stream ends with the job, after 10 minutes, and within seconds once the key would be refused.',
  ],
  schema: {
    params,
    response: {
      200: {
        description: 'The events.',
        headers: { ...requestIdHeader, ...rateLimitHeaders },
        content: { 'text/event-stream': { schema: Type.String() } },
      },
      ...errors(),
    },
  },
});

export const cancelJob = ofJobs({
  method: 'POST',
  path: '/v1/jobs/:id/cancel',
  id: 'cancelJob',
  says: ['Cancel a job', 'Ends all files that have no PDF yet. A job that has ended stays as it is.'],
  schema: {
    params,
    response: {
      200: jsonResponse(Job, { description: 'The job.', example: jobExample, withKey: true }),
      ...errors(),
    },
  },
});

export const deleteJob = ofJobs({
  method: 'DELETE',
  path: '/v1/jobs/:id',
  id: 'deleteJob',
  says: ['Delete a job', 'Removes the job, its documents and its PDFs, also while it runs.'],
  schema: { params, response: { 204: emptyResponse('It is gone.', rateLimitHeaders), ...errors() } },
});

/** In the order of the document. */
export const jobOperations: readonly Operation[] = [
  createJob,
  listJobs,
  getJob,
  getJobFile,
  getJobArchive,
  getJobEvents,
  cancelJob,
  deleteJob,
];
