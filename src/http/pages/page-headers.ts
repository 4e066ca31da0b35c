/** What every page for a browser carries, beside its own headers. */
import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';

/**
 * Only what this server itself serves is loaded, run, asked and shown in; nothing inline, nothing evaluated. Swagger
 * UI's style sheet has its icons as `data:`.
 */
const directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** @param more directives of the content security policy that one route needs beside those of all: its option `helmet` */
export function policyWith(more: Readonly<Record<string, readonly string[]>>) {
  return { contentSecurityPolicy: { useDefaults: false, directives: { ...directives, ...more } } };
}

/** For every route in the scope that registers it. */
export const pageHeaders = fp(
  async (app) => {
    await app.register(helmet, {
      ...policyWith({}),
      xFrameOptions: { action: 'deny' },
      // The proxy that has the certificate says whether its host is for TLS only.
      strictTransportSecurity: false,
    });
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    });
  },
  { name: 'page-headers' },
);
