/** CPU priority of conversions: slow ones yield to quick ones. */
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** CPU time that few documents need. */
const SLOW_MS = 1_000;
/** Of a tick in procfs, as Linux always has it there (USER_HZ). */
const TICK_MS = 10;

/**
 * Lowers the priority of a child that has used a second of CPU time, so that quick documents overtake it. With a spare core it is
 * as fast as before. Not of a child that only waits for a busy machine: it would wait for ever.
 *
 * @returns a function to call when the child has ended.
 */
export function makeWayWhenSlow(pid: number): () => void {
  let timer: NodeJS.Timeout;
  const look = () => {
    const leftMs = SLOW_MS - cpuMs(pid);
    if (leftMs > 0) wait(leftMs);
    else lower(pid);
  };
  const wait = (ms: number) => {
    timer = setTimeout(look, ms);
  };
  wait(SLOW_MS);
  return () => clearTimeout(timer);
}

/** CPU time of a process (proc_pid_stat(5), fields 14 and 15); 0 if it has ended. */
function cpuMs(pid: number): number {
  try {
    const [, behindName = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
    const [user = 0, system = 0] = behindName.split(' ').slice(11, 13).map(Number);
    return (user + system) * TICK_MS;
  } catch {
    return 0;
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has already ended.
  }
}
