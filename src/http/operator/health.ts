/**
 * GET /operator/v1/health: the state of this server in detail.
 *
 * It is separate from /health, which load balancers poll without a token, and which answers 503 with the error object just when
 * operators need the details.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { routeForAll } from './operation.ts';
import { getOperatorHealth } from './service.contract.ts';
import { readStatus, type StatusSources } from './status.ts';

/** Register it in a scope that only operators enter. */
export const operatorHealthRoute: FastifyPluginAsyncTypebox<StatusSources> = async (app, sources) => {
  app.get(getOperatorHealth.path, routeForAll(getOperatorHealth, { quiet: true, vital: true }), async () =>
    readStatus(sources),
  );
};
