/** /account/v1/members: members of the account, and invitations. */

import { Type } from 'typebox';
import { keepers, owners } from '../../operations/operation.ts';
import { emptyResponse } from '../contract/responses.ts';
import {
  invitationAnswer,
  invitationBody,
  invitationId,
  memberAnswer,
  memberId,
  memberListAnswer,
  noInvitation,
  noMember,
  removeMemberOf,
  roleBody,
  setMemberRole,
} from '../operator/members.contract.ts';
import { bySession, type ConsoleOperation, changeErrors, notFound, readErrors } from './operation.ts';

const memberParams = Type.Object({ member: memberId });
const memberNotFound = notFound(noMember);

export const listMembers = {
  method: 'GET',
  path: '/account/v1/members',
  roles: keepers,
  schema: {
    operationId: 'listMembers',
    tags: ['members'],
    summary: 'The members of the account',
    description: 'And who is invited.',
    security: bySession,
    response: { 200: memberListAnswer, ...readErrors },
  },
} as const satisfies ConsoleOperation;

export const inviteMember = {
  method: 'POST',
  path: '/account/v1/invitations',
  roles: owners,
  schema: {
    operationId: 'inviteMember',
    tags: ['members'],
    summary: 'Invite somebody',
    description:
      'Returns a link, this once, which is valid for seven days and can be used once. A former invitation of the same ' +
      'address ends.',
    security: bySession,
    body: invitationBody,
    response: { 201: invitationAnswer, ...changeErrors },
  },
} as const satisfies ConsoleOperation;

export const withdrawInvitation = {
  method: 'DELETE',
  path: '/account/v1/invitations/:invitation',
  roles: owners,
  schema: {
    operationId: 'withdrawInvitation',
    tags: ['members'],
    summary: 'Withdraw an invitation',
    description: 'Its link does not work any more.',
    security: bySession,
    params: Type.Object({ invitation: invitationId }),
    response: { 204: emptyResponse('Withdrawn.'), ...changeErrors, ...notFound(noInvitation) },
  },
} as const satisfies ConsoleOperation;

export const inviteAgain = {
  method: 'POST',
  path: '/account/v1/members/:member/invitation',
  roles: owners,
  schema: {
    operationId: 'inviteAgain',
    tags: ['members'],
    summary: 'A link for a member who lost their passkey',
    description:
      'The link works like that of an invitation. The passkey that it registers replaces the others and ends all sessions.',
    security: bySession,
    params: memberParams,
    response: { 201: invitationAnswer, ...changeErrors, ...memberNotFound },
  },
} as const satisfies ConsoleOperation;

export const setRole = {
  method: 'PUT',
  path: '/account/v1/members/:member/role',
  roles: owners,
  schema: {
    operationId: 'setRole',
    tags: ['members'],
    summary: 'Change the role of a member',
    description: setMemberRole.schema.description,
    security: bySession,
    params: memberParams,
    body: roleBody,
    response: { 200: memberAnswer, ...changeErrors, ...memberNotFound },
  },
} as const satisfies ConsoleOperation;

export const removeMember = {
  method: 'DELETE',
  path: '/account/v1/members/:member',
  roles: owners,
  schema: {
    operationId: 'removeMember',
    tags: ['members'],
    summary: 'Remove a member',
    description: removeMemberOf.schema.description,
    security: bySession,
    params: memberParams,
    response: { 204: emptyResponse('Removed.'), ...changeErrors, ...memberNotFound },
  },
} as const satisfies ConsoleOperation;

export const endSessionsOf = {
  method: 'DELETE',
  path: '/account/v1/members/:member/sessions',
  roles: owners,
  schema: {
    operationId: 'endSessionsOf',
    tags: ['members'],
    summary: 'End all sessions of a member',
    description: 'On every server at once.',
    security: bySession,
    params: memberParams,
    response: { 204: emptyResponse('Ended.'), ...changeErrors, ...memberNotFound },
  },
} as const satisfies ConsoleOperation;
