import { readFileSync } from 'node:fs';

/** Milliseconds of a clock tick of /proc, whose frequency is 100 Hz on all architectures that Node.js runs on. */
const TICK_MS = 10;

/**
 * Processor time of this thread since its start, in milliseconds: unlike the time by the clock, it does not pass while others
 * have the processors. See proc_pid_stat(5), `utime` and `stime`.
 */
export function threadTimeMs(): number {
  return timeMs('thread-self');
}

/** Processor time of a process since its start, in milliseconds; undefined if it has ended. */
export function processTimeMs(pid: number): number | undefined {
  try {
    return timeMs(String(pid));
  } catch {
    return undefined;
  }
}

function timeMs(who: string): number {
  const stat = readFileSync(`/proc/${who}/stat`, 'latin1');
  // A name in parentheses comes before, which may have spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
