/** Authenticates the operator and checks their role, for every request in the scope that registers this plugin. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { readBearer } from '../../accounts/keys/bearer.ts';
import { PlatenError } from '../../errors.ts';
import type { Member, OperatorRole } from '../../members/member.ts';
import type { Members } from '../../members/members.ts';
import { operatorRealm, placeIn } from '../../members/realm.ts';
import type { Audit, Refusal } from '../../operator/audit.ts';
import type { Actor } from '../../operator/audit-entry.ts';
import { type Client, isEqual, type Session, type Sessions } from '../../operator/sessions.ts';
import type { OperatorToken } from '../../system/operator-token.ts';
import { limitFailures } from '../access/authentication-limit.ts';
import { errorResponses } from '../contract/responses.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { clientNetwork } from '../core/client-network.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { isSameOrigin } from '../core/same-origin.ts';
import { callerOf } from './door.ts';
import { CSRF_HEADER, NOT_ALLOWED, NOT_SAME_ORIGIN, NOT_SIGNED_IN, NOT_THE_TOKEN } from './operation.ts';
import { operatorCookie } from './session-cookie.ts';

interface OperatorAuthenticationOptions {
  readonly token: OperatorToken;
  readonly sessions: Sessions;
  readonly operators: Members<OperatorRole>;
  readonly audit: Audit;
}

/** How the operator was authenticated. */
export type Operator =
  | { readonly by: 'token'; readonly role: 'admin' }
  | {
      readonly by: 'session';
      readonly id: string;
      readonly session: Session;
      readonly role: OperatorRole;
      /** Undefined if the session began with the token. */
      readonly person: Member<OperatorRole> | undefined;
    };

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator; undefined outside their scopes. */
    operator: Operator | undefined;
  }
  interface FastifyContextConfig {
    /** Requests to this route do not keep a session alive. */
    passive?: boolean;
    /** It changes only the caller's own sessions and passkeys. */
    own?: boolean;
  }
}

/** Errors of every route in such a scope. */
export const operatorErrors = errorResponses('Operator', [
  'MISSING_AUTH',
  'INVALID_API_KEY',
  'RATE_LIMIT_EXCEEDED',
]);

/** Another scheme is meant for a proxy with a password of its own: it is neither a token nor a guess. */
const BEARER = /^bearer\b/i;
const SESSION_ENDED = 'The session has ended. Sign in again.';
/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a request changes nothing. */
export function isSafe(method: string): boolean {
  return SAFE.has(method);
}

/**
 * The token needs no Redis, as operators need this API most during an outage. Failed attempts count together with those of API
 * keys.
 */
export const operatorAuthentication = fp<OperatorAuthenticationOptions>(
  async (app, { token, sessions, operators, audit }) => {
    app.decorateRequest('operator', undefined);
    app.decorateRequest('caller', undefined);

    app.addHook('onRequest', async (request) => {
      const { authorization = '' } = request.headers;
      if (!BEARER.test(authorization)) {
        request.operator = await readSession(request, { sessions, operators });
      } else if (isOperator(token, authorization)) {
        request.operator = { by: 'token', role: 'admin' };
      } else {
        noteRefusal(audit, request, 'token.refused');
        await limitFailures(app, request);
        throw new PlatenError('INVALID_API_KEY', { message: NOT_THE_TOKEN });
      }
      assertAllowed(request, request.operator);
      const { operator, port } = request;
      const own =
        operator.by === 'session'
          ? { person: operator.person, subject: operator.session.subject, session: operator.id }
          : { person: undefined, subject: '', session: undefined };
      request.caller = {
        account: undefined,
        actor: actorFor(request, operator),
        role: operator.role,
        port,
        self: { sessions, ...own },
      };
    });
  },
  {
    name: 'operator-authentication',
    dependencies: ['errors', 'authentication-limit', 'redis-deadline', '@fastify/cookie'],
  },
);

/** The only check of roles. A route without roles admits nobody. @throws PlatenError `INSUFFICIENT_PERMISSIONS` */
function assertAllowed({ routeOptions }: FastifyRequest, { role }: Operator): void {
  if (routeOptions.config.roles?.includes(role)) return;
  throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_ALLOWED });
}

/** Records a wrong token in the audit, without waiting for it. */
export function noteRefusal(audit: Audit, request: FastifyRequest, action: Refusal['action']): void {
  void audit.refuse({ action, who: addressFor(request), network: clientNetwork(clientAddressOf(request)) });
}

/** The actor of a request, for the audit. */
export function actorOf(request: FastifyRequest): Actor {
  return callerOf(request).actor;
}

function actorFor(request: FastifyRequest, operator: Operator): Actor {
  if (operator.by === 'session' && operator.person) return operatorRealm.actorFor(operator.person);
  return { by: operator.by, who: addressFor(request) };
}

/** The address of a client, for the audit. */
export function addressFor(request: FastifyRequest): string {
  return clientAddressOf(request) ?? 'unknown';
}

/** The client that begins a session. */
export function clientOf(request: FastifyRequest): Client {
  return { address: addressFor(request), agent: request.headers['user-agent'] ?? '' };
}

/**
 * Checks that a changing request comes from our own pages: it has the CSRF token of its session and the same origin.
 *
 * @throws PlatenError `INSUFFICIENT_PERMISSIONS`
 */
export function assertOwnPage(request: FastifyRequest, { csrfToken }: Session): void {
  if (isSafe(request.method)) return;
  const sent = request.headers[CSRF_HEADER];
  if (typeof sent !== 'string' || !isEqual(sent, csrfToken) || isSameOrigin(request) !== true) {
    throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN });
  }
}

/** Session ids cannot be guessed, so an ended session is not a failed attempt. */
async function readSession(
  request: FastifyRequest,
  { sessions, operators }: Pick<OperatorAuthenticationOptions, 'sessions' | 'operators'>,
): Promise<Operator> {
  const id = operatorCookie.read(request);
  if (id === undefined) throw new PlatenError('MISSING_AUTH', { message: NOT_SIGNED_IN });
  const found = request.routeOptions.config.passive ? sessions.peek(id) : sessions.use(id);
  const session = await orUnavailable(found, request.redisDeadline);
  if (!session) throw new PlatenError('MISSING_AUTH', { message: SESSION_ENDED });
  assertOwnPage(request, session);
  if (session.subject === '') return { by: 'session', id, session, role: 'admin', person: undefined };
  // Read for each request, so a change of role takes effect with the next one.
  const person = await orUnavailable(personIn(session, operators), request.redisDeadline);
  if (!person) throw new PlatenError('MISSING_AUTH', { message: SESSION_ENDED });
  return { by: 'session', id, session, role: person.role, person };
}

/** The operator with a name to whom a session belongs; undefined if they were removed, or it began with the token. */
async function personIn(
  { subject }: Session,
  operators: OperatorAuthenticationOptions['operators'],
): Promise<Member<OperatorRole> | undefined> {
  const place = placeIn(operatorRealm, subject);
  return place && operators.find(place.account, place.member);
}

/** Whether a session goes on. Does not extend it. @throws Error when Redis is not available. */
export async function goesOn(
  id: string,
  { sessions, operators }: Pick<OperatorAuthenticationOptions, 'sessions' | 'operators'>,
): Promise<boolean> {
  const session = await sessions.peek(id);
  return (
    session !== undefined && (session.subject === '' || (await personIn(session, operators)) !== undefined)
  );
}

function isOperator(token: OperatorToken, authorization: string): boolean {
  try {
    return token.matches(readBearer(authorization));
  } catch {
    return false;
  }
}
