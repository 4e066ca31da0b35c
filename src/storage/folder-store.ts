/** Objects as files in a folder of this server. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../system/remove-folder.ts';
import { asStorageError, giveTo, takenFrom } from './content.ts';
import {
  assertKey,
  assertPrefix,
  type Content,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from './object-store.ts';

/** No key has a name that begins with a dot. */
const DRAFT = '.';
/** How long the disk may take to answer: a folder may lie on a network's. */
const SILENCE_MS = 15_000;
/** Opening a FIFO in place of an object would block a thread. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Whoever else may write to the folder cannot lead it out by a symbolic link: none is followed below it. */
export class FolderStore implements ObjectStore {
  readonly shared = false;
  readonly #root: string;
  readonly #silenceMs: number;

  private constructor(root: string, silenceMs: number) {
    this.#root = root;
    this.#silenceMs = silenceMs;
  }

  /** Makes the folder if it is missing. @throws StorageError */
  static async open(root: string, silenceMs = SILENCE_MS): Promise<FolderStore> {
    await mkdir(root, { recursive: true, mode: 0o700 }).catch(fail);
    return new FolderStore(root, silenceMs);
  }

  async put(key: string, content: Content, { signal }: PutOptions = {}): Promise<void> {
    const take = (chunks: AsyncIterable<Uint8Array>) =>
      this.#answered((disk) => this.#write(key, disk.fed(chunks)));
    await giveTo(key, take, content, signal);
  }

  /** Does not wait for ever; the result of a hanging operation is ignored. */
  async #answered<T>(work: (disk: DiskWatch) => Promise<T>): Promise<T> {
    const disk = new DiskWatch(this.#silenceMs);
    try {
      return await Promise.race([work(disk), disk.silent]);
    } finally {
      disk.end();
    }
  }

  async #write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { names, name } = split(key);
    const folder = await this.#find(names, { make: true });
    if (folder === undefined) throw new Error(`the folder of ${key} was removed meanwhile`);
    const draft = join(folder, `${DRAFT}${randomUUID()}`);
    try {
      await writeFile(draft, chunks, { flag: 'wx', mode: 0o600 });
      await rename(draft, join(folder, name));
    } catch (error) {
      await unlink(draft).catch(() => {});
      throw error;
    }
  }

  async open(
    key: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<StoredObject | undefined> {
    assertKey(key);
    signal?.throwIfAborted();
    const reading = this.#read(key, signal);
    return this.#answered(() => reading).catch((error: unknown) => {
      // It may come after all.
      reading.then((object) => object?.stream.destroy()).catch(() => {});
      return fail(error);
    });
  }

  async #read(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const { names, name } = split(key);
    const folder = await this.#find(names);
    if (folder === undefined) return undefined;
    const file = await open(join(folder, name), READ_FLAGS).catch(unless('ENOENT'));
    if (!file) return undefined;
    try {
      const about = await file.stat();
      if (!about.isFile()) throw new Error(`${join(folder, name)} is not a file`);
      return { stream: takenFrom(file.createReadStream(), this.#silenceMs, signal), bytes: about.size };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async remove(prefix: string): Promise<void> {
    assertPrefix(prefix);
    await this.#answered(async () => {
      const folder = await this.#find(split(prefix).names);
      if (folder !== undefined) await removeFolder(folder);
    }).catch(fail);
  }

  async *list(prefix: string): AsyncGenerator<string> {
    assertPrefix(prefix);
    const entries = await this.#answered(async () => {
      const folder = await this.#find(split(prefix).names);
      return folder === undefined
        ? undefined
        : readdir(folder, { withFileTypes: true }).catch(unless('ENOENT'));
    }).catch(fail);
    for (const entry of entries ?? []) {
      if (entry.isDirectory()) yield* this.list(`${prefix}${entry.name}/`);
      else if (entry.isFile() && !entry.name.startsWith(DRAFT)) yield `${prefix}${entry.name}`;
    }
  }

  async address(): Promise<undefined> {
    return undefined;
  }

  close(): void {}

  /** The folder at the end of these names; undefined if there is none. @throws Error if a link or file is in the way. */
  async #find(names: readonly string[], { make = false } = {}): Promise<string | undefined> {
    let path = this.#root;
    for (const name of names) {
      path = join(path, name);
      if (make) await mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'));
      const about = await lstat(path).catch(unless('ENOENT'));
      if (!about) return undefined;
      if (!about.isDirectory()) throw new Error(`${path} is not a folder`);
    }
    return path;
  }
}

/** Notices when the disk does not answer. */
class DiskWatch {
  /** Rejects then. */
  readonly silent: Promise<never>;
  readonly #silenceMs: number;
  #reject: (error: Error) => void = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.silent = new Promise((_resolve, reject) => {
      this.#reject = reject;
    });
    this.#begin();
  }

  /** Content for the disk, which has its own time. */
  async *fed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.end();
    for await (const chunk of chunks) {
      this.#begin();
      yield chunk;
      this.end();
    }
    this.#begin();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    const error = () => new Error(`the disk did not answer for ${this.#silenceMs} ms`);
    this.#timer = setTimeout(() => this.#reject(error()), this.#silenceMs).unref();
  }
}

/** The folders on the way to an object or to what is below a prefix, and the object's own name. */
function split(key: string): { readonly names: readonly string[]; readonly name: string } {
  const names = key.split('/');
  const name = names.pop() ?? '';
  return { names, name };
}

/** Passes over one kind of error. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error;
  };

const fail = (error: unknown): never => {
  throw asStorageError(error);
};
