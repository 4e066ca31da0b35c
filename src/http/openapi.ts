/** The OpenAPI document, made from the schemas that validate and serialise the requests. */
import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import Fastify from 'fastify';
import fp from 'fastify-plugin';
import type { OpenAPIV3 } from 'openapi-types';
import { UploadForm } from './contract/convert.ts';
import { namedSchemas, operations } from './contract/operations.ts';
import { getOpenApi } from './contract/service.ts';
import { sharedSerializers } from './serializers.ts';

export interface OpenApiOptions {
  readonly version: string;
}

/**
 * 3.0, as there are still generators that take 3.1 with a warning or not at all (openapi-generator, oapi-codegen), and
 * nothing here needs it. `null` becomes `nullable: true`, and a file is a string of the format `binary`.
 */
const OPENAPI_VERSION = '3.0.3';

const info: OpenAPIV3.InfoObject = {
  title: 'Platen',
  version: '',
  description:
    'Turns a Word document (DOCX) into its PDF, at once: post the document, get the PDF in the same response.\n\n' +
    '**Start**: put the address and the key that your operator gave you into the environment and run\n\n' +
    '```\n' +
    'curl -f -o document.pdf -H "Authorization: Bearer $PLATEN_API_KEY" \\\n' +
    '  -F file=@document.docx "$PLATEN_URL/v1/convert"\n' +
    '```\n\n' +
    'The [guide](/v1/docs/guide) has a program to copy in six languages, and what to do about each error.\n\n' +
    '**Errors** all have the same body, `ErrorObject`. Decide by its `code`. `message` says what to do next. Quote ' +
    '`requestId` when you ask support.\n\n' +
    '**Retry** a connection that broke, 408, 409, 429, 502, 503, 504 and `INTERNAL_ERROR`, after the seconds of ' +
    '`Retry-After` and a random time on top, with the same `Idempotency-Key`. Retry nothing else.\n\n' +
    '**Changes** within a major version are compatible: paths, fields, headers and codes may be added, and none is ' +
    'removed. Ignore what you do not know.',
  contact: { name: 'The operator who gave you your key' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

const tags: OpenAPIV3.TagObject[] = [
  { name: 'conversion', description: 'A DOCX in, its PDF out.' },
  { name: 'account', description: 'Usage and keys of the account that calls.' },
  { name: 'service', description: 'What the service is and how it is. For everyone.' },
];

const apiKey: OpenAPIV3.HttpSecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'svc_{test|live}_{pk|sk}_{random}',
  description:
    'The API key that your operator gave you: `svc_`, its environment (`test` or `live`), its type (`sk` is secret, ' +
    '`pk` can only convert) and 49 letters and digits. Test keys are never billed.',
};

/** What the plugin cannot say: a body may be left out, a header is always there, conversions come first. */
const completed: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const openapiObject = document.openapiObject as OpenAPIV3.Document;
  for (const path of Object.values(openapiObject.paths)) {
    for (const operation of [path?.get, path?.post]) {
      if (operation) requireWhatIs(operation);
    }
  }
  const order = operations.map(({ path }) => path);
  const paths = Object.entries(openapiObject.paths).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return { ...openapiObject, paths: Object.fromEntries(paths) };
};

function requireWhatIs({ requestBody, responses }: OpenAPIV3.OperationObject): void {
  if (requestBody && 'content' in requestBody) {
    requestBody.required = Object.values(requestBody.content).some(
      ({ schema }) => schema !== undefined && 'required' in schema && schema.required !== undefined,
    );
  }
  for (const response of Object.values(responses)) {
    if (!('headers' in response)) continue;
    for (const header of Object.values(response.headers ?? {})) {
      if (!('schema' in header) || !header.schema || !('required' in header.schema)) continue;
      const { required, ...schema } = header.schema;
      Object.assign(header, { required, schema });
    }
  }
}

/** Collects the routes that are registered after it and serves the document at GET /v1/openapi.json. */
export const openApi = fp<OpenApiOptions>(
  async (app, { version }) => {
    for (const schema of namedSchemas) app.addSchema(schema);
    await app.register(swagger, {
      hiddenTag: 'operator',
      refResolver: { buildLocalReference: ({ $id }) => String($id) },
      transform: ({ schema, url }) => ({
        schema: schema?.consumes?.includes('multipart/form-data') ? { ...schema, body: UploadForm } : schema,
        url,
      }),
      transformObject: completed,
      openapi: {
        openapi: OPENAPI_VERSION,
        info: { ...info, version },
        servers: [{ url: '/', description: 'The service that this document comes from.' }],
        tags,
        components: { securitySchemes: { apiKey } },
      },
    });
    app.get(getOpenApi.path, { config: { quiet: true }, schema: getOpenApi.schema }, async () =>
      app.swagger(),
    );
  },
  { name: 'openapi' },
);

/** The document as a service of this version serves it, made without one. */
export async function buildDocument(version: string): Promise<object> {
  const app = Fastify({ schemaController: sharedSerializers() });
  await app.register(openApi, { version });
  for (const { method, path, schema } of operations) {
    if (path === getOpenApi.path) continue;
    app.route({ method, url: path, schema, handler: async () => undefined });
  }
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
