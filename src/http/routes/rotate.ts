/** POST /v1/keys/rotate: a successor for the calling key. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { readBearer } from '../../keys/bearer.ts';
import { DEFAULT_OVERLAP_SECONDS, type Rotation } from '../../keys/rotation.ts';
import { NOT_JSON, type RotatedKey, rotateKey } from '../contract/rotate.ts';
import { orUnavailable } from '../redis-deadline.ts';
import { assertNotEncoded } from '../upload.ts';

export interface RotateRouteOptions {
  readonly rotation: Rotation;
}

export const rotateRoute: FastifyPluginAsyncTypebox<RotateRouteOptions> = async (app, { rotation }) => {
  // The body is optional, also for clients that always name its type.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const notJson = (cause?: unknown) => new PlatenError('INVALID_REQUEST', { message: NOT_JSON, cause });
  app.addContentTypeParser('*', (_request, _payload, done) => done(notJson()));
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, {});
    else parseJson(request, text as string, (error, body) => done(error && notJson(error), body));
  });
  const preParsing = async (request: FastifyRequest) => assertNotEncoded(request);
  const preValidation = async (request: FastifyRequest) => {
    request.body ??= {};
  };

  app.post(
    rotateKey.path,
    { config: { permission: 'rotate' }, schema: rotateKey.schema, preParsing, preValidation },
    async (request, reply) => {
      const { key, headers, body } = request;
      if (!key) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without admission' });
      const overlapSeconds = body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
      const rotated = rotation.rotateOwn(key, readBearer(headers.authorization), overlapSeconds);
      const { successor, previous, repeated } = await orUnavailable(rotated, request.redisDeadline);
      const ids = { key: key.id, successor: successor.id };
      request.log.info(ids, repeated ? 'successor told again' : 'key rotated');
      const rotatedKey: Static<typeof RotatedKey> = {
        ...successor,
        permissions: [...successor.permissions],
        ipRestrictions: [...successor.ipRestrictions],
        previous,
      };
      return reply.code(201).send(rotatedKey);
    },
  );
};
