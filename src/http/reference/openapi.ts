/**
 * The OpenAPI documents, made from the schemas that validate and serialise the requests. `npm run openapi` writes them
 * to openapi/; no server makes them.
 */
import { isDeepStrictEqual } from 'node:util';
import swagger, { type FastifyDynamicSwaggerOptions, type SwaggerTransformObject } from '@fastify/swagger';
import Fastify, { type FastifySchema } from 'fastify';
import type { OpenAPIV3 } from 'openapi-types';
import { curlCommand } from '../../shared/curl-command.ts';
import type { ConsoleOperation } from '../console/operation.ts';
import { consoleOperations, consoleTags } from '../console/operations.ts';
import type { Operation } from '../contract/operation.ts';
import { addSchemas, namedSchemas, undescribed } from '../contract/responses.ts';
import { CombinationForm, combineDocuments } from '../conversion/combine.contract.ts';
import { convertDocumentPublic, PublicUploadForm, UploadForm } from '../conversion/convert.contract.ts';
import { sharedSerializers } from '../core/serializers.ts';
import { JobByUrl } from '../jobs/job-by-url.ts';
import { createJob, JobForm } from '../jobs/jobs.contract.ts';
import type { OperatorOperation } from '../operator/operation.ts';
import { operatorOperations } from '../operator/operations.ts';
import { memberCookie, operatorCookie, type SessionCookie } from '../operator/session-cookie.ts';
import { shareObjects, shareWhatRepeats } from './components.ts';
import { operations } from './operations.ts';

/**
 * 3.0, as some generators support 3.1 with a warning or not at all (openapi-generator, oapi-codegen), and nothing here needs
 * it. `null` becomes `nullable: true`, and a file is a string of the format `binary`.
 */
const OPENAPI_VERSION = '3.0.3';

const info: OpenAPIV3.InfoObject = {
  title: 'Platen',
  version: '',
  description:
    'Converts a Word document (DOCX) to PDF: post the document, get the PDF in the same response.\n\n' +
    '**Start**: put the address and the key that your operator gave you into the environment and run\n\n' +
    '```\n' +
    `${curlCommand('document.pdf', '-H "Authorization: Bearer $PLATEN_API_KEY" \\\n  -F file=@document.docx "$PLATEN_URL/v1/convert"')}\n` +
    '```\n\n' +
    'The [guide](/v1/docs/guide) has a program to copy in six languages, and what to do about each error.\n\n' +
    '**Errors** all have the same body, `ErrorObject`, and each response lists its codes. Decide by `code`. ' +
    '`message` says ' +
    'what to do next. Quote `requestId` when you ask support.\n\n' +
    '**Retry** a connection that broke, 408, 409, 429, 502, 503, 504 and `INTERNAL_ERROR`, after the seconds of ' +
    '`Retry-After` and a random time on top, with the same `Idempotency-Key`. Retry nothing else.\n\n' +
    '**Pages** of browsers may send requests with a `pk` key that has their origin, and read the answers with all headers ' +
    'that are listed here. What needs no key, any page may ask for. See [the guide](/v1/docs/guide/browser).\n\n' +
    '**Caches** keep nothing: every answer has `Cache-Control: no-store`.\n\n' +
    '**Changes** within `/v1` are compatible: paths, fields, headers and codes may be added, and none is ' +
    'removed. Ignore ' +
    'unknown ones.',
  contact: { name: 'The operator who gave you your key' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

const tags: OpenAPIV3.TagObject[] = [
  { name: 'conversion', description: 'A DOCX in, its PDF out.' },
  { name: 'jobs', description: 'Many documents, converted in the background.' },
  { name: 'webhooks', description: 'Messages to you when something happens.' },
  { name: 'account', description: 'Usage and keys of the calling account.' },
  { name: 'service', description: 'Information about the service and its health. No key needed.' },
];

const apiKey: OpenAPIV3.HttpSecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'svc_{test|live}_{pk|sk}_{random}',
  description:
    'The API key that your operator gave you: `svc_`, its environment (`test` or `live`), its type (`sk` is secret, ' +
    '`pk` can only convert, also in pages of its origins) and 49 letters and digits. Test keys are never billed.',
};

/**
 * Adds what the plugin cannot express: optional bodies, required headers, conversions first, named schemas of errors; and
 * removes the schemas of other scopes.
 */
function completed(operations: readonly Documented[]): SwaggerTransformObject {
  const order = operations.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  const names = new Set(namedSchemas(operations).map(({ $id }) => $id));
  return (document) => {
    if (!('openapiObject' in document)) return document.swaggerObject;
    const openapiObject = document.openapiObject as OpenAPIV3.Document;
    const paths = Object.entries(openapiObject.paths).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const documented = paths
      .flatMap(([, path]) => [path?.get, path?.post, path?.put, path?.patch, path?.delete])
      .filter((operation) => operation !== undefined);
    for (const operation of documented) {
      requireWhatIs(operation);
      leaveTitlesOut(operation);
    }
    const { components } = openapiObject;
    const schemas = (components?.schemas ?? {}) as Record<string, OpenAPIV3.SchemaObject>;
    const known = Object.entries(schemas).filter(([name]) => names.has(name));
    const named = structuredClone({ ...Object.fromEntries(known), ...nameTitled(documented) });
    shareObjects(named);
    return {
      ...openapiObject,
      components: {
        ...components,
        ...shareWhatRepeats(documented),
        schemas: named,
      },
      paths: Object.fromEntries(paths),
    };
  };
}

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

/** Titles of what is sent are words of refusals; descriptions say the same. */
function leaveTitlesOut(operation: OpenAPIV3.OperationObject): void {
  const { parameters, requestBody } = operation;
  const text = JSON.stringify({ parameters, requestBody }, (key, value) =>
    key === 'title' && typeof value === 'string' ? undefined : value,
  );
  Object.assign(operation, JSON.parse(text));
}

/**
 * Moves response schemas with a title into components named by it, so that generated clients get one type for many responses.
 * Equal ones have the name of the first.
 *
 * @throws Error when two schemas have one title.
 */
function nameTitled(
  operations: readonly OpenAPIV3.OperationObject[],
): Record<string, OpenAPIV3.SchemaObject> {
  const titled = new Map<string, OpenAPIV3.SchemaObject>();
  for (const response of operations.flatMap(({ responses }) => Object.values(responses))) {
    if (!('content' in response)) continue;
    for (const media of Object.values(response.content ?? {})) {
      if (!media.schema || !('title' in media.schema) || media.schema.title === undefined) continue;
      const { title, ...schema } = media.schema;
      const [name = title] = [...titled].find(([, other]) => isDeepStrictEqual(other, schema)) ?? [];
      if (name === title && titled.has(title) && !isDeepStrictEqual(titled.get(title), schema)) {
        throw new Error(`two schemas have the title ${title}`);
      }
      titled.set(name, schema);
      media.schema = { $ref: `#/components/schemas/${name}` };
    }
  }
  return Object.fromEntries(titled);
}

/** The document of `/v1`, as a service of this version serves it: `openapi/openapi.json`. */
export function buildDocument(version: string, documented = operations): Promise<object> {
  return documentOf(documented, {
    transform: ({ schema, url }) => {
      const body = url === createJob.path && schema?.body ? jobBody : formOf(url, schema);
      return { schema: body ? { ...schema, body } : schema, url };
    },
    openapi: {
      info: { ...info, version },
      tags,
      components: { securitySchemes: { apiKey } },
    },
  });
}

const { options } = JobByUrl.properties;
const jobBody = {
  content: {
    'multipart/form-data': { schema: JobForm },
    'application/json': {
      schema: {
        ...JobByUrl,
        properties: {
          ...JobByUrl.properties,
          options: { ...options, properties: undescribed(options.properties) },
        },
      },
    },
  },
};

function formOf(url: string, schema: FastifySchema | undefined): object | undefined {
  if (!schema?.consumes?.includes('multipart/form-data')) return undefined;
  if (url === combineDocuments.path) return CombinationForm;
  return url === convertDocumentPublic.path ? PublicUploadForm : UploadForm;
}

const operatorInfo: OpenAPIV3.InfoObject = {
  title: 'Platen for operators',
  version: '',
  description:
    'What the dashboard is built on: accounts, keys, requests, the state of the service. For the operator only; ' +
    'integrators have a document of their own, `/v1/openapi.json`.\n\n' +
    '**Programs** send the operator token: `Authorization: Bearer …`. **Pages** sign in, and send the `csrfToken` of ' +
    'their session as `X-CSRF-Token` with every request that changes something. An operator whose role is `support` ' +
    'may read; everything else is answered with 403 `INSUFFICIENT_PERMISSIONS`.\n\n' +
    '**Lists** come in pages: send `next` as `after`, until it is `null`.\n\n' +
    '**Caches** keep nothing: every answer has `Cache-Control: no-store`.\n\n' +
    '**Errors** all have the same body, `ErrorObject`, with the codes of the catalogue. What the services ' +
    'refuse, an id ' +
    'that is taken for example, is `INVALID_PARAMETER`, and `message` says why.',
  contact: { name: 'Platen' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

const operatorTags: OpenAPIV3.TagObject[] = [
  { name: 'session', description: 'Signing in and out.' },
  { name: 'operators', description: 'Who may sign in to the dashboard, and as what.' },
  { name: 'service', description: 'State of the service, and its maintenance mode.' },
  { name: 'accounts', description: 'Accounts, their plans, what they use, and their bills.' },
  { name: 'keys', description: 'API keys.' },
  { name: 'requests', description: 'Recent requests with keys, and their responses.' },
  { name: 'jobs', description: 'Jobs of accounts, without the names of their files.' },
  { name: 'audit', description: 'Who did what, and when.' },
];

const operatorSchemes: Record<string, OpenAPIV3.SecuritySchemeObject> = {
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of `OPERATOR_TOKEN`, or of the file `operator-token` in the data folder.',
  },
  session: cookieScheme(operatorCookie),
};

function cookieScheme({ insecure, secure }: SessionCookie): OpenAPIV3.SecuritySchemeObject {
  const description = `What signing in sets. Over TLS it is called \`${secure}\`.`;
  return { type: 'apiKey', in: 'cookie', name: insecure, description };
}

/** The document of the operator API, `openapi/operator.json`. */
export function buildOperatorDocument(version: string): Promise<object> {
  return documentOf(operatorOperations, {
    openapi: {
      info: { ...operatorInfo, version },
      tags: operatorTags,
      components: { securitySchemes: operatorSchemes },
    },
  });
}

const consoleInfo: OpenAPIV3.InfoObject = {
  title: 'Platen, console API',
  version: '',
  description:
    'What the console under `/console` does, for the account of the member who is signed in. Programs use the API of ' +
    '`openapi.json` with a key instead.\n\n' +
    '**Sign in** with a passkey (WebAuthn), from the pages of this service. Send the `csrfToken` of the session as ' +
    '`X-CSRF-Token` with every request that changes something.\n\n' +
    '**Caches** keep nothing: every answer has `Cache-Control: no-store`.\n\n' +
    '**Roles**: each operation says who may call it. Ids of other accounts are not found. While the account is suspended or ' +
    'will be deleted, operations that change it answer 403 `ACCOUNT_SUSPENDED`.',
  contact: { name: 'Platen' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

/** The document of the console API, `openapi/console.json`. */
export function buildConsoleDocument(version: string): Promise<object> {
  return documentOf(consoleOperations.map(withRoles), {
    openapi: {
      info: { ...consoleInfo, version },
      tags: consoleTags,
      components: { securitySchemes: { session: cookieScheme(memberCookie) } },
    },
  });
}

function withRoles({ roles, schema, ...operation }: ConsoleOperation) {
  const who = roles === 'anybody' ? 'Anybody.' : `Roles: ${roles.join(', ')}.`;
  return { ...operation, schema: { ...schema, description: `${schema.description} ${who}` } };
}

type Documented = Pick<Operation | OperatorOperation | ConsoleOperation, 'method' | 'path' | 'schema'>;

async function documentOf(
  documented: readonly Documented[],
  { openapi, ...options }: FastifyDynamicSwaggerOptions,
): Promise<object> {
  const app = Fastify({ schemaController: sharedSerializers() });
  addSchemas(app, documented);
  await app.register(swagger, {
    ...options,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    transformObject: completed(documented),
    openapi: {
      openapi: OPENAPI_VERSION,
      servers: [{ url: '/', description: 'The service that served this document.' }],
      ...openapi,
    },
  });
  for (const { method, path, schema } of documented) {
    app.route({ method, url: path, schema, handler: async () => undefined });
  }
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
