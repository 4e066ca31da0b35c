/** Removing a folder that somebody hostile may have filled. */
import { execFile } from 'node:child_process';
import { opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What an honest conversion leaves is far below these. */
const MAX_ENTRIES = 500;
const MAX_DEPTH = 16;
/** A process that was just killed may still end a system call in the folder. */
const ATTEMPTS = 3;
const PAUSE_MS = 100;
/** The mode first: what a folder that cannot be read holds cannot be removed. */
const SCRIPT = '[ ! -e "$1" ] || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }';

/**
 * Removes the folder and all in it; it may be gone already. No link is followed.
 *
 * A few entries are removed here. Millions of them, folders that cannot be read, or that lie deeper than a path can
 * be long, which Node cannot remove at all, are left to a process that can, and that holds up nobody.
 *
 * @throws Error when it is still there.
 */
export async function removeFolder(folder: string): Promise<void> {
  const allowance = { entries: MAX_ENTRIES };
  if (await removeSome(folder, allowance, MAX_DEPTH)) return;
  for (let attempt = 1; ; attempt++) {
    try {
      await run('sh', ['-c', SCRIPT, 'sh', folder], { env: { PATH: '/usr/bin:/bin' } });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** Whether all of it could be removed. Never rejects. */
async function removeSome(folder: string, allowance: { entries: number }, depth: number): Promise<boolean> {
  if (depth === 0) return false;
  const removals: Promise<boolean>[] = [];
  let readable = true;
  try {
    for await (const entry of await opendir(folder)) {
      if (--allowance.entries < 0) break;
      const path = join(folder, entry.name);
      removals.push(entry.isDirectory() ? removeSome(path, allowance, depth - 1) : succeeds(unlink(path)));
    }
  } catch {
    readable = false;
  }
  const removed = await Promise.all(removals);
  return readable && allowance.entries >= 0 && removed.every(Boolean) && succeeds(rmdir(folder));
}

function succeeds(step: Promise<void>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}
