/**
 * Permits: a change to keys must not happen after its caller has given up, but a command that timed out may still run once
 * Redis recovers. So the script that makes the change needs a permit, a string in the account's slot that expires by Redis'
 * own clock.
 */
import type { RedisClient } from '../redis/connect.ts';

/** Lifetime of a permit whose caller never gives up, in milliseconds. */
const PATIENT_MS = 5_000;

export interface ChangeOptions {
  /** When the caller gives up, by `performance.now()`; never by default. */
  readonly until?: number | undefined;
}

/**
 * Takes a permit and, in the same round trip, runs the preparations of the change.
 *
 * Half of the remaining time is for this, the other half for the change, so the permit has expired when the caller gives up.
 *
 * @throws Error when Redis is not available, or no time is left for the change.
 */
export async function takePermit(
  redis: RedisClient,
  name: string,
  { until }: ChangeOptions,
  beforehand: () => readonly Promise<unknown>[],
): Promise<void> {
  const lifetime = until === undefined ? PATIENT_MS : Math.floor((until - performance.now()) / 2);
  if (lifetime < 1) throw tooLate();
  await Promise.all([redis.set(name, '1', 'PX', lifetime), ...beforehand()]);
  if (until !== undefined && performance.now() + lifetime > until) throw tooLate();
}

/** The error of a change without a permit. */
export function tooLate(): Error {
  return new Error('Redis is too slow: nothing was changed');
}
