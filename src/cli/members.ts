/** platen members …, platen operators … */
import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { readConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { originOf } from '../members/link.ts';
import { memberRealm, operatorRealm, type Realm } from '../members/realm.ts';
import * as members from '../operations/members.ts';
import type { DeepReadonly } from '../operations/operation.ts';
import * as operators from '../operations/operators.ts';
import { Servers } from '../operator/servers.ts';
import { columns, group } from './command.ts';
import { type Asked, commandFor, commandThat, ofAccount } from './door.ts';

type InvitationAnswer = typeof members.CreatedInvitation | typeof operators.CreatedOperatorInvitation;
type Person = typeof members.Member | typeof operators.OperatorPerson;
type Invited = typeof members.Invitation | typeof operators.OperatorInvitation;

export function memberCommands(): Command {
  return group('members', 'Members of an account sign in to its console.', [
    invite(memberRealm, members.inviteMember, members.inviteMemberAgain),
    commandFor('list', members.listMembers, {
      ...about(memberRealm),
      json: ({ members, invitations }) => [...members, ...invitations],
      lines: ({ members, invitations }) => table(members, invitations),
    }),
    role(memberRealm, members.setMemberRole),
    remove(memberRealm, members.removeMember, members.withdrawInvitation),
  ]);
}

export function operatorCommands(): Command {
  return group('operators', 'Operators sign in to the dashboard.', [
    invite(operatorRealm, operators.inviteOperator, operators.inviteOperatorAgain),
    commandFor('list', operators.listOperators, {
      json: ({ operators, invitations }) => [...operators, ...invitations.map(asOfMember)],
      lines: ({ operators, invitations }) => table(operators, invitations),
    }),
    role(operatorRealm, operators.setOperatorRole),
    remove(operatorRealm, operators.removeOperator, operators.withdrawOperatorInvitation),
  ]);
}

/** The flag of commands about the members of one account. */
const about = ({ noun }: Realm) => (noun === 'operator' ? {} : { account: ofAccount() });

/** Invitations of both are printed with the same fields. */
function asOfMember<T extends { readonly member?: unknown; readonly operator?: unknown }>(made: T) {
  const { operator = null, member = operator, ...invitation } = made;
  return { ...invitation, member };
}

function invite(realm: Realm, first: Asked<InvitationAnswer>, again: Asked<InvitationAnswer>): Command {
  const { noun, one } = realm;
  return commandThat(
    async ({ ask, sent, own: { [noun]: known }, services }) => {
      const { account, body } = sent;
      if (known === undefined && (body.email === undefined || body.role === undefined))
        throw new OperatorError(`give --email and --role, or --${noun}`);
      const config = readConfig(process.env);
      // First: what fails afterwards would lose the link.
      const isHere = originOf(realm, config) === undefined;
      const portHere = isHere ? await new Servers(services.redis).portHere() : null;
      const port = portHere ?? config.port;
      const made =
        known === undefined
          ? await ask(first, sent, port)
          : await ask(again, { account, params: { [noun]: known }, query: {}, body: {} }, port);
      return { made, account, place: isHere ? [placeText(portHere, port), ''] : [] };
    },
    'invite',
    first,
    {
      ...about(realm),
      does: 'The link is shown only once.',
      optional: ['email', 'role'],
      own: [new Option(`--${noun} <id>`, `Instead: ${one} who lost their passkey.`)],
      json: ({ made }) => asOfMember(made),
      lines: ({ made: { email, role, mailed, expiresAt, link }, account, place }) => [
        `Invited ${email} to ${account === undefined ? 'the dashboard' : `account ${account}`} as ${role}.${mailText(mailed)}`,
        `The link is shown only now; it works once, until ${expiresAt}:`,
        ...['', `  ${link}`, '', ...place],
      ],
    },
  );
}

/** Without PUBLIC_URL nobody has said under which address the service is reached. */
function placeText(portHere: number | null, port: number): string {
  const here = 'It works on this machine only, as PUBLIC_URL is not set.';
  return portHere === null
    ? `${here} No server runs here, so the link has the PORT of this command, ${port}.`
    : here;
}

function mailText(mailed: boolean | null): string {
  if (mailed === null) return '';
  return mailed ? ' The link was sent by e-mail.' : ' It could not be sent by e-mail.';
}

function table(
  people: readonly DeepReadonly<Static<Person>>[],
  invitations: readonly DeepReadonly<Static<Invited>>[],
): string[] {
  return columns(
    ['ID', 'E-MAIL', 'ROLE', 'NAME', 'LAST SIGN-IN'],
    [
      ...people.map((each) => [each.id, each.email, each.role, each.name, each.lastSignInAt ?? 'never']),
      ...invitations.map((each) => [each.id, each.email, each.role, 'invited', `until ${each.expiresAt}`]),
    ],
  );
}

function role(realm: Realm, setRole: Asked<Person>): Command {
  const { noun } = realm;
  return commandFor('role', setRole, {
    ...about(realm),
    arguments: { role: String },
    lines: ({ id, email, role }) => [
      `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id} (${email}) is ${role} now.`,
    ],
  });
}

function remove(
  realm: Realm,
  removal: typeof members.removeMember | typeof operators.removeOperator,
  withdrawal: typeof members.withdrawInvitation | typeof operators.withdrawOperatorInvitation,
): Command {
  return commandThat(
    async ({ ask, sent }) => {
      const id = String(sent.params[realm.noun]);
      if (id.startsWith('inv_')) await ask(withdrawal, { ...sent, params: { invitation: id } });
      else await ask(removal, sent);
      return { id, removed: true };
    },
    'remove',
    removal,
    {
      ...about(realm),
      does: 'Or withdraw an invitation: give its id instead. From the next request on.',
      lines: ({ id }) => [`Removed ${id}.`],
    },
  );
}
