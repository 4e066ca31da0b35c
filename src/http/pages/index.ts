/** The built pages, for people with a browser. */
import type { FastifyPluginAsync } from 'fastify';
import { assetRoutes } from './assets.ts';
import { dashboardRoutes } from './dashboard.ts';
import { docsRoutes } from './docs.ts';
import { type TryItRouteOptions, tryItRoute } from './try-it.ts';

export const pages: FastifyPluginAsync<TryItRouteOptions> = async (app, options) => {
  await app.register(assetRoutes);
  await app.register(docsRoutes);
  await app.register(tryItRoute, options);
  await app.register(dashboardRoutes);
};
