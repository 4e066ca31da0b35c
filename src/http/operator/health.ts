/**
 * GET /operator/v1/health: the state of this server in detail.
 *
 * It is separate from /health, which load balancers poll without a token, and which answers 503 with the error object just when
 * operators need the details.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getOperatorHealth } from './service.contract.ts';
import { readStatus, type StatusSources } from './status.ts';

/** Register it in a scope that only operators enter. */
export const operatorHealthRoute: FastifyPluginAsyncTypebox<StatusSources> = async (app, sources) => {
  const { path, schema } = getOperatorHealth;
  app.get(path, { config: { quiet: true, vital: true }, schema }, async () => readStatus(sources));
};
