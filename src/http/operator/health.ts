/**
 * GET /operator/v1/health: how this server is, in detail.
 *
 * Not at /health: that answers 503 with the error object when something is missing, which is just when the operator
 * needs the rest, and what load balancers ask all the time must not depend on a token.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getOperatorHealth } from './service.contract.ts';
import { readStatus, type StatusSources } from './status.ts';

/** To be registered in a scope that only the operator enters. */
export const operatorHealthRoute: FastifyPluginAsyncTypebox<StatusSources> = async (app, sources) => {
  const { path, schema } = getOperatorHealth;
  app.get(path, { config: { quiet: true, vital: true }, schema }, async () => readStatus(sources));
};
