/** /account/v1/passkeys and /account/v1/sessions: what a member has of their own. */
import { Type } from 'typebox';
import { time, timeOrNull } from '../contract/operation.ts';
import { emptyResponse, jsonResponse } from '../contract/responses.ts';
import { named } from '../operator/operation.ts';
import {
  bySession,
  type ConsoleOperation,
  changeErrors,
  everyMember,
  notAcceptedErrors,
  notFound,
  readErrors,
} from './operation.ts';
import { attestation, RegistrationOptions } from './session.contract.ts';

export const noPasskey = 'You have no such passkey.';
export const noSession = 'You have no such session.';

export const Passkey = Type.Object(
  {
    id: Type.String({ description: 'Id of the passkey.' }),
    name: Type.String({ description: 'Its name.' }),
    createdAt: time('When it was registered.'),
    lastUsedAt: timeOrNull('When it last signed in. `null`: never, apart from its registration.'),
  },
  { $id: 'Passkey', description: 'A passkey of the member who is signed in.' },
);

export const PasskeyList = Type.Object(
  { passkeys: Type.Array(named(Passkey), { description: 'In the order of their registration.' }) },
  { $id: 'PasskeyList', description: 'The passkeys of the member who is signed in.' },
);

export const OwnSession = Type.Object(
  {
    id: Type.String({ description: 'Id of the session.' }),
    signedInAt: time('When it began.'),
    idleUntil: time('When it ends if it is not used before.'),
    expiresAt: time('When it ends in any case.'),
    address: Type.String({ description: 'Address from which it began.' }),
    agent: Type.String({ description: 'The `User-Agent` of the browser.' }),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { $id: 'OwnSession', description: 'A session of the member who is signed in.' },
);

export const SessionList = Type.Object(
  { sessions: Type.Array(named(OwnSession), { description: 'The newest first.' }) },
  { $id: 'SessionList', description: 'The sessions of the member who is signed in.' },
);

const passkeyExample = {
  id: 'pZ0m3…',
  name: 'Chrome on Linux',
  createdAt: '2026-11-21T08:00:00.000Z',
  lastUsedAt: null,
};

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
      200: jsonResponse(PasskeyList, { description: 'They.', example: { passkeys: [passkeyExample] } }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const startPasskey = {
  method: 'POST',
  path: '/account/v1/passkeys/options',
  roles: everyMember,
  schema: {
    operationId: 'startPasskey',
    tags: ['session'],
    summary: 'Begin to add a passkey',
    description: 'Answer within five minutes.',
    security: bySession,
    body: Type.Object({}, { additionalProperties: false }),
    response: {
      200: jsonResponse(RegistrationOptions, {
        description: 'What the authenticator makes.',
        example: { options: { rp: { id: 'pdf.example.com', name: 'Platen' }, challenge: 'q83v…' } },
      }),
      ...changeErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const addPasskey = {
  method: 'POST',
  path: '/account/v1/passkeys',
  roles: everyMember,
  schema: {
    operationId: 'addPasskey',
    tags: ['session'],
    summary: 'Add a passkey',
    description: 'At most ten.',
    security: bySession,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the passkey.' }),
        response: attestation,
      },
      { additionalProperties: false },
    ),
    response: {
      201: jsonResponse(Passkey, { description: 'The passkey.', example: passkeyExample }),
      ...changeErrors,
      ...notAcceptedErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const removePasskey = {
  method: 'DELETE',
  path: '/account/v1/passkeys/:passkey',
  roles: everyMember,
  schema: {
    operationId: 'removePasskey',
    tags: ['session'],
    summary: 'Remove a passkey',
    description: 'Ends your other sessions. The last passkey stays.',
    security: bySession,
    params: Type.Object({
      passkey: Type.String({ minLength: 1, maxLength: 1_400, description: 'Id of the passkey.' }),
    }),
    response: { 204: emptyResponse('Removed.'), ...changeErrors, ...notFound(noPasskey) },
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
        description: 'They.',
        example: {
          sessions: [
            {
              id: 'ses_0f1e2d3c4b5a697887',
              signedInAt: '2026-11-21T08:00:00.000Z',
              idleUntil: '2026-11-21T08:30:00.000Z',
              expiresAt: '2026-11-21T20:00:00.000Z',
              address: '192.0.2.7',
              agent: 'Mozilla/5.0 (X11; Linux x86_64)',
              current: true,
            },
          ],
        },
      }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const endListedSession = {
  method: 'DELETE',
  path: '/account/v1/sessions/:session',
  roles: everyMember,
  schema: {
    operationId: 'endListedSession',
    tags: ['session'],
    summary: 'End one of your sessions',
    description: 'On every server at once.',
    security: bySession,
    params: Type.Object({
      session: Type.String({ pattern: '^ses_[0-9a-f]{18}$', description: 'Id of the session.' }),
    }),
    response: { 204: emptyResponse('Ended.'), ...changeErrors, ...notFound(noSession) },
  },
} as const satisfies ConsoleOperation;
