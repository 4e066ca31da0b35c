/** /operator/v1/accounts/:account/members: who may sign in to the console of an account. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Account } from '../../keys/records.ts';
import type { KeyStore } from '../../keys/store.ts';
import { invitationLink } from '../../members/link.ts';
import type {
  Invitation as InvitationRecord,
  Member as MemberRecord,
  NewInvitation,
} from '../../members/member.ts';
import type { Members } from '../../members/members.ts';
import { memberRealm } from '../../members/realm.ts';
import type { Roster } from '../../members/roster.ts';
import { noAccount } from './accounts.contract.ts';
import { answerOf, foundBy } from './answer.ts';
import { actorOf } from './authentication.ts';
import {
  type CreatedInvitation,
  type Invitation,
  inviteMemberAgain,
  inviteMemberTo,
  listMembersOf,
  type Member,
  type MemberList,
  noInvitation,
  noMember,
  removeMemberOf,
  setMemberRole,
  withdrawInvitationOf,
} from './members.contract.ts';

export interface MemberRoutesOptions {
  readonly keys: KeyStore;
  readonly members: Members;
  readonly config: { readonly publicUrl: string | undefined };
}

/** Register it in a scope that only operators enter. */
export const memberRoutes: FastifyPluginAsyncTypebox<MemberRoutesOptions> = async (app, options) => {
  const { keys, members } = options;

  const read = (request: FastifyRequest, account: string): Promise<Account> =>
    foundBy(request, keys.getAccount(account), noAccount);
  const find = async (request: FastifyRequest, account: string): Promise<string> =>
    (await read(request, account)).id;

  /** @param account was read before the invitation was made, whose link must not get lost. */
  const sent = async (request: FastifyRequest, account: Account, made: NewInvitation) => {
    const mailed = await members.mail(account, made);
    return describeNewInvitation(request, made, options.config.publicUrl, mailed);
  };

  app.get(listMembersOf.path, { schema: listMembersOf.schema }, async (request) => {
    const account = await find(request, request.params.account);
    return describeRoster(await answerOf(request, members.read(account)));
  });

  app.post(inviteMemberTo.path, { schema: inviteMemberTo.schema }, async (request, reply) => {
    const account = await read(request, request.params.account);
    const { email, role } = request.body;
    const made = await answerOf(request, members.invite(actorOf(request), account.id, email, role));
    return reply.code(201).send(await sent(request, account, made));
  });

  app.delete(withdrawInvitationOf.path, { schema: withdrawInvitationOf.schema }, async (request, reply) => {
    const account = await find(request, request.params.account);
    const { invitation } = request.params;
    const done = await answerOf(request, members.withdraw(actorOf(request), account, invitation));
    await foundBy(request, Promise.resolve(done || undefined), noInvitation);
    return reply.code(204).send(null);
  });

  app.post(inviteMemberAgain.path, { schema: inviteMemberAgain.schema }, async (request, reply) => {
    const { member } = request.params;
    const account = await read(request, request.params.account);
    await foundBy(request, members.find(account.id, member), noMember);
    const made = await answerOf(request, members.inviteAgain(actorOf(request), account.id, member));
    return reply.code(201).send(await sent(request, account, made));
  });

  app.put(setMemberRole.path, { schema: setMemberRole.schema }, async (request) => {
    const { account, member } = request.params;
    await foundBy(request, members.find(account, member), noMember);
    const { role } = request.body;
    return describeMember(await answerOf(request, members.setRole(actorOf(request), account, member, role)));
  });

  app.delete(removeMemberOf.path, { schema: removeMemberOf.schema }, async (request, reply) => {
    const { account, member } = request.params;
    await foundBy(request, members.find(account, member), noMember);
    await answerOf(request, members.remove(actorOf(request), account, member));
    return reply.code(204).send(null);
  });
};

export function describeRoster({ members, invitations }: Roster): Static<typeof MemberList> {
  return {
    members: members.map(describeMember),
    invitations: invitations.map(describeInvitation),
  };
}

/** A member as an answer, without their handle in authenticators. */
export function describeMember({ handle: _, passkeys, ...member }: MemberRecord): Static<typeof Member> {
  return { ...member, passkeys: passkeys.length };
}

/** An invitation as an answer, without what its link is checked by. */
function describeInvitation({
  hash: _,
  handle: __,
  madeBy,
  ...invitation
}: InvitationRecord): Static<typeof Invitation> {
  return { ...invitation, madeBy: madeBy ?? null };
}

/** With its link, under the public address; without one, on this machine. */
export function describeNewInvitation(
  { port }: FastifyRequest,
  { token, ...invitation }: NewInvitation,
  publicUrl: string | undefined,
  mailed: boolean | null,
): Static<typeof CreatedInvitation> {
  return {
    ...describeInvitation(invitation),
    link: invitationLink(memberRealm, token, publicUrl, port),
    mailed,
  };
}
