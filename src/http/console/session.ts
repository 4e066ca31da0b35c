/** /account/v1/session, and the passkeys and sessions of the member who is signed in. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { type Account, isHeld } from '../../keys/records.ts';
import type { Member } from '../../members/member.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import { subjectOf } from '../../members/realm.ts';
import type { SignIn } from '../../members/sign-in.ts';
import { loadWebAuthn, type RegistrationResponseJSON } from '../../members/webauthn.ts';
import { describePerson } from '../../operations/people.ts';
import type { OperationServices } from '../../operations/services.ts';
import { type Session, Sessions } from '../../operator/sessions.ts';
import { iso } from '../../system/iso-time.ts';
import { nextDeadline } from '../core/redis-deadline.ts';
import { answerOf, foundBy } from '../operator/answer.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import { describePasskey, describeSessions } from '../operator/sign-in/own.ts';
import { siteOf } from '../operator/sign-in/site.ts';
import { noPasskey, noSession } from '../operator/sign-in/words.ts';
import { type SignedIn, signedInOf } from './authentication.ts';
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

interface SessionRoutesOptions extends Pick<OperationServices, 'members' | 'audit' | 'banner'> {
  readonly signIn: SignIn;
  readonly oidc: OidcSignIn | undefined;
  readonly config: { readonly publicUrl: string | undefined };
}

/** Register it in a scope that only members enter. */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, options) => {
  const { signIn, oidc, config, audit, banner } = options;
  const { sessions } = options.members;
  const noteEnd = ({ actor, account }: SignedIn) =>
    audit.record(actor, 'session.ended', { account: account.id });
  const assertPasskeys = () => {
    if (oidc?.isOnly) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: OIDC_ONLY });
  };

  app.get(getOwnSession.path, routeOf(getOwnSession), async (request) => {
    const { account, member, session, sessionId: id } = signedInOf(request);
    const shown = await answerOf(request, banner.get());
    return describeSession(account, member, session, { id, banner: shown?.text ?? null });
  });

  app.delete(endOwnSession.path, routeOf(endOwnSession), async (request, reply) => {
    const signedIn = signedInOf(request);
    await answerOf(request, noteEnd(signedIn));
    await answerOf(request, sessions.end(signedIn.sessionId));
    memberCookie.clear(request, reply);
    return reply.code(204).send(null);
  });

  app.get(listPasskeys.path, routeOf(listPasskeys), async (request) => ({
    passkeys: signedInOf(request).member.passkeys.map(describePasskey),
  }));

  app.post(startPasskey.path, routeOf(startPasskey), async (request) => {
    assertPasskeys();
    const site = siteOf(request, config.publicUrl);
    return { options: { ...(await signIn.passkeyOptions(site, signedInOf(request).member)) } };
  });

  app.post(addPasskey.path, routeOf(addPasskey), async (request, reply) => {
    assertPasskeys();
    const site = siteOf(request, config.publicUrl);
    const { account, member } = signedInOf(request);
    const { name, response } = request.body;
    await loadWebAuthn();
    request.redisDeadline = nextDeadline(request);
    const wanted = { name, response: response as RegistrationResponseJSON };
    const added = await answerOf(request, signIn.addPasskey(site, account.id, member, wanted));
    if (!added) throw new PlatenError('INVALID_API_KEY', { message: NOT_ACCEPTED });
    return reply.code(201).send(describePasskey(added));
  });

  app.delete(removePasskey.path, routeOf(removePasskey), async (request, reply) => {
    const { account, member, sessionId } = signedInOf(request);
    const { passkey } = request.params;
    const known = member.passkeys.find(({ id }) => id === passkey);
    await foundBy(request, Promise.resolve(known), noPasskey);
    await answerOf(request, signIn.removePasskey(account.id, member, passkey, sessionId));
    return reply.code(204).send(null);
  });

  app.get(listOwnSessions.path, routeOf(listOwnSessions), async (request) => {
    const signedIn = signedInOf(request);
    const listed = await answerOf(request, sessions.list(subjectFor(signedIn)));
    return describeSessions(listed, signedIn.sessionId);
  });

  app.delete(endListedSession.path, routeOf(endListedSession), async (request, reply) => {
    const signedIn = signedInOf(request);
    const end = sessions.endListed(subjectFor(signedIn), request.params.session, () => noteEnd(signedIn));
    const done = await answerOf(request, end);
    await foundBy(request, Promise.resolve(done || undefined), noSession);
    return reply.code(204).send(null);
  });
};

/** The subject of their sessions. */
const subjectFor = ({ account, member }: SignedIn) => subjectOf(account.id, member.id);

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
