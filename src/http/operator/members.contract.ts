/** /operator/v1/accounts/:account/members: who may sign in to the console of an account. */

import { Type } from 'typebox';
import { roles } from '../../members/member.ts';
import { madeBy, memberMakerExample } from '../../operations/made-by.ts';
import { named, orNull, time, timeOrNull, words } from '../../operations/schema.ts';
import { emptyResponse, jsonResponse } from '../contract/responses.ts';
import { accountNotFound, accountParams } from './accounts.contract.ts';
import { byOperator, changeErrors, notFound, type OperatorOperation, readErrors } from './operation.ts';

export const noMember = 'There is no such member.';
export const noInvitation = 'There is no such open invitation.';

export const role = words(roles, {
  description: '`owner`: all; `developer`: keys and requests; `billing`: what is used, and its export.',
});

export const memberId = Type.String({
  pattern: '^mem_[0-9a-f]{18}$',
  description: 'Id of the member.',
  examples: ['mem_4f1c0a9be27d38560c'],
});

export const invitationId = Type.String({
  pattern: '^inv_[0-9a-f]{18}$',
  description: 'Id of the invitation.',
  examples: ['inv_4f1c0a9be27d38560c'],
});

export const Member = Type.Object(
  {
    id: Type.String({ description: 'Id of the member.' }),
    name: Type.String({ description: 'Name of the person.' }),
    email: Type.String({ description: 'E-mail address.' }),
    role,
    passkeys: Type.Integer({ minimum: 0, description: 'Number of passkeys.' }),
    joinedAt: time('When the first invitation was accepted.'),
    lastSignInAt: timeOrNull('Time of the last sign-in.'),
  },
  { $id: 'Member', description: 'Somebody who may sign in to the console of an account.' },
);

export const Invitation = Type.Object(
  {
    id: Type.String({ description: 'Id of the invitation.' }),
    email: Type.String({ description: 'E-mail address of who is invited.' }),
    role,
    member: orNull(Type.String(), 'Id of the member whose passkeys it replaces. `null`: it makes a member.'),
    createdAt: time('When it was made.'),
    expiresAt: time(
      'Until when it can be accepted. It ends before if a member made it who loses the role `owner`.',
    ),
    madeBy,
  },
  { $id: 'Invitation', description: 'An invitation that nobody has accepted yet.' },
);

export const MemberList = Type.Object(
  {
    members: Type.Array(named(Member), { description: 'In the order in which they joined.' }),
    invitations: Type.Array(named(Invitation), { description: 'Open ones, the newest first.' }),
  },
  { $id: 'MemberList', description: 'The members of an account, and who is invited.' },
);

export const CreatedInvitation = Type.Object(
  {
    ...Invitation.properties,
    link: Type.String({
      description:
        'For who is invited, and nobody else: whoever opens it first registers a passkey. Shown once.',
    }),
    mailed: orNull(Type.Boolean(), 'Whether a mail server took it for them. `null`: the service has none.'),
  },
  { $id: 'CreatedInvitation', description: 'A new invitation.' },
);

export const invitationBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, description: 'E-mail address of who is invited.' }),
    role,
  },
  { additionalProperties: false },
);

export const roleBody = Type.Object({ role }, { additionalProperties: false });

const memberExample = {
  id: 'mem_4f1c0a9be27d38560c',
  name: 'Anna Smith',
  email: 'anna@example.com',
  role: 'owner',
  passkeys: 1,
  joinedAt: '2026-11-21T08:00:00.000Z',
  lastSignInAt: '2026-11-23T08:00:00.000Z',
};
const invitationExample = {
  id: 'inv_b7706e1f55aa4c2d19',
  email: 'ben@example.com',
  role: 'developer',
  member: null,
  createdAt: '2026-11-23T08:00:00.000Z',
  expiresAt: '2026-11-30T08:00:00.000Z',
  madeBy: memberMakerExample,
};

export const memberAnswer = jsonResponse(Member, { description: 'The member.', example: memberExample });
export const memberListAnswer = jsonResponse(MemberList, {
  description: 'The members.',
  example: { members: [memberExample], invitations: [invitationExample] },
});
export const invitationAnswer = jsonResponse(CreatedInvitation, {
  description: 'The invitation.',
  example: { ...invitationExample, link: 'https://pdf.example.com/console/invite#3q2-7w…', mailed: null },
});

const memberParams = Type.Object({ ...accountParams.properties, member: memberId });
const memberNotFound = notFound('There is no such account or member.');

export const listMembersOf = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/members',
  schema: {
    operationId: 'listMembersOf',
    tags: ['accounts'],
    summary: 'The members of an account',
    description: 'Those who may sign in to its console, and who is invited.',
    security: byOperator,
    params: accountParams,
    response: { 200: memberListAnswer, ...readErrors, ...accountNotFound },
  },
} as const satisfies OperatorOperation;

export const inviteMemberTo = {
  method: 'POST',
  path: '/operator/v1/accounts/:account/invitations',
  schema: {
    operationId: 'inviteMemberTo',
    tags: ['accounts'],
    summary: 'Invite somebody to an account',
    description:
      'Returns a link, this once, which is valid for seven days and can be used once. A former invitation of the same ' +
      'address ends.',
    security: byOperator,
    params: accountParams,
    body: invitationBody,
    response: { 201: invitationAnswer, ...changeErrors, ...accountNotFound },
  },
} as const satisfies OperatorOperation;

export const withdrawInvitationOf = {
  method: 'DELETE',
  path: '/operator/v1/accounts/:account/invitations/:invitation',
  schema: {
    operationId: 'withdrawInvitationOf',
    tags: ['accounts'],
    summary: 'Withdraw an invitation',
    description: 'Its link does not work any more.',
    security: byOperator,
    params: Type.Object({ ...accountParams.properties, invitation: invitationId }),
    response: { 204: emptyResponse('Withdrawn.'), ...changeErrors, ...notFound(noInvitation) },
  },
} as const satisfies OperatorOperation;

export const inviteMemberAgain = {
  method: 'POST',
  path: '/operator/v1/accounts/:account/members/:member/invitation',
  schema: {
    operationId: 'inviteMemberAgain',
    tags: ['accounts'],
    summary: 'A link for a member who lost their passkey',
    description:
      'The link works like that of an invitation. The passkey that it registers replaces the others and ends all sessions.',
    security: byOperator,
    params: memberParams,
    response: { 201: invitationAnswer, ...changeErrors, ...memberNotFound },
  },
} as const satisfies OperatorOperation;

export const setMemberRole = {
  method: 'PUT',
  path: '/operator/v1/accounts/:account/members/:member/role',
  schema: {
    operationId: 'setMemberRole',
    tags: ['accounts'],
    summary: 'Change the role of a member',
    description:
      'Takes effect with the next request. Invitations that they made end unless the role is `owner`. The last owner stays one.',
    security: byOperator,
    params: memberParams,
    body: roleBody,
    response: { 200: memberAnswer, ...changeErrors, ...memberNotFound },
  },
} as const satisfies OperatorOperation;

export const removeMemberOf = {
  method: 'DELETE',
  path: '/operator/v1/accounts/:account/members/:member',
  schema: {
    operationId: 'removeMemberOf',
    tags: ['accounts'],
    summary: 'Remove a member',
    description:
      'Ends their sessions, their passkeys and the invitations that they made at once. Keys and webhooks that they made go on. The ' +
      'last owner stays.',
    security: byOperator,
    params: memberParams,
    response: { 204: emptyResponse('Removed.'), ...changeErrors, ...memberNotFound },
  },
} as const satisfies OperatorOperation;
