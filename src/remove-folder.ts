/** Removing a folder that somebody hostile may have filled. */
import { execFile } from 'node:child_process';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What an honest conversion leaves is far below these. */
const MAX_ENTRIES = 500;
const MAX_DEPTH = 16;
/** Of what the system takes to list them: some 20 bytes for an entry, in steps of 4 KiB on disks. */
const MAX_FOLDER_BYTES = 65_536;
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
  try {
    // Without looking first, a folder of millions would be read whole.
    if ((await lstat(folder)).size > MAX_FOLDER_BYTES) return false;
    const entries = await readdir(folder, { withFileTypes: true });
    allowance.entries -= entries.length;
    if (allowance.entries < 0) return false;
    const removals = entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? removeSome(path, allowance, depth - 1) : succeeds(unlink(path));
    });
    return (await Promise.all(removals)).every(Boolean) && (await succeeds(rmdir(folder)));
  } catch {
    return false;
  }
}

function succeeds(step: Promise<void>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}
