/** What operations work with. */
import { Rotation } from '../keys/rotation.ts';
import { KeyStore } from '../keys/store.ts';
import type { Audit } from '../operator/audit.ts';
import type { Plans } from '../plans/plans.ts';
import type { RedisClient } from '../redis/connect.ts';

export interface OperationServices {
  readonly keys: KeyStore;
  readonly rotation: Rotation;
  readonly audit: Audit;
}

/** For processes that serve no requests: the commands. */
export function openOperations(ground: {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly audit: Audit;
}): OperationServices {
  const { redis, plans, audit } = ground;
  const keys = new KeyStore(redis, plans);
  return { keys, rotation: new Rotation(redis, keys), audit };
}
