/** Writes files atomically: under a name there is a whole file, or none. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, lstat, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../../errors.ts';

/**
 * Writes a file, in place of the one that has its name. A stream is destroyed if it cannot be written.
 *
 * @param mode its permissions, which the umask may lessen.
 * @param replaces false: it is not written if there is anything of its name by then. On file systems without hard links, what comes
 *   in the same moment is replaced.
 * @throws OperatorError if it cannot be written; then the file is as before.
 */
export async function writeWhole(
  path: string,
  content: string | Readable,
  replaces = true,
  mode = 0o666,
): Promise<void> {
  // Its name may be as long as file systems allow, so the draft's is not made of it.
  const draft = join(dirname(path), `.${randomUUID()}.draft`);
  try {
    if (typeof content === 'string') await writeFile(draft, content, { mode });
    else await pipeline(content, createWriteStream(draft, { mode }));
    if (!replaces) return await takeName(draft, path);
    // Root could put a file in place of a device.
    const former = await stat(path).catch(() => undefined);
    if (former && !former.isFile())
      throw new Error(former.isDirectory() ? 'it is a folder' : 'it is not a file');
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw new OperatorError(`${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/** What `link` says of file systems without hard links. */
const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives a draft a name that nothing has. @throws Error if something has it. */
async function takeName(draft: string, path: string): Promise<void> {
  const failure: NodeJS.ErrnoException | undefined = await link(draft, path).then(
    () => undefined,
    (error) => error,
  );
  if (!failure) return await rm(draft);
  const isThere = noLinks.has(failure.code) && (await lstat(path).catch(() => undefined)) !== undefined;
  if (failure.code === 'EEXIST' || isThere) throw new Error('it is there already');
  if (!noLinks.has(failure.code)) throw failure;
  await rename(draft, path);
}
