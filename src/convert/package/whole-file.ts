/** Writing a file that is whole at any time. */
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { PlatenError } from '../../errors.ts';

/**
 * Puts what is written in the place of the file at `path`, if there is one.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE` where there is no room for it; what `write` throws.
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
    // A full disk, say: ours, not the client's.
    const isOurs = ['open', 'write', 'writev', 'rename'].includes(
      (error as NodeJS.ErrnoException).syscall ?? '',
    );
    throw isOurs ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error }) : error;
  }
}
