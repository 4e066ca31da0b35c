/** /operator/v1/operators: who may sign in to the dashboard. */

import { Type } from 'typebox';
import { operatorRoles } from '../../members/member.ts';
import { madeBy } from '../../operations/made-by.ts';
import { named, orNull, time, timeOrNull, words } from '../../operations/schema.ts';
import { emptyResponse, jsonResponse } from '../contract/responses.ts';
import { invitationId, noInvitation } from './members.contract.ts';
import { byOperator, changeErrors, notFound, type OperatorOperation, readErrors } from './operation.ts';

export const noOperator = 'There is no such operator.';

export const operatorRole = words(operatorRoles, {
  description: '`admin`: all; `support`: reads all, changes nothing, and is never shown a key.',
});

const operatorId = Type.String({
  pattern: '^op_[0-9a-f]{18}$',
  description: 'Id of the operator.',
  examples: ['op_4f1c0a9be27d38560c'],
});

export const OperatorPerson = Type.Object(
  {
    id: Type.String({ description: 'Id of the operator.' }),
    name: Type.String({ description: 'Name of the person.' }),
    email: Type.String({ description: 'E-mail address.' }),
    role: operatorRole,
    passkeys: Type.Integer({ minimum: 0, description: 'Number of passkeys.' }),
    joinedAt: time('When the first invitation was accepted.'),
    lastSignInAt: timeOrNull('Time of the last sign-in.'),
  },
  { $id: 'OperatorPerson', description: 'Somebody who may sign in to the dashboard.' },
);

export const OperatorInvitation = Type.Object(
  {
    id: Type.String({ description: 'Id of the invitation.' }),
    email: Type.String({ description: 'E-mail address of who is invited.' }),
    role: operatorRole,
    operator: orNull(
      Type.String(),
      'Id of the operator whose passkeys it replaces. `null`: it makes an operator.',
    ),
    createdAt: time('When it was made.'),
    expiresAt: time(
      'Until when it can be accepted. It ends before if an operator made it who loses the role `admin`.',
    ),
    madeBy,
  },
  { $id: 'OperatorInvitation', description: 'An invitation to the dashboard that nobody has accepted yet.' },
);

export const OperatorList = Type.Object(
  {
    operators: Type.Array(named(OperatorPerson), { description: 'In the order in which they joined.' }),
    invitations: Type.Array(named(OperatorInvitation), { description: 'Open ones, the newest first.' }),
  },
  { $id: 'OperatorList', description: 'The operators, and who is invited.' },
);

export const CreatedOperatorInvitation = Type.Object(
  {
    ...OperatorInvitation.properties,
    link: Type.String({
      description:
        'For who is invited, and nobody else: whoever opens it first registers a passkey. Shown once.',
    }),
    mailed: orNull(Type.Boolean(), 'Whether a mail server took it for them. `null`: the service has none.'),
  },
  { $id: 'CreatedOperatorInvitation', description: 'A new invitation to the dashboard.' },
);

export const operatorExample = {
  id: 'op_4f1c0a9be27d38560c',
  name: 'Olga Weber',
  email: 'olga@example.com',
  role: 'support',
  passkeys: 1,
  joinedAt: '2026-11-21T08:00:00.000Z',
  lastSignInAt: '2026-11-23T08:00:00.000Z',
};
const invitationExample = {
  id: 'inv_b7706e1f55aa4c2d19',
  email: 'paul@example.com',
  role: 'admin',
  operator: null,
  createdAt: '2026-11-23T08:00:00.000Z',
  expiresAt: '2026-11-30T08:00:00.000Z',
  madeBy: { by: 'operator', id: 'op_4f1c0a9be27d38560c', name: 'Olga Weber', email: 'olga@example.com' },
};
const invitationAnswer = jsonResponse(CreatedOperatorInvitation, {
  description: 'The invitation.',
  example: {
    ...invitationExample,
    link: 'https://pdf.example.com/dashboard/invite#3q2-7w…',
    mailed: null,
  },
});

const operatorParams = Type.Object({ operator: operatorId });
const operatorNotFound = notFound(noOperator);

export const listOperators = {
  method: 'GET',
  path: '/operator/v1/operators',
  schema: {
    operationId: 'listOperators',
    tags: ['operators'],
    summary: 'The operators',
    description: 'Those who may sign in to the dashboard by name, and who is invited.',
    security: byOperator,
    response: {
      200: jsonResponse(OperatorList, {
        description: 'The operators and invitations.',
        example: { operators: [operatorExample], invitations: [invitationExample] },
      }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const inviteOperator = {
  method: 'POST',
  path: '/operator/v1/invitations',
  schema: {
    operationId: 'inviteOperator',
    tags: ['operators'],
    summary: 'Invite an operator',
    description:
      'Returns a link, this once, which is valid for seven days and can be used once. A former invitation of the same ' +
      'address ends.',
    security: byOperator,
    body: Type.Object(
      {
        email: Type.String({
          minLength: 3,
          maxLength: 254,
          description: 'E-mail address of who is invited.',
        }),
        role: operatorRole,
      },
      { additionalProperties: false },
    ),
    response: { 201: invitationAnswer, ...changeErrors },
  },
} as const satisfies OperatorOperation;

export const withdrawOperatorInvitation = {
  method: 'DELETE',
  path: '/operator/v1/invitations/:invitation',
  schema: {
    operationId: 'withdrawOperatorInvitation',
    tags: ['operators'],
    summary: 'Withdraw the invitation of an operator',
    description: 'Its link does not work any more.',
    security: byOperator,
    params: Type.Object({ invitation: invitationId }),
    response: { 204: emptyResponse('Withdrawn.'), ...changeErrors, ...notFound(noInvitation) },
  },
} as const satisfies OperatorOperation;

export const inviteOperatorAgain = {
  method: 'POST',
  path: '/operator/v1/operators/:operator/invitation',
  schema: {
    operationId: 'inviteOperatorAgain',
    tags: ['operators'],
    summary: 'A link for an operator who lost their passkey',
    description:
      'The link works like that of an invitation. The passkey that it registers replaces the others and ends all sessions.',
    security: byOperator,
    params: operatorParams,
    response: { 201: invitationAnswer, ...changeErrors, ...operatorNotFound },
  },
} as const satisfies OperatorOperation;

export const setOperatorRole = {
  method: 'PUT',
  path: '/operator/v1/operators/:operator/role',
  schema: {
    operationId: 'setOperatorRole',
    tags: ['operators'],
    summary: 'Change the role of an operator',
    description:
      'Takes effect with the next request. Invitations that they made end unless the role is `admin`.',
    security: byOperator,
    params: operatorParams,
    body: Type.Object({ role: operatorRole }, { additionalProperties: false }),
    response: {
      200: jsonResponse(OperatorPerson, { description: 'The operator.', example: operatorExample }),
      ...changeErrors,
      ...operatorNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const removeOperator = {
  method: 'DELETE',
  path: '/operator/v1/operators/:operator',
  schema: {
    operationId: 'removeOperator',
    tags: ['operators'],
    summary: 'Remove an operator',
    description:
      'Ends their sessions, their passkeys and the invitations to the dashboard that they made at once. Invitations to accounts go ' +
      'on. The last one may go, as the operator token still works.',
    security: byOperator,
    params: operatorParams,
    response: { 204: emptyResponse('Removed.'), ...changeErrors, ...operatorNotFound },
  },
} as const satisfies OperatorOperation;

export const endSessionsOfOperator = {
  method: 'DELETE',
  path: '/operator/v1/operators/:operator/sessions',
  schema: {
    operationId: 'endSessionsOfOperator',
    tags: ['operators'],
    summary: 'End the sessions of an operator',
    description: 'On every server at once. Their passkeys stay.',
    security: byOperator,
    params: operatorParams,
    response: { 204: emptyResponse('Ended.'), ...changeErrors, ...operatorNotFound },
  },
} as const satisfies OperatorOperation;
