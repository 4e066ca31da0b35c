/** Signing in to the dashboard by name: with a passkey, by an invitation, or at the issuer of OpenID Connect. */
import { Type } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { operatorRole } from '../../operations/operators.ts';
import { invitationId } from '../../operations/people.ts';
import { orNull, time } from '../../operations/schema.ts';
import { errorResponses, jsonResponse } from '../contract/responses.ts';
import { bySignIn, NOT_JSON, NOT_SAME_ORIGIN, notFound, type OperatorOperation } from './operation.ts';
import { sessionAnswer } from './session.contract.ts';
import {
  acceptBody,
  answerBody,
  emptyBody,
  OidcStart,
  passedOn,
  SignInOptions,
  setCookie,
  signInBody,
  tokenBody,
} from './sign-in/bodies.contract.ts';
import { ISSUER_AWAY, OIDC_REFUSED } from './sign-in/words.ts';

export const NOT_ACCEPTED =
  'This passkey was not accepted. Try again, or ask another operator for a new link.';
export const NOT_OPEN =
  'This invitation is not valid: it was used or withdrawn, or is older than seven days. Ask for a new one.';
export const OIDC_ONLY =
  'Passkeys are turned off here: operators sign in at the identity provider of this service.';
export const NO_OIDC = 'This service has no identity provider: operators sign in with passkeys.';
export const NOT_AN_OPERATOR =
  'Nobody with your e-mail address is an operator here. Ask another operator to invite that address.';

export const OpenOperatorInvitation = Type.Object(
  {
    id: invitationId,
    email: Type.String({ description: 'E-mail address of who is invited.' }),
    role: operatorRole,
    name: orNull(
      Type.String(),
      'Name of the operator whose passkeys it replaces. `null`: it makes an operator.',
    ),
    expiresAt: time('Until when it can be accepted.'),
    options: Type.Optional(
      passedOn('`PublicKeyCredentialCreationOptionsJSON` (WebAuthn). Missing: passkeys are turned off.'),
    ),
  },
  {
    $id: 'OpenOperatorInvitation',
    description: 'An invitation to the dashboard, and what a browser asks an authenticator to make for it.',
  },
);

export const openInvitationExample = {
  id: 'inv_b7706e1f55aa4c2d19',
  email: 'paul@example.com',
  role: 'admin',
  name: null,
  expiresAt: '2026-11-30T08:00:00.000Z',
  options: { rp: { id: 'pdf.example.com', name: 'Platen' }, challenge: 'q83v…' },
};

const others = (away: PlatenError) =>
  errorResponses('Operator', [
    'INVALID_PARAMETER',
    new PlatenError('INVALID_REQUEST', { message: NOT_JSON }),
    new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN }),
    'RATE_LIMIT_EXCEEDED',
    'OVERLOADED',
    away,
  ]);
const refused = (message: string) =>
  errorResponses('SignIn', [new PlatenError('INVALID_API_KEY', { message })]);
const passkeyErrors = { ...refused(NOT_ACCEPTED), ...others(new PlatenError('SERVICE_UNAVAILABLE')) };
const oidcErrors = {
  ...refused(OIDC_REFUSED),
  ...others(new PlatenError('SERVICE_UNAVAILABLE', { message: ISSUER_AWAY })),
  ...notFound(NO_OIDC),
};

export const startOperatorSignIn = {
  method: 'POST',
  path: '/operator/v1/sign-in',
  schema: {
    operationId: 'startOperatorSignIn',
    tags: ['session'],
    summary: 'Begin to sign in with a passkey',
    description: 'The passkey says who it is of. Answer within five minutes.',
    security: bySignIn,
    body: emptyBody,
    response: {
      200: jsonResponse(SignInOptions, {
        description: 'What to ask the authenticator.',
        example: { options: { rpId: 'pdf.example.com', challenge: 'q83v…', userVerification: 'required' } },
      }),
      ...passkeyErrors,
    },
  },
} as const satisfies OperatorOperation;

export const beginOperatorSession = {
  method: 'POST',
  path: '/operator/v1/sign-in/session',
  schema: {
    operationId: 'beginOperatorSession',
    tags: ['session'],
    summary: 'Sign in with a passkey',
    description:
      'Creates a session and sets its cookie, which page scripts cannot read. It ends after 30 minutes without a ' +
      'request, and after 12 hours in any case.',
    security: bySignIn,
    body: signInBody,
    response: { 201: sessionAnswer('Signed in.'), ...passkeyErrors },
  },
} as const satisfies OperatorOperation;

export const readOperatorInvitation = {
  method: 'POST',
  path: '/operator/v1/invitation',
  schema: {
    operationId: 'readOperatorInvitation',
    tags: ['session'],
    summary: 'Look at an invitation',
    description: 'The token is in the body, so that no log has it.',
    security: bySignIn,
    body: tokenBody,
    response: {
      200: jsonResponse(OpenOperatorInvitation, {
        description: 'The invitation.',
        example: openInvitationExample,
      }),
      ...passkeyErrors,
      ...notFound(NOT_OPEN),
    },
  },
} as const satisfies OperatorOperation;

export const acceptOperatorInvitation = {
  method: 'POST',
  path: '/operator/v1/invitation/accept',
  schema: {
    operationId: 'acceptOperatorInvitation',
    tags: ['session'],
    summary: 'Accept an invitation with a new passkey',
    description: 'Uses the invitation up, and signs in.',
    security: bySignIn,
    body: acceptBody,
    response: { 201: sessionAnswer('Accepted, and signed in.'), ...passkeyErrors, ...notFound(NOT_OPEN) },
  },
} as const satisfies OperatorOperation;

export const beginOperatorOidc = {
  method: 'POST',
  path: '/operator/v1/oidc',
  schema: {
    operationId: 'beginOperatorOidc',
    tags: ['session'],
    summary: 'Begin to sign in at the identity provider',
    description:
      'Sets a cookie for ten minutes: only the browser that begins can go on. OpenID Connect, with PKCE.',
    security: bySignIn,
    body: emptyBody,
    response: {
      200: jsonResponse(OidcStart, {
        description: 'Where to go.',
        example: { url: 'https://login.example.com/auth?client_id=platen&response_type=code&state=q83v' },
        headers: setCookie('The cookie of this sign-in.'),
      }),
      ...oidcErrors,
    },
  },
} as const satisfies OperatorOperation;

export const signInOperatorByOidc = {
  method: 'POST',
  path: '/operator/v1/oidc/session',
  schema: {
    operationId: 'signInOperatorByOidc',
    tags: ['session'],
    summary: 'Sign in with what the identity provider sent back',
    description:
      'Works once. The verified e-mail address is that of an operator, or of an open invitation, which this accepts.',
    security: bySignIn,
    body: answerBody,
    response: { 201: sessionAnswer('Signed in.'), ...oidcErrors },
  },
} as const satisfies OperatorOperation;
