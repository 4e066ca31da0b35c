/** GET /metrics: for Prometheus. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requestIdHeader } from '../../contract/headers.ts';
import { operatorErrors } from '../authentication.ts';
import { routeForAll } from '../operation.ts';
import type { Metrics } from './metrics.ts';

interface MetricsRouteOptions {
  readonly metrics: Metrics;
}

const Exposition = Type.String({ description: 'The text format of Prometheus, version 0.0.4.' });

/** Register it in a scope that only operators enter. */
export const metricsRoute: FastifyPluginAsyncTypebox<MetricsRouteOptions> = async (app, { metrics }) => {
  const schema = {
    response: {
      200: {
        description: 'All metrics of this server.',
        headers: requestIdHeader,
        content: { 'text/plain': { schema: Exposition } },
      },
      ...operatorErrors,
    },
  };
  app.get('/metrics', routeForAll({ schema }, { quiet: true, vital: true }), async (_request, reply) => {
    const text = await metrics.expose();
    return reply.type(metrics.contentType).send(text);
  });
};
