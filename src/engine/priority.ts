/** CPU priority of conversions: slow ones yield to quick ones. */
import { constants, setPriority } from 'node:os';

/** Few documents take longer. */
const SLOW_MS = 1_000;

/**
 * Lowers the priority of a child that still runs after a second, so that quick documents overtake it. With a spare core it is as
 * fast as before.
 *
 * @returns a function to call when the child has ended.
 */
export function makeWayWhenSlow(pid: number): () => void {
  const timer = setTimeout(() => lower(pid, constants.priority.PRIORITY_LOW), SLOW_MS);
  return () => clearTimeout(timer);
}

function lower(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // It has already ended.
  }
}
