/** /account/v1/account: where the account stands, what it used, its members and its audit. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Maker } from '../../keys/maker.ts';
import { forCustomers } from '../../operations/made-by.ts';
import { readCursor } from '../../operations/schema.ts';
import { Audit } from '../../operator/audit.ts';
import type { AuditEntry } from '../../operator/audit-entry.ts';
import { answerOf, foundBy } from '../operator/answer.ts';
import { noInvitation, noMember } from '../operator/members.contract.ts';
import { describeMember, describeNewInvitation, describeRoster } from '../operator/members.ts';
import {
  getOwnContacts,
  getOwnLedger,
  getOwnUsage,
  listOwnAudit,
  setOwnContacts,
} from './account.contract.ts';
import { scopeOf } from './authentication.ts';
import {
  endSessionsOf,
  inviteAgain,
  inviteMember,
  listMembers,
  removeMember,
  setRole,
  withdrawInvitation,
} from './members.contract.ts';
import { routeOf } from './operation.ts';
import type { MadeInvitation } from './scope.ts';

const PAGE = 100;

/** Register it in a scope that only members enter. */
export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(getOwnContacts.path, routeOf(getOwnContacts), async (request) =>
    answerOf(request, scopeOf(request).contacts()),
  );

  app.put(setOwnContacts.path, routeOf(setOwnContacts), async (request) =>
    answerOf(request, scopeOf(request).setContacts(request.body)),
  );

  app.get(getOwnUsage.path, routeOf(getOwnUsage), async (request) =>
    answerOf(request, scopeOf(request).usage(request.query)),
  );

  app.get(
    getOwnLedger.path,
    // A HEAD request would read everything for nothing.
    { ...routeOf(getOwnLedger), exposeHeadRoute: false },
    async (
      request: FastifyRequest<{ Querystring: Static<typeof getOwnLedger.schema.querystring> }>,
      reply: FastifyReply,
    ) => scopeOf(request).sendLedger(reply, request.query.month),
  );

  app.get(listOwnAudit.path, routeOf(listOwnAudit), async (request) => {
    const { after, limit = PAGE } = request.query;
    const page = scopeOf(request).audit(readCursor(after, Audit.isCursor), limit);
    const { entries, next } = await answerOf(request, page);
    return { entries: entries.map(withoutOperator), next };
  });
};

/** Members and invitations. Register it in a scope that only members enter. */
export const memberRoutes: FastifyPluginAsyncTypebox<{
  readonly config: { readonly publicUrl: string | undefined };
}> = async (app, { config }) => {
  const sent = async (request: FastifyRequest, { made, mail }: MadeInvitation) =>
    withMaker(describeNewInvitation(request, made, config.publicUrl, await mail()));
  const assertMember = (request: FastifyRequest, id: string) =>
    foundBy(request, scopeOf(request).memberOf(id), noMember);

  app.get(listMembers.path, routeOf(listMembers), async (request) => {
    const { members, invitations } = describeRoster(await answerOf(request, scopeOf(request).members()));
    return { members, invitations: invitations.map(withMaker) };
  });

  app.post(inviteMember.path, routeOf(inviteMember), async (request, reply) => {
    const { email, role } = request.body;
    const made = await answerOf(request, scopeOf(request).invite(email, role));
    return reply.code(201).send(await sent(request, made));
  });

  app.delete(withdrawInvitation.path, routeOf(withdrawInvitation), async (request, reply) => {
    const done = await answerOf(request, scopeOf(request).withdraw(request.params.invitation));
    await foundBy(request, Promise.resolve(done || undefined), noInvitation);
    return reply.code(204).send(null);
  });

  app.post(inviteAgain.path, routeOf(inviteAgain), async (request, reply) => {
    const { id } = await assertMember(request, request.params.member);
    const made = await answerOf(request, scopeOf(request).inviteAgain(id));
    return reply.code(201).send(await sent(request, made));
  });

  app.put(setRole.path, routeOf(setRole), async (request) => {
    const { id } = await assertMember(request, request.params.member);
    return describeMember(await answerOf(request, scopeOf(request).setRole(id, request.body.role)));
  });

  app.delete(removeMember.path, routeOf(removeMember), async (request, reply) => {
    const { id } = await assertMember(request, request.params.member);
    await answerOf(request, scopeOf(request).removeMember(id));
    return reply.code(204).send(null);
  });

  app.delete(endSessionsOf.path, routeOf(endSessionsOf), async (request, reply) => {
    const { id } = await assertMember(request, request.params.member);
    await answerOf(request, scopeOf(request).endSessionsOf(id));
    return reply.code(204).send(null);
  });
};

const operators: readonly string[] = ['cli', 'operator', 'session', 'token'];

/** Its maker as customers see them. */
function withMaker<T extends { readonly madeBy: Maker | null }>(made: T): T {
  return { ...made, madeBy: forCustomers(made.madeBy) };
}

/** Customers do not see the addresses of operators. */
function withoutOperator(entry: AuditEntry): AuditEntry {
  return operators.includes(entry.by) ? { ...entry, who: 'operator' } : entry;
}
