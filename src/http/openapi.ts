/** The OpenAPI document, made from the schemas that validate and serialise the requests. */
import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import fp from 'fastify-plugin';
import { Type } from 'typebox';

export interface OpenApiOptions {
  readonly version: string;
}

/** The form of an upload. It only documents: the parts are read one by one, see upload.ts. */
const UploadForm = Type.Object({
  file: Type.String({ format: 'binary', description: 'The DOCX document.' }),
  format: Type.Optional(Type.String({ enum: ['pdf'], description: 'As the query parameter.' })),
});

/** A body of which no field is required may be left out; the plugin says of every body that it is required. */
const withOptionalBodies: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const path of Object.values(openapiObject.paths ?? {})) {
    const body = path?.post?.requestBody;
    if (!body || !('content' in body)) continue;
    body.required = Object.values(body.content ?? {}).some(
      ({ schema }) => schema !== undefined && 'required' in schema && schema.required !== undefined,
    );
  }
  return openapiObject;
};

/** Collects the routes that are registered after it and serves the document at GET /v1/openapi.json. */
export const openApi = fp<OpenApiOptions>(
  async (app, { version }) => {
    await app.register(swagger, {
      transform: ({ schema, url }) => ({
        schema: schema?.consumes?.includes('multipart/form-data') ? { ...schema, body: UploadForm } : schema,
        url,
      }),
      transformObject: withOptionalBodies,
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Platen',
          version,
          description: 'Converts DOCX documents to PDF.',
          license: { name: 'MIT', identifier: 'MIT' },
        },
        tags: [
          { name: 'conversion', description: 'A DOCX in, its PDF out.' },
          { name: 'account', description: 'Usage and keys of the account that calls.' },
          { name: 'service', description: 'What the service is and how it is.' },
          { name: 'operator', description: 'For those who run it.' },
        ],
        components: {
          securitySchemes: {
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'svc_{test|live}_{pk|sk}_{random}',
              description: 'The API key that your operator gave you.',
            },
            operatorToken: {
              type: 'http',
              scheme: 'bearer',
              description: "The operator's own token: OPERATOR_TOKEN, or the file in the data folder.",
            },
          },
        },
      },
    });
    app.get(
      '/v1/openapi.json',
      {
        config: { quiet: true },
        schema: {
          operationId: 'getOpenApi',
          tags: ['service'],
          summary: 'This document',
          response: { 200: Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }) },
        },
      },
      async () => app.swagger(),
    );
  },
  { name: 'openapi' },
);
