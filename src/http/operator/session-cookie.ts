/** The cookie of an operator's session (RFC 6265). */
import { parse, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The prefix keeps other hosts of the domain, and plain HTTP, from setting it. */
export const SECURE_COOKIE = '__Host-platen-session';
/** Without TLS, as in a trial on one machine. */
export const INSECURE_COOKIE = 'platen-session';

/** What a header may have of cookies, beside the limit on all headers. */
const MAX_LENGTH = 8_192;

/** The id of the session that the request comes with; undefined without one. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || cookie.length > MAX_LENGTH) return undefined;
  return parse(cookie)[nameFor(request)];
}

/** Gives the id to the browser for as long as it is open; the server decides when the session ends. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  reply.header('set-cookie', serialize(nameFor(request), id, attributesFor(request)));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const attributes = { ...attributesFor(request), expires: new Date(0) };
  reply.header('set-cookie', serialize(nameFor(request), '', attributes));
}

function nameFor(request: FastifyRequest): string {
  return isSecure(request) ? SECURE_COOKIE : INSECURE_COOKIE;
}

function attributesFor(request: FastifyRequest) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: isSecure(request) } as const;
}

/** Fastify believes X-Forwarded-Proto only of the proxies in TRUST_PROXY. */
function isSecure({ protocol }: FastifyRequest): boolean {
  return protocol === 'https';
}
