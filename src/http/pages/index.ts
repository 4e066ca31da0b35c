/** The built pages, for people with a browser and for programs that read, and the OpenAPI document. */
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { pagesFolder } from '../../paths.ts';
import { applicationRoutes } from './applications.ts';
import { assetRoutes } from './assets.ts';
import { docsRoutes } from './docs.ts';
import { openApiRoute } from './openapi.ts';
import { pageHeaders } from './page-headers.ts';
import { securityTxtRoute } from './security-txt.ts';
import { type TryItRouteOptions, tryItRoute } from './try-it.ts';

export const pages: FastifyPluginAsync<TryItRouteOptions> = async (app, options) => {
  // No route by itself: a route for each file says what may be sent.
  await app.register(fastifyStatic, {
    root: pagesFolder,
    serve: false,
    preCompressed: true,
    acceptRanges: false,
    cacheControl: false,
  });
  // With it @fastify/static answers 200 to any If-None-Match, and the `fetch` of programs sends both together.
  app.addHook('onRequest', async ({ raw }) => {
    delete raw.headers['cache-control'];
  });
  // Nobody has to see them in the log of requests.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, quiet: true };
  });
  await app.register(openApiRoute);
  await app.register(async (scope) => {
    await scope.register(pageHeaders);
    await scope.register(assetRoutes);
    await scope.register(docsRoutes);
    await scope.register(securityTxtRoute, options);
    await scope.register(tryItRoute, options);
    await scope.register(applicationRoutes, options);
  });
};
