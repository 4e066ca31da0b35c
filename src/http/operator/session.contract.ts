/** /operator/v1/session: signing in and out. */
import { Type } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { OperatorPerson, operatorExample, operatorRole } from '../../operations/operators.ts';
import { closed, named, orNull, time, timeOrNull, words } from '../../operations/schema.ts';
import { emptyResponse, errorResponses, jsonResponse } from '../contract/responses.ts';
import {
  byOperator,
  bySignIn,
  changeErrors,
  NOT_JSON,
  NOT_SAME_ORIGIN,
  NOT_THE_TOKEN,
  type OperatorOperation,
  readErrors,
} from './operation.ts';
import { setCookie } from './sign-in/bodies.contract.ts';

const path = '/operator/v1/session';

export const Session = Type.Object(
  {
    by: words(['session', 'token'], {
      description:
        'How the operator proves who they are: with the cookie of a session, or with the token itself.',
    }),
    id: orNull(Type.String(), 'Id of the session, as in the list of sessions. `null` for a token.'),
    role: operatorRole,
    operator: orNull(named(OperatorPerson), 'Who is signed in. `null`: whoever has the token, an admin.'),
    now: time('Time of the server.'),
    signedInAt: timeOrNull('When the session began. `null` for a token.'),
    idleUntil: timeOrNull('When it ends if it is not used before. `null` for a token.'),
    expiresAt: timeOrNull('When it ends in any case. `null` for a token.'),
    csrfToken: orNull(
      Type.String(),
      'Send it as `X-CSRF-Token` with changing requests of this session. `null` for a token.',
    ),
  },
  { $id: 'Session', description: 'Who is signed in, and for how long.' },
);

const example = {
  by: 'session',
  id: 'ses_0f1e2d3c4b5a697887',
  role: 'support',
  operator: operatorExample,
  now: '2026-11-21T08:00:00.000Z',
  signedInAt: '2026-11-21T08:00:00.000Z',
  idleUntil: '2026-11-21T08:30:00.000Z',
  expiresAt: '2026-11-21T20:00:00.000Z',
  csrfToken: 'WqGSmTHxNB5VYAT4Xz1JlJkZC0bAuhQmnhLMgBrP3MI',
};

export const sessionAnswer = (description: string) =>
  jsonResponse(Session, { description, example, headers: setCookie('The cookie of the session.') });

export const signIn = {
  method: 'POST',
  path,
  schema: {
    operationId: 'signIn',
    tags: ['session'],
    summary: 'Sign in with the operator token',
    description:
      'Creates a session and sets its cookie, which page scripts cannot read. A session ends after 30 ' +
      'minutes without a request, after 12 hours in any case, and when the operator token changes. Failed ' +
      'attempts of an address are limited, together with those of API keys.',
    security: bySignIn,
    body: closed({
      token: Type.String({ minLength: 1, maxLength: 1_000, description: 'The operator token.' }),
    }),
    response: {
      201: sessionAnswer('Signed in.'),
      ...errorResponses('SignIn', [new PlatenError('INVALID_API_KEY', { message: NOT_THE_TOKEN })]),
      ...errorResponses('Operator', [
        'INVALID_PARAMETER',
        new PlatenError('INVALID_REQUEST', { message: NOT_JSON }),
        new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN }),
        'RATE_LIMIT_EXCEEDED',
        'OVERLOADED',
        'SERVICE_UNAVAILABLE',
      ]),
    },
  },
} as const satisfies OperatorOperation;

export const getSession = {
  method: 'GET',
  path,
  schema: {
    operationId: 'getSession',
    tags: ['session'],
    summary: 'Who is signed in, until when, and the CSRF token',
    description: 'This request counts as a use of the session.',
    security: byOperator,
    response: { 200: jsonResponse(Session, { description: 'Signed in.', example }), ...readErrors },
  },
} as const satisfies OperatorOperation;

export const signOut = {
  method: 'DELETE',
  path,
  schema: {
    operationId: 'signOut',
    tags: ['session'],
    summary: 'Sign out',
    description: 'Ends the session, on every server at once, and removes the cookie.',
    security: byOperator,
    response: {
      204: emptyResponse('Signed out.', setCookie('Removes the cookie of the session.')),
      ...changeErrors,
    },
  },
} as const satisfies OperatorOperation;
