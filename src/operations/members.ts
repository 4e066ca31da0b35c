/** Members of accounts: who may sign in to the console. */
import { type Static, Type } from 'typebox';
import { roles } from '../members/member.ts';
import type { Roster } from '../members/roster.ts';
import type { Actor } from '../operator/audit-entry.ts';
import { memberMakerExample } from './made-by.ts';
import {
  admins,
  type DeepReadonly,
  everyOperator,
  keepers,
  nothing,
  operation,
  owners,
} from './operation.ts';
import {
  describeInvitation,
  describePerson,
  invitationBody,
  invitationFields,
  invitationId,
  linkFields,
  personFields,
  roleBody,
  sent,
} from './people.ts';
import { id, named, orNull, words } from './schema.ts';

export const role = words(roles, {
  description: '`owner`: all; `developer`: keys and requests; `billing`: what is used, and its export.',
});

export const Member = Type.Object(personFields('member', role), {
  $id: 'Member',
  description: 'Somebody who may sign in to the console of an account.',
});

const known = {
  member: orNull(Type.String(), 'Id of the member whose passkeys it replaces. `null`: it makes a member.'),
};

export const Invitation = Type.Object(
  invitationFields(
    role,
    known,
    'Until when it can be accepted. It ends before if a member made it who loses the role `owner`.',
  ),
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
  { ...Invitation.properties, ...linkFields },
  { $id: 'CreatedInvitation', description: 'A new invitation.' },
);

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
const invited = {
  status: 201,
  body: CreatedInvitation,
  description: 'The invitation.',
  example: { ...invitationExample, link: 'https://pdf.example.com/console/invite#3q2-7w…', mailed: null },
} as const;

const params = Type.Object({
  member: id('mem', 18, 'Id of the member.', 'mem_4f1c0a9be27d38560c'),
});
/** Group of the console's document. */
const tag = 'members';

export const listMembers = operation({
  method: 'GET',
  path: '/members',
  tag: 'accounts',
  says: ['The members of an account', 'Those who may sign in to its console, and who is invited.'],
  operator: { id: 'listMembersOf', roles: everyOperator },
  member: {
    id: 'listMembers',
    roles: keepers,
    tag,
    summary: 'The members of the account',
    description: 'And those who are invited.',
  },
  account: 'path',
  answers: {
    body: MemberList,
    description: 'The members.',
    example: { members: [memberExample], invitations: [invitationExample] },
  },
  run: async ({ members }, { account, actor }) => describeRoster(await members.read(account.id), actor),
});

export const inviteMember = operation({
  method: 'POST',
  path: '/invitations',
  tag: 'accounts',
  says: [
    'Invite somebody to an account',
    'Returns a link, which is shown only here, is valid for seven days, and can be used once. A former invitation of the same ' +
      'address ends.',
  ],
  operator: { id: 'inviteMemberTo', roles: admins },
  member: { id: 'inviteMember', roles: owners, tag, summary: 'Invite somebody' },
  account: 'path',
  body: invitationBody(role),
  answers: invited,
  audit: 'member.invited',
  async run({ members, config }, { account, actor, port, body }) {
    const made = await members.invite(actor, account.id, body.email, body.role);
    return sent(members, made, account, { config, actor, port });
  },
});

export const withdrawInvitation = operation({
  method: 'DELETE',
  path: '/invitations/:invitation',
  tag: 'accounts',
  says: ['Withdraw an invitation', 'Its link no longer works.'],
  operator: { id: 'withdrawInvitationOf', roles: admins },
  member: { id: 'withdrawInvitation', roles: owners, tag },
  account: 'path',
  params: Type.Object({ invitation: invitationId }),
  answers: nothing('Withdrawn.'),
  missing: 'open invitation',
  audit: 'invitation.withdrawn',
  async run({ members }, { account, actor, params: { invitation } }) {
    await members.withdraw(actor, account.id, invitation);
    return null;
  },
});

export const inviteMemberAgain = operation({
  method: 'POST',
  path: '/members/:member/invitation',
  tag: 'accounts',
  says: [
    'A link for a member who lost their passkey',
    'The link works like that of an invitation. The passkey that it registers replaces the others and ends all sessions.',
  ],
  operator: { id: 'inviteMemberAgain', roles: admins },
  member: { id: 'inviteAgain', roles: owners, tag },
  account: 'path',
  params,
  answers: invited,
  missing: 'member',
  audit: 'member.invited',
  async run({ members, config }, { account, actor, port, params }) {
    const made = await members.inviteAgain(actor, account.id, params.member);
    return sent(members, made, account, { config, actor, port });
  },
});

export const setMemberRole = operation({
  method: 'PUT',
  path: '/members/:member/role',
  tag: 'accounts',
  says: [
    'Change the role of a member',
    'Takes effect with the next request. Invitations that they made end unless the role is `owner`. The last owner stays one.',
  ],
  operator: { id: 'setMemberRole', roles: admins },
  member: { id: 'setRole', roles: owners, tag },
  account: 'path',
  params,
  body: roleBody(role),
  answers: { body: Member, description: 'The member.', example: memberExample },
  missing: 'member',
  audit: 'member.role-changed',
  run: async ({ members }, { account, actor, params, body }) =>
    describePerson(await members.setRole(actor, account.id, params.member, body.role)),
});

export const removeMember = operation({
  method: 'DELETE',
  path: '/members/:member',
  tag: 'accounts',
  says: [
    'Remove a member',
    'Ends their sessions, their passkeys and the invitations that they made at once. Keys and webhooks that they made go on. The ' +
      'last owner stays.',
  ],
  operator: { id: 'removeMemberOf', roles: admins },
  member: { id: 'removeMember', roles: owners, tag },
  account: 'path',
  params,
  answers: nothing('Removed.'),
  missing: 'member',
  audit: 'member.removed',
  async run({ members }, { account, actor, params }) {
    await members.remove(actor, account.id, params.member);
    return null;
  },
});

export const endSessionsOfMember = operation({
  method: 'DELETE',
  path: '/members/:member/sessions',
  tag,
  says: ['End all sessions of a member', 'On every server at once.'],
  member: { id: 'endSessionsOf', roles: owners },
  account: 'path',
  params,
  answers: nothing('Ended.'),
  missing: 'member',
  audit: 'session.ended',
  async run({ members }, { account, actor, params }) {
    await members.endSessions(actor, account.id, params.member);
    return null;
  },
});

/** In the order of the OpenAPI documents. */
export const memberOperations = [
  listMembers,
  inviteMember,
  withdrawInvitation,
  inviteMemberAgain,
  setMemberRole,
  removeMember,
  endSessionsOfMember,
];

function describeRoster(
  { members, invitations }: Roster,
  viewer: Actor,
): DeepReadonly<Static<typeof MemberList>> {
  return {
    members: members.map(describePerson),
    invitations: invitations.map((invitation) => describeInvitation(invitation, viewer)),
  };
}
