/** GET /v1/usage: what the account has used, and what is left. */

import { Type } from 'typebox';
import { bytes, count, month, time, words } from '../../operations/schema.ts';
import { type Operation, withApiKey } from '../contract/operation.ts';
import { accountErrorResponses, jsonResponse } from '../contract/responses.ts';

export const Usage = Type.Object(
  {
    account: Type.String({ description: 'Id of the account.' }),
    plan: Type.String({ description: 'Its current plan.' }),
    environment: words(['test', 'live'], {
      description: '`test`: use of the calling test key. `live`: use of all live keys of the account.',
    }),
    month: Type.String({ description: 'The month as YYYY-MM, UTC.' }),
    conversions: Type.Object(
      {
        used: count('PDFs made in the month.'),
        quota: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description:
            'Conversions a month that the account may make now: of its plan, or its own. `null`: unlimited.',
        }),
        renewsAt: time('Start of the next month.'),
      },
      { description: 'What counts against the monthly quota.' },
    ),
    windows: Type.Array(
      Type.Object({
        name: words(['second', 'hour', 'day'], { description: 'Length of the window.' }),
        limit: count('Requests that it allows.'),
        remaining: count('Requests left.'),
        resetsAt: time('When it ends and starts again.'),
      }),
      { description: 'The current rate windows of the calling key, without unlimited ones.' },
    ),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'The day, UTC.' }),
        conversions: count('PDFs made.'),
        pages: count('Pages of these PDFs.'),
        bytesIn: bytes('Size of their documents.'),
        bytesOut: bytes('Size of the PDFs.'),
        failures: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description: 'Number of admitted conversions that failed, by `code`. Not billed.',
        }),
      }),
      { description: 'The days on which a PDF was made or a conversion failed, in order.' },
    ),
  },
  { $id: 'Usage', description: 'What an account has used in a month, and what is left.' },
);

/** A month of use. */
export const usageExample = {
  account: 'acme',
  plan: 'pro',
  environment: 'live',
  month: '2026-11',
  conversions: { used: 1, quota: 100_000, renewsAt: '2026-12-01T00:00:00.000Z' },
  windows: [
    { name: 'second', limit: 100, remaining: 98, resetsAt: '2026-11-21T07:40:36.000Z' },
    { name: 'hour', limit: 1_000, remaining: 998, resetsAt: '2026-11-21T08:00:00.000Z' },
    { name: 'day', limit: 10_000, remaining: 9_998, resetsAt: '2026-11-22T00:00:00.000Z' },
  ],
  days: [
    {
      date: '2026-11-21',
      conversions: 1,
      pages: 1,
      bytesIn: 5_346,
      bytesOut: 37_982,
      failures: { CORRUPTED_FILE: 2 },
    },
  ],
};

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
        description: 'The use of the month.',
        example: usageExample,
        withKey: true,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER']),
    },
  },
} as const satisfies Operation;
