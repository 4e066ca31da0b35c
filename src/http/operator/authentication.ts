/** Whether the operator is calling: every request in the scope that registers this plugin. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { readBearer } from '../../keys/bearer.ts';
import type { Audit, Refusal } from '../../operator/audit.ts';
import type { Actor } from '../../operator/audit-entry.ts';
import { type Client, isEqual, type Session, type Sessions } from '../../operator/sessions.ts';
import type { OperatorToken } from '../../operator-token.ts';
import { limitFailures } from '../access/authentication-limit.ts';
import { errorResponses } from '../contract/responses.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { clientNetwork } from '../core/client-network.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { CSRF_HEADER, NOT_SAME_ORIGIN, NOT_SIGNED_IN, NOT_THE_TOKEN } from './operation.ts';
import { isSameOrigin } from './same-origin.ts';
import { operatorCookie } from './session-cookie.ts';

export interface OperatorAuthenticationOptions {
  readonly token: OperatorToken;
  readonly sessions: Sessions;
  readonly audit: Audit;
}

/** How the operator is known. */
export type Operator =
  | { readonly by: 'token' }
  | { readonly by: 'session'; readonly id: string; readonly session: Session };

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator; undefined outside their scopes. */
    operator: Operator | undefined;
  }
  interface FastifyContextConfig {
    /** A request to this route does not keep a session from ending. */
    passive?: boolean;
  }
}

/** What every route of such a scope can answer instead. */
export const operatorErrors = errorResponses('Operator', [
  'MISSING_AUTH',
  'INVALID_API_KEY',
  'RATE_LIMIT_EXCEEDED',
]);

/** Another scheme is between the browser and a proxy that wants a password of its own: no token, and no guess at one. */
const BEARER = /^bearer\b/i;
/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * With the token it needs no Redis, as the operator has to see most while that is away. Failed attempts count together
 * with those of API keys.
 */
export const operatorAuthentication = fp<OperatorAuthenticationOptions>(
  async (app, { token, sessions, audit }) => {
    app.decorateRequest('operator', undefined);

    app.addHook('onRequest', async (request) => {
      const { authorization = '' } = request.headers;
      if (!BEARER.test(authorization)) {
        request.operator = await readSession(request, sessions);
      } else if (isOperator(token, authorization)) {
        request.operator = { by: 'token' };
      } else {
        noteRefusal(audit, request, 'token.refused');
        await limitFailures(app, request);
        throw new PlatenError('INVALID_API_KEY', { message: NOT_THE_TOKEN });
      }
    });
  },
  {
    name: 'operator-authentication',
    dependencies: ['errors', 'authentication-limit', 'redis-deadline', '@fastify/cookie'],
  },
);

/** Has the audit note a token that is not the operator's. Nobody waits for it. */
export function noteRefusal(audit: Audit, request: FastifyRequest, action: Refusal['action']): void {
  void audit.refuse({ action, who: addressFor(request), network: clientNetwork(clientAddressOf(request)) });
}

/** Who does something, for the audit. */
export function actorOf(request: FastifyRequest): Actor {
  const { operator } = request;
  if (!operator)
    throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without operator authentication' });
  return { by: operator.by, who: addressFor(request) };
}

/** The address of a client, for the audit. */
export function addressFor(request: FastifyRequest): string {
  return clientAddressOf(request) ?? 'unknown';
}

/** Where a session begins. */
export function clientOf(request: FastifyRequest): Client {
  return { address: addressFor(request), agent: request.headers['user-agent'] ?? '' };
}

/**
 * That a changing request comes from our own pages: it has the CSRF token of its session and the same origin.
 *
 * @throws PlatenError `INSUFFICIENT_PERMISSIONS`
 */
export function assertOwnPage(request: FastifyRequest, { csrfToken }: Session): void {
  if (SAFE.has(request.method)) return;
  const sent = request.headers[CSRF_HEADER];
  if (typeof sent !== 'string' || !isEqual(sent, csrfToken) || isSameOrigin(request) !== true) {
    throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN });
  }
}

/** Nobody guesses the id of a session, so one that has ended is no failed attempt. */
async function readSession(request: FastifyRequest, sessions: Sessions): Promise<Operator> {
  const id = operatorCookie.read(request);
  if (id === undefined) throw new PlatenError('MISSING_AUTH', { message: NOT_SIGNED_IN });
  const found = request.routeOptions.config.passive ? sessions.peek(id) : sessions.use(id);
  const session = await orUnavailable(found, request.redisDeadline);
  if (!session) {
    throw new PlatenError('MISSING_AUTH', { message: 'The session has ended. Sign in again.' });
  }
  assertOwnPage(request, session);
  return { by: 'session', id, session };
}

function isOperator(token: OperatorToken, authorization: string): boolean {
  try {
    return token.matches(readBearer(authorization));
  } catch {
    return false;
  }
}
