/** A pass over the names of keys. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import type { RedisClient } from './connect.ts';

/**
 * Yields the names of keys on all masters, in batches. SCAN may return a name twice. Requests take precedence between batches.
 *
 * @param match a glob pattern, as for KEYS.
 * @param count names that Redis examines for a batch.
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
