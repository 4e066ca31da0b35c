/** Jobs of accounts, for support. */

import { Type } from 'typebox';
import { fileStates, jobStates } from '../../jobs/job.ts';
import {
  bytes,
  count,
  cursor,
  named,
  nextCursor,
  orNull,
  pageSize,
  timeOrNull,
  words,
} from '../../operations/schema.ts';
import { jsonResponse } from '../contract/responses.ts';
import { JobSummary, jobSummaryExample } from '../conversion/job-body.ts';
import { accountNotFound, accountParams } from './accounts.contract.ts';
import { byOperator, changeErrors, notFound, type OperatorOperation, readErrors } from './operation.ts';

export const noJobOf =
  'There is no such job. The record of a job is kept for seven days after its results are removed, unless the account ' +
  'deletes it.';

const summaryFields = {
  ...Type.Omit(JobSummary, ['metadata', 'webhook']).properties,
  account: Type.String({ description: 'Id of the account.' }),
  key: Type.String({ description: 'Id of the key that sent it.' }),
};

export const OperatorJobSummary = Type.Object(summaryFields, {
  $id: 'OperatorJobSummary',
  description: 'A job without its files. What its owner wrote about it is left out.',
});

export const OperatorJob = Type.Object(
  {
    ...summaryFields,
    files: Type.Array(
      Type.Object({
        number: Type.Integer({ minimum: 1, description: 'Its place in the form, from 1.' }),
        state: words(fileStates, { description: 'How far it is.' }),
        bytes: orNull(bytes('Size.'), 'Size of the document. `null`: it is not fetched yet.'),
        startedAt: timeOrNull('When its conversion began. `null`: it has not.'),
        completedAt: timeOrNull('When it reached its final state. `null`: it has not.'),
        pages: orNull(count('Pages.'), 'Pages of the PDF. `null`: there is none.'),
        bytesOut: orNull(bytes('Size.'), 'Size of the PDF. `null`: there is none.'),
        durationMs: orNull(
          count('Milliseconds.'),
          'Duration of the conversion, in ms. `null`: there is no PDF.',
        ),
        libreOffice: orNull(
          Type.String(),
          'Version of LibreOffice that made the PDF. `null`: none did, or unknown.',
        ),
        warnings: Type.Array(Type.String(), { description: 'The `code` of each warning.' }),
        error: orNull(Type.String(), 'The `code` of its error. `null`: it did not fail.'),
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

const params = Type.Object({
  id: Type.String({
    pattern: '^job_[0-9a-f]{32}$',
    description: 'The id.',
    examples: [jobSummaryExample.id],
  }),
});

export const listJobsOf = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/jobs',
  schema: {
    operationId: 'listJobsOf',
    tags: ['jobs'],
    summary: 'The jobs of an account',
    description:
      'A page may be short although `next` says that there are more. A job is listed until seven days after its results are ' +
      'removed.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({
      environment: Type.Optional(
        words(['test', 'live'], { description: 'Jobs of these keys. Default: `live`.' }),
      ),
      state: Type.Optional(words(jobStates, { description: 'Only jobs in this state.' })),
      after: cursor(),
      limit: pageSize(20, 50),
    }),
    response: {
      200: jsonResponse(OperatorJobList, {
        description: 'A page of jobs.',
        example: { jobs: [summaryExample], next: null },
      }),
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const getJobOf = {
  method: 'GET',
  path: '/operator/v1/jobs/:id',
  schema: {
    operationId: 'getJobOf',
    tags: ['jobs'],
    summary: 'A job by its id',
    description: 'For a customer who quotes the id: how far it is, and why a file failed.',
    security: byOperator,
    params,
    response: {
      200: jsonResponse(OperatorJob, { description: 'The job.', example }),
      ...readErrors,
      ...notFound(noJobOf),
    },
  },
} as const satisfies OperatorOperation;

export const cancelJobOf = {
  method: 'POST',
  path: '/operator/v1/jobs/:id/cancel',
  schema: {
    operationId: 'cancelJobOf',
    tags: ['jobs'],
    summary: 'Cancel a job',
    description: 'Ends all files that have no PDF yet. A job that has ended stays as it is.',
    security: byOperator,
    params,
    response: {
      200: jsonResponse(OperatorJob, { description: 'The job.', example }),
      ...changeErrors,
      ...notFound(noJobOf),
    },
  },
} as const satisfies OperatorOperation;
