/** Contract of the public endpoints on the service and its state. */
import { Type } from 'typebox';
import { bytes, count, time, words } from '../../operations/schema.ts';
import type { ResponseHeaders } from '../contract/headers.ts';
import { type Operation, withoutKey } from '../contract/operation.ts';
import { emptyResponse, errorResponses, jsonResponse } from '../contract/responses.ts';

const status = () => words(['ok'], { description: 'Always `ok`; anything else is an error.' });

export const Health = Type.Object(
  {
    status: status(),
    lastConversionAt: time('Time of the last successful real conversion.'),
  },
  { $id: 'Health', description: 'The service can convert.' },
);

export const Status = Type.Object({ status: status() }, { $id: 'Status', description: 'A positive answer.' });

export const Info = Type.Object(
  {
    name: Type.String({ description: 'Name of the service.' }),
    version: Type.String({ description: 'Version of the service.' }),
    description: Type.String({ description: 'What it does.' }),
    accepts: Type.Array(Type.String(), {
      description: 'Accepted types of Word documents, by extension. `docx` is always accepted.',
    }),
    limits: Type.Object(
      {
        maxFileBytes: bytes('Largest document with its attachments, with a key.'),
        maxCombinedFiles: count('Most documents of `POST /v1/combine`.'),
        maxCombinedBytes: bytes('Of all of them together.'),
        publicMaxFileBytes: bytes('Largest document, without a key.'),
        publicPerHour: Type.Integer({ description: 'Documents an hour per address, without a key.' }),
        publicPerSecond: Type.Integer({ description: 'Documents a second per address, without a key.' }),
        conversionTimeoutSeconds: Type.Number({ description: 'Time limit of the conversion itself.' }),
      },
      { description: 'The limits of this service.' },
    ),
    endpoints: Type.Array(
      Type.Object({
        method: Type.String({ description: 'HTTP method.' }),
        path: Type.String({ description: 'Path, from the root of the service.' }),
        auth: Type.Boolean({ description: 'Whether it needs an API key.' }),
        description: Type.String({ description: 'What it does.' }),
      }),
      { description: 'Its endpoints.' },
    ),
    documentation: Type.Object(
      {
        reference: Type.String({ description: 'Path of the reference, for a browser.' }),
        guide: Type.String({ description: 'Path of the guide, for a browser.' }),
        openapi: Type.String({ description: 'Path of the OpenAPI document.' }),
      },
      { description: 'Paths of the documentation.' },
    ),
  },
  { $id: 'Info', description: 'The service and its limits.' },
);

export const getHealth = {
  method: 'GET',
  path: '/v1/health',
  schema: {
    operationId: 'getHealth',
    tags: ['service'],
    summary: 'Whether a conversion would succeed now',
    description:
      'For monitoring and load balancers; `/health` answers the same. 200 if a real conversion succeeded recently and ' +
      'nothing that it needs is missing now, otherwise 503, with what is missing in the message.',
    security: withoutKey,
    response: {
      200: jsonResponse(Health, {
        description: 'A conversion would succeed.',
        example: { status: 'ok', lastConversionAt: '2026-11-21T07:50:22.583Z' },
      }),
      ...errorResponses('Health', ['SERVICE_UNAVAILABLE'], { withKey: true }),
    },
  },
} as const satisfies Operation;

export const getLiveness = {
  method: 'GET',
  path: '/health/live',
  schema: {
    operationId: 'getLiveness',
    tags: ['service'],
    summary: 'Whether the process is up',
    description: 'For supervisors that restart processes. Restart it on no answer, or on any status but 200.',
    security: withoutKey,
    response: {
      200: jsonResponse(Status, { description: 'The process is up.', example: { status: 'ok' } }),
      ...errorResponses('Health', [], { withKey: true }),
    },
  },
} as const satisfies Operation;

export const getReadiness = {
  method: 'GET',
  path: '/health/ready',
  schema: {
    operationId: 'getReadiness',
    tags: ['service'],
    summary: 'Whether this server takes traffic',
    description:
      'For load balancers: send conversions to servers that answer 200. A server that starts, drains, is overloaded ' +
      'or in maintenance, or lacks Redis or its engine, answers 503.',
    security: withoutKey,
    response: {
      200: jsonResponse(Status, { description: 'It takes traffic.', example: { status: 'ok' } }),
      ...errorResponses('Health', ['SERVICE_UNAVAILABLE'], { withKey: true }),
    },
  },
} as const satisfies Operation;

const infoExample = {
  name: 'Platen',
  version: '1.0.0',
  description: 'Converts DOCX documents to PDF.',
  accepts: ['docx'],
  limits: {
    maxFileBytes: 26_214_400,
    maxCombinedFiles: 50,
    maxCombinedBytes: 104_857_600,
    publicMaxFileBytes: 5_242_880,
    publicPerHour: 20,
    publicPerSecond: 2,
    conversionTimeoutSeconds: 60,
  },
  endpoints: [{ method: 'POST', path: '/v1/convert', auth: true, description: 'Convert a DOCX to PDF' }],
  documentation: { reference: '/v1/docs', guide: '/v1/docs/guide', openapi: '/v1/openapi.json' },
};

export const getInfo = {
  method: 'GET',
  path: '/v1',
  schema: {
    operationId: 'getInfo',
    tags: ['service'],
    summary: 'What this service is, and its limits',
    description:
      'Read the limits here rather than hard-coding them: the operator can change them. `/v1/info` answers the same.',
    security: withoutKey,
    response: {
      200: jsonResponse(Info, { description: 'About this service.', example: infoExample }),
      ...errorResponses('Info', ['OVERLOADED'], { withKey: true }),
    },
  },
} as const satisfies Operation;

const OpenApiDocument = Type.Object(
  {},
  { $id: 'OpenApiDocument', additionalProperties: true, description: 'A document of OpenAPI 3.0.' },
);

const entityTag = {
  ETag: {
    type: 'string',
    required: true,
    description:
      'Identifies this version of the document. Send it as If-None-Match to get the document only if it has changed.',
    example: 'W/"1d3f2-19a8c1e7b40"',
  },
} as const satisfies ResponseHeaders;

export const getOpenApi = {
  method: 'GET',
  path: '/v1/openapi.json',
  schema: {
    operationId: 'getOpenApi',
    tags: ['service'],
    summary: 'This document',
    description: 'Generate a client from it. Changes within a major version are compatible.',
    security: withoutKey,
    response: {
      200: jsonResponse(OpenApiDocument, {
        description: 'This document.',
        headers: entityTag,
        example: { openapi: '3.0.3', info: { title: 'Platen', version: '1.0.0' }, paths: {} },
      }),
      304: emptyResponse('It has not changed since the version in `If-None-Match`.', entityTag),
      ...errorResponses('Info', ['OVERLOADED'], { withKey: true }),
    },
  },
} as const satisfies Operation;

/** Bodies that are named components of the document. */
