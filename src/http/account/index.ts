/** Requests of an API key about itself and its account. */
import type { FastifyPluginAsync } from 'fastify';
import { type RotateRouteOptions, rotateRoute } from './rotate.ts';
import { type UsageRouteOptions, usageRoute } from './usage.ts';

export type AccountOptions = UsageRouteOptions & RotateRouteOptions;

/** Register it in a scope that requires keys. */
export const account: FastifyPluginAsync<AccountOptions> = async (app, options) => {
  await app.register(usageRoute, options);
  await app.register(rotateRoute, options);
};
