/** Operators: who may sign in to the dashboard. */
import { Type } from 'typebox';
import { operatorRoles } from '../members/member.ts';
import { NO_ACCOUNT } from '../members/realm.ts';
import { admins, everyOperator, nothing, operation } from './operation.ts';
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

export const operatorRole = words(operatorRoles, {
  description:
    '`admin` may do everything; `support` reads everything, changes nothing, and is never shown a key.',
});

export const OperatorPerson = Type.Object(personFields('operator', operatorRole), {
  $id: 'OperatorPerson',
  description: 'Somebody who may sign in to the dashboard.',
});

const known = {
  operator: orNull(
    Type.String(),
    'Id of the operator whose passkeys it replaces. `null`: it makes an operator.',
  ),
};

export const OperatorInvitation = Type.Object(
  invitationFields(
    operatorRole,
    known,
    'Until when it can be accepted. It ends before if an operator made it who loses the role `admin`.',
  ),
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
  { ...OperatorInvitation.properties, ...linkFields },
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
const invited = {
  status: 201,
  body: CreatedOperatorInvitation,
  description: 'The invitation.',
  example: { ...invitationExample, link: 'https://pdf.example.com/dashboard/invite#3q2-7w…', mailed: null },
} as const;

const params = Type.Object({
  operator: id('op', 18, 'Id of the operator.', 'op_4f1c0a9be27d38560c'),
});

/** What an invitation is for, in messages. */
const SERVICE = { id: NO_ACCOUNT, name: 'Platen' };

/** An invitation names an operator where those of accounts name a member. */
const withOperator = <T extends { readonly member: string | null }>({ member, ...invitation }: T) => ({
  ...invitation,
  operator: member,
});

export const listOperators = operation({
  method: 'GET',
  path: '/operators',
  tag: 'operators',
  says: ['The operators', 'Those who may sign in to the dashboard by name, and who is invited.'],
  operator: { id: 'listOperators', roles: everyOperator },
  answers: {
    body: OperatorList,
    description: 'The operators and invitations.',
    example: { operators: [operatorExample], invitations: [invitationExample] },
  },
  async run({ operators }, { actor }) {
    const { members, invitations } = await operators.read(NO_ACCOUNT);
    return {
      operators: members.map(describePerson),
      invitations: invitations.map((each) => withOperator(describeInvitation(each, actor))),
    };
  },
});

export const inviteOperator = operation({
  method: 'POST',
  path: '/invitations',
  tag: 'operators',
  says: [
    'Invite an operator',
    'Returns a link, which is shown only here, is valid for seven days, and can be used once. A former invitation of the same ' +
      'address ends.',
  ],
  operator: { id: 'inviteOperator', roles: admins },
  body: invitationBody(operatorRole),
  answers: invited,
  audit: 'operator.invited',
  async run({ operators, config }, { actor, port, body }) {
    const made = await operators.invite(actor, NO_ACCOUNT, body.email, body.role);
    const send = sent(operators, made, SERVICE, { config, actor, port });
    return async () => withOperator(await send());
  },
});

export const withdrawOperatorInvitation = operation({
  method: 'DELETE',
  path: '/invitations/:invitation',
  tag: 'operators',
  says: ['Withdraw the invitation of an operator', 'Its link no longer works.'],
  operator: { id: 'withdrawOperatorInvitation', roles: admins },
  params: Type.Object({ invitation: invitationId }),
  answers: nothing('Withdrawn.'),
  missing: 'open invitation',
  audit: 'invitation.withdrawn',
  async run({ operators }, { actor, params: { invitation } }) {
    await operators.withdraw(actor, NO_ACCOUNT, invitation);
    return null;
  },
});

export const inviteOperatorAgain = operation({
  method: 'POST',
  path: '/operators/:operator/invitation',
  tag: 'operators',
  says: [
    'A link for an operator who lost their passkey',
    'The link works like that of an invitation. The passkey that it registers replaces the others and ends all sessions.',
  ],
  operator: { id: 'inviteOperatorAgain', roles: admins },
  params,
  answers: invited,
  missing: 'operator',
  audit: 'operator.invited',
  async run({ operators, config }, { actor, port, params }) {
    const made = await operators.inviteAgain(actor, NO_ACCOUNT, params.operator);
    const send = sent(operators, made, SERVICE, { config, actor, port });
    return async () => withOperator(await send());
  },
});

export const setOperatorRole = operation({
  method: 'PUT',
  path: '/operators/:operator/role',
  tag: 'operators',
  says: [
    'Change the role of an operator',
    'Takes effect with the next request. Invitations that they made end unless the role is `admin`.',
  ],
  operator: { id: 'setOperatorRole', roles: admins },
  params,
  body: roleBody(operatorRole),
  answers: { body: OperatorPerson, description: 'The operator.', example: operatorExample },
  missing: 'operator',
  audit: 'operator.role-changed',
  run: async ({ operators }, { actor, params, body }) =>
    describePerson(await operators.setRole(actor, NO_ACCOUNT, params.operator, body.role)),
});

export const removeOperator = operation({
  method: 'DELETE',
  path: '/operators/:operator',
  tag: 'operators',
  says: [
    'Remove an operator',
    'Ends their sessions, their passkeys and the invitations to the dashboard that they made at once. Invitations to accounts go ' +
      'on. The last one may go, as the operator token still works.',
  ],
  operator: { id: 'removeOperator', roles: admins },
  params,
  answers: nothing('Removed.'),
  missing: 'operator',
  audit: 'operator.removed',
  async run({ operators }, { actor, params }) {
    await operators.remove(actor, NO_ACCOUNT, params.operator);
    return null;
  },
});

export const endSessionsOfOperator = operation({
  method: 'DELETE',
  path: '/operators/:operator/sessions',
  tag: 'operators',
  says: ['End the sessions of an operator', 'On every server at once. Their passkeys stay.'],
  operator: { id: 'endSessionsOfOperator', roles: admins },
  params,
  answers: nothing('Ended.'),
  missing: 'operator',
  audit: 'session.ended',
  async run({ operators }, { actor, params }) {
    await operators.endSessions(actor, NO_ACCOUNT, params.operator);
    return null;
  },
});

/** In the order of the OpenAPI document. */
export const operatorPersonOperations = [
  listOperators,
  inviteOperator,
  withdrawOperatorInvitation,
  inviteOperatorAgain,
  setOperatorRole,
  removeOperator,
  endSessionsOfOperator,
];
