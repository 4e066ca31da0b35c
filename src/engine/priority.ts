/** CPU priority of conversions: slow ones yield to quick ones. */
import { constants, setPriority } from 'node:os';
import { processTimeMs } from '../system/thread-time.ts';

/** CPU time that few documents need. */
const SLOW_MS = 1_000;

/**
 * Lowers the priority of a child that has used a second of CPU time, so that quick documents overtake it. With a spare core it is
 * as fast as before. Not of a child that only waits for a busy machine: it would wait for ever.
 *
 * @returns a function to call when the child has ended.
 */
export function makeWayWhenSlow(pid: number): () => void {
  let timer: NodeJS.Timeout;
  const look = () => {
    const usedMs = processTimeMs(pid);
    if (usedMs === undefined) return;
    if (usedMs < SLOW_MS) wait(SLOW_MS - usedMs);
    else lower(pid);
  };
  const wait = (ms: number) => {
    timer = setTimeout(look, ms);
  };
  wait(SLOW_MS);
  return () => clearTimeout(timer);
}

/** Lowers the priority of a process for good: only root could raise it again. */
export function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has already ended.
  }
}
