/** GET /v1/conversions/{requestId}: the result of a conversion, and the warnings about its PDF. */
import { Type } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { Conversion, conversionExample } from '../../operations/conversion-schema.ts';
import { type Operation, withApiKey } from '../contract/operation.ts';
import { accountErrorResponses, jsonResponse } from '../contract/responses.ts';

export const noConversion =
  'There is no such conversion among the last 10,000 of your account within the last 24 hours. Check the id, ' +
  'and use a key of the ' +
  'same environment (test or live).';

export const getConversion = {
  method: 'GET',
  path: '/v1/conversions/:requestId',
  schema: {
    operationId: 'getConversion',
    tags: ['conversion'],
    summary: 'The outcome and warnings of a conversion',
    description:
      'The warnings of a conversion in full, its figures, and how it ended: of the last 10,000 of an account in each ' +
      'environment, for 24 hours at most. It is there when you have the answer of the conversion. Any key of the account ' +
      'and environment with the permission `convert` may ask. It counts against the rate windows, and never against the ' +
      'quota.\n\nThere is none for a request that was refused before its document was read (because of its key, a limit or ' +
      'the quota), for a simulated error, or for the public endpoint.',
    security: withApiKey,
    params: Type.Object({
      requestId: Type.String({ description: "The `X-Request-Id` of the conversion's response." }),
    }),
    response: {
      200: jsonResponse(Conversion, {
        description: 'The conversion.',
        example: conversionExample,
        withKey: true,
      }),
      ...accountErrorResponses([new PlatenError('NOT_FOUND', { message: noConversion })]),
    },
  },
} as const satisfies Operation;
