/**
 * A redis-server whose Platen is gone, and that still holds the folder. The kernel has sent it SIGTERM (see
 * server-process.ts), which ends one that is well, cleanly. One that was stopped (SIGSTOP, a debugger) has the signal
 * only pending, and one in a script that never ends does not look at it.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';

/** What a redis-server may take to end after SIGTERM: what it has not yet written, synchronously. */
const END_TIMEOUT_MS = 3_000;
const LOOK_MS = 50;
const NAME = 'redis-server';

/**
 * Ends every redis-server that holds the lock file open while its parent does not: wakes it, so that it can end by
 * itself, and kills what is left of it 3 s later. One whose owner lives, here or in another container, is left alone. Without such a file there is nothing to do.
 */
export async function endAbandonedRedis(lockPath: string, log: Log): Promise<void> {
  const abandoned = await abandonedRedis(lockPath);
  for (const pid of abandoned) send(pid, 'SIGCONT');
  const deadline = performance.now() + END_TIMEOUT_MS;
  for (;;) {
    const left = await abandonedRedis(lockPath);
    if (left.length === 0) return;
    if (performance.now() < deadline) {
      await delay(LOOK_MS);
      continue;
    }
    for (const pid of left) {
      log.warn({ redis: pid }, 'killing a Redis that a dead Platen left behind');
      // Its group, for a rewrite of the append-only file.
      send(-pid, 'SIGKILL');
    }
    return;
  }
}

async function abandonedRedis(lockPath: string): Promise<number[]> {
  const lock = await stat(lockPath).catch(() => undefined);
  if (!lock) return [];
  const { dev, ino } = lock;
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const server = await processAt(Number(name));
    if (server?.name !== NAME || !(await holds(server.pid, dev, ino))) continue;
    if (await isAbandoned(server, dev, ino)) found.push(server.pid);
  }
  return found;
}

interface Process {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  /** Real user id. Not the owner of its folder in /proc, which is root for a program with capabilities. */
  readonly user: string;
}

/** Undefined for one that has ended. */
async function processAt(pid: number): Promise<Process | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const field = (name: string) => new RegExp(`^${name}:\\t(\\S*)`, 'm').exec(text)?.[1] ?? '';
  return { pid, name: field('Name'), parent: Number(field('PPid')), user: field('Uid') };
}

/** Whether the process has the file open; undefined where we may not see that. */
async function holds(pid: number, dev: number, ino: number): Promise<boolean | undefined> {
  const folder = `/proc/${pid}/fd`;
  try {
    for (const fd of await readdir(folder)) {
      const file = await stat(`${folder}/${fd}`).catch(() => undefined);
      if (file?.dev === dev && file.ino === ino) return true;
    }
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? undefined : false;
  }
}

/** Its owner started it, runs as the same user, and has the lock file open for as long as it lives. */
async function isAbandoned({ parent, user }: Process, dev: number, ino: number): Promise<boolean> {
  // A parent outside of our process ids is nobody that we can judge.
  if (parent === 0) return false;
  const owner = await processAt(parent);
  if (!owner || owner.user !== user) return true;
  return (await holds(parent, dev, ino)) === false;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
