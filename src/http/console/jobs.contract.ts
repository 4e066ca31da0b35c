/** /account/v1/jobs: jobs of the account. */

import { Type } from 'typebox';
import { keepers } from '../../operations/operation.ts';
import { getJobOf, listJobsOf, noJobOf } from '../operator/jobs.contract.ts';
import { bySession, type ConsoleOperation, changeErrors, notFound, readErrors } from './operation.ts';

const jobParams = Type.Object({ job: getJobOf.schema.params.properties.id });
const jobAnswer = getJobOf.schema.response[200];

export const listOwnJobs = {
  method: 'GET',
  path: '/account/v1/jobs',
  roles: keepers,
  schema: {
    operationId: 'listOwnJobs',
    tags: ['jobs'],
    summary: 'The jobs of the account',
    description: listJobsOf.schema.description,
    security: bySession,
    querystring: listJobsOf.schema.querystring,
    response: {
      200: listJobsOf.schema.response[200],
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const getOwnJob = {
  method: 'GET',
  path: '/account/v1/jobs/:job',
  roles: keepers,
  schema: {
    operationId: 'getOwnJob',
    tags: ['jobs'],
    summary: 'A job by its id',
    description: 'How far it is, and why a file failed.',
    security: bySession,
    params: jobParams,
    response: { 200: jobAnswer, ...readErrors, ...notFound(noJobOf) },
  },
} as const satisfies ConsoleOperation;

export const cancelOwnJob = {
  method: 'POST',
  path: '/account/v1/jobs/:job/cancel',
  roles: keepers,
  schema: {
    operationId: 'cancelOwnJob',
    tags: ['jobs'],
    summary: 'Cancel a job',
    description: 'Ends all files that have no PDF yet. A job that has ended stays as it is.',
    security: bySession,
    params: jobParams,
    response: { 200: jobAnswer, ...changeErrors, ...notFound(noJobOf) },
  },
} as const satisfies ConsoleOperation;
