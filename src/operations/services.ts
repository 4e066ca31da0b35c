/** What operations work with. */

import { HeldAccounts } from '../jobs/held-accounts.ts';
import { Rotation } from '../keys/rotation.ts';
import { KeyStore } from '../keys/store.ts';
import type { Log } from '../log.ts';
import type { Audit } from '../operator/audit.ts';
import { Directory } from '../operator/directory.ts';
import { RecentRequests } from '../operator/requests.ts';
import type { Plans } from '../plans/plans.ts';
import type { RedisClient } from '../redis/connect.ts';

export interface OperationServices {
  readonly keys: KeyStore;
  readonly rotation: Rotation;
  readonly audit: Audit;
  readonly plans: Plans;
  readonly directory: Directory;
  readonly held: HeldAccounts;
  readonly requests: RecentRequests;
}

/** For processes that serve no requests: the commands. */
export function openOperations(ground: {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly audit: Audit;
  readonly log: Log;
}): OperationServices {
  const { redis, plans, audit, log } = ground;
  const keys = new KeyStore(redis, plans);
  return {
    ...{ keys, audit, plans },
    rotation: new Rotation(redis, keys),
    directory: new Directory({ redis, plans, keys }),
    held: new HeldAccounts(redis),
    requests: new RecentRequests(redis, log),
  };
}
