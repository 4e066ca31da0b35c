/** /operator/v1/session: signing in and out. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { describePerson } from '../../operations/people.ts';
import type { Audit } from '../../operator/audit.ts';
import { Sessions } from '../../operator/sessions.ts';
import type { OperatorToken } from '../../system/operator-token.ts';
import { limitFailures } from '../access/authentication-limit.ts';
import { isSameOrigin } from '../core/same-origin.ts';
import { answerOf } from './answer.ts';
import { actorOf, addressFor, clientOf, noteRefusal, type Operator } from './authentication.ts';
import { NOT_SAME_ORIGIN, NOT_THE_TOKEN, routeForAll } from './operation.ts';
import { getSession, type Session as SessionObject, signIn, signOut } from './session.contract.ts';
import { operatorCookie } from './session-cookie.ts';

interface SignInRouteOptions {
  readonly token: OperatorToken;
  readonly sessions: Sessions;
  readonly audit: Audit;
}

/** To be registered where everybody comes in. */
export const signInRoute: FastifyPluginAsyncTypebox<SignInRouteOptions> = async (app, options) => {
  const { token, sessions, audit } = options;
  app.post(signIn.path, { schema: signIn.schema }, async (request, reply) => {
    // Else a page of somebody else could sign its visitor in.
    if (isSameOrigin(request) === false) {
      throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN });
    }
    const who = addressFor(request);
    if (!token.matches(request.body.token)) {
      noteRefusal(audit, request, 'session.refused');
      await limitFailures(app, request);
      throw new PlatenError('INVALID_API_KEY', { message: NOT_THE_TOKEN });
    }
    const { id, session } = await answerOf(request, sessions.begin('', clientOf(request)));
    await endFormer(request, sessions);
    await audit.record({ by: 'session', who }, 'session.began');
    operatorCookie.set(request, reply, id);
    return reply
      .code(201)
      .send(describeSession({ by: 'session', id, session, role: 'admin', person: undefined }));
  });
};

interface SessionRoutesOptions {
  readonly sessions: Sessions;
  readonly audit: Audit;
}

/** To be registered in a scope that only the operator enters. */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, options) => {
  const { sessions, audit } = options;
  app.get(getSession.path, routeForAll(getSession, { quiet: true }), async ({ operator }) =>
    operator?.by === 'session' ? describeSession(operator) : byToken(),
  );

  app.delete(signOut.path, routeForAll(signOut), async (request, reply: FastifyReply) => {
    const { operator } = request;
    if (operator?.by === 'session') {
      await audit.record(actorOf(request), 'session.ended');
      await answerOf(request, sessions.end(operator.id));
      operatorCookie.clear(request, reply);
    }
    return reply.code(204).send();
  });
};

/** Signing in again ends the former session. Without Redis it expires by itself. */
export async function endFormer(request: FastifyRequest, sessions: Sessions): Promise<void> {
  const former = operatorCookie.read(request);
  if (former !== undefined) await sessions.end(former).catch(() => {});
}

/** A session as an answer has it. */
export function describeSession({
  id,
  session,
  role,
  person,
}: Extract<Operator, { by: 'session' }>): Static<typeof SessionObject> {
  const { now, beganAt, idleUntil, expiresAt, csrfToken } = session;
  return {
    by: 'session',
    id: Sessions.listedIdOf(id),
    role,
    operator: person ? describePerson(person) : null,
    now: new Date(now).toISOString(),
    signedInAt: new Date(beganAt).toISOString(),
    idleUntil: new Date(idleUntil).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    csrfToken,
  };
}

function byToken(): Static<typeof SessionObject> {
  const now = new Date().toISOString();
  return {
    by: 'token',
    id: null,
    role: 'admin',
    operator: null,
    now,
    signedInAt: null,
    idleUntil: null,
    expiresAt: null,
    csrfToken: null,
  };
}
