/** /account/v1/passkeys and /account/v1/sessions: a member's own passkeys and sessions. */
import { everyMember } from '../../operations/operation.ts';
import { emptyResponse, jsonResponse } from '../contract/responses.ts';
import {
  emptyBody,
  ownSessionExample,
  Passkey,
  PasskeyList,
  passkeyBody,
  passkeyExample,
  passkeyParams,
  RegistrationOptions,
  SessionList,
  sessionParams,
} from '../operator/sign-in/bodies.contract.ts';
import { noPasskey, noSession } from '../operator/sign-in/words.ts';
import {
  bySession,
  type ConsoleOperation,
  notAcceptedErrors,
  notFound,
  ownErrors,
  readErrors,
} from './operation.ts';

export const listPasskeys = {
  method: 'GET',
  path: '/account/v1/passkeys',
  roles: everyMember,
  schema: {
    operationId: 'listPasskeys',
    tags: ['session'],
    summary: 'Your passkeys',
    description: 'Never the passkeys themselves, which no server knows.',
    security: bySession,
    response: {
      200: jsonResponse(PasskeyList, {
        description: 'The passkeys.',
        example: { passkeys: [passkeyExample] },
      }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

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

export const removePasskey = {
  method: 'DELETE',
  path: '/account/v1/passkeys/:passkey',
  roles: everyMember,
  own: true,
  schema: {
    operationId: 'removePasskey',
    tags: ['session'],
    summary: 'Remove a passkey',
    description: 'Ends your other sessions. The last passkey stays.',
    security: bySession,
    params: passkeyParams,
    response: { 204: emptyResponse('Removed.'), ...ownErrors, ...notFound(noPasskey) },
  },
} as const satisfies ConsoleOperation;

export const listOwnSessions = {
  method: 'GET',
  path: '/account/v1/sessions',
  roles: everyMember,
  schema: {
    operationId: 'listOwnSessions',
    tags: ['session'],
    summary: 'Your sessions',
    description: 'Those that have not ended.',
    security: bySession,
    response: {
      200: jsonResponse(SessionList, {
        description: 'The sessions.',
        example: { sessions: [ownSessionExample] },
      }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const endListedSession = {
  method: 'DELETE',
  path: '/account/v1/sessions/:session',
  roles: everyMember,
  own: true,
  schema: {
    operationId: 'endListedSession',
    tags: ['session'],
    summary: 'End one of your sessions',
    description: 'On every server at once.',
    security: bySession,
    params: sessionParams,
    response: { 204: emptyResponse('Ended.'), ...ownErrors, ...notFound(noSession) },
  },
} as const satisfies ConsoleOperation;
