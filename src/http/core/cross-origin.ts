/**
 * Pages of other origins: which answers of `/v1` a browser shows them (CORS, section 3.2 of the Fetch standard).
 *
 * What no key decides, any page may read, errors included. Of a request with a key, the key's origins decide
 * (src/accounts/limits/admit.lua); a page that is refused sees no answer. Cookies play no part, as `/v1` has none.
 */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isWithin, pathOf } from './request-path.ts';
import { foreignOrigin } from './same-origin.ts';

/** Headers that a page may read, beside those that it always may (Fetch, section 2.2.2). */
export const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'X-Conversion-Pages',
  'X-Conversion-Warnings',
  'X-Conversion-Conformance',
  'Content-Disposition',
  'Repr-Digest',
  'Server-Timing',
  'Idempotent-Replayed',
  'Location',
  'Preference-Applied',
  'WWW-Authenticate',
  'Allow',
  'ETag',
] as const;

/** Headers that a page may send, beside those that it always may. */
export const SENT_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Prefer',
  'Platen-Simulate',
  'If-None-Match',
  'traceparent',
  'tracestate',
] as const;

/**
 * The answer to every preflight request, which has no key: it says what pages may send, and the request itself is decided. Chromium
 * remembers it for two hours at most, in seconds.
 */
const preflightAnswer = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': SENT_HEADERS.join(', '),
  'access-control-max-age': '7200',
};

/** To be registered before whatever asks Redis, or refuses requests: preflight requests pass all of it by. */
export const crossOrigin = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      if (!isForPages(request)) return;
      reply.header('vary', 'Origin');
      const { method, headers } = request;
      if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return;
      return reply.code(204).headers(preflightAnswer).send();
    });

    app.addHook('onSend', async (request, reply) => {
      const origin = foreignOrigin(request);
      const { failure, standing } = request.state;
      if (origin === undefined || failure?.code === 'ORIGIN_NOT_ALLOWED' || !isForPages(request)) return;
      reply.headers({
        // A request that has got as far as its account's standing has passed its key's origins.
        'access-control-allow-origin': standing ? origin : '*',
        'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
      });
    });
  },
  { name: 'cross-origin', dependencies: ['errors', 'request-log'] },
);

function isForPages({ originalUrl }: FastifyRequest): boolean {
  return isWithin(pathOf(originalUrl), '/v1');
}
