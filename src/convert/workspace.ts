/** Workspaces: a folder for each document, from the first byte of its upload to its open PDF. */
import { randomUUID } from 'node:crypto';
import { constants, mkdirSync, openSync, type Stats } from 'node:fs';
import { lstat, mkdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INPUT_NAME, type Job, OUTPUT_NAME } from '../engine/engine.ts';
import { OperatorError, PlatenError } from '../errors.ts';
import type { Log } from '../log.ts';
import { removeFolder } from '../system/remove-folder.ts';
import { ServerFolder } from '../system/server-folder.ts';

const SHARED_MEMORY = '/dev/shm';
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** Type of a tmpfs in statfs(2). */
const TMPFS_MAGIC = 0x01021994;
/** The engine's folder, beside those of the documents, which are UUIDs. */
const ENGINE_NAME = 'engine';
/** A container's default shared memory of 64 MiB would be full with three uploads. */
const MIN_TMPFS_BYTES = 1_073_741_824;
/** Without O_NONBLOCK, a FIFO in place of the output would hold this thread for ever. */
const OPEN_FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The folder of one document. Whoever opens it disposes of it. */
export class Workspace implements Job {
  readonly id: string;
  readonly folder: string;

  readonly #onDispose: () => void;

  /** @param parent the folder that it is in; `Workspaces.create` makes it. */
  constructor(parent: string, onDispose: () => void) {
    this.id = randomUUID();
    this.folder = join(parent, this.id);
    this.#onDispose = onDispose;
  }

  /** Where the upload goes. */
  get input(): string {
    return join(this.folder, INPUT_NAME);
  }

  /**
   * Opens what the engine wrote, for reading unless it is to be changed.
   *
   * @param folder where it was to write to.
   * @returns the file's descriptor, which is the caller's to close.
   * @throws Error where there is none, or a symbolic link in its place (ELOOP).
   */
  openOutput({ writable = false, folder = this.folder } = {}): number {
    const access = writable ? constants.O_RDWR : constants.O_RDONLY;
    return openSync(join(folder, OUTPUT_NAME), access | OPEN_FLAGS);
  }

  /** Removes the folder and all in it. A file that is open stays readable through its handle. */
  async dispose(): Promise<void> {
    try {
      await removeFolder(this.folder);
    } finally {
      this.#onDispose();
    }
  }
}

/** The workspaces of this server: a folder that is its own and goes with it. */
export class Workspaces {
  readonly #folder: ServerFolder;
  readonly #limit: number;
  readonly #open = new Set<Workspace>();

  private constructor(folder: ServerFolder, limit: number) {
    this.#folder = folder;
    this.#limit = limit;
  }

  /**
   * Makes this server's folder and removes those of servers that died.
   *
   * @param root folder of the workspaces of all servers that share it; a living server's is known by its lock. Made
   *   where it is missing, in a folder that there is.
   * @param limit workspaces that may be open at a time: what bounds the space that uploads take.
   * @throws OperatorError when the folder cannot be used.
   */
  static async open(root: string, limit: number): Promise<Workspaces> {
    await prepareRoot(root);
    return new Workspaces(await ServerFolder.open(root), limit);
  }

  /**
   * As `open`, in the first of several folders that can be used; the log says which could not.
   *
   * @throws OperatorError when none can be used.
   */
  static async openFirst(roots: JobsFolders, limit: number, log: Pick<Log, 'warn'>): Promise<Workspaces> {
    const [root, next, ...others] = roots;
    if (next === undefined) return Workspaces.open(root, limit);
    try {
      await prepareRoot(root);
    } catch (error) {
      log.warn({ reason: (error as Error).message, instead: next }, 'a folder for jobs cannot be used');
      return Workspaces.openFirst([next, ...others], limit, log);
    }
    return Workspaces.open(root, limit);
  }

  /** A folder for the engine of this server, which goes with the server's own. */
  get engineFolder(): string {
    return join(this.#folder.path, ENGINE_NAME);
  }

  /** @throws PlatenError `OVERLOADED` when too many are open. */
  create(): Workspace {
    if (this.#open.size >= this.#limit) {
      throw new PlatenError('OVERLOADED', { retryAfter: 1, reason: 'workspaces' });
    }
    const workspace = new Workspace(this.#folder.path, () => this.#open.delete(workspace));
    this.#open.add(workspace);
    try {
      mkdirSync(workspace.folder, { mode: 0o700 });
    } catch (error) {
      this.#open.delete(workspace);
      throw new PlatenError('SERVICE_UNAVAILABLE', { cause: error });
    }
    return workspace;
  }

  async close(): Promise<void> {
    await this.#folder.remove();
  }
}

/** Folders that jobs may go to, the best first. */
export type JobsFolders = readonly [string, ...string[]];

/**
 * Where job folders go unless the operator says otherwise: on a tmpfs of a useful size, so that no document
 * reaches a disk, else in the data folder. Shared memory is open to all: another user may have taken the name there.
 *
 * @param scope tells the data folders of one machine apart.
 */
export async function defaultJobsFolders(dataDir: string, scope: string): Promise<JobsFolders> {
  const about = await statfs(SHARED_MEMORY).catch(() => undefined);
  const suitable = about?.type === TMPFS_MAGIC && about.bsize * about.bavail >= MIN_TMPFS_BYTES;
  const inData = join(dataDir, 'jobs');
  return suitable ? [join(SHARED_MEMORY, `platen-${scope}`), inData] : [inData];
}

/** Makes the folder where there is none, but not those that it is in: a path with a mistake in it would go unnoticed. */
async function makeRoot(folder: string): Promise<Stats> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const about = await followed(folder);
  if (!about.isDirectory()) throw new Error(`${folder} is not a folder`);
  return about;
}

/** What is at a path. A link counts where nobody else can have made it. */
async function followed(path: string): Promise<Stats> {
  const about = await lstat(path);
  if (!about.isSymbolicLink()) return about;
  const parent = dirname(path);
  if (isWritableByOthers(await stat(parent))) {
    throw new Error(`${path} is a symbolic link, which others could have made: ${parent} is open to them`);
  }
  return stat(path);
}

const isWritableByOthers = ({ mode }: Stats): boolean => (mode & WRITABLE_BY_OTHERS) !== 0;

async function prepareRoot(folder: string): Promise<void> {
  const about = await makeRoot(folder).catch((cause: NodeJS.ErrnoException) => {
    const isParentMissing = cause.code === 'ENOENT';
    const problem = isParentMissing
      ? `there is no ${dirname(folder)}; make it, or correct the path`
      : cause.message;
    throw new OperatorError(`the folder for jobs (JOBS_DIR) cannot be used: ${problem}`, { cause });
  });
  // A folder such as /dev/shm is open to all: who made one of our name there, or may rename what is in it,
  // could read along.
  const openToOthers = isWritableByOthers(about) && (about.mode & STICKY) === 0;
  if (about.uid !== process.getuid?.() || openToOthers) {
    throw new OperatorError(`${folder} is not for this user alone; set JOBS_DIR to a folder of its own`);
  }
}
