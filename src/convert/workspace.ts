/** Workspaces: a folder for each document, from the first byte of its upload to its open PDF. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, type Stats } from 'node:fs';
import { lstat, mkdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import type { Job } from '../engine/engine.ts';
import { OperatorError, PlatenError } from '../errors.ts';
import { wasOwned } from '../system/folder-lock.ts';
import type { Log } from '../system/log.ts';
import { removeFolder } from '../system/remove-folder.ts';
import { ServerFolder } from '../system/server-folder.ts';

const SHARED_MEMORY = '/dev/shm';
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** Type of a tmpfs in statfs(2). */
const TMPFS_MAGIC = 0x01021994;
/** The engine never reads it: its input is the print view. */
const UPLOAD_NAME = 'upload';
/** The engine's folder, next to those of the documents, which are UUIDs. */
const ENGINE_NAME = 'engine';
/** Least free space: three uploads would fill a container's default shared memory of 64 MiB. */
const MIN_TMPFS_BYTES = 1_073_741_824;

type WorkspaceLog = Pick<Log, 'warn' | 'error'>;

/** The folder of one document, or of several that become one PDF. The opener disposes of it. */
export class Workspace implements Job {
  readonly id: string;
  readonly folder: string;

  readonly #log: WorkspaceLog;
  readonly #onDispose: () => void;

  /** @param parent folder; `Workspaces.create` makes it. */
  constructor(parent: string, log: WorkspaceLog, onDispose: () => void) {
    this.id = randomUUID();
    this.folder = join(parent, this.id);
    this.#log = log;
    this.#onDispose = onDispose;
  }

  /** Path of the document as it came. */
  get input(): string {
    return join(this.folder, UPLOAD_NAME);
  }

  /**
   * The workspace of one of several documents, inside this one and removed with it, or before.
   *
   * @throws PlatenError `SERVICE_UNAVAILABLE` if there is no room.
   */
  inside(): Workspace {
    const workspace = new Workspace(this.folder, this.#log, () => {});
    workspace.make();
    return workspace;
  }

  /** Makes the folder. @throws PlatenError `SERVICE_UNAVAILABLE` if there is no room. */
  make(): void {
    try {
      mkdirSync(this.folder, { mode: 0o700 });
    } catch (error) {
      throw new PlatenError('SERVICE_UNAVAILABLE', { cause: error });
    }
  }

  /** Path of an uploaded attachment; they are numbered from 1. */
  attachment(number: number): string {
    return join(this.folder, `attachment-${number}`);
  }

  /**
   * Removes the folder and its content. An open file stays readable through its descriptor. Never rejects: a folder that cannot
   * be removed changes no result, and is logged.
   */
  async dispose(): Promise<void> {
    try {
      await removeFolder(this.folder);
    } catch (error) {
      this.#log.error({ err: error }, 'a job folder could not be removed');
    } finally {
      this.#onDispose();
    }
  }
}

/** The workspaces of this server, in its own folder, which is removed with it. */
export class Workspaces {
  readonly #folder: ServerFolder;
  readonly #limit: number;
  readonly #log: WorkspaceLog;
  #taken = 0;

  private constructor(folder: ServerFolder, limit: number, log: WorkspaceLog) {
    this.#folder = folder;
    this.#limit = limit;
    this.#log = log;
  }

  /**
   * Creates this server's folder and removes those of dead servers.
   *
   * @param root folder of the workspaces of all servers that share it; a lock marks a living server's. Created if
   * missing, inside an existing folder.
   * @param limit most workspaces open at a time, which bounds the space that uploads take.
   * @throws OperatorError if the folder cannot be used.
   */
  static async open(root: string, limit: number, log: WorkspaceLog): Promise<Workspaces> {
    await prepareRoot(root);
    return new Workspaces(await ServerFolder.open(root), limit, log);
  }

  /**
   * As `open`, in the first usable one of several folders; the log names the unusable ones.
   *
   * @throws OperatorError if none can be used.
   */
  static async openFirst(roots: WorkFolders, limit: number, log: WorkspaceLog): Promise<Workspaces> {
    const [root, next, ...others] = roots;
    if (next === undefined) return Workspaces.open(root, limit, log);
    try {
      await prepareRoot(root);
    } catch (error) {
      log.warn({ reason: (error as Error).message, instead: next }, 'a folder for documents cannot be used');
      return Workspaces.openFirst([next, ...others], limit, log);
    }
    return Workspaces.open(root, limit, log);
  }

  /** A folder for the engine of this server, removed with the server's own. */
  get engineFolder(): string {
    return join(this.#folder.path, ENGINE_NAME);
  }

  /**
   * @param share how many it counts as: one for each upload of the largest size that it has room for.
   * @throws PlatenError `OVERLOADED` if too many are open.
   */
  create(share = 1): Workspace {
    if (this.#taken + share > this.#limit) {
      throw new PlatenError('OVERLOADED', { retryAfter: 1, reason: 'workspaces' });
    }
    let taken = share;
    const giveBack = () => {
      this.#taken -= taken;
      taken = 0;
    };
    const workspace = new Workspace(this.#folder.path, this.#log, giveBack);
    this.#taken += taken;
    try {
      workspace.make();
    } catch (error) {
      giveBack();
      throw error;
    }
    return workspace;
  }

  async close(): Promise<void> {
    await this.#folder.remove();
  }
}

/** Candidates for the folder for documents, the best first. */
type WorkFolders = readonly [string, ...string[]];

/**
 * Where workspaces may be: in the folder that is set, or else on a tmpfs of a useful size, so that no document reaches a disk,
 * or else in the data folder. Shared memory is open to all users, so another user may own the name there.
 */
export async function workFolders({
  dataDir,
  workDir,
}: Pick<Config, 'dataDir' | 'workDir'>): Promise<WorkFolders> {
  if (workDir !== undefined) return [workDir];
  // Each data folder of a machine has its own.
  const scope = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const inMemory = join(SHARED_MEMORY, `platen-${scope}`);
  const inData = join(dataDir, 'jobs');
  // The documents of a dead server may fill it.
  if (!(await hasRoom()) && wasOwned(inMemory)) await sweep(inMemory).catch(() => {});
  return (await hasRoom()) ? [inMemory, inData] : [inData];
}

/** Whether shared memory is a tmpfs of a useful size. */
async function hasRoom(): Promise<boolean> {
  const about = await statfs(SHARED_MEMORY).catch(() => undefined);
  return about?.type === TMPFS_MAGIC && about.bsize * about.bavail >= MIN_TMPFS_BYTES;
}

/** Removes the folders of dead servers. @throws OperatorError if the root cannot be used. */
async function sweep(root: string): Promise<void> {
  await prepareRoot(root);
  const folder = await ServerFolder.open(root);
  await folder.remove();
}

/** Creates the folder, but not its parents, so that a mistyped path is noticed. */
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

/** The file type at a path. A link is followed only if nobody else can have made it. */
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
    throw new OperatorError(`the folder for documents (WORK_DIR) cannot be used: ${problem}`, { cause });
  });
  // In a folder such as /dev/shm that is open to all users, the owner of our name, or a user who may rename its
  // content, could read documents.
  const openToOthers = isWritableByOthers(about) && (about.mode & STICKY) === 0;
  if (about.uid !== process.getuid?.() || openToOthers) {
    throw new OperatorError(`${folder} is open to other users; set WORK_DIR to a folder of its own`);
  }
}
