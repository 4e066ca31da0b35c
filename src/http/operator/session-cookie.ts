/** The cookie of an operator's session (RFC 6265), in a scope with @fastify/cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The prefix keeps other hosts of the domain, and plain HTTP, from setting it. */
export const SECURE_COOKIE = '__Host-platen-session';
/** Without TLS, as in a trial on one machine. */
export const INSECURE_COOKIE = 'platen-session';

/** `auto`: over TLS, as Fastify believes X-Forwarded-Proto only of the proxies in TRUST_PROXY. */
const attributes = { httpOnly: true, sameSite: 'strict', path: '/', secure: 'auto' } as const;

/** The id of the session that the request comes with; undefined without one. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request)];
}

/** Gives the id to the browser for as long as it is open; the server decides when the session ends. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  reply.setCookie(nameFor(request), id, attributes);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(nameFor(request), attributes);
}

function nameFor({ protocol }: FastifyRequest): string {
  return protocol === 'https' ? SECURE_COOKIE : INSECURE_COOKIE;
}
