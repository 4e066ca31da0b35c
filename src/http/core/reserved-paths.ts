/**
 * Paths that proxies keep from the public, such as docker/haproxy.cfg. The router decodes a path before it looks for its
 * route, and a proxy may not: `/%6fperator` would get past a rule for `/operator`.
 */
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { isWithin, pathOf } from './request-path.ts';

const reserved = ['/operator', '/dashboard', '/metrics'];

/** Answers 404 where a request reaches one of them, but does not spell it letter by letter. */
export const reservedPaths = fp(
  async (app) => {
    app.addHook('onRequest', async ({ originalUrl, routeOptions: { url = '' } }) => {
      const root = reserved.find((path) => isWithin(url, path));
      if (root !== undefined && !isWithin(pathOf(originalUrl), root)) throw new PlatenError('NOT_FOUND');
    });
  },
  { name: 'reserved-paths', dependencies: ['errors'] },
);
