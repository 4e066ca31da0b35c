/** Authenticates the member and checks their role, for every request in the scope that registers this plugin. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { memberRealm, placeIn } from '../../members/realm.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { assertOwnPage } from '../operator/authentication.ts';
import { memberCookie } from '../operator/session-cookie.ts';
import { NOT_ALLOWED, NOT_SIGNED_IN } from './operation.ts';
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
      const { roles = [] } = request.routeOptions.config;
      if (roles === 'anybody' || !roles.includes(scope.member.role)) {
        throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_ALLOWED });
      }
      request.console = scope;
    });
  },
  { name: 'member-authentication', dependencies: ['errors', 'redis-deadline', '@fastify/cookie'] },
);

/** Role and member are read for each request, so a change takes effect with the next one. */
async function scopeFor(sessionId: string, sources: ScopeSources): Promise<Scope | undefined> {
  const { members } = sources;
  const session = await members.sessions.use(sessionId);
  const place = session && placeIn(memberRealm, session.subject);
  const member = place && (await members.find(place.account, place.member));
  return member && new Scope(sources, { account: place.account, member, session, sessionId });
}

/** @throws PlatenError if the route is not in such a scope. */
export function scopeOf({ console: scope }: FastifyRequest): Scope {
  if (!scope) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without member authentication' });
  return scope;
}
