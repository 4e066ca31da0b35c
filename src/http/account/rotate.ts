/** POST /v1/keys/rotate: a successor for the calling key. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { readBearer } from '../../keys/bearer.ts';
import { DEFAULT_OVERLAP_SECONDS, type RotatedKey as Rotated, type Rotation } from '../../keys/rotation.ts';
import type { RotatedKey } from '../../operations/key-schema.ts';
import { restrictionsOf } from '../../operations/keys.ts';
import type { Audit } from '../../operator/audit.ts';
import { admittedOf } from '../access/admitted.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { NOT_JSON, rotateKey } from './rotate.contract.ts';

export interface RotateRouteOptions {
  readonly rotation: Rotation;
  readonly audit: Audit;
}

export const rotateRoute: FastifyPluginAsyncTypebox<RotateRouteOptions> = async (
  app,
  { rotation, audit },
) => {
  takeOnlyJson(app, NOT_JSON);

  app.post(
    rotateKey.path,
    { config: { permission: 'rotate' }, schema: rotateKey.schema },
    async (request, reply) => {
      const { headers, body } = request;
      const { key } = admittedOf(request);
      const overlapSeconds = body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
      const text = readBearer(headers.authorization);
      const rotated = rotation.rotateOwn(key, text, overlapSeconds);
      const outcome = await orUnavailable(rotated, request.redisDeadline);
      const { successor, previous, repeated } = outcome;
      if (!repeated) void auditOwnRotation(audit, outcome);
      const ids = { key: key.id, successor: successor.id };
      request.log.info(ids, repeated ? 'successor returned again' : 'key rotated');
      const rotatedKey: Static<typeof RotatedKey> = {
        ...successor,
        permissions: [...successor.permissions],
        ipRestrictions: [...successor.ipRestrictions],
        origins: [...successor.origins],
        previous,
      };
      return reply.code(201).send(rotatedKey);
    },
  );
};

/** Notes that a key was rotated with itself. */
async function auditOwnRotation(audit: Audit, { successor, previous }: Rotated): Promise<void> {
  await audit.record({ by: 'key', who: previous.id }, 'key.rotated', {
    account: successor.account,
    key: previous.id,
    details: {
      successor: successor.id,
      display: successor.display,
      ...restrictionsOf(successor),
      expiresAt: previous.expiresAt,
    },
  });
}
