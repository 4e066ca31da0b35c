/** /operator/v1/operators: who may sign in to the dashboard. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { invitationLink } from '../../members/link.ts';
import type { Invitation, Member, NewInvitation, OperatorRole } from '../../members/member.ts';
import type { Members } from '../../members/members.ts';
import { NO_ACCOUNT, operatorRealm } from '../../members/realm.ts';
import { answerOf, foundBy } from './answer.ts';
import { actorOf } from './authentication.ts';
import { noInvitation } from './members.contract.ts';
import {
  endSessionsOfOperator,
  inviteOperator,
  inviteOperatorAgain,
  listOperators,
  noOperator,
  type OperatorInvitation,
  type OperatorPerson,
  removeOperator,
  setOperatorRole,
  withdrawOperatorInvitation,
} from './operators.contract.ts';

export interface OperatorRoutesOptions {
  readonly operators: Members<OperatorRole>;
  readonly config: { readonly dashboardUrl: string | undefined };
}

/** What an invitation is for, in messages. */
const SERVICE = { id: NO_ACCOUNT, name: 'Platen' };

/** Register it in a scope that only operators enter. */
export const operatorRoutes: FastifyPluginAsyncTypebox<OperatorRoutesOptions> = async (app, options) => {
  const { operators, config } = options;

  const known = async (request: FastifyRequest, id: string): Promise<string> =>
    (await foundBy(request, operators.find(NO_ACCOUNT, id), noOperator)).id;

  const sent = async (request: FastifyRequest, made: NewInvitation<OperatorRole>) => {
    const { token, ...invitation } = made;
    const link = invitationLink(operatorRealm, token, config.dashboardUrl, request.port);
    return { ...describeInvitation(invitation), link, mailed: await operators.mail(SERVICE, made) };
  };

  app.get(listOperators.path, { schema: listOperators.schema }, async (request) => {
    const { members, invitations } = await answerOf(request, operators.read(NO_ACCOUNT));
    return { operators: members.map(describeOperator), invitations: invitations.map(describeInvitation) };
  });

  app.post(inviteOperator.path, { schema: inviteOperator.schema }, async (request, reply) => {
    const { email, role } = request.body;
    const made = await answerOf(request, operators.invite(actorOf(request), NO_ACCOUNT, email, role));
    return reply.code(201).send(await sent(request, made));
  });

  app.delete(
    withdrawOperatorInvitation.path,
    { schema: withdrawOperatorInvitation.schema },
    async (request, reply) => {
      const { invitation } = request.params;
      const done = await answerOf(request, operators.withdraw(actorOf(request), NO_ACCOUNT, invitation));
      await foundBy(request, Promise.resolve(done || undefined), noInvitation);
      return reply.code(204).send(null);
    },
  );

  app.post(inviteOperatorAgain.path, { schema: inviteOperatorAgain.schema }, async (request, reply) => {
    const id = await known(request, request.params.operator);
    const made = await answerOf(request, operators.inviteAgain(actorOf(request), NO_ACCOUNT, id));
    return reply.code(201).send(await sent(request, made));
  });

  app.put(setOperatorRole.path, { schema: setOperatorRole.schema }, async (request) => {
    const id = await known(request, request.params.operator);
    const change = operators.setRole(actorOf(request), NO_ACCOUNT, id, request.body.role);
    return describeOperator(await answerOf(request, change));
  });

  app.delete(removeOperator.path, { schema: removeOperator.schema }, async (request, reply) => {
    const id = await known(request, request.params.operator);
    await answerOf(request, operators.remove(actorOf(request), NO_ACCOUNT, id));
    return reply.code(204).send(null);
  });

  app.delete(endSessionsOfOperator.path, { schema: endSessionsOfOperator.schema }, async (request, reply) => {
    const id = await known(request, request.params.operator);
    await answerOf(request, operators.endSessions(actorOf(request), NO_ACCOUNT, id));
    return reply.code(204).send(null);
  });
};

/** An operator as an answer, without their handle in authenticators. */
export function describeOperator({
  handle: _,
  passkeys,
  ...operator
}: Member<OperatorRole>): Static<typeof OperatorPerson> {
  return { ...operator, passkeys: passkeys.length };
}

function describeInvitation({
  hash: _,
  handle: __,
  member,
  madeBy,
  ...invitation
}: Invitation<OperatorRole>): Static<typeof OperatorInvitation> {
  return { ...invitation, operator: member, madeBy: madeBy ?? null };
}
