/** POST /v1/keys/rotate: a successor for the calling key. */
import { ROTATIONS_PER_DAY } from '../../accounts/keys/rotation.ts';
import { RotatedKey, rotatedKeyExample, rotationBody } from '../../operations/key-schema.ts';
import { type Operation, withApiKey } from '../contract/operation.ts';
import { accountErrorResponses, jsonResponse } from '../contract/responses.ts';

/** Message about a body that is not JSON. */
export const NOT_JSON = 'The body must be JSON, with Content-Type: application/json, or left out.';

export const rotateKey = {
  method: 'POST',
  path: '/v1/keys/rotate',
  schema: {
    operationId: 'rotateKey',
    tags: ['account'],
    summary: 'Replace the calling key with a successor',
    description:
      'Returns a new key with the settings of the calling key, which keeps working for the overlap. Store the new key ' +
      'first, then use it. Needs a key with the permission `rotate`.\n\n' +
      'If the answer got lost, ask again with the same key: until the successor is first used, you get the same ' +
      'successor again. After that the answer is `INSUFFICIENT_PERMISSIONS`. With an overlap of 0 the calling key ' +
      'ends at once, and a lost answer cannot be repeated.\n\n' +
      `All keys of an account together can rotate ${ROTATIONS_PER_DAY} times a day (UTC); then the answer is ` +
      '`RATE_LIMIT_EXCEEDED` until the day ends. Repetitions for the same successor do not count.',
    security: withApiKey,
    body: rotationBody,
    response: {
      201: jsonResponse(RotatedKey, {
        description: 'The new key.',
        example: rotatedKeyExample,
        withKey: true,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER']),
    },
  },
} as const satisfies Operation;
