/** Removes a folder that an attacker may have filled. */
import { execFile } from 'node:child_process';
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Honest conversions leave less, except for a large PDF. */
const MAX_ENTRIES = 100;
const MAX_DEPTH = 16;
/** Freeing a file's memory or blocks takes about 10 ms per 100 MB. */
const MAX_FILE_BYTES = 67_108_864;
/** Size of the directory: about 20 bytes per entry, in steps of 4 KiB on disks. */
const MAX_FOLDER_BYTES = 65_536;
/** A process that was just killed may still be in a system call in the folder. */
const ATTEMPTS = 3;
const PAUSE_MS = 100;
/** Modes first: the content of an unreadable folder cannot be removed. */
const SCRIPT = '[ ! -e "$1" ] || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }';

/**
 * Removes the folder with its content; it may be gone already. Links are not followed.
 *
 * A few entries are removed in this thread, which is faster than passing them to another. Millions of entries, large files,
 * unreadable folders, and folders nested deeper than a path can be long, which Node cannot remove, are left to a separate
 * process, which blocks nobody.
 *
 * @throws Error when it is still there.
 */
export async function removeFolder(folder: string): Promise<void> {
  if (removeSome(folder, { entries: MAX_ENTRIES, bytes: MAX_FILE_BYTES }, MAX_DEPTH)) return;
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

interface Allowance {
  entries: number;
  bytes: number;
}

/** Whether all of it could be removed. Never throws. */
function removeSome(folder: string, allowance: Allowance, depth: number): boolean {
  if (depth === 0) return false;
  try {
    // Without this check, a folder of millions of entries would be read whole.
    if (lstatSync(folder).size > MAX_FOLDER_BYTES) return false;
    const entries = readdirSync(folder, { withFileTypes: true });
    allowance.entries -= entries.length;
    if (allowance.entries < 0) return false;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!(entry.isDirectory() ? removeSome(path, allowance, depth - 1) : removeFile(path, allowance)))
        return false;
    }
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error when it is still there. */
function removeFile(path: string, allowance: Allowance): boolean {
  allowance.bytes -= lstatSync(path).size;
  if (allowance.bytes < 0) return false;
  unlinkSync(path);
  return true;
}
