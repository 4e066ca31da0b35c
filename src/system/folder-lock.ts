/**
 * One owner for a folder, through flock(2) on a file in it.
 *
 * The kernel releases the lock with the last process that has the file open, however it died. So there are no stale locks or
 * takeover races, and repeated process ids (containers that share a folder) do no harm. Node has no flock; flock(1) locks the
 * open file that it inherits, and the lock stays with that file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';

/** It stays as long as its folder: a waiting process has this file open, and would lock a file that no other process finds. */
const LOCK_FILE = 'owner.lock';
/** Exit code that flock(1) is told to use for "somebody else holds it"; EX_TEMPFAIL of sysexits.h. */
const CONFLICT = 75;

/** Another process owns the folder and did not release it in time. */
export class FolderInUseError extends OperatorError {}

export interface FolderLock {
  /** The open lock file. A child that inherits it keeps the folder locked until it is gone as well. */
  readonly fd: number;
  /** Releases this process's part of the lock. */
  release(): Promise<void>;
}

/** Whether the folder exists, and has or had an owner. */
export function wasOwned(folder: string): boolean {
  return existsSync(join(folder, LOCK_FILE));
}

/**
 * Makes this process the owner of an existing folder.
 *
 * @param timeoutMs how long to wait for the current owner, in milliseconds; 0 does not wait.
 * @throws FolderInUseError when the folder still has an owner then; OperatorError when it cannot be locked.
 */
export async function lockFolder(folder: string, timeoutMs: number): Promise<FolderLock> {
  const path = join(folder, LOCK_FILE);
  const file = await open(path, 'a', 0o600).catch((error: Error) => {
    throw new OperatorError(`a folder of Platen cannot be used: ${error.message}`, { cause: error });
  });
  try {
    const code = await flock(file.fd, timeoutMs);
    if (code === CONFLICT) {
      const owner = (await readFile(path, 'utf8')).trim();
      throw new FolderInUseError(
        `another Platen is using ${folder} (process ${owner || 'not known yet'}): stop it, or give this one ` +
          'folders of its own (DATA_DIR, WORK_DIR)',
      );
    }
    if (code !== 0) throw new OperatorError(`${path} cannot be locked: flock ended with code ${code}`);
    await note(file);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { fd: file.fd, release: () => file.close() };
}

/** Names the owner, for error messages and people. The lock does not depend on it: the disk may be full. */
async function note(file: FileHandle): Promise<void> {
  try {
    await file.truncate(0);
    await file.write(`${process.pid}\n`);
  } catch {
    // The owner stays unknown.
  }
}

async function flock(fd: number, timeoutMs: number): Promise<number> {
  const args = [
    '--exclusive',
    '--timeout',
    String(timeoutMs / 1000),
    '--conflict-exit-code',
    String(CONFLICT),
  ];
  const child = spawn('flock', [...args, '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  try {
    const [code, signal] = await once(child, 'exit');
    return code ?? signal;
  } catch (error) {
    const cause = error as Error;
    throw new OperatorError(`flock cannot be run (${cause.message}): apt-get install util-linux`, { cause });
  }
}
