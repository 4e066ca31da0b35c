/** GET /v1/usage: what the account has used, and what is left. */
import { Type } from 'typebox';
import { month } from '../../operations/schema.ts';
import { Usage, usageExample } from '../../operations/usage.ts';
import { type Operation, withApiKey } from '../contract/operation.ts';
import { accountErrorResponses, jsonResponse } from '../contract/responses.ts';

export const getUsage = {
  method: 'GET',
  path: '/v1/usage',
  schema: {
    operationId: 'getUsage',
    tags: ['account'],
    summary: 'What the account has used, and what is left',
    description:
      'Shows how much of the monthly quota is left, and what is billed. It counts against the rate windows ' +
      'like any request, and never against the quota. Needs a key with the permission `usage`. Days are kept for ' +
      '400 days after the end of their month.',
    security: withApiKey,
    querystring: Type.Object({ month: month() }),
    response: {
      200: jsonResponse(Usage, {
        description: 'The usage of the month.',
        example: usageExample,
        withKey: true,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER']),
    },
  },
} as const satisfies Operation;
