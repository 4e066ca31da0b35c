/** Resident sizes of this server and of all its processes, from proc(5). */
import { readFile } from 'node:fs/promises';

/** Role of a process. */
type ProcessRole = 'server' | 'kit' | 'child' | 'redis' | 'other';

/** Bytes by role. Pages that a kit shares with its children count in each of them. */
type ResidentSizes = Readonly<Record<ProcessRole, number>>;

/** Command names as the kernel has them. */
const KIT = 'platen-kit';
const REDIS = 'redis-server';
/** With more processes than this, the sum does not matter. */
const MAX_PROCESSES = 1_000;

interface Found {
  readonly pid: number;
  readonly role: ProcessRole;
}

/** Reads a bounded number of processes; those that end meanwhile are left out. Never rejects. */
export async function residentSizes(root = process.pid): Promise<ResidentSizes> {
  const sizes: Record<ProcessRole, number> = { server: 0, kit: 0, child: 0, redis: 0, other: 0 };
  let level: Found[] = [{ pid: root, role: 'server' }];
  for (let seen = 0; level.length > 0 && seen < MAX_PROCESSES; ) {
    const now = level.slice(0, MAX_PROCESSES - seen);
    seen += now.length;
    const families = await Promise.all(now.map((found) => look(found, sizes)));
    level = families.flat();
  }
  return sizes;
}

/** Adds the size of a process and returns its children. */
async function look({ pid, role: expected }: Found, sizes: Record<ProcessRole, number>): Promise<Found[]> {
  const [status, children] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
    // Node and the kit start processes from their main threads only.
    readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''),
  ]);
  const role = expected === 'other' ? roleByName(/^Name:\t(.*)$/m.exec(status)?.[1]) : expected;
  sizes[role] += Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  const below = role === 'kit' || role === 'child' ? 'child' : 'other';
  return children
    .split(' ')
    .filter(Boolean)
    .map((child) => ({ pid: Number(child), role: below }));
}

function roleByName(name: string | undefined): ProcessRole {
  if (name === KIT) return 'kit';
  return name === REDIS ? 'redis' : 'other';
}
