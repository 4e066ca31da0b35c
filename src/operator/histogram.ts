/** Durations in buckets, and quantiles estimated from them. */

/** Upper bounds in milliseconds, about a fifth of a decade apart; the last bucket has no bound. */
const BOUNDS = [
  0.5, 1, 1.5, 2.5, 4, 6, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 100, 125, 150, 200, 250, 300, 400,
  500, 650, 800, 1_000, 1_500, 2_500, 4_000, 6_000, 10_000, 15_000, 25_000, 40_000, 60_000, 100_000,
] as const;

/** The index of a duration's bucket. */
export function bucketOf(milliseconds: number): number {
  const index = BOUNDS.findIndex((bound) => milliseconds <= bound);
  return index === -1 ? BOUNDS.length : index;
}

/**
 * Estimates a quantile; within a bucket, durations are assumed to be spread evenly.
 *
 * @param counts number of durations by index of their bucket.
 * @param share from 0 to 1.
 * @returns milliseconds; undefined if there are no durations.
 */
export function quantile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return undefined;
  const wanted = share * total;
  let seen = 0;
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    if (seen + count >= wanted) {
      const lower = BOUNDS[bucket - 1] ?? 0;
      const upper = BOUNDS[bucket] ?? lower;
      return lower + (upper - lower) * ((wanted - seen) / count);
    }
    seen += count;
  }
  return BOUNDS.at(-1);
}
