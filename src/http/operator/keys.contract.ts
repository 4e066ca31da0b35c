/** /operator/v1/keys: the keys of accounts. */
import { Type } from 'typebox';
import { permissions } from '../../keys/records.ts';
import { RotatedKey } from '../account/rotate.contract.ts';
import {
  environment,
  keySettings,
  keyType,
  newKeyExample,
  rotatedKeyExample,
  rotationBody,
} from '../contract/key.ts';
import { orNull, timeOrNull, words } from '../contract/operation.ts';
import { jsonResponse } from '../contract/responses.ts';
import { accountNotFound, accountParams } from './accounts.contract.ts';
import {
  byOperator,
  changeErrors,
  cursor,
  named,
  nextCursor,
  notFound,
  type OperatorOperation,
  pageSize,
  readErrors,
} from './operation.ts';

export const noKey = 'There is no such key.';
const keyNotFound = notFound(noKey);

const keyParams = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 63,
    description: 'Id of the key.',
    examples: ['key_4f1c0a9be27d38560c'],
  }),
});

export const Key = Type.Object(
  {
    id: Type.String({ description: 'Id of the key.' }),
    ...keySettings,
    state: words(['valid', 'expired', 'revoked'], { description: 'Whether it works.' }),
    lastUsedAt: timeOrNull('When it was last used. `null`: never.'),
    lastUsedAddress: orNull(Type.String(), 'From which address. `null`: never used.'),
    revokedAt: timeOrNull('When it was revoked. `null`: it was not.'),
    successor: orNull(Type.String(), 'Id of the key that it was rotated to. `null`: it was not.'),
  },
  { $id: 'Key', description: 'A key, without the key itself.' },
);

export const CreatedKey = Type.Object(
  {
    id: Type.String({ description: 'Id of the key.' }),
    key: Type.String({ description: 'The key itself. It is shown only here.' }),
    ...keySettings,
  },
  { $id: 'CreatedKey', description: 'A new key.' },
);

export const KeyList = Type.Object(
  {
    keys: Type.Array(named(Key), {
      description:
        'Those that work first, the one that does for the longest before the others; then those that ended, the last ' +
        'one first. Of several the newest first.',
    }),
    next: nextCursor(),
  },
  { $id: 'KeyList', description: 'A page of the keys of an account.' },
);

export const ExpiringKeys = Type.Object(
  {
    keys: Type.Array(named(Key), { description: 'The next to expire first.' }),
    more: Type.Boolean({ description: 'Whether there may be more than these.' }),
  },
  { $id: 'ExpiringKeys', description: 'Keys that work and will expire soon.' },
);

const { key: _, ...settingsExample } = newKeyExample;
const keyExample = {
  ...settingsExample,
  state: 'valid',
  lastUsedAt: '2026-11-21T07:59:12.000Z',
  lastUsedAddress: '203.0.113.7',
  revokedAt: null,
  successor: null,
};

export const listKeys = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/keys',
  schema: {
    operationId: 'listKeys',
    tags: ['keys'],
    summary: 'The keys of an account',
    description:
      'Those that work and those that ended, with their state and last use. A key that ends between two pages may be on ' +
      'both.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({ after: cursor(), limit: pageSize(50, 200) }),
    response: {
      200: jsonResponse(KeyList, {
        description: 'A page of the keys.',
        example: { keys: [keyExample], next: null },
      }),
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const listExpiringKeys = {
  method: 'GET',
  path: '/operator/v1/keys/expiring',
  schema: {
    operationId: 'listExpiringKeys',
    tags: ['keys'],
    summary: 'Keys that expire soon',
    description:
      'Of all accounts. Keys that were rotated are not among them: their successors take their place.',
    security: byOperator,
    querystring: Type.Object({
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 366,
          description: 'Within how many days; 30 where it is left out.',
        }),
      ),
      limit: pageSize(50, 200),
    }),
    response: {
      200: jsonResponse(ExpiringKeys, {
        description: 'The keys.',
        example: { keys: [{ ...keyExample, expiresAt: '2026-12-01T00:00:00.000Z' }], more: false },
      }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const getKey = {
  method: 'GET',
  path: '/operator/v1/keys/:key',
  schema: {
    operationId: 'getKey',
    tags: ['keys'],
    summary: 'A key',
    description: 'Its settings, its state and its last use; never the key itself.',
    security: byOperator,
    params: keyParams,
    response: {
      200: jsonResponse(Key, { description: 'The key.', example: keyExample }),
      ...readErrors,
      ...keyNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const createKey = {
  method: 'POST',
  path: '/operator/v1/keys',
  schema: {
    operationId: 'createKey',
    tags: ['keys'],
    summary: 'Create a key',
    description: 'Answers with the key itself, once. What is wrong with a field is in the message.',
    security: byOperator,
    body: Type.Object(
      {
        account: Type.String({ minLength: 1, maxLength: 63, description: 'Id of the account.' }),
        name: Type.String({ minLength: 1, maxLength: 200, description: 'What it is for.' }),
        environment,
        type: keyType,
        permissions: Type.Optional(
          Type.Array(words(permissions), {
            minItems: 1,
            maxItems: permissions.length,
            uniqueItems: true,
            description: 'What it may do; all that its type may hold where it is left out.',
          }),
        ),
        ipRestrictions: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), {
            maxItems: 100,
            description:
              'Addresses and CIDR blocks that it may be used from; from everywhere where it is left out.',
          }),
        ),
        expiresAt: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'When it expires, with the zone; never where it is left out.',
            examples: ['2030-12-31T00:00:00Z'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      201: jsonResponse(CreatedKey, { description: 'The key.', example: newKeyExample }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const revokeKey = {
  method: 'POST',
  path: '/operator/v1/keys/:key/revoke',
  schema: {
    operationId: 'revokeKey',
    tags: ['keys'],
    summary: 'Revoke a key',
    description:
      'Ends it from the next request on, on every server. Its successor, if it has one, goes on. Revoking it again ' +
      'changes nothing.',
    security: byOperator,
    params: keyParams,
    response: {
      200: jsonResponse(Key, {
        description: 'The key, which is revoked.',
        example: { ...keyExample, state: 'revoked', revokedAt: '2026-11-21T08:00:00.000Z' },
      }),
      ...changeErrors,
      ...keyNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const rotateKeyOf = {
  method: 'POST',
  path: '/operator/v1/keys/:key/rotate',
  schema: {
    operationId: 'rotateKeyOf',
    tags: ['keys'],
    summary: 'Make a successor for a key',
    description:
      'Answers with the successor itself, once. The key lives on for the overlap. A key that was rotated, is revoked or ' +
      'expired is `INVALID_PARAMETER`.',
    security: byOperator,
    params: keyParams,
    body: rotationBody,
    response: {
      201: jsonResponse(RotatedKey, {
        description: 'The successor.',
        example: rotatedKeyExample,
      }),
      ...changeErrors,
      ...keyNotFound,
    },
  },
} as const satisfies OperatorOperation;
