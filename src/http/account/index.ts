/** Requests of an API key about itself, its account, and what that is told. */
import type { FastifyPluginAsync } from 'fastify';
import type { EndpointServices } from '../../operations/endpoints.ts';
import { type RotateRouteOptions, rotateRoute } from './rotate.ts';
import { type UsageRouteOptions, usageRoute } from './usage.ts';
import { webhookRoutes } from './webhooks.ts';

type AccountOptions = UsageRouteOptions & RotateRouteOptions & EndpointServices;

/** Register it in a scope that requires keys. */
export const account: FastifyPluginAsync<AccountOptions> = async (app, options) => {
  await app.register(usageRoute, options);
  await app.register(rotateRoute, options);
  await app.register(webhookRoutes, options);
};
