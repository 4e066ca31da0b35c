/** POST /v1/keys/rotate: a successor for the calling key. */
import type { FastifyPluginAsync } from 'fastify';
import type { Static } from 'typebox';
import { readBearer } from '../../accounts/keys/bearer.ts';
import {
  DEFAULT_OVERLAP_SECONDS,
  type RotatedKey as Rotated,
  type Rotation,
} from '../../accounts/keys/rotation.ts';
import type { RotatedKey } from '../../operations/key-schema.ts';
import { restrictionsOf } from '../../operations/keys.ts';
import type { DeepReadonly } from '../../operations/operation.ts';
import type { Audit } from '../../operator/audit.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { keyDoor } from './door.ts';
import { NOT_JSON, rotateKey } from './rotate.contract.ts';

export interface RotateRouteOptions {
  readonly rotation: Rotation;
  readonly audit: Audit;
}

export const rotateRoute: FastifyPluginAsync<RotateRouteOptions> = async (app, { rotation, audit }) => {
  takeOnlyJson(app, NOT_JSON);
  const route = keyDoor(app, { permission: 'rotate' });
  route(rotateKey, async ({ key, headers, body, log }): Promise<DeepReadonly<Static<typeof RotatedKey>>> => {
    const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
    const outcome = await rotation.rotateOwn(key, readBearer(headers.authorization), overlapSeconds);
    const { successor, previous, repeated } = outcome;
    if (!repeated) void auditOwnRotation(audit, outcome);
    const ids = { key: key.id, successor: successor.id };
    log.info(ids, repeated ? 'successor returned again' : 'key rotated');
    return { ...successor, previous };
  });
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
