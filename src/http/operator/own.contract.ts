/** /operator/v1/passkeys and /operator/v1/sessions: an operator's own passkeys and sessions. */
import { PlatenError } from '../../errors.ts';
import { emptyResponse, errorResponses, jsonResponse } from '../contract/responses.ts';
import {
  byOperator,
  changeErrors,
  NOT_SIGNED_IN,
  notFound,
  type OperatorOperation,
  readErrors,
} from './operation.ts';
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
} from './sign-in/bodies.contract.ts';
import { noPasskey, noSession } from './sign-in/words.ts';
import { NOT_ACCEPTED } from './sign-in.contract.ts';

export const listOperatorPasskeys = {
  method: 'GET',
  path: '/operator/v1/passkeys',
  schema: {
    operationId: 'listOperatorPasskeys',
    tags: ['session'],
    summary: 'Your passkeys',
    description:
      'Never the passkeys themselves, which no server knows. Whoever signed in with the token has none.',
    security: byOperator,
    response: {
      200: jsonResponse(PasskeyList, {
        description: 'The passkeys.',
        example: { passkeys: [passkeyExample] },
      }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

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

export const removeOperatorPasskey = {
  method: 'DELETE',
  path: '/operator/v1/passkeys/:passkey',
  schema: {
    operationId: 'removeOperatorPasskey',
    tags: ['session'],
    summary: 'Remove a passkey',
    description: 'Ends your other sessions. The last passkey stays.',
    security: byOperator,
    params: passkeyParams,
    response: { 204: emptyResponse('Removed.'), ...changeErrors, ...notFound(noPasskey) },
  },
} as const satisfies OperatorOperation;

export const listOperatorSessions = {
  method: 'GET',
  path: '/operator/v1/sessions',
  schema: {
    operationId: 'listOperatorSessions',
    tags: ['session'],
    summary: 'Your sessions',
    description: 'Those that have not ended; with the token, all that began with it.',
    security: byOperator,
    response: {
      200: jsonResponse(SessionList, {
        description: 'The sessions.',
        example: { sessions: [ownSessionExample] },
      }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const endOperatorSession = {
  method: 'DELETE',
  path: '/operator/v1/sessions/:session',
  schema: {
    operationId: 'endOperatorSession',
    tags: ['session'],
    summary: 'End one of your sessions',
    description: 'On every server at once.',
    security: byOperator,
    params: sessionParams,
    response: { 204: emptyResponse('Ended.'), ...changeErrors, ...notFound(noSession) },
  },
} as const satisfies OperatorOperation;
