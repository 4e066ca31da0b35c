/** GET /v1/openapi.json: the OpenAPI document, as the build has it from openapi/openapi.json. */
import type { FastifyPluginAsync } from 'fastify';
import { getOpenApi } from '../service/service.contract.ts';

export const openApiRoute: FastifyPluginAsync = async (app) => {
  app.get(getOpenApi.path, { schema: getOpenApi.schema }, async (_request, reply) =>
    reply.sendFile('openapi.json'),
  );
};
