/** Files that others read: under a name there is a whole file, or none. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../errors.ts';

/**
 * Makes a folder, and those around it. Node's own way does not end where a file system such as /proc says that they are not there.
 *
 * @throws OperatorError
 */
export async function makeFolders(path: string): Promise<void> {
  const make = (folder: string) =>
    mkdir(folder).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
  let failure = await make(path);
  if (failure?.code === 'ENOENT' && !(await stat(dirname(resolve(path))).catch(() => undefined))) {
    await makeFolders(dirname(resolve(path)));
    failure = await make(path);
  }
  if (!failure || (await stat(path).catch(() => undefined))?.isDirectory()) return;
  throw new OperatorError(`the folder ${path} cannot be made: ${failure.code}`, { cause: failure });
}

/**
 * Writes a file, in place of the one that has its name. A stream is destroyed if it cannot be written.
 *
 * @throws OperatorError if it cannot be written; then the file is as before.
 */
export async function writeWhole(path: string, content: string | Readable): Promise<void> {
  // Its name may be as long as file systems allow, so the draft's is not made of it.
  const draft = join(dirname(path), `.${randomUUID()}.draft`);
  try {
    if (typeof content === 'string') await writeFile(draft, content);
    else await pipeline(content, createWriteStream(draft));
    // Root could put a file in place of a device.
    const former = await stat(path).catch(() => undefined);
    if (former && !former.isFile()) throw new Error('it is not a file');
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw new OperatorError(`${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
}
