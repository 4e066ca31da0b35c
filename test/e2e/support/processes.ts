/** The processes behind a server, found from outside. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';

/** Whether a process runs; one that has ended and that nobody has waited for yet (a zombie) does not. */
export function isAlive(pid: number): boolean {
  return (statOf(pid)?.[0] ?? 'Z') !== 'Z';
}

/** The process that started it; undefined where there is none any more. */
export function parentOf(pid: number): number | undefined {
  const parent = statOf(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** What the kernel tells of a process from its state on; undefined where there is none. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The state follows the name in parentheses, which may hold anything (proc(5)).
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** What a process has open, by name. */
export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // It was closed while we looked.
      return '';
    }
  });
}

/**
 * The files and TCP connections that a process has open. Its pipes and Unix sockets lead to other processes of the service, which
 * a busy machine may replace or reconnect at any time.
 */
export function filesAndConnections(pid: number): string[] {
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8'));
  // The tenth column is the inode (proc_pid_net(5)).
  const inodes = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)[9]));
  const connections = new Set(inodes.map((inode) => `socket:[${inode}]`));
  return openFiles(pid).filter((name) => name.startsWith('/') || connections.has(name));
}

/** The kit that took over last. */
export function kitOf(server: Server): number {
  return Number(server.log.findLast(({ msg }) => msg === 'kit ready')?.kit);
}

/** Waits until a kit other than these takes over: an answer may come before its log line. */
export async function nextKit(server: Server, ...former: readonly number[]): Promise<number> {
  const { kit } = await server.logged('kit ready', (line) => !former.includes(Number(line.kit)));
  return Number(kit);
}

/** The embedded Redis that was started last. */
export function redisOf(server: Server): number {
  return Number(server.log.findLast(({ msg, redis }) => msg?.startsWith('embedded Redis') && redis)?.redis);
}

/**
 * Waits until nothing is left of any document. A PDF goes out while its folder is removed and its child ends: before, {@link
 * runningJob} may find those of an earlier document.
 */
export const atRest = (server: Server): Promise<void> =>
  until('nothing is left of the documents', async () => (await server.jobs()).length === 0);

/** Waits until the server converts a document; the folder of the job and the child that works on it. */
export async function runningJob(server: Server): Promise<{ folder: string; child: number }> {
  let found: { folder: string; child: number } | undefined;
  await until('a child works on a document', async () => {
    for (const folder of await server.jobs()) {
      const started = server.log.findLast(
        ({ msg, job }) => msg === 'child started' && job === basename(folder),
      );
      if (started && isAlive(Number(started.child))) found = { folder, child: Number(started.child) };
    }
    return found !== undefined;
  });
  return found as unknown as { folder: string; child: number };
}
