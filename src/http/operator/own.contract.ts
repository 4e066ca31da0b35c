/** /operator/v1/passkeys: a new passkey of an operator. */
import { PlatenError } from '../../errors.ts';
import { Passkey, passkeyExample } from '../../operations/own.ts';
import { errorResponses, jsonResponse } from '../contract/responses.ts';
import { byOperator, changeErrors, NOT_SIGNED_IN, type OperatorOperation } from './operation.ts';
import { emptyBody, passkeyBody, RegistrationOptions } from './sign-in/bodies.contract.ts';
import { NOT_ACCEPTED } from './sign-in.contract.ts';

export const startOperatorPasskey = {
  method: 'POST',
  path: '/operator/v1/passkeys/options',
  schema: {
    operationId: 'startOperatorPasskey',
    tags: ['session'],
    summary: 'Begin to add a passkey',
    description: 'For operators with a name. Answer within five minutes.',
    security: byOperator,
    body: emptyBody,
    response: {
      200: jsonResponse(RegistrationOptions, {
        description: 'What the authenticator makes.',
        example: { options: { rp: { id: 'pdf.example.com', name: 'Platen' }, challenge: 'q83v…' } },
      }),
      ...changeErrors,
    },
  },
} as const satisfies OperatorOperation;

export const addOperatorPasskey = {
  method: 'POST',
  path: '/operator/v1/passkeys',
  schema: {
    operationId: 'addOperatorPasskey',
    tags: ['session'],
    summary: 'Add a passkey',
    description: 'At most ten.',
    security: byOperator,
    body: passkeyBody,
    response: {
      201: jsonResponse(Passkey, { description: 'The passkey.', example: passkeyExample }),
      ...changeErrors,
      ...errorResponses('Operator', [
        new PlatenError('MISSING_AUTH', { message: NOT_SIGNED_IN }),
        new PlatenError('INVALID_API_KEY', { message: NOT_ACCEPTED }),
      ]),
    },
  },
} as const satisfies OperatorOperation;
