/** /account/v1/oidc: signing in at the OpenID Connect issuer, and its logout. */
import { Type } from 'typebox';
import { role } from '../../operations/members.ts';
import { closed } from '../../operations/schema.ts';
import { emptyResponse, jsonResponse } from '../contract/responses.ts';
import { setCookie } from '../operator/sign-in/bodies.contract.ts';
import { beginOperatorOidc, signInOperatorByOidc } from '../operator/sign-in.contract.ts';
import { byNobody, type ConsoleOperation, forMembers, logoutErrors, oidcErrors } from './operation.ts';
import { sessionAnswer } from './session.contract.ts';

export const OidcChoices = Type.Object(
  {
    accounts: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of the account.' }),
        name: Type.String({ description: 'Name of the account.' }),
        role,
        isNew: Type.Boolean({ description: 'Whether choosing it accepts an invitation.' }),
      }),
    ),
  },
  { $id: 'OidcChoices', description: 'The accounts of one e-mail address.' },
);

export const beginOidc = forMembers(beginOperatorOidc, 'beginOidc', {
  200: beginOperatorOidc.schema.response[200],
  ...oidcErrors,
});

export const signInByOidc = forMembers(
  signInOperatorByOidc,
  'signInByOidc',
  {
    200: jsonResponse(OidcChoices, {
      description: 'Not signed in yet: choose an account.',
      example: {
        accounts: [
          { id: 'acme', name: 'Acme Ltd', role: 'owner', isNew: false },
          { id: 'globex', name: 'Globex', role: 'billing', isNew: true },
        ],
      },
      headers: setCookie('The cookie of this sign-in.'),
    }),
    201: sessionAnswer('Signed in.'),
    ...oidcErrors,
  },
  {
    description:
      'Works once. The verified e-mail address is that of a member, or of an open invitation, which this accepts. An address ' +
      'with several accounts has to choose one.',
  },
);

export const chooseAccount = {
  method: 'POST',
  path: '/account/v1/oidc/choice',
  roles: 'anybody',
  schema: {
    operationId: 'chooseAccount',
    tags: ['session'],
    summary: 'Choose one of several accounts, and sign in',
    description: 'Works once, after the identity provider has named a person with several accounts.',
    security: byNobody,
    body: closed({
      account: Type.String({ minLength: 1, maxLength: 63, description: 'Id of the account.' }),
    }),
    response: { 201: sessionAnswer('Signed in.'), ...oidcErrors },
  },
} as const satisfies ConsoleOperation;

export const logoutByIssuer = {
  method: 'POST',
  path: '/account/v1/oidc/logout',
  roles: 'anybody',
  schema: {
    operationId: 'logoutByIssuer',
    tags: ['session'],
    summary: 'End sessions that began at the identity provider',
    description: 'For the identity provider: OpenID Connect Back-Channel Logout 1.0.',
    security: byNobody,
    consumes: ['application/x-www-form-urlencoded'],
    body: Type.Object({
      logout_token: Type.String({
        minLength: 1,
        maxLength: 16_000,
        description: 'Signed by the identity provider.',
      }),
    }),
    response: { 200: emptyResponse('Ended.'), ...logoutErrors },
  },
} as const satisfies ConsoleOperation;
