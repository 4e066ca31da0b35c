/** The cookies of sessions (RFC 6265), in scopes with @fastify/cookie. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `auto`: over TLS, as Fastify believes X-Forwarded-Proto only of the proxies in TRUST_PROXY. */
const attributes = { httpOnly: true, sameSite: 'strict', path: '/', secure: 'auto' } as const;

export class SessionCookie {
  /** The prefix keeps other hosts of the domain, and plain HTTP, from setting it. */
  readonly secure: string;
  /** Without TLS, as in a trial on one machine. */
  readonly insecure: string;

  readonly #attributes: CookieSerializeOptions;

  /** @param maxAge in seconds; undefined: for as long as the browser is open. */
  constructor(name: string, maxAge?: number) {
    this.#attributes = { ...attributes, ...(maxAge !== undefined && { maxAge }) };
    this.secure = `__Host-${name}`;
    this.insecure = name;
  }

  /** The id of the session that the request comes with; undefined without one. */
  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.#nameFor(request)];
  }

  /** Gives the id to the browser; the server decides when the session ends. */
  set(request: FastifyRequest, reply: FastifyReply, id: string): void {
    reply.setCookie(this.#nameFor(request), id, this.#attributes);
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    reply.clearCookie(this.#nameFor(request), attributes);
  }

  #nameFor({ protocol }: FastifyRequest): string {
    return protocol === 'https' ? this.secure : this.insecure;
  }
}

/** Of an operator. */
export const operatorCookie = new SessionCookie('platen-session');
/** Of a member of an account. */
export const memberCookie = new SessionCookie('platen-console');
/** Of a member who signs in at an issuer. Strict, too: only pages of ours send it. */
export const oidcCookie = new SessionCookie('platen-oidc', 600);
/** As above, of an operator. */
export const operatorOidcCookie = new SessionCookie('platen-operator-oidc', 600);
