/** Signs of life of the processes `platen egress`, and what they count, for the servers on the same Redis. */
import type { RedisClient } from './connect.ts';

const ALIVE = 'platen:{egress}:alive';
const COUNTS = 'platen:{egress}:counts';
/** How often a process gives a sign, and how long one holds. */
export const PULSE_MS = 3_000;
const HOLDS_MS = 10_000;

/** What became of documents by URL: failures that are tried again are `retried`. */
const fetchOutcomes = ['fetched', 'failed', 'retried', 'unwanted'] as const;
export type FetchOutcome = (typeof fetchOutcomes)[number];

export class EgressPulse {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** A sign of life, with what was counted since the last one. @throws Error if Redis failed. */
  async beat(counted: ReadonlyMap<string, number>): Promise<void> {
    await this.#redis.set(ALIVE, '1', 'PX', HOLDS_MS);
    for (const [what, count] of counted) await this.#redis.hincrby(COUNTS, what, count);
  }

  /** Whether any such process lives, or did so ten seconds ago. @throws Error if Redis failed. */
  async isAlive(): Promise<boolean> {
    return (await this.#redis.exists(ALIVE)) === 1;
  }

  /** Totals of all processes. @throws Error if Redis failed. */
  async counts(): Promise<Readonly<Record<string, number>>> {
    const counts = await this.#redis.hgetall(COUNTS);
    return Object.fromEntries(fetchOutcomes.map((outcome) => [outcome, Number(counts[outcome] ?? 0)]));
  }
}
