/** Which files the client of an MCP server reaches: those in the folders that were named when it was started. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { OperatorError } from '../../errors.ts';
import { printable } from '../../system/printable.ts';
import { BatchFailure } from '../batch/converter.ts';
import { writeWhole } from '../local/whole-file.ts';

/** open(2): a descriptor that names a file and does nothing to it, not even to a named pipe or a device. Node does not know it. */
const O_PATH = 0o10000000;
/** As much of a path as messages repeat. */
const MAX_SHOWN = 200;

interface Folder {
  /** As it was named, made absolute. */
  readonly named: string;
  /** Without symbolic links. */
  readonly real: string;
}

/**
 * The folders. Symbolic links in them may lead wherever they want: what counts is the file at their end. It is held by a
 * descriptor, the kernel tells where that is, and only then it is read, or written beside. So no exchange of files in between helps.
 */
export class Reach {
  readonly #folders: readonly [Folder, ...Folder[]];

  private constructor(folders: readonly [Folder, ...Folder[]]) {
    this.#folders = folders;
  }

  /** @param names paths of the folders. @throws OperatorError if one is none. */
  static async open([first, ...others]: readonly [string, ...string[]]): Promise<Reach> {
    return new Reach([await folderAt(first), ...(await Promise.all(others.map(folderAt)))]);
  }

  /** The folders, absolute. */
  get folders(): readonly string[] {
    return this.#folders.map(({ named }) => named);
  }

  /** Whether a file is in one of them. @throws as realpath(3) */
  async has(path: string): Promise<boolean> {
    const real = await realpath(path);
    return this.#folders.some((folder) => isIn(real, folder.real));
  }

  /**
   * The absolute path that a client means: a relative one is in the first folder.
   *
   * @throws BatchFailure `INVALID_PARAMETER` if it is not in one of the folders.
   */
  absolute(path: string): string {
    if (/\p{Cc}/u.test(path)) {
      throw new BatchFailure('INVALID_PARAMETER', 'A path has a control character. Rename the file.');
    }
    const absolute = resolve(this.#folders[0].named, path);
    if (this.#folders.some(({ named, real }) => isIn(absolute, named) || isIn(absolute, real)))
      return absolute;
    throw this.#outside(path);
  }

  /**
   * The first bytes of a file.
   *
   * @param bytes at most.
   * @throws BatchFailure `INVALID_PARAMETER` if it is not in one of the folders; `MISSING_FILE` if it cannot be read.
   */
  async readFirst(path: string, bytes: number): Promise<Buffer> {
    const absolute = this.absolute(path);
    try {
      const held = await this.#hold(absolute);
      try {
        if (!(await held.stat()).isFile())
          throw new BatchFailure('MISSING_FILE', `${shown(path)} is not a file.`);
        const file = await open(pathOf(held), constants.O_RDONLY | constants.O_NONBLOCK);
        const chunks: Buffer[] = [];
        for await (const chunk of file.createReadStream({ end: bytes - 1 })) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      } finally {
        await held.close();
      }
    } catch (error) {
      if (error instanceof BatchFailure) throw error;
      const { code } = error as NodeJS.ErrnoException;
      const message =
        code === 'ENOENT' ? `There is no ${shown(path)}.` : `${shown(path)} cannot be read: ${code}.`;
      throw new BatchFailure('MISSING_FILE', message, { cause: error });
    }
  }

  /**
   * Asserts that a PDF can get this name, and makes its folder.
   *
   * @param replaces whether it may take the place of a file.
   * @throws BatchFailure
   */
  async assertFree(path: string, replaces: boolean): Promise<void> {
    await this.#beside(path, (target) => assertFree(target, path, replaces));
  }

  /**
   * Writes a PDF as a whole, as {@link assertFree} says.
   *
   * @returns its size in bytes.
   * @throws BatchFailure
   */
  async write(path: string, pdf: Readable, replaces: boolean): Promise<number> {
    try {
      return await this.#beside(path, async (target) => {
        await assertFree(target, path, replaces);
        await writeWhole(target, pdf, replaces);
        return (await lstat(target)).size;
      });
    } finally {
      pdf.destroy();
    }
  }

  /** Runs a task with another path of a PDF, which leads through a descriptor of its folder. @throws BatchFailure */
  async #beside<T>(path: string, task: (target: string) => Promise<T>): Promise<T> {
    const absolute = this.absolute(path);
    if (extname(absolute).toLowerCase() !== '.pdf') {
      throw new BatchFailure('INVALID_PARAMETER', `${shown(path)} does not end in .pdf.`);
    }
    try {
      const folder = await this.#holdFolder(dirname(absolute));
      try {
        return await task(`${pathOf(folder)}/${basename(absolute)}`);
      } finally {
        await folder.close();
      }
    } catch (error) {
      if (error instanceof BatchFailure) throw error;
      // Of a file that cannot be written, the cause says why. Its end names the descriptor.
      const { message } = error instanceof OperatorError ? (error.cause as Error) : (error as Error);
      const reason = message.replace(/, \w+ '.*$/s, '');
      throw new BatchFailure('INTERNAL_ERROR', `${shown(path)} cannot be written: ${reason}.`, {
        cause: error,
      });
    }
  }

  /** Holds a folder, and makes it if there is none. @throws BatchFailure, errors of the system. */
  async #holdFolder(path: string): Promise<FileHandle> {
    try {
      return await this.#hold(path, constants.O_DIRECTORY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const parent = await this.#holdFolder(dirname(path));
    try {
      await mkdir(`${pathOf(parent)}/${basename(path)}`);
    } catch (error) {
      // Another call may have made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await parent.close();
    }
    return await this.#hold(path, constants.O_DIRECTORY);
  }

  /** Holds what is at a path, if that is in one of the folders. @throws BatchFailure, errors of the system. */
  async #hold(path: string, flags = 0): Promise<FileHandle> {
    const held = await open(path, O_PATH | flags);
    try {
      const real = await readlink(pathOf(held));
      if (this.#folders.some((folder) => isIn(real, folder.real))) return held;
      throw this.#outside(path);
    } catch (error) {
      await held.close();
      throw error;
    }
  }

  #outside(path: string): BatchFailure {
    const folders = this.folders.map(shown).join(', ');
    return new BatchFailure(
      'INVALID_PARAMETER',
      `${shown(path)} is outside of the folders that are open here: ${folders}.`,
    );
  }
}

/** @throws OperatorError */
async function folderAt(name: string): Promise<Folder> {
  const named = resolve(name);
  const real = await realpath(named).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory())
    throw new OperatorError(`there is no folder ${name}`);
  return { named, real };
}

/** Whether a path is a folder's, or of something in it. Both are absolute, without `..`. */
function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

const pathOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/** A path in a message. */
export const shown = (path: string): string =>
  printable(path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path);

/** @throws BatchFailure if something is in the place of a PDF that may not be replaced. */
async function assertFree(target: string, path: string, replaces: boolean): Promise<void> {
  const about = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!about) return;
  const reason = about.isFile()
    ? 'is there already. Set overwrite to replace it, or name another PDF'
    : 'is not a file';
  if (about.isFile() && replaces) return;
  throw new BatchFailure('INVALID_PARAMETER', `${shown(path)} ${reason}.`);
}
