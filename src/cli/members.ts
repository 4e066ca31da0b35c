/** platen members … */
import { type Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { invitationLink } from '../members/link.ts';
import { type NewInvitation, type Role, roles } from '../members/member.ts';
import type { Members } from '../members/members.ts';
import type { Actor } from '../operator/audit-entry.ts';
import { columns, command, group, print, withMembers } from './command.ts';

interface Common {
  readonly account: string;
  readonly json?: boolean;
}

export function memberCommands(): Command {
  return group('members', 'Members of an account sign in to its console.', [
    invite(),
    list(),
    role(),
    remove(),
  ]);
}

/** A command about the members of one account. */
function ofAccount(name: string, description: string): Command {
  return command(name, description).requiredOption('--account <id>', 'id of the account');
}

function invite(): Command {
  return ofAccount('invite', 'Make an invitation link and show it, once.')
    .option('--email <address>', 'who is invited')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles))
    .option('--member <id>', 'instead: a member who lost their passkey')
    .action(async (options: Common & { email?: string; role?: Role; member?: string }) => {
      const { account, json } = options;
      const { publicUrl, port } = readConfig(process.env);
      const {
        token,
        hash: _,
        handle: __,
        portHere,
        ...made
      } = await withMembers(async (members, actor, store, servers) => {
        const invitation = await makeInvitation(members, actor, options);
        const mailed = await members.mail(await store.requireAccount(account), invitation);
        return { ...invitation, mailed, portHere: publicUrl === undefined ? await servers.portHere() : null };
      });
      const link = invitationLink(token, publicUrl, portHere ?? port);
      print(json, { ...made, link }, [
        `Invited ${made.email} to account ${account} as ${made.role}.${mailText(made.mailed)}`,
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
    ? `${here} No server says that it listens here: ${port} is the PORT of this command.`
    : here;
}

function mailText(mailed: boolean | null): string {
  if (mailed === null) return '';
  return mailed ? ' They get it by e-mail.' : ' It could not be sent by e-mail.';
}

function makeInvitation(
  members: Members,
  actor: Actor,
  { account, email, role, member }: Common & { email?: string; role?: Role; member?: string },
): Promise<NewInvitation> {
  if (member !== undefined) return members.inviteAgain(actor, account, member);
  if (email === undefined || role === undefined) {
    throw new OperatorError('say --email and --role, or --member');
  }
  return members.invite(actor, account, email, role);
}

function list(): Command {
  return ofAccount('list', 'List the members of an account, and who is invited.').action(
    async ({ account, json }: Common) => {
      const { members, invitations } = await withMembers((all) => all.read(account));
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

function role(): Command {
  return ofAccount('role', 'Change the role of a member.')
    .argument('<member-id>', 'id of the member, as `members list` shows it')
    .argument('<role>', roles.join(', '))
    .action(async (id: string, wanted: string, { account, json }: Common) => {
      const known = roles.find((each) => each === wanted);
      if (!known) throw new OperatorError(`there is no role "${wanted}"; choose one of ${roles.join(', ')}`);
      const {
        handle: _,
        passkeys: __,
        ...member
      } = await withMembers((members, actor) => members.setRole(actor, account, id, known));
      print(json, member, [`Member ${member.id} (${member.email}) is ${member.role} now.`]);
    });
}

function remove(): Command {
  return ofAccount('remove', 'Remove a member or an invitation; it ends with the next request.')
    .argument('<id>', 'id of the member or of the invitation, as `members list` shows it')
    .action(async (id: string, { account, json }: Common) => {
      await withMembers(async (members, actor) => {
        if (!id.startsWith('inv_')) await members.remove(actor, account, id);
        else if (!(await members.withdraw(actor, account, id)))
          throw new OperatorError(`there is no invitation "${id}"`);
      });
      print(json, { id, removed: true }, [`Removed ${id}.`]);
    });
}
