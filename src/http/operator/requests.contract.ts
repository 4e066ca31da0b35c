/** The recent requests of accounts: the answer to a question of support. */
import { Type } from 'typebox';
import { bytes, milliseconds, orNull, time, words } from '../contract/operation.ts';
import { jsonResponse } from '../contract/responses.ts';
import { accountNotFound, accountParams } from './accounts.contract.ts';
import {
  byOperator,
  cursor,
  named,
  nextCursor,
  notFound,
  type OperatorOperation,
  pageSize,
  readErrors,
} from './operation.ts';

export const noRequest =
  'There is no such request among the last 1,000 that an account was admitted with or the last 1,000 that it was ' +
  'refused, or it is older than seven days, or it had no key.';

export const RequestRecord = Type.Object(
  {
    requestId: Type.String({ description: 'As the client saw it in `X-Request-Id`.' }),
    at: time('When its answer ended.'),
    account: Type.String({ description: 'Id of the account.' }),
    key: Type.String({ description: 'Id of the key.' }),
    keyDisplay: orNull(
      Type.String(),
      'By which people tell keys apart. `null`: there is no such key any more.',
    ),
    environment: words(['test', 'live'], { description: 'That of the key.' }),
    method: Type.String({ description: 'Method of HTTP.' }),
    route: Type.String({ description: 'The pattern of the route, never the address.' }),
    status: orNull(Type.Integer(), 'Status of the answer. `null`: the client left before it had all of it.'),
    outcome: Type.String({
      description: '`success`, the `code` of the error, `client_left`, or `simulated`.',
    }),
    reason: orNull(Type.String(), 'Why, where the code alone does not say: see the guide for operators.'),
    pages: orNull(Type.Integer({ minimum: 0 }), 'Pages of the PDF. `null`: there was none.'),
    bytesIn: orNull(bytes('Size.'), 'Size of the document. `null`: none arrived whole.'),
    bytesOut: orNull(bytes('Size.'), 'Size of the PDF. `null`: there was none.'),
    durationMs: Type.Number({
      minimum: 0,
      description: 'From the head of the request to the end of its answer.',
    }),
    uploadMs: milliseconds('How long the upload took'),
    queueMs: milliseconds('How long it waited for a worker'),
    convertMs: milliseconds('How long the conversion took'),
  },
  { $id: 'RequestRecord', description: 'A request that an API key made. Nothing of its document is kept.' },
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
};

export const listRequests = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/requests',
  schema: {
    operationId: 'listRequests',
    tags: ['requests'],
    summary: 'The recent requests of an account',
    description:
      'The last 1,000 that were admitted and the last 1,000 that were refused, for seven days, in the order of time, ' +
      'with what they were answered. Refused is what the key was not admitted with: it is revoked or expired, may not ' +
      'do this or not from there, its limit or quota is used up, or Redis was away. A second may pass until one is here.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({
      outcome: Type.Optional(
        Type.String({
          pattern: '^([A-Z_]{1,40}|success|client_left|simulated|failures|admitted|refused)$',
          description:
            'Only those that ended so; `failures`: all but `success`; `admitted`, `refused`: whether the key was.',
        }),
      ),
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
    description: 'For a customer who quotes the id: what the request was answered, and why.',
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
