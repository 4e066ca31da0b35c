/** What members of accounts and operators have in common: both are invited, and sign in. */
import { type TProperties, type TSchema, Type } from 'typebox';
import { invitationLink, originOf } from '../members/link.ts';
import type { Invitation, Member, NewInvitation } from '../members/member.ts';
import type { Members } from '../members/members.ts';
import type { Actor } from '../operator/audit-entry.ts';
import { madeBy, shownTo } from './made-by.ts';
import type { Caller } from './operation.ts';
import { closed, count, id, orNull, time, timeOrNull } from './schema.ts';
import type { OperationServices } from './services.ts';

export const invitationId = id('inv', 18, 'Id of the invitation.', 'inv_4f1c0a9be27d38560c');

const guest = 'E-mail address of who is invited.';

/** Fields of a person. @param noun what they are. */
export const personFields = <Role extends TSchema>(noun: string, role: Role) => ({
  id: Type.String({ description: `Id of the ${noun}.` }),
  name: Type.String({ description: 'Name of the person.' }),
  email: Type.String({ description: 'E-mail address.' }),
  role,
  passkeys: count('Number of passkeys.'),
  joinedAt: time('When the first invitation was accepted.'),
  lastSignInAt: timeOrNull('Time of the last sign-in.'),
});

/** Fields of an invitation. @param known the person whose passkeys it replaces. @param until when it ends. */
export const invitationFields = <Role extends TSchema, Known extends TProperties>(
  role: Role,
  known: Known,
  until: string,
) => ({
  id: Type.String({ description: 'Id of the invitation.' }),
  email: Type.String({ description: guest }),
  role,
  ...known,
  createdAt: time('When it was made.'),
  expiresAt: time(until),
  madeBy,
});

/** What an invitation has in the answer that makes it. */
export const linkFields = {
  link: Type.String({
    description:
      'Only for the person who is invited: whoever opens it first registers a passkey. Shown once.',
  }),
  mailed: orNull(Type.Boolean(), 'Whether a mail server took it for them. `null`: the service has none.'),
};

export const invitationBody = <Role extends TSchema>(role: Role) =>
  closed({ email: Type.String({ minLength: 3, maxLength: 254, description: guest }), role });

export const roleBody = <Role extends TSchema>(role: Role) => closed({ role });

/** A person as an answer, without their handle in authenticators. */
export function describePerson<R extends string>({ handle: _, passkeys, ...person }: Member<R>) {
  return { ...person, passkeys: passkeys.length };
}

/** An invitation as an answer, without what its link is checked by. */
export function describeInvitation<R extends string>(
  { hash: _, handle: __, madeBy, ...invitation }: Invitation<R>,
  viewer: Actor,
) {
  return { ...invitation, madeBy: shownTo(viewer, madeBy ?? null) };
}

/** Sends a new invitation by e-mail, which may take longer than Redis. @param whole what it is for. */
export function sent<R extends string>(
  members: Members<R>,
  { token, ...made }: NewInvitation<R>,
  whole: { readonly id: string; readonly name: string },
  { config, actor, port }: Pick<OperationServices, 'config'> & Pick<Caller, 'actor' | 'port'>,
) {
  const link = invitationLink(members.realm, token, originOf(members.realm, config), port);
  return async () => ({
    ...describeInvitation(made, actor),
    link,
    mailed: await members.mail(whole, { token, ...made }),
  });
}
