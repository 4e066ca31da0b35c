/** POST /v1/keys/rotate: a successor for the calling key. */
import { Type } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { permissions } from '../../keys/records.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS, ROTATIONS_PER_DAY } from '../../keys/rotation.ts';
import { type Operation, time, withApiKey, words } from '../contract/operation.ts';
import { errorResponses, jsonResponse } from '../contract/responses.ts';

/** What is said of a body that is no JSON. */
export const NOT_JSON = 'The body must be JSON, with Content-Type: application/json, or left out.';

const body = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OVERLAP_SECONDS,
        description:
          'How long the calling key lives on, but never longer than it had to live anyway. ' +
          `${DEFAULT_OVERLAP_SECONDS} (24 hours) where it is left out; 0 ends it at once.`,
        examples: [DEFAULT_OVERLAP_SECONDS],
      }),
    ),
  },
  // A misspelt field would end the key at another time than was meant.
  { additionalProperties: false },
);

export const RotatedKey = Type.Object(
  {
    id: Type.String({ description: 'Id of the new key.' }),
    key: Type.String({ description: 'The new key itself. Store it: it is shown only here.' }),
    display: Type.String({ description: 'By which people tell their keys apart.' }),
    account: Type.String({ description: 'Id of the account.' }),
    name: Type.String({ description: 'What the key is called.' }),
    environment: words(['test', 'live'], { description: 'Test keys are never billed.' }),
    type: words(['pk', 'sk'], { description: '`sk` is secret; `pk` is public and can only convert.' }),
    permissions: Type.Array(words(permissions), { description: 'What it may do.' }),
    ipRestrictions: Type.Array(Type.String(), {
      description: 'Addresses and CIDR blocks that it may be used from. None: from everywhere.',
    }),
    expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it expires. `null`: never.',
    }),
    createdAt: time('When it was made.'),
    previous: Type.Object(
      { id: Type.String({ description: 'Its id.' }), expiresAt: time('When it ends.') },
      { description: 'The calling key.' },
    ),
  },
  { $id: 'RotatedKey', description: 'The successor of a key, with its settings.' },
);

const example = {
  id: 'key_4f1c0a9be27d38560c',
  key: 'svc_live_sk_…',
  display: 'svc_live_sk_…a1B2',
  account: 'acme',
  name: 'back end',
  environment: 'live',
  type: 'sk',
  permissions: ['convert', 'usage', 'rotate'],
  ipRestrictions: ['203.0.113.0/24'],
  expiresAt: null,
  createdAt: '2026-11-21T07:40:36.000Z',
  previous: { id: 'key_b7706e1f55aa4c2d19', expiresAt: '2026-11-22T07:40:36.000Z' },
};

export const rotateKey = {
  method: 'POST',
  path: '/v1/keys/rotate',
  schema: {
    operationId: 'rotateKey',
    tags: ['account'],
    summary: 'Replace the calling key by a successor',
    description:
      'Answers with a new key that has the settings of the calling one, which lives on for the overlap. Store the ' +
      'new key first, then use it. Needs a key with the permission `rotate`.\n\n' +
      'Did the answer get lost? Ask again with the same key: until the successor is used for the first time, the ' +
      'same successor is answered, and no second one is made. After that the answer is `INSUFFICIENT_PERMISSIONS`. ' +
      'With an overlap of 0 the calling key ends at once, and a lost answer cannot be repeated.\n\n' +
      `The keys of an account can rotate ${ROTATIONS_PER_DAY} times a day (UTC), all together; then the answer is ` +
      '`RATE_LIMIT_EXCEEDED` until the day ends. The same successor told again does not count.',
    security: withApiKey,
    body,
    response: {
      201: jsonResponse(RotatedKey, { description: 'The new key.', example, withKey: true }),
      ...errorResponses(
        'Account',
        [
          'INVALID_PARAMETER',
          new PlatenError('INVALID_REQUEST', { message: NOT_JSON }),
          'MISSING_AUTH',
          'INVALID_API_KEY',
          'EXPIRED_API_KEY',
          'IP_NOT_ALLOWED',
          'INSUFFICIENT_PERMISSIONS',
          'RATE_LIMIT_EXCEEDED',
          'OVERLOADED',
          'SERVICE_UNAVAILABLE',
        ],
        { withKey: true },
      ),
    },
  },
} as const satisfies Operation;
