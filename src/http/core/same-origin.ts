/** Whether a page sent a request, and whose, as browsers say. */
import type { FastifyRequest } from 'fastify';

/**
 * By `Sec-Fetch-Site` (W3C Fetch Metadata) where there is one, else by `Origin` (RFC 6454).
 *
 * @returns undefined if neither is there, as from a program that is not a browser.
 */
export function isSameOrigin({ headers, host }: FastifyRequest): boolean | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined) return undefined;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The origin of the page of another site that sent a request; undefined for a page of this service, or a program. */
export function foreignOrigin(request: FastifyRequest): string | undefined {
  return isSameOrigin(request) ? undefined : request.headers.origin || undefined;
}
