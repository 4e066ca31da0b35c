/** /account/v1/passkeys: a new passkey of a member. */
import { everyMember } from '../../operations/operation.ts';
import { Passkey, passkeyExample } from '../../operations/own.ts';
import { jsonResponse } from '../contract/responses.ts';
import { emptyBody, passkeyBody, RegistrationOptions } from '../operator/sign-in/bodies.contract.ts';
import { bySession, type ConsoleOperation, notAcceptedErrors, ownErrors } from './operation.ts';

export const startPasskey = {
  method: 'POST',
  path: '/account/v1/passkeys/options',
  roles: everyMember,
  own: true,
  schema: {
    operationId: 'startPasskey',
    tags: ['session'],
    summary: 'Begin to add a passkey',
    description: 'Answer within five minutes.',
    security: bySession,
    body: emptyBody,
    response: {
      200: jsonResponse(RegistrationOptions, {
        description: 'What the authenticator makes.',
        example: { options: { rp: { id: 'pdf.example.com', name: 'Platen' }, challenge: 'q83v…' } },
      }),
      ...ownErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const addPasskey = {
  method: 'POST',
  path: '/account/v1/passkeys',
  roles: everyMember,
  own: true,
  schema: {
    operationId: 'addPasskey',
    tags: ['session'],
    summary: 'Add a passkey',
    description: 'At most ten.',
    security: bySession,
    body: passkeyBody,
    response: {
      201: jsonResponse(Passkey, { description: 'The passkey.', example: passkeyExample }),
      ...ownErrors,
      ...notAcceptedErrors,
    },
  },
} as const satisfies ConsoleOperation;
