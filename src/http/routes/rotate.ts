/** POST /v1/keys/rotate: a successor for the calling key. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { readBearer } from '../../keys/bearer.ts';
import { permissions } from '../../keys/records.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS, type Rotation } from '../../keys/rotation.ts';
import { ErrorObject } from '../error-object.ts';
import { orUnavailable } from '../redis-deadline.ts';
import { responseHeaders } from '../response-headers.ts';
import { assertNotEncoded } from '../upload.ts';

export interface RotateRouteOptions {
  readonly rotation: Rotation;
}

const Body = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OVERLAP_SECONDS,
        default: DEFAULT_OVERLAP_SECONDS,
        description: 'How long the calling key lives on, but never longer than it had to live anyway.',
      }),
    ),
  },
  // A misspelt field would end the key at another time than was meant.
  { additionalProperties: false },
);

const Time = Type.String({ format: 'date-time' });

const RotatedKey = Type.Object({
  id: Type.String(),
  key: Type.String({ description: 'The successor itself.' }),
  display: Type.String(),
  account: Type.String(),
  name: Type.String(),
  environment: Type.Enum(['test', 'live']),
  type: Type.Enum(['pk', 'sk']),
  permissions: Type.Array(Type.Enum([...permissions])),
  ipRestrictions: Type.Array(Type.String()),
  expiresAt: Type.Union([Time, Type.Null()]),
  createdAt: Time,
  previous: Type.Object({ id: Type.String(), expiresAt: Time }, { description: 'The calling key.' }),
});

const description =
  'Answers with a new key that has the settings of the calling one, which lives on for the overlap. ' +
  'Did the answer get lost? Ask again with the same key: until the successor is used for the first time, the ' +
  'same successor is answered, and no second one is made. After that the answer is INSUFFICIENT_PERMISSIONS. ' +
  'With an overlap of 0 the calling key ends at once, and a lost answer cannot be repeated.';

export const rotateRoute: FastifyPluginAsyncTypebox<RotateRouteOptions> = async (app, { rotation }) => {
  // The body is optional, also for clients that always name its type.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const notJson = (cause?: unknown) =>
    new PlatenError('INVALID_REQUEST', {
      message: 'The body must be JSON, with Content-Type: application/json, or left out.',
      cause,
    });
  app.addContentTypeParser('*', (_request, _payload, done) => done(notJson()));
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, {});
    else parseJson(request, text as string, (error, body) => done(error && notJson(error), body));
  });
  const preParsing = async (request: FastifyRequest) => assertNotEncoded(request);
  const preValidation = async (request: FastifyRequest) => {
    request.body ??= {};
  };

  const headers = responseHeaders({ withKey: true });
  const schema = {
    operationId: 'rotateKey',
    tags: ['account'],
    summary: 'Replace the calling key by a successor',
    description,
    security: [{ apiKey: [] }],
    body: Body,
    response: {
      201: { ...RotatedKey, headers: headers.success },
      '4xx': { ...ErrorObject, headers: headers.failure },
      '5xx': { ...ErrorObject, headers: headers.failure },
    },
  };
  app.post(
    '/v1/keys/rotate',
    { config: { permission: 'rotate' }, schema, preParsing, preValidation },
    async (request, reply) => {
      const { key, headers, body } = request;
      if (!key) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without admission' });
      const overlapSeconds = body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
      const rotated = rotation.rotateOwn(key, readBearer(headers.authorization), overlapSeconds);
      const { successor, previous, repeated } = await orUnavailable(rotated, request.redisDeadline);
      const ids = { key: key.id, successor: successor.id };
      request.log.info(ids, repeated ? 'successor told again' : 'key rotated');
      return reply.code(201).send({
        ...successor,
        permissions: [...successor.permissions],
        ipRestrictions: [...successor.ipRestrictions],
        previous,
      });
    },
  );
};
