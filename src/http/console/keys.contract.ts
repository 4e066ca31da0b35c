/** /account/v1/keys and /account/v1/requests: keys of the account, and their requests. */
import { Type } from 'typebox';
import { RotatedKey } from '../account/rotate.contract.ts';
import { newKeyExample, rotatedKeyExample, rotationBody } from '../contract/key.ts';
import { jsonResponse } from '../contract/responses.ts';
import {
  CreatedKey,
  changeKey,
  createKey,
  getKey,
  Key,
  KeyList,
  listKeys,
  noKey,
} from '../operator/keys.contract.ts';
import { cursor, pageSize } from '../operator/operation.ts';
import {
  getRequest,
  listRequests,
  noRequest,
  RequestList,
  RequestRecord,
} from '../operator/requests.contract.ts';
import {
  bySession,
  type ConsoleOperation,
  changeErrors,
  keepers,
  notFound,
  readErrors,
} from './operation.ts';

const keyNotFound = notFound(noKey);
const keyParams = getKey.schema.params;
const keyExample = getKey.schema.response[200].content['application/json']?.example;
const { account: _, ...settings } = createKey.schema.body.properties;

export const listOwnKeys = {
  method: 'GET',
  path: '/account/v1/keys',
  roles: keepers,
  schema: {
    operationId: 'listOwnKeys',
    tags: ['keys'],
    summary: 'The keys of the account',
    description: 'Working and ended keys, with state and last use.',
    security: bySession,
    querystring: Type.Object({ after: cursor(), limit: pageSize(50, 200) }),
    response: {
      200: jsonResponse(KeyList, {
        description: 'A page of the keys.',
        example: listKeys.schema.response[200].content['application/json']?.example,
      }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const createOwnKey = {
  method: 'POST',
  path: '/account/v1/keys',
  roles: keepers,
  schema: {
    operationId: 'createOwnKey',
    tags: ['keys'],
    summary: 'Create a key',
    description: createKey.schema.description,
    security: bySession,
    body: Type.Object(settings, { additionalProperties: false }),
    response: {
      201: jsonResponse(CreatedKey, { description: 'The key.', example: newKeyExample }),
      ...changeErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const getOwnKey = {
  method: 'GET',
  path: '/account/v1/keys/:key',
  roles: keepers,
  schema: {
    operationId: 'getOwnKey',
    tags: ['keys'],
    summary: 'A key',
    description: 'Its settings, its state and its last use; never the key itself.',
    security: bySession,
    params: keyParams,
    response: {
      200: jsonResponse(Key, { description: 'The key.', example: keyExample }),
      ...readErrors,
      ...keyNotFound,
    },
  },
} as const satisfies ConsoleOperation;

export const changeOwnKey = {
  method: 'PUT',
  path: '/account/v1/keys/:key',
  roles: keepers,
  schema: {
    operationId: 'changeOwnKey',
    tags: ['keys'],
    summary: 'Change the name or the IP restrictions of a key',
    description: changeKey.schema.description,
    security: bySession,
    params: keyParams,
    body: changeKey.schema.body,
    response: {
      200: jsonResponse(Key, { description: 'The key.', example: keyExample }),
      ...changeErrors,
      ...keyNotFound,
    },
  },
} as const satisfies ConsoleOperation;

export const revokeOwnKey = {
  method: 'POST',
  path: '/account/v1/keys/:key/revoke',
  roles: keepers,
  schema: {
    operationId: 'revokeOwnKey',
    tags: ['keys'],
    summary: 'Revoke a key',
    description: 'Ends the key from the next request on, on every server. A successor keeps working.',
    security: bySession,
    params: keyParams,
    response: {
      200: jsonResponse(Key, { description: 'The revoked key.', example: keyExample }),
      ...changeErrors,
      ...keyNotFound,
    },
  },
} as const satisfies ConsoleOperation;

export const rotateOwnKey = {
  method: 'POST',
  path: '/account/v1/keys/:key/rotate',
  roles: keepers,
  schema: {
    operationId: 'rotateOwnKey',
    tags: ['keys'],
    summary: 'Make a successor for a key',
    description: 'Returns the successor itself, this once. The old key keeps working for the overlap.',
    security: bySession,
    params: keyParams,
    body: rotationBody,
    response: {
      201: jsonResponse(RotatedKey, { description: 'The successor.', example: rotatedKeyExample }),
      ...changeErrors,
      ...keyNotFound,
    },
  },
} as const satisfies ConsoleOperation;

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
