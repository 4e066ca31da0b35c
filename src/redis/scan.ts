/** A pass over the names of keys. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import type { RedisClient } from './connect.ts';

/**
 * Names of keys, of all masters, some at a time; a name may come twice (SCAN). Between two steps, requests take precedence.
 *
 * @param match a pattern as of KEYS.
 * @param count names that Redis looks at in a step.
 */
export async function* scanNames(redis: RedisClient, match: string, count: number): AsyncGenerator<string[]> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const node of nodes) {
    for await (const names of node.scanStream({ match, count })) {
      yield names as string[];
      await nextTurn();
    }
  }
}
