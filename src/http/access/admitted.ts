/** What is known of a request that was admitted with a key. */
import type { FastifyRequest } from 'fastify';
import type { LocatedKey } from '../../accounts/keys/locate.ts';
import type { Standing } from '../../accounts/limits/admission.ts';
import { PlatenError } from '../../errors.ts';

export interface Admitted {
  readonly key: LocatedKey;
  /** Where its account stands. */
  readonly standing: Standing;
}

/** @throws PlatenError `INTERNAL_ERROR` if the route is not in a scope of keys. */
export function admittedOf({ state: { key, standing } }: FastifyRequest): Admitted {
  if (!key || !standing) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without admission' });
  return { key, standing };
}

/** Whose jobs and webhooks it may see. @throws PlatenError as above. */
export function ownerOf(request: FastifyRequest): Pick<LocatedKey, 'account' | 'environment'> {
  const { account, environment } = admittedOf(request).key;
  return { account, environment };
}
