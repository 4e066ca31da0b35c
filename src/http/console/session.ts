/** /account/v1/session, and the passkeys and sessions of the member who is signed in. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { type Account, isHeld } from '../../keys/records.ts';
import type { Member } from '../../members/member.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import type { SignIn } from '../../members/sign-in.ts';
import { loadWebAuthn, type RegistrationResponseJSON } from '../../members/webauthn.ts';
import { describePerson } from '../../operations/people.ts';
import { type Session, Sessions } from '../../operator/sessions.ts';
import { iso } from '../../system/iso-time.ts';
import { nextDeadline } from '../core/redis-deadline.ts';
import { answerOf, foundBy } from '../operator/answer.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import { describePasskey, describeSessions } from '../operator/sign-in/own.ts';
import { siteOf } from '../operator/sign-in/site.ts';
import { noPasskey, noSession } from '../operator/sign-in/words.ts';
import { scopeOf } from './authentication.ts';
import { isOpenWhenSuspended, NOT_ACCEPTED, OIDC_ONLY, routeOf } from './operation.ts';
import { consoleOperations } from './operations.ts';
import {
  addPasskey,
  endListedSession,
  listOwnSessions,
  listPasskeys,
  removePasskey,
  startPasskey,
} from './own.contract.ts';
import { type ConsoleSession, endOwnSession, getOwnSession } from './session.contract.ts';

interface SessionRoutesOptions {
  readonly signIn: SignIn;
  readonly oidc: OidcSignIn | undefined;
  readonly config: { readonly publicUrl: string | undefined };
}

/** Register it in a scope that only members enter. */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, options) => {
  const { signIn, oidc, config } = options;
  const assertPasskeys = () => {
    if (oidc?.isOnly) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: OIDC_ONLY });
  };

  app.get(getOwnSession.path, routeOf(getOwnSession), async (request) => {
    const scope = scopeOf(request);
    const banner = await answerOf(request, scope.banner());
    return describeSession(scope.record, scope.member, scope.session, { id: scope.sessionId, banner });
  });

  app.delete(endOwnSession.path, routeOf(endOwnSession), async (request, reply) => {
    await answerOf(request, scopeOf(request).signOut());
    memberCookie.clear(request, reply);
    return reply.code(204).send(null);
  });

  app.get(listPasskeys.path, routeOf(listPasskeys), async (request) => ({
    passkeys: scopeOf(request).member.passkeys.map(describePasskey),
  }));

  app.post(startPasskey.path, routeOf(startPasskey), async (request) => {
    assertPasskeys();
    const site = siteOf(request, config.publicUrl);
    return { options: { ...(await signIn.passkeyOptions(site, scopeOf(request).member)) } };
  });

  app.post(addPasskey.path, routeOf(addPasskey), async (request, reply) => {
    assertPasskeys();
    const site = siteOf(request, config.publicUrl);
    const { account, member } = scopeOf(request);
    const { name, response } = request.body;
    await loadWebAuthn();
    request.redisDeadline = nextDeadline(request);
    const wanted = { name, response: response as RegistrationResponseJSON };
    const added = await answerOf(request, signIn.addPasskey(site, account, member, wanted));
    if (!added) throw new PlatenError('INVALID_API_KEY', { message: NOT_ACCEPTED });
    return reply.code(201).send(describePasskey(added));
  });

  app.delete(removePasskey.path, routeOf(removePasskey), async (request, reply) => {
    const { account, member, sessionId } = scopeOf(request);
    const { passkey } = request.params;
    const known = member.passkeys.find(({ id }) => id === passkey);
    await foundBy(request, Promise.resolve(known), noPasskey);
    await answerOf(request, signIn.removePasskey(account, member, passkey, sessionId));
    return reply.code(204).send(null);
  });

  app.get(listOwnSessions.path, routeOf(listOwnSessions), async (request) => {
    const scope = scopeOf(request);
    const sessions = await answerOf(request, scope.sessions());
    return describeSessions(sessions, scope.sessionId);
  });

  app.delete(endListedSession.path, routeOf(endListedSession), async (request, reply) => {
    const done = await answerOf(request, scopeOf(request).endSession(request.params.session));
    await foundBy(request, Promise.resolve(done || undefined), noSession);
    return reply.code(204).send(null);
  });
};

/** The member who is signed in, as an answer. */
export function describeSession(
  account: Account,
  member: Member,
  { now, beganAt, idleUntil, expiresAt, csrfToken }: Session,
  { id: sessionId, banner }: { readonly id: string; readonly banner: string | null },
): Static<typeof ConsoleSession> {
  return {
    id: Sessions.listedIdOf(sessionId),
    now: iso(now),
    signedInAt: iso(beganAt),
    idleUntil: iso(idleUntil),
    expiresAt: iso(expiresAt),
    csrfToken,
    account: {
      id: account.id,
      name: account.name,
      suspendedAt: account.suspendedAt,
      deletesAt: account.deletesAt,
    },
    member: describePerson(member),
    banner,
    may: consoleOperations
      .filter(({ roles }) => roles !== 'anybody' && roles.includes(member.role))
      .filter((operation) => !isHeld(account) || isOpenWhenSuspended(operation))
      .map(({ schema }) => schema.operationId),
  };
}
