/** /account/v1/requests: requests with keys of the account. */

import { Type } from 'typebox';
import { keepers } from '../../operations/operation.ts';
import { jsonResponse } from '../contract/responses.ts';
import {
  getRequest,
  listRequests,
  noRequest,
  RequestList,
  RequestRecord,
} from '../operator/requests.contract.ts';
import { bySession, type ConsoleOperation, notFound, readErrors } from './operation.ts';

export const listOwnRequests = {
  method: 'GET',
  path: '/account/v1/requests',
  roles: keepers,
  schema: {
    operationId: 'listOwnRequests',
    tags: ['requests'],
    summary: 'The recent requests of the account',
    description: 'The last 1,000 admitted and the last 1,000 refused requests, for seven days.',
    security: bySession,
    querystring: Type.Object({
      ...listRequests.schema.querystring.properties,
      key: Type.Optional(
        Type.String({ minLength: 1, maxLength: 63, description: 'Only those with the key of this id.' }),
      ),
    }),
    response: {
      200: jsonResponse(RequestList, {
        description: 'A page of requests.',
        example: listRequests.schema.response[200].content['application/json']?.example,
      }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const getOwnRequest = {
  method: 'GET',
  path: '/account/v1/requests/:requestId',
  roles: keepers,
  schema: {
    operationId: 'getOwnRequest',
    tags: ['requests'],
    summary: 'A request by its id',
    description: 'The response, and its phases.',
    security: bySession,
    params: getRequest.schema.params,
    response: {
      200: jsonResponse(RequestRecord, {
        description: 'The request.',
        example: getRequest.schema.response[200].content['application/json']?.example,
      }),
      ...readErrors,
      ...notFound(noRequest),
    },
  },
} as const satisfies ConsoleOperation;
