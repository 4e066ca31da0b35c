/**
 * A change to keys is made while somebody waits for its answer, or not at all: what Redis is asked for in vain it may do
 * all the same, when it wakes up. So the script that makes the change wants a permit, a string in the slot of the account
 * that expires by the clock of Redis itself.
 */
import type { RedisClient } from '../redis/connect.ts';

/** How long a permit lasts where nobody gives up, in milliseconds. */
const PATIENT_MS = 5_000;

export interface ChangeOptions {
  /** When the caller gives up, as `performance.now()` counts; it waits for as long as Redis takes where it is left out. */
  readonly until?: number | undefined;
}

/**
 * Takes a permit, and has done beforehand what the change needs elsewhere, in one round trip.
 *
 * Half of the time that is left is for this, the other half for the change: a permit that is taken has expired when the
 * caller gives up.
 *
 * @throws Error when Redis cannot be asked, or there is no time left for the change.
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

/** What a change without a permit ends with. */
export function tooLate(): Error {
  return new Error('Redis is too slow: nothing was changed');
}
