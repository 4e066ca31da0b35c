/** A folder of this server alone, among those of other servers that share a root. */
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUseError, type FolderLock, lockFolder } from './folder-lock.ts';
import { removeFolder } from './remove-folder.ts';

const PREFIX = 'server-';
const NAME = /^server-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How long a server waits for others that start or end. */
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
   * Makes this server's folder and removes those of servers that died; a living one's is known by its lock.
   *
   * @param root an existing folder.
   * @throws OperatorError when the root cannot be used.
   */
  static async open(root: string): Promise<ServerFolder> {
    // One server at a time, so that none takes another's new folder for a dead one's.
    const turn = await lockFolder(root, TURN_TIMEOUT_MS);
    try {
      const others = (await readdir(root, { withFileTypes: true })).filter(isServerFolder);
      const path = join(root, `${PREFIX}${randomUUID()}`);
      await mkdir(path, { mode: 0o700 });
      const own = new ServerFolder(path, root, await lockFolder(path, 0));
      for (const { name } of others) await removeIfDead(join(root, name));
      return own;
    } finally {
      await turn.release();
    }
  }

  /** Removes the folder and all in it. */
  async remove(): Promise<void> {
    // In turn as well: a server that starts would find the folder half removed.
    const turn = await lockFolder(this.#root, TURN_TIMEOUT_MS);
    try {
      await removeFolder(this.path);
      await this.#lock.release();
    } finally {
      await turn.release();
    }
  }
}

/** By their exact names, so that nothing else that lies in the root is ever taken for ours. */
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
