/** What an API key asks about itself and its account. */
import type { FastifyPluginAsync } from 'fastify';
import { type RotateRouteOptions, rotateRoute } from './rotate.ts';
import { type UsageRouteOptions, usageRoute } from './usage.ts';

export type AccountOptions = UsageRouteOptions & RotateRouteOptions;

/** To be registered in a scope of keys. */
export const account: FastifyPluginAsync<AccountOptions> = async (app, options) => {
  await app.register(usageRoute, options);
  await app.register(rotateRoute, options);
};
