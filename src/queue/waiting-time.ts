/** How long a newcomer would wait for a worker. */
import type { Places } from './places.ts';
import { GUESTS, liveHolder, type Turn } from './sender.ts';
import type { WorkerShares } from './worker-shares.ts';

/**
 * Estimates the wait in milliseconds: the documents served first, each at its sender's recent average, plus one average of
 * the newcomer's own for what is running now.
 */
export function expectedWaitMs(
  { group, path, holder }: Turn,
  { live, guests }: Places<{ readonly turn: Turn }>,
  shares: WorkerShares,
  workers: number,
): number {
  // Live work and guests take turns.
  const served = live.size > 0 && guests.size > 0 ? workers / 2 : workers;
  if (group !== 'live') return (guests.rank(path) * shares.averageMs(GUESTS)) / served;
  const [own = ''] = path;
  const sizes = new Map(live.sizes());
  const rank = (sizes.get(own) ?? 0) + 1;
  let sum = rank * shares.averageMs(holder);
  for (const [account, size] of sizes) {
    const other = liveHolder(account);
    // A sender limited to half of the workers delays nobody.
    if (account === own || shares.isRestrained(other)) continue;
    sum += Math.min(size, rank) * shares.averageMs(other);
  }
  return sum / served;
}
