/** Reads processes from /proc (proc(5)). */
import { readdir, readFile } from 'node:fs/promises';

/** The kernel's unit of CPU time, whatever the machine: USER_HZ is 100. */
const MS_A_TICK = 10;

/** CPU time in milliseconds and page faults since the start of a process. */
export interface Use {
  readonly userMs: number;
  readonly systemMs: number;
  readonly pageFaults: number;
}

/** Including children that it has waited for. */
interface ProcessUse {
  readonly own: Use;
  readonly children: Use;
}

/** Reads the line of /proc/PID/stat. */
export function parseStat(line: string): ProcessUse {
  // The name, in brackets, may contain anything. The third field follows it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    own: {
      userMs: field(14) * MS_A_TICK,
      systemMs: field(15) * MS_A_TICK,
      pageFaults: field(10) + field(12),
    },
    children: {
      userMs: field(16) * MS_A_TICK,
      systemMs: field(17) * MS_A_TICK,
      pageFaults: field(11) + field(13),
    },
  };
}

export async function useOf(pid: number): Promise<ProcessUse> {
  return parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
}

/** CPU time of all processes of the machine since its start, in milliseconds: proc(5), the first line of /proc/stat. */
export async function busyMs(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const ticks = line.split(/ +/).slice(1).map(Number);
  // The fourth and fifth are of idle cores, and those behind the seventh are other machines' or counted already.
  const busy = [...ticks.slice(0, 3), ...ticks.slice(5, 7)];
  return busy.reduce((sum, each) => sum + each, 0) * MS_A_TICK;
}

/** The difference of two readings. */
export function used(before: Use, after: Use): Use {
  return {
    userMs: after.userMs - before.userMs,
    systemMs: after.systemMs - before.systemMs,
    pageFaults: after.pageFaults - before.pageFaults,
  };
}

export const cpuMs = ({ userMs, systemMs }: Use): number => userMs + systemMs;

/** The use of the processes below a process, including those that were waited for. */
export async function useBelow(pid: number): Promise<Use> {
  let sum = (await useOf(pid)).children;
  for (const child of await childrenOf(pid)) {
    // One that ends meanwhile is counted where it was waited for.
    const own = await useOf(child).catch(() => undefined);
    if (own) sum = added(sum, added(own.own, await useBelow(child).catch(() => own.children)));
  }
  return sum;
}

const added = (one: Use, other: Use): Use => ({
  userMs: one.userMs + other.userMs,
  systemMs: one.systemMs + other.systemMs,
  pageFaults: one.pageFaults + other.pageFaults,
});

export const sumOf = (uses: readonly Use[]): Use =>
  uses.reduce(added, { userMs: 0, systemMs: 0, pageFaults: 0 });

/** Those of all its threads; none once it has ended. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'utf8').catch(() => ''));
  return (await Promise.all(lists)).flatMap((text) => text.split(' ').filter(Boolean).map(Number));
}

/** Its command line; empty if it has ended. */
export async function commandOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.replaceAll('\0', ' ').trim();
}

/** The sum of these fields, in KiB, of a file such as /proc/PID/smaps_rollup. */
export function kibibytes(text: string, ...fields: readonly string[]): number {
  const sizes = fields.map((field) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
