/** Authenticates the member and checks what they may do, for every request in the scope that registers this plugin. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { isHeld } from '../../keys/records.ts';
import { memberRealm, placeIn } from '../../members/realm.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { assertOwnPage, isSafe } from '../operator/authentication.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import { NOT_ALLOWED, NOT_SIGNED_IN, SUSPENDED } from './operation.ts';
import { Scope, type ScopeSources } from './scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The data that the member may use; undefined outside their scopes. */
    console: Scope | undefined;
  }
}

export const memberAuthentication = fp<ScopeSources>(
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
      const scope = await orUnavailable(scopeFor(id, sources), request.redisDeadline);
      if (!scope) {
        throw new PlatenError('MISSING_AUTH', { message: 'The session has ended. Sign in again.' });
      }
      assertOwnPage(request, scope.session);
      assertAllowed(request, scope);
      request.console = scope;
      const { record: account, actor, member } = scope;
      request.caller = { account, actor, role: member.role, port: request.port };
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
function assertAllowed({ method, routeOptions }: FastifyRequest, { member, record }: Scope): void {
  const { roles = [], own = false } = routeOptions.config;
  if (roles === 'anybody' || !roles.includes(member.role)) {
    throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_ALLOWED });
  }
  if (!isHeld(record) || isSafe(method) || own) return;
  const message =
    record.deletesAt === null
      ? SUSPENDED
      : `This account will be deleted at ${record.deletesAt}: its members may read and export, but change nothing. ` +
        'Ask your operator, who can restore it until then.';
  throw new PlatenError('ACCOUNT_SUSPENDED', { message });
}

/** All is read for each request, so a change takes effect with the next one. */
async function scopeFor(sessionId: string, sources: ScopeSources): Promise<Scope | undefined> {
  const { members, keys } = sources;
  const session = await members.sessions.use(sessionId);
  const place = session && placeIn(memberRealm, session.subject);
  if (!place) return undefined;
  const [member, record] = await Promise.all([
    members.find(place.account, place.member),
    keys.getAccount(place.account),
  ]);
  return member && record && new Scope(sources, { record, member, session, sessionId });
}

/** @throws PlatenError if the route is not in such a scope. */
export function scopeOf({ console: scope }: FastifyRequest): Scope {
  if (!scope) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without member authentication' });
  return scope;
}
