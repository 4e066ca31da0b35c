/** The priority of processes that convert: who takes long makes way for who does not. */
import { constants, setPriority } from 'node:os';

/** More than all but a few documents take. */
const SLOW_MS = 1_000;

/**
 * Lowers the priority of a child that is still at work after a second, so that quick documents pass it. On a machine
 * with a core to spare it is as fast as before.
 *
 * @returns what to call when the child has ended.
 */
export function makeWayWhenSlow(pid: number): () => void {
  const timer = setTimeout(() => {
    try {
      setPriority(pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It has just ended by itself.
    }
  }, SLOW_MS);
  return () => clearTimeout(timer);
}
