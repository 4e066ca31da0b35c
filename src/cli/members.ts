/** platen members …, platen operators … */
import { type Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { invitationLink, originOf } from '../members/link.ts';
import type { NewInvitation } from '../members/member.ts';
import type { Members } from '../members/members.ts';
import { memberRealm, NO_ACCOUNT, operatorRealm, type Realm } from '../members/realm.ts';
import type { Actor } from '../operator/audit-entry.ts';
import { columns, command, group, print, withMembers } from './command.ts';

interface Common {
  /** Undefined for operators. */
  readonly account?: string;
  readonly json?: boolean;
}

interface Invite extends Common {
  readonly email?: string;
  readonly role?: string;
  readonly member?: string;
  readonly operator?: string;
}

export function memberCommands(): Command {
  return commandsOf(memberRealm, 'Members of an account sign in to its console.');
}

export function operatorCommands(): Command {
  return commandsOf(operatorRealm, 'Operators sign in to the dashboard.');
}

function commandsOf<R extends string>(realm: Realm<R>, description: string): Command {
  const commands = [invite(realm), list(realm), role(realm), remove(realm)];
  return group(`${realm.noun}s`, description, commands);
}

/** A command about the members of one account, or about operators. */
function about({ noun }: Realm, name: string, description: string): Command {
  const made = command(name, description);
  return noun === 'operator' ? made : made.requiredOption('--account <id>', 'id of the account');
}

function invite<R extends string>(realm: Realm<R>): Command {
  const { noun, one, roles } = realm;
  return about(realm, 'invite', 'Create an invitation link and show it, once.')
    .option('--email <address>', 'address to invite')
    .addOption(new Option('--role <role>', 'role of the new member or operator').choices(roles))
    .option(`--${noun} <id>`, `instead: ${one} who lost their passkey`)
    .action(async (options: Invite) => {
      const { account = NO_ACCOUNT, json } = options;
      const config = readConfig(process.env);
      const { publicUrl, port } = config;
      const address = originOf(realm, config);
      const {
        token,
        hash: _,
        handle: __,
        whole,
        portHere,
        ...made
      } = await withMembers(realm, async (members, actor, store, servers) => {
        const whole =
          account === NO_ACCOUNT ? { id: account, name: 'Platen' } : await store.requireAccount(account);
        const portHere = address === undefined ? await servers.portHere() : null;
        // Last: what fails afterwards would lose the link.
        const invitation = await makeInvitation(members, actor, options);
        const mailed = await members.mail(whole, invitation);
        return { ...invitation, whole, mailed, portHere };
      });
      const link = invitationLink(realm, token, address, portHere ?? port);
      const where = account === NO_ACCOUNT ? 'the dashboard' : `account ${whole.id}`;
      print(json, { ...made, link }, [
        `Invited ${made.email} to ${where} as ${made.role}.${mailText(made.mailed)}`,
        `The link is shown only now; it works once, until ${made.expiresAt}:`,
        '',
        `  ${link}`,
        '',
        ...(publicUrl === undefined ? [placeText(portHere, port), ''] : []),
      ]);
    });
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

function makeInvitation<R extends string>(
  members: Members<R>,
  actor: Actor,
  { account = NO_ACCOUNT, email, role, member, operator }: Invite,
): Promise<NewInvitation<R>> {
  const { noun } = members.realm;
  const known = member ?? operator;
  if (known !== undefined) return members.inviteAgain(actor, account, known);
  if (email === undefined || role === undefined) {
    throw new OperatorError(`give --email and --role, or --${noun}`);
  }
  return members.invite(actor, account, email, readRole(members.realm, role));
}

/** @throws OperatorError */
function readRole<R extends string>({ roles }: Realm<R>, text: string): R {
  const known = roles.find((each) => each === text);
  if (!known) throw new OperatorError(`there is no role "${text}"; choose one of ${roles.join(', ')}`);
  return known;
}

function list<R extends string>(realm: Realm<R>): Command {
  return about(realm, 'list', `List the ${realm.noun}s, and who is invited.`).action(
    async ({ account = NO_ACCOUNT, json }: Common) => {
      const { members, invitations } = await withMembers(realm, (all) => all.read(account));
      const listed = [
        ...members.map(({ id, name, email, role, passkeys, joinedAt, lastSignInAt }) => ({
          ...{ id, name, email, role, passkeys: passkeys.length, joinedAt, lastSignInAt },
        })),
        ...invitations.map(({ hash: _, handle: __, ...invitation }) => invitation),
      ];
      const rows = [
        ...members.map((member) => [
          ...[member.id, member.email, member.role, member.name],
          member.lastSignInAt ?? 'never',
        ]),
        ...invitations.map(({ id, email, role, expiresAt }) => [
          ...[id, email, role, 'invited'],
          `until ${expiresAt}`,
        ]),
      ];
      print(json, listed, columns(['ID', 'E-MAIL', 'ROLE', 'NAME', 'LAST SIGN-IN'], rows));
    },
  );
}

function role<R extends string>(realm: Realm<R>): Command {
  const { noun, one, roles } = realm;
  return about(realm, 'role', `Change the role of ${one}.`)
    .argument(`<${noun}-id>`, `id of the ${noun}, as \`${noun}s list\` shows it`)
    .argument('<role>', roles.join(', '))
    .action(async (id: string, wanted: string, { account = NO_ACCOUNT, json }: Common) => {
      const known = readRole(realm, wanted);
      const {
        handle: _,
        passkeys: __,
        ...member
      } = await withMembers(realm, (members, actor) => members.setRole(actor, account, id, known));
      print(json, member, [`${capitalized(noun)} ${member.id} (${member.email}) is ${member.role} now.`]);
    });
}

function remove<R extends string>(realm: Realm<R>): Command {
  const { noun, one } = realm;
  return about(realm, 'remove', `Remove ${one} or an invitation; from the next request on.`)
    .argument('<id>', `id of the ${noun} or of the invitation, as \`${noun}s list\` shows it`)
    .action(async (id: string, { account = NO_ACCOUNT, json }: Common) => {
      await withMembers(realm, async (members, actor) => {
        if (id.startsWith('inv_')) await members.withdraw(actor, account, id);
        else await members.remove(actor, account, id);
      });
      print(json, { id, removed: true }, [`Removed ${id}.`]);
    });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
