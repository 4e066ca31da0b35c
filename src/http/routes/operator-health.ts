/**
 * GET /operator/v1/health: how this server is, in detail.
 *
 * Not at /health: that answers 503 with the error object when something is missing, which is just when the operator
 * needs the rest, and what load balancers ask all the time must not depend on a token.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestIdHeader } from '../contract/headers.ts';
import { operatorErrors, operatorSecurity } from '../operator-authentication.ts';
import { readStatus, ServiceStatus, type StatusSources } from '../service-status.ts';

/** To be registered in a scope that only the operator enters. */
export const operatorHealthRoute: FastifyPluginAsyncTypebox<StatusSources> = async (app, sources) => {
  const schema = {
    operationId: 'getOperatorHealth',
    tags: ['operator'],
    summary: 'How this server is, in detail; 200 also when something is missing',
    security: operatorSecurity,
    response: {
      200: { ...ServiceStatus, headers: requestIdHeader },
      ...operatorErrors,
    },
  };
  app.get('/operator/v1/health', { config: { quiet: true, vital: true }, schema }, async () =>
    readStatus(sources),
  );
};
