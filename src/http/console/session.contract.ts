/** /account/v1/session and /account/v1/invitation: signing in, and accepting an invitation. */
import { Type } from 'typebox';
import { Member, role } from '../../operations/members.ts';
import { everyMember } from '../../operations/operation.ts';
import { invitationId } from '../../operations/people.ts';
import { named, orNull, time, timeOrNull } from '../../operations/schema.ts';
import { emptyResponse, jsonResponse } from '../contract/responses.ts';
import { passedOn, setCookie } from '../operator/sign-in/bodies.contract.ts';
import {
  acceptOperatorInvitation,
  beginOperatorSession,
  openInvitationExample,
  readOperatorInvitation,
  startOperatorSignIn,
} from '../operator/sign-in.contract.ts';
import {
  bySession,
  type ConsoleOperation,
  forMembers,
  NOT_OPEN,
  notFound,
  ownErrors,
  readErrors,
  signInErrors,
} from './operation.ts';

export const ConsoleSession = Type.Object(
  {
    id: Type.String({ description: 'Id of the session, as in the list of sessions.' }),
    now: time('Time of the server.'),
    signedInAt: time('When the session began.'),
    idleUntil: time('When it ends if it is not used before.'),
    expiresAt: time('When it ends in any case.'),
    csrfToken: Type.String({
      description: 'Send it as `X-CSRF-Token` with changing requests of this session.',
    }),
    account: Type.Object({
      id: Type.String({ description: 'Id of the account.' }),
      name: Type.String({ description: 'Name of the account.' }),
      suspendedAt: timeOrNull('Since when it is suspended. `null`: it is not.'),
      deletesAt: timeOrNull('When all its data is removed. `null`: it is not to be deleted.'),
    }),
    member: named(Member),
    banner: orNull(Type.String(), 'What the operator tells all customers. `null`: nothing.'),
    may: Type.Array(Type.String(), {
      description:
        'The `operationId` of all that this role may call. Those that change the account are missing while it is suspended ' +
        'or will be deleted.',
    }),
  },
  { $id: 'ConsoleSession', description: 'Who is signed in, to which account, and for how long.' },
);

export const OpenInvitation = Type.Object(
  {
    id: invitationId,
    account: Type.String({ description: 'Name of the account.' }),
    email: Type.String({ description: 'E-mail address of who is invited.' }),
    role,
    name: orNull(Type.String(), 'Name of the member whose passkeys it replaces. `null`: it makes a member.'),
    expiresAt: time('Until when it can be accepted.'),
    options: Type.Optional(
      passedOn('`PublicKeyCredentialCreationOptionsJSON` (WebAuthn). Missing: passkeys are turned off.'),
    ),
  },
  {
    $id: 'OpenInvitation',
    description: 'An invitation, and what a browser asks an authenticator to make for it.',
  },
);

const sessionExample = {
  id: 'ses_0f1e2d3c4b5a697887',
  now: '2026-11-21T08:00:00.000Z',
  signedInAt: '2026-11-21T08:00:00.000Z',
  idleUntil: '2026-11-21T08:30:00.000Z',
  expiresAt: '2026-11-21T20:00:00.000Z',
  csrfToken: 'WqGSmTHxNB5VYAT4Xz1JlJkZC0bAuhQmnhLMgBrP3MI',
  account: { id: 'acme', name: 'Acme Ltd', suspendedAt: null, deletesAt: null },
  member: {
    id: 'mem_4f1c0a9be27d38560c',
    name: 'Anna Smith',
    email: 'anna@example.com',
    role: 'billing',
    passkeys: 1,
    joinedAt: '2026-11-21T08:00:00.000Z',
    lastSignInAt: '2026-11-21T08:00:00.000Z',
  },
  banner: null,
  may: ['getOwnSession', 'getOwnUsage'],
};
export const sessionAnswer = (description: string) =>
  jsonResponse(ConsoleSession, {
    description,
    example: sessionExample,
    headers: setCookie('The cookie of the session.'),
  });

export const startSignIn = forMembers(startOperatorSignIn, 'startSignIn', {
  200: startOperatorSignIn.schema.response[200],
  ...signInErrors,
});

export const beginSession = forMembers(
  beginOperatorSession,
  'beginSession',
  { 201: sessionAnswer('Signed in.'), ...signInErrors },
  { path: '/account/v1/session' },
);

export const readInvitation = forMembers(readOperatorInvitation, 'readInvitation', {
  200: jsonResponse(OpenInvitation, {
    description: 'The invitation.',
    example: { ...openInvitationExample, account: 'Acme Ltd', email: 'anna@example.com', role: 'owner' },
  }),
  ...signInErrors,
  ...notFound(NOT_OPEN),
});

export const acceptInvitation = forMembers(acceptOperatorInvitation, 'acceptInvitation', {
  201: sessionAnswer('Accepted, and signed in.'),
  ...signInErrors,
  ...notFound(NOT_OPEN),
});

export const getOwnSession = {
  method: 'GET',
  path: '/account/v1/session',
  roles: everyMember,
  schema: {
    operationId: 'getOwnSession',
    tags: ['session'],
    summary: 'Who is signed in, until when, and the CSRF token',
    description: 'This request counts as a use of the session.',
    security: bySession,
    response: {
      200: jsonResponse(ConsoleSession, { description: 'Signed in.', example: sessionExample }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const endOwnSession = {
  method: 'DELETE',
  path: '/account/v1/session',
  roles: everyMember,
  own: true,
  schema: {
    operationId: 'endOwnSession',
    tags: ['session'],
    summary: 'Sign out',
    description: 'Ends the session, on every server at once, and removes the cookie.',
    security: bySession,
    response: {
      204: emptyResponse('Signed out.', setCookie('Removes the cookie of the session.')),
      ...ownErrors,
    },
  },
} as const satisfies ConsoleOperation;
