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
    state: words(['valid', 'expired', 'revoked'], { description: 'Its state.' }),
    lastUsedAt: timeOrNull('Time of its last use. `null`: never used.'),
    lastUsedAddress: orNull(Type.String(), 'Address of its last use. `null`: never used.'),
    revokedAt: timeOrNull('Time of its revocation. `null`: not revoked.'),
    successor: orNull(Type.String(), 'Id of its successor. `null`: not rotated.'),
  },
  { $id: 'Key', description: "A key's record, without the key itself." },
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
        'Working keys first, the one with the latest end first; then ended keys, the latest end first. Keys ' +
        'with the same end: the newest first.',
    }),
    next: nextCursor(),
  },
  { $id: 'KeyList', description: 'A page of the keys of an account.' },
);

export const ExpiringKeys = Type.Object(
  {
    keys: Type.Array(named(Key), { description: 'The next to expire first.' }),
    more: Type.Boolean({ description: 'Whether there may be more.' }),
  },
  { $id: 'ExpiringKeys', description: 'Working keys that expire soon.' },
);

export const KeyMatches = Type.Object(
  { keys: Type.Array(named(Key), { description: 'Those that last longest first.' }) },
  { $id: 'KeyMatches', description: 'Keys with the same last characters.' },
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
      'Working and ended keys, with state and last use. A key that ends between two pages may be on both.',
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
    description: 'Of all accounts. Rotated keys are left out, as successors replace them.',
    security: byOperator,
    querystring: Type.Object({
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 366,
          description: 'Number of days. Default: 30.',
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

export const findKeys = {
  method: 'GET',
  path: '/operator/v1/keys',
  schema: {
    operationId: 'findKeys',
    tags: ['keys'],
    summary: 'Keys by their last four characters',
    description: 'Of all accounts, working and ended: for a customer who tells no more of a key.',
    security: byOperator,
    querystring: Type.Object({
      ending: Type.String({
        pattern: '^[0-9A-Za-z]{4}$',
        description: 'The last four characters.',
        examples: ['a1B2'],
      }),
    }),
    response: {
      200: jsonResponse(KeyMatches, { description: 'The keys.', example: { keys: [keyExample] } }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const changeKey = {
  method: 'PUT',
  path: '/operator/v1/keys/:key',
  schema: {
    operationId: 'changeKey',
    tags: ['keys'],
    summary: 'Change the name or the IP restrictions of a key',
    description:
      'From the next request on. What is left out stays; an empty list lets the key be used from everywhere. A revoked or ' +
      'expired key is `INVALID_PARAMETER`.',
    security: byOperator,
    params: keyParams,
    body: Type.Object(
      {
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Its new name.' })),
        ipRestrictions: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), {
            maxItems: 100,
            description: 'Addresses and CIDR blocks from which it may be used.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      200: jsonResponse(Key, { description: 'The key.', example: keyExample }),
      ...changeErrors,
      ...keyNotFound,
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
    description:
      'Returns the key itself, this once. `message` names a wrong field, or says that the account has the most keys: ' +
      '1,000 that work.',
    security: byOperator,
    body: Type.Object(
      {
        account: Type.String({ minLength: 1, maxLength: 63, description: 'Id of the account.' }),
        name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the key, such as its use.' }),
        environment,
        type: keyType,
        permissions: Type.Optional(
          Type.Array(words(permissions), {
            minItems: 1,
            maxItems: permissions.length,
            uniqueItems: true,
            description: 'Its permissions. Default: all that its type allows.',
          }),
        ),
        ipRestrictions: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), {
            maxItems: 100,
            description: 'Addresses and CIDR blocks from which it may be used. Default: everywhere.',
          }),
        ),
        expiresAt: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'When it expires, with time zone. Default: never.',
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
      'Ends the key from the next request on, on every server. A successor keeps working. Revoking it again ' +
      'changes nothing.',
    security: byOperator,
    params: keyParams,
    response: {
      200: jsonResponse(Key, {
        description: 'The revoked key.',
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
      'Returns the successor itself, this once. The old key keeps working for the overlap. A rotated, ' +
      'revoked or expired key is `INVALID_PARAMETER`.',
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
