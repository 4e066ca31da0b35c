/** Recent requests of accounts, for support. */

import { Type } from 'typebox';
import {
  bytes,
  cursor,
  milliseconds,
  moment,
  named,
  nextCursor,
  orNull,
  pageSize,
  time,
  words,
} from '../../operations/schema.ts';
import { jsonResponse } from '../contract/responses.ts';
import { accountNotFound, accountParams } from './accounts.contract.ts';
import { byOperator, notFound, type OperatorOperation, readErrors } from './operation.ts';

export const noRequest =
  'There is no such request among the last 1,000 admitted and the last 1,000 refused requests of an account, or it is ' +
  'older than seven days, or it had no key.';

export const RequestRecord = Type.Object(
  {
    requestId: Type.String({ description: 'The `X-Request-Id` that the client saw.' }),
    at: time('End of its response.'),
    account: Type.String({ description: 'Id of the account.' }),
    key: Type.String({ description: 'Id of the key.' }),
    keyDisplay: orNull(Type.String(), 'Short form of the key. `null`: the key no longer exists.'),
    environment: words(['test', 'live'], { description: 'The environment of the key.' }),
    method: Type.String({ description: 'HTTP method.' }),
    route: Type.String({ description: 'The pattern of the route, never the path that was sent.' }),
    status: orNull(Type.Integer(), 'Status of the response. `null`: the client left before its end.'),
    outcome: Type.String({
      description: '`success`, the `code` of the error, `client_left`, or `simulated`.',
    }),
    reason: orNull(Type.String(), 'The reason, if the code has one: see the guide for operators.'),
    pages: orNull(Type.Integer({ minimum: 0 }), 'Pages of the PDF. `null`: there was no PDF.'),
    bytesIn: orNull(bytes('Size.'), 'Size of the document. `null`: no document arrived whole.'),
    bytesOut: orNull(bytes('Size.'), 'Size of the PDF. `null`: there was no PDF.'),
    durationMs: Type.Number({
      minimum: 0,
      description: "Time from the request's header to the end of its response.",
    }),
    uploadMs: milliseconds('Duration of the upload'),
    queueMs: milliseconds('Wait for a worker'),
    convertMs: milliseconds('Duration of the conversion'),
    warnings: orNull(
      Type.Array(Type.String()),
      'Codes of the warnings about its PDF, as in `X-Conversion-Warnings`. `null`: there was no PDF.',
    ),
    libreOffice: orNull(
      Type.String(),
      'Version of LibreOffice that made its PDF. `null`: none did, or unknown.',
    ),
  },
  { $id: 'RequestRecord', description: 'A request with an API key. No content of its document is kept.' },
);

export const RequestList = Type.Object(
  { requests: Type.Array(named(RequestRecord), { description: 'Newest first.' }), next: nextCursor() },
  { $id: 'RequestList', description: 'A page of requests.' },
);

const example = {
  requestId: 'req_0123456789abcdef0123456789abcdef',
  at: '2026-11-21T07:59:12.431Z',
  account: 'acme',
  key: 'key_4f1c0a9be27d38560c',
  keyDisplay: 'svc_live_sk_…a1B2',
  environment: 'live',
  method: 'POST',
  route: '/v1/convert',
  status: 200,
  outcome: 'success',
  reason: null,
  pages: 3,
  bytesIn: 18_204,
  bytesOut: 37_982,
  durationMs: 52.4,
  uploadMs: 4.1,
  queueMs: 0.2,
  convertMs: 38.9,
  warnings: ['FONT_SUBSTITUTED'],
  libreOffice: '25.2.3.2',
};

export const listRequests = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/requests',
  schema: {
    operationId: 'listRequests',
    tags: ['requests'],
    summary: 'The recent requests of an account',
    description:
      'The last 1,000 admitted and the last 1,000 refused requests, for seven days, in order of time, with their ' +
      'responses. A request is refused if its key is revoked or expired, lacks the permission or is used from another ' +
      'address, if a limit or the quota is used up, or if Redis was away. A request may take a second to appear.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({
      outcome: Type.Optional(
        Type.String({
          pattern: '^([A-Z_]{1,40}|success|client_left|simulated|failures|admitted|refused)$',
          description:
            'Only requests with this outcome; `failures`: all but `success`; `admitted`, `refused`: whether ' +
            'the key was admitted.',
        }),
      ),
      from: moment('Only requests that ended since then, with time zone.'),
      until: moment('Only requests that ended before then, with time zone.'),
      after: cursor(),
      limit: pageSize(100, 1_000),
    }),
    response: {
      200: jsonResponse(RequestList, {
        description: 'A page of requests.',
        example: { requests: [example], next: null },
      }),
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const getRequest = {
  method: 'GET',
  path: '/operator/v1/requests/:requestId',
  schema: {
    operationId: 'getRequest',
    tags: ['requests'],
    summary: 'A request by its id',
    description: 'For a customer who quotes the id: the response, and its reason.',
    security: byOperator,
    params: Type.Object({
      requestId: Type.String({
        pattern: '^req_[0-9a-f]{32}$',
        description: 'The id.',
        examples: ['req_0123456789abcdef0123456789abcdef'],
      }),
    }),
    response: {
      200: jsonResponse(RequestRecord, { description: 'The request.', example }),
      ...readErrors,
      ...notFound(noRequest),
    },
  },
} as const satisfies OperatorOperation;
