/** /account/v1/session, and new passkeys of the member who is signed in. Cookies and WebAuthn are of HTTP, so these are no operations. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { type Account, isHeld } from '../../accounts/keys/records.ts';
import { PlatenError } from '../../errors.ts';
import type { Member } from '../../members/member.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import type { SignIn } from '../../members/sign-in.ts';
import { loadWebAuthn, type RegistrationResponseJSON } from '../../members/webauthn.ts';
import { describePasskey } from '../../operations/own.ts';
import { describePerson } from '../../operations/people.ts';
import type { OperationServices } from '../../operations/services.ts';
import { type Session, Sessions } from '../../operator/sessions.ts';
import { iso } from '../../system/iso-time.ts';
import { nextDeadline } from '../core/redis-deadline.ts';
import { answerOf } from '../operator/answer.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import { siteOf } from '../operator/sign-in/site.ts';
import { signedInOf } from './authentication.ts';
import { isOpenWhenSuspended, NOT_ACCEPTED, OIDC_ONLY, routeOf } from './operation.ts';
import { consoleOperations } from './operations.ts';
import { addPasskey, startPasskey } from './own.contract.ts';
import { type ConsoleSession, endOwnSession, getOwnSession } from './session.contract.ts';

interface SessionRoutesOptions extends Pick<OperationServices, 'members' | 'audit' | 'banner'> {
  readonly signIn: SignIn;
  readonly oidc: OidcSignIn | undefined;
  readonly config: { readonly publicUrl: string | undefined };
}

/** Register it in a scope that only members enter. */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (app, options) => {
  const { signIn, oidc, config, audit, banner, members } = options;
  const assertPasskeys = () => {
    if (oidc?.isOnly) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: OIDC_ONLY });
  };

  app.get(getOwnSession.path, routeOf(getOwnSession), async (request) => {
    const { account, member, session, sessionId: id } = signedInOf(request);
    const shown = await answerOf(request, banner.get());
    return describeSession(account, member, session, { id, banner: shown?.text ?? null });
  });

  app.delete(endOwnSession.path, routeOf(endOwnSession), async (request, reply) => {
    const { account, actor, sessionId } = signedInOf(request);
    await answerOf(request, audit.record(actor, 'session.ended', { account: account.id }));
    await answerOf(request, members.sessions.end(sessionId));
    memberCookie.clear(request, reply);
    return reply.code(204).send(null);
  });

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
