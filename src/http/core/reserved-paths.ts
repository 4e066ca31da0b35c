/**
 * Paths that proxies, such as docker/haproxy.cfg, keep from the public. The router decodes paths, but a proxy may not:
 * `/%6fperator` would bypass a rule for `/operator`.
 */
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { isWithin, pathOf } from './request-path.ts';

const reserved = ['/operator', '/dashboard', '/metrics'];

/** Answers 404 if a request reaches one of them in another spelling. */
export const reservedPaths = fp(
  async (app) => {
    app.addHook('onRequest', async ({ originalUrl, routeOptions: { url = '' } }) => {
      const root = reserved.find((path) => isWithin(url, path));
      if (root !== undefined && !isWithin(pathOf(originalUrl), root)) throw new PlatenError('NOT_FOUND');
    });
  },
  { name: 'reserved-paths', dependencies: ['errors'] },
);
