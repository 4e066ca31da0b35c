/** Replaces a file so that it is complete at any time. */
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { PlatenError } from '../../errors.ts';

/**
 * Writes a new file in place of the one at `path`, if any.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE` if there is no space; whatever `write` throws.
 */
export async function writeFileWhole(
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const draft = `${path}.draft`;
  try {
    const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await write(file);
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // A full disk, for example, is the server's fault.
    const isOurs = ['open', 'write', 'writev', 'rename'].includes(
      (error as NodeJS.ErrnoException).syscall ?? '',
    );
    throw isOurs ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error }) : error;
  }
}
