/** Who is calling: the API key of every request in the scope that registers this plugin. */
import fp from 'fastify-plugin';
import { PlatenError } from '../errors.ts';
import { authenticate as authenticateKey } from '../keys/authenticate.ts';
import type { KeyRecord, Permission } from '../keys/records.ts';
import { addressAllowed } from '../keys/restrictions.ts';
import type { KeyStore } from '../keys/store.ts';

export interface AuthenticateOptions {
  readonly keys: KeyStore;
}

/** Checks the key, then its IP restrictions, then the permission that the route's config names. */
export const authenticate = fp<AuthenticateOptions>(
  async (app, { keys }) => {
    app.decorateRequest('key', undefined);
    app.addHook('onRequest', async (request) => {
      const key = await authenticateKey(request.headers.authorization, keys, new Date());
      request.key = key;
      if (!addressAllowed(key.ipRestrictions, request.ip)) {
        throw new PlatenError('IP_NOT_ALLOWED', {
          message: `This API key may not be used from ${request.ip}. Ask your operator to allow the address.`,
        });
      }
      const { permission } = request.routeOptions.config;
      if (permission && !key.permissions.includes(permission))
        throw new PlatenError('INSUFFICIENT_PERMISSIONS', {
          message: `This API key lacks the permission "${permission}" for this endpoint. Use a key that holds it.`,
        });
    });
  },
  { name: 'authenticate', dependencies: ['errors'] },
);

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the request; undefined outside authenticated scopes. */
    key: KeyRecord | undefined;
  }
  interface FastifyContextConfig {
    /** What the key must hold for this route. */
    permission?: Permission;
  }
}
