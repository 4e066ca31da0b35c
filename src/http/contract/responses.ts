/** Responses of the OpenAPI document, which also serialise the answers. */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { catalogue, type ErrorCode, PlatenError } from '../../errors.ts';
import { type NamedSchema, referenceTo, schemasOf } from '../../operations/schema.ts';
import { UnreadableRequest } from '../core/client-errors.ts';
import { ErrorObject, errorAnswer } from '../core/error-object.ts';
import { headersByStatus, type ResponseHeaders, rateLimitHeaders, requestIdHeader } from './headers.ts';

/** A response in the form of @fastify/swagger. */
export interface Response {
  readonly description: string;
  readonly headers: ResponseHeaders;
  readonly content: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface ResponseOptions {
  /** Whether a key may call it: its responses then have the rate limit headers. */
  readonly withKey?: boolean;
}

/** Examples of an error. */
const EXAMPLE_ID = requestIdHeader['X-Request-Id'].example;
const EXAMPLE_TIME = '2026-11-21T07:50:22.583Z';

/** Errors that every operation can answer. */
const everywhere: readonly PlatenError[] = [
  new UnreadableRequest(400),
  ...catalogue.INVALID_REQUEST.otherStatuses.map((status) => new UnreadableRequest(status)),
  ...(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR'] as const).map((code) => new PlatenError(code)),
];

/** Errors about the key, in every operation that requires one. */
export const keyErrors = [
  'MISSING_AUTH',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'ORIGIN_NOT_ALLOWED',
  'ACCOUNT_SUSPENDED',
  'IP_NOT_ALLOWED',
  'INSUFFICIENT_PERMISSIONS',
] as const;

/** Errors of every operation that requires a key. */
const withKeyErrors = [...keyErrors, 'RATE_LIMIT_EXCEEDED', 'OVERLOADED', 'SERVICE_UNAVAILABLE'] as const;

/** The group of the conversions, whose errors may be about one of several files. */
export const CONVERSION = 'Conversion';

/** Codes that have a schema without a prefix where a response has no others of its status. */
const plainCodes: readonly ErrorCode[] = [
  ...withKeyErrors,
  ...([
    'REQUEST_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
    'NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'INTERNAL_ERROR',
    'INVALID_REQUEST',
  ] as const),
];

/** Errors before a key or a route is known. */
const WITHOUT_STANDING = [401, 405, 431];

interface JsonResponseOptions extends ResponseOptions {
  readonly description: string;
  readonly example: unknown;
  /** Headers of this response only. */
  readonly headers?: ResponseHeaders;
}

/** The schemas that contracts refer to by name; all have that of errors. */
export function namedSchemas(contracts: readonly object[]): NamedSchema[] {
  return [ErrorObject, ...schemasOf(contracts)];
}

/** Adds the schemas of contracts to the routes of a scope. Those of scopes around it are there already. */
export function addSchemas(app: FastifyInstance, contracts: readonly object[]): void {
  for (const schema of namedSchemas(contracts)) if (!app.getSchema(String(schema.$id))) app.addSchema(schema);
}

/** A success with a JSON body. */
export function jsonResponse(
  schema: NamedSchema,
  { description, example, headers = {}, withKey = false }: JsonResponseOptions,
): Response {
  return {
    description,
    headers: { ...requestIdHeader, ...headers, ...(withKey && rateLimitHeaders) },
    content: {
      'application/json': {
        schema: referenceTo(schema),
        // Not `example`, which cannot be shared, and which generators of types copy into a comment.
        examples: { [schema.$id ?? 'Example']: { value: example } },
      },
    },
  };
}

/** A success with a file. @param file its type, and an example of its name. */
export function fileResponse(
  schema: NamedSchema,
  { description, example }: Pick<JsonResponseOptions, 'description' | 'example'>,
  { type, name }: { readonly type: string; readonly name: string },
): Response {
  const disposition = {
    type: 'string',
    required: true,
    description: 'A name for the file.',
    example: `attachment; filename="${name}"`,
  } as const;
  return {
    description,
    headers: { ...requestIdHeader, 'Content-Disposition': disposition },
    content: {
      [type]: schema.$id
        ? { schema: referenceTo(schema), examples: { [schema.$id]: { value: example } } }
        : { schema },
    },
  };
}

/** A response without a body. */
export function emptyResponse(description: string, headers: ResponseHeaders = {}) {
  return { description, headers: { ...requestIdHeader, ...headers }, type: 'null' } as const;
}

/**
 * Error responses by status: those of every operation, and these. Statuses, texts and examples are those of the
 * catalogue.
 *
 * @param group prefix of the schemas' names; operations of one group have the same codes with the same status.
 * @param errors codes, or errors if the catalogue's text does not fit.
 */
export function errorResponses(
  group: string,
  errors: readonly (ErrorCode | PlatenError)[],
  options: ResponseOptions = {},
): Record<number, Response> {
  const reason = 'full'; // of an OVERLOADED, and not part of what a client sees
  const byStatus = new Map<number, Map<ErrorCode, PlatenError>>();
  const own = errors.map((error) =>
    error instanceof PlatenError ? error : new PlatenError(error, { reason }),
  );
  for (const error of [...own, ...everywhere]) {
    const ofStatus = byStatus.get(error.status) ?? new Map<ErrorCode, PlatenError>();
    byStatus.set(error.status, ofStatus);
    if (!ofStatus.has(error.code)) ofStatus.set(error.code, error);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      describeErrors(group, status, [...ofStatus.values()], options),
    ]),
  );
}

/** As {@link errorResponses}, of one status. */
export function errorResponse(
  status: number,
  group: string,
  errors: readonly (ErrorCode | PlatenError)[],
): Record<number, Response> {
  const responses = errorResponses(group, errors);
  return Object.fromEntries(Object.entries(responses).filter(([each]) => Number(each) === status));
}

/** Error responses of operations on the account of the calling key. */
export function accountErrorResponses(own: readonly (ErrorCode | PlatenError)[]): Record<number, Response> {
  return errorResponses('Account', [...own, ...withKeyErrors], { withKey: true });
}

function describeErrors(
  group: string,
  status: number,
  errors: readonly PlatenError[],
  { withKey = false }: ResponseOptions,
): Response {
  return {
    description: errors.map(({ code }) => `\`${code}\``).join(', '),
    headers: {
      ...requestIdHeader,
      ...headersByStatus[status],
      ...(withKey && !WITHOUT_STANDING.includes(status) && rateLimitHeaders),
    },
    content: {
      'application/json': {
        schema: errorSchema(
          group,
          status,
          errors.map(({ code }) => code),
        ),
        examples: Object.fromEntries(errors.map((error) => [error.code, { value: exampleOf(error) }])),
      },
    },
  };
}

/**
 * `ErrorObject` with the codes of one response. It is not an `allOf`, of which OpenAPI Generator takes only the first
 * part. What its other fields mean, `ErrorObject` says. Its title becomes the name of its component; see openapi.ts.
 */
function errorSchema(group: string, status: number, codes: readonly ErrorCode[]): object {
  const { code, warnings, file, fileName, ...others } = undescribed(ErrorObject.properties);
  const [first = 'INVALID_REQUEST'] = codes;
  const plain = plainCodes.filter((code) => catalogue[code].status === catalogue[first].status);
  const isPlain = isDeepStrictEqual(codes, plain);
  return {
    title: `${isPlain ? '' : group}Error${status}`,
    type: 'object',
    description: `An \`ErrorObject\` with status ${status}.`,
    properties: {
      code: { ...code, enum: codes },
      ...others,
      ...(group === CONVERSION && !isPlain && status !== 403 && { file, fileName }),
      ...(codes.includes('CONVERSION_FAILED') && { warnings }),
    },
    required: [...ErrorObject.required, ...(status === 429 ? ['retryAfter'] : [])],
  };
}

/** Fields whose meaning stands elsewhere. */
export function undescribed<Fields extends Readonly<Record<string, TSchema>>>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    { ...schema, description: undefined },
  ]);
  return Object.fromEntries(entries) as Fields;
}

function exampleOf(error: PlatenError): unknown {
  return { ...errorAnswer(error, EXAMPLE_ID).body, timestamp: EXAMPLE_TIME };
}
