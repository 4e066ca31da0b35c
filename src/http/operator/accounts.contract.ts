/** /operator/v1/accounts: accounts, their plans, usage and bills. */

import { Type } from 'typebox';
import { month } from '../../operations/schema.ts';
import { Usage, usageExample } from '../account/usage.contract.ts';
import { requestIdHeader } from '../contract/headers.ts';
import { jsonResponse } from '../contract/responses.ts';
import { byOperator, notFound, type OperatorOperation, readErrors } from './operation.ts';

export const noAccount = 'There is no such account.';
export const accountNotFound = notFound(noAccount);

export const accountParams = Type.Object({
  account: Type.String({
    minLength: 1,
    maxLength: 63,
    description: 'Id of the account.',
    examples: ['acme'],
  }),
});

export const getAccountUsage = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/usage',
  schema: {
    operationId: 'getAccountUsage',
    tags: ['accounts'],
    summary: 'What an account has used in a month, by day',
    description: 'What `GET /v1/usage` answers for its live keys. Days are kept for 400 days.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({ month: month() }),
    response: {
      200: jsonResponse(Usage, {
        description: 'The use of the month.',
        example: { ...usageExample, windows: [] },
      }),
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const getLedger = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/ledger',
  schema: {
    operationId: 'getLedger',
    tags: ['accounts'],
    summary: 'The ledger of an account and month as CSV',
    description: 'One row per billed conversion, with the columns of `platen usage export`, streamed.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({ month: month() }),
    response: {
      200: {
        description: 'The ledger.',
        headers: {
          ...requestIdHeader,
          'Content-Disposition': {
            type: 'string',
            required: true,
            description: 'A name for the file.',
            example: 'attachment; filename="platen-acme-2026-11.csv"',
          },
        },
        content: { 'text/csv': { schema: Type.String({ description: 'CSV (RFC 4180).' }) } },
      },
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;
