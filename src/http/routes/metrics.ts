/** GET /metrics: for Prometheus. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorObject } from '../error-object.ts';
import type { Metrics } from '../metrics.ts';
import { operatorSecurity } from '../operator-authentication.ts';
import { responseHeaders } from '../response-headers.ts';

export interface MetricsRouteOptions {
  readonly metrics: Metrics;
}

const Exposition = Type.String({ description: 'The text format of Prometheus, version 0.0.4.' });

/** To be registered in a scope that only the operator enters. */
export const metricsRoute: FastifyPluginAsyncTypebox<MetricsRouteOptions> = async (app, { metrics }) => {
  const headers = responseHeaders({ withKey: false, withToken: true });
  const schema = {
    operationId: 'getMetrics',
    tags: ['operator'],
    summary: 'Metrics of this server, for Prometheus',
    security: operatorSecurity,
    response: {
      200: {
        description: 'All metrics of this server.',
        headers: headers.success,
        content: { 'text/plain': { schema: Exposition } },
      },
      '4xx': { ...ErrorObject, headers: headers.failure },
      '5xx': { ...ErrorObject, headers: headers.failure },
    },
  };
  app.get('/metrics', { config: { quiet: true, vital: true }, schema }, async (_request, reply) => {
    const text = await metrics.expose();
    return reply.type(metrics.contentType).send(text);
  });
};
