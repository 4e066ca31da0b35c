/** GET /v1: what this service is, for people and programs that have only its address. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Config } from '../../config.ts';

export interface InfoRouteOptions {
  readonly version: string;
  readonly config: Config;
}

const Info = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  limits: Type.Object({
    maxFileBytes: Type.Integer(),
    publicMaxFileBytes: Type.Integer(),
    publicPerHour: Type.Integer(),
    publicPerSecond: Type.Integer(),
    conversionTimeoutSeconds: Type.Number(),
  }),
  endpoints: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      auth: Type.Boolean(),
      description: Type.String(),
    }),
  ),
  documentation: Type.Object({ openapi: Type.String() }),
});

const endpoints = [
  {
    method: 'POST',
    path: '/v1/convert',
    auth: true,
    description: 'Converts the multipart field "file" (DOCX) to PDF.',
  },
  {
    method: 'POST',
    path: '/v1/public/convert',
    auth: false,
    description: 'The same without a key, for smaller files.',
  },
  {
    method: 'GET',
    path: '/v1/usage',
    auth: true,
    description: 'What the account has used, and what is left.',
  },
  {
    method: 'POST',
    path: '/v1/keys/rotate',
    auth: true,
    description: 'Replaces the calling key by a successor.',
  },
  {
    method: 'GET',
    path: '/v1/health',
    auth: false,
    description: '200 when a conversion would succeed now, else 503.',
  },
  { method: 'GET', path: '/health/live', auth: false, description: '200 while the process is up.' },
  {
    method: 'GET',
    path: '/health/ready',
    auth: false,
    description: '200 when this server takes traffic, else 503.',
  },
  { method: 'GET', path: '/v1', auth: false, description: 'This page.' },
  { method: 'GET', path: '/v1/openapi.json', auth: false, description: 'The OpenAPI document.' },
];

export const infoRoutes: FastifyPluginAsyncTypebox<InfoRouteOptions> = async (app, { version, config }) => {
  const info: Static<typeof Info> = {
    name: 'Platen',
    version,
    description: 'Converts DOCX documents to PDF.',
    limits: {
      maxFileBytes: config.maxFileBytes,
      publicMaxFileBytes: config.publicMaxFileBytes,
      publicPerHour: config.publicPerHour,
      publicPerSecond: config.publicPerSecond,
      conversionTimeoutSeconds: config.convertTimeoutMs / 1000,
    },
    endpoints,
    documentation: { openapi: '/v1/openapi.json' },
  };
  for (const path of ['/v1', '/v1/info']) {
    const schema = {
      operationId: path === '/v1' ? 'getInfo' : 'getInfoAlias',
      tags: ['service'],
      summary: 'What this service is',
      response: { 200: Info },
    };
    app.get(path, { schema }, async () => info);
  }
};
