/** Authenticates the member and checks what they may do, for every request in the scope that registers this plugin. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type Account, isHeld } from '../../accounts/keys/records.ts';
import { PlatenError } from '../../errors.ts';
import type { Member } from '../../members/member.ts';
import { memberRealm, placeIn } from '../../members/realm.ts';
import type { OperationServices } from '../../operations/services.ts';
import type { Actor } from '../../operator/audit-entry.ts';
import type { Session } from '../../operator/sessions.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { assertOwnPage, isSafe } from '../operator/authentication.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import { NOT_ALLOWED, NOT_SIGNED_IN, SUSPENDED } from './operation.ts';

/** A member who is signed in. */
interface SignedIn {
  /** Their account, as it was when the request came. */
  readonly account: Account;
  readonly member: Member;
  readonly actor: Actor;
  readonly session: Session;
  /** Id of the session. */
  readonly sessionId: string;
}

type MemberSources = Pick<OperationServices, 'members' | 'keys'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The member who is signed in; undefined outside their scopes. */
    console: SignedIn | undefined;
  }
}

export const memberAuthentication = fp<MemberSources>(
  async (app, sources) => {
    app.decorateRequest('console', undefined);
    app.decorateRequest('caller', undefined);
    // A route without roles admits nobody.
    app.addHook('onRoute', ({ url, config }) => {
      if (!Array.isArray(config?.roles)) throw new Error(`${url} does not say which roles may call it`);
    });
    app.addHook('onRequest', async (request) => {
      const id = memberCookie.read(request);
      if (id === undefined) throw new PlatenError('MISSING_AUTH', { message: NOT_SIGNED_IN });
      const signedIn = await orUnavailable(signedInWith(id, sources), request.redisDeadline);
      if (!signedIn) {
        throw new PlatenError('MISSING_AUTH', { message: 'The session has ended. Sign in again.' });
      }
      assertOwnPage(request, signedIn.session);
      assertAllowed(request, signedIn);
      request.console = signedIn;
      const { account, actor, member } = signedIn;
      request.caller = {
        account,
        actor,
        role: member.role,
        port: request.port,
        self: {
          person: member,
          sessions: sources.members.sessions,
          subject: signedIn.session.subject,
          session: id,
        },
      };
    });
  },
  { name: 'member-authentication', dependencies: ['errors', 'redis-deadline', '@fastify/cookie'] },
);

/**
 * The only check of roles, and of the account's state: members of one that is suspended or will be deleted may read, and change only
 * their own sessions and passkeys.
 *
 * @throws PlatenError `INSUFFICIENT_PERMISSIONS`, `ACCOUNT_SUSPENDED`
 */
function assertAllowed({ method, routeOptions }: FastifyRequest, { member, account }: SignedIn): void {
  const { roles = [], own = false } = routeOptions.config;
  if (roles === 'anybody' || !roles.includes(member.role)) {
    throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_ALLOWED });
  }
  if (!isHeld(account) || isSafe(method) || own) return;
  const message =
    account.deletesAt === null
      ? SUSPENDED
      : `This account will be deleted at ${account.deletesAt}: its members may read and export, but change nothing. ` +
        'Ask your operator, who can restore it until then.';
  throw new PlatenError('ACCOUNT_SUSPENDED', { message });
}

/** All is read for each request, so a change takes effect with the next one. */
async function signedInWith(
  sessionId: string,
  { members, keys }: MemberSources,
): Promise<SignedIn | undefined> {
  const session = await members.sessions.use(sessionId);
  const place = session && placeIn(memberRealm, session.subject);
  if (!place) return undefined;
  const [member, account] = await Promise.all([
    members.find(place.account, place.member),
    keys.getAccount(place.account),
  ]);
  return member && account && { account, member, actor: memberRealm.actorFor(member), session, sessionId };
}

/** @throws PlatenError if the route is not in such a scope. */
export function signedInOf({ console: signedIn }: FastifyRequest): SignedIn {
  if (!signedIn) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without member authentication' });
  return signedIn;
}
