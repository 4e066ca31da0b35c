/** A folder for this server alone, inside a root that servers share. */
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUseError, type FolderLock, lockFolder } from './folder-lock.ts';
import { removeFolder } from './remove-folder.ts';

const PREFIX = 'server-';
const NAME = /^server-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How long a server waits for others that start or stop. */
const TURN_TIMEOUT_MS = 10_000;

export class ServerFolder {
  readonly path: string;
  readonly #root: string;
  readonly #lock: FolderLock;

  private constructor(path: string, root: string, lock: FolderLock) {
    this.path = path;
    this.#root = root;
    this.#lock = lock;
  }

  /**
   * Creates this server's folder and removes those of dead servers; a living server holds a lock on its folder.
   *
   * @param root an existing folder.
   * @throws OperatorError when the root cannot be used.
   */
  static async open(root: string): Promise<ServerFolder> {
    // One server at a time, so that none takes another's new folder for a dead one's.
    const turn = await lockFolder(root, TURN_TIMEOUT_MS);
    try {
      const others = (await readdir(root, { withFileTypes: true })).filter(isServerFolder);
      // First, as they may take all the space.
      for (const { name } of others) await removeIfDead(join(root, name));
      const path = join(root, `${PREFIX}${randomUUID()}`);
      await mkdir(path, { mode: 0o700 });
      return new ServerFolder(path, root, await lockFolder(path, 0));
    } finally {
      await turn.release();
    }
  }

  /** Removes the folder with its content. */
  async remove(): Promise<void> {
    // Also under the lock: a starting server would find the folder half removed.
    const turn = await lockFolder(this.#root, TURN_TIMEOUT_MS);
    try {
      await removeFolder(this.path);
      await this.#lock.release();
    } finally {
      await turn.release();
    }
  }
}

/** Exact names, so that nothing else in the root is mistaken for ours. */
function isServerFolder(entry: Dirent): boolean {
  return entry.isDirectory() && NAME.test(entry.name);
}

async function removeIfDead(folder: string): Promise<void> {
  let lock: FolderLock;
  try {
    lock = await lockFolder(folder, 0);
  } catch (error) {
    if (error instanceof FolderInUseError) return;
    throw error;
  }
  try {
    await removeFolder(folder);
  } finally {
    await lock.release();
  }
}
