/** GET /v1: describes the service to people and programs that know only its address. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { LARGEST_TOGETHER, MAX_COMBINED_FILES } from '../../accounts/plans/plans.ts';
import type { Config } from '../../config.ts';
import { getInfo, getOpenApi, type Info } from '../service/service.contract.ts';
import { operations } from './operations.ts';

interface InfoRouteOptions {
  readonly version: string;
  readonly config: Config;
}

const endpoints = operations.map(({ method, path, schema }) => ({
  method,
  path,
  auth: schema.security.length > 0,
  description: `${schema.summary}.`,
}));

export const infoRoutes: FastifyPluginAsyncTypebox<InfoRouteOptions> = async (app, { version, config }) => {
  const info: Static<typeof Info> = {
    name: 'Platen',
    version,
    description: 'Converts DOCX documents to PDF.',
    accepts: [...config.accept],
    limits: {
      maxFileBytes: config.maxFileBytes,
      maxCombinedFiles: MAX_COMBINED_FILES,
      maxCombinedBytes: LARGEST_TOGETHER * config.maxFileBytes,
      publicMaxFileBytes: config.publicMaxFileBytes,
      publicPerHour: config.publicPerHour,
      publicPerSecond: config.publicPerSecond,
      conversionTimeoutSeconds: config.convertTimeoutMs / 1000,
    },
    endpoints,
    documentation: { reference: '/v1/docs', guide: '/v1/docs/guide', openapi: getOpenApi.path },
  };
  app.get(getInfo.path, { schema: getInfo.schema }, async () => info);
  app.get('/v1/info', { schema: getInfo.schema }, async () => info);
};
