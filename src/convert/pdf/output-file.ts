/** The engine's output, which may be anything: a document may have taken over the process that wrote it. */
import { closeSync, constants, copyFileSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT_NAME, PICTURE_NAME } from '../../engine/engine.ts';
import { isShortage, PlatenError } from '../../errors.ts';
import { TailReader } from '../../system/tail-reader.ts';

/** Without O_NONBLOCK, opening a FIFO in place of the output would block this thread for ever. */
const FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens the engine's output for reading.
 *
 * @param folder in which the engine wrote.
 * @returns the file descriptor, which the caller closes.
 * @throws Error if there is no output, or a symbolic link in its place (ELOOP).
 */
export function openOutput(folder: string): number {
  return openHeld(join(folder, OUTPUT_NAME));
}

/** Opens a file that the engine may have replaced, for reading. The caller closes it. @throws Error as {@link openOutput}. */
export function openHeld(path: string): number {
  return openSync(path, constants.O_RDONLY | FLAGS);
}

/** Opens the picture that the engine drew in a folder, as {@link openOutput}. */
export function openPicture(folder: string): number {
  return openHeld(join(folder, PICTURE_NAME));
}

/** Reads the output and closes it. @throws as {@link openOutput}; what `read` throws. */
export function withOutput<T>(folder: string, read: (reader: TailReader) => T): T {
  return withFile(openOutput(folder), read);
}

/** Likewise, of {@link openPicture}. */
export function withPicture<T>(folder: string, read: (reader: TailReader) => T): T {
  return withFile(openPicture(folder), read);
}

function withFile<T>(fd: number, read: (reader: TailReader) => T): T {
  try {
    return read(TailReader.over(fd));
  } finally {
    closeSync(fd);
  }
}

/**
 * Changes a copy of the output, and then puts it in place of the output: a process that is killed meanwhile leaves that as it was.
 *
 * @param change is given a descriptor for reading and writing.
 * @throws Error as {@link openOutput}, or if there is no room; what `change` throws.
 */
export function changeOutput<T>(folder: string, change: (fd: number) => T): T {
  const path = join(folder, OUTPUT_NAME);
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  const output = openOutput(folder);
  try {
    // To open a FIFO in its place once more would wait for ever.
    if (!fstatSync(output).isFile()) throw new Error('not a regular file');
    copyFileSync(`/proc/self/fd/${output}`, draft, constants.COPYFILE_EXCL);
  } finally {
    closeSync(output);
  }
  const fd = openSync(draft, constants.O_RDWR | FLAGS);
  let result: T;
  try {
    result = change(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
  return result;
}

/** Maps a failure to open or change the output. A full disk, or a lack of descriptors, is the server's fault. */
export function outputFailure(cause: unknown): PlatenError {
  const isOurs =
    ['write', 'copyfile'].includes((cause as NodeJS.ErrnoException).syscall ?? '') || isShortage(cause);
  return new PlatenError(isOurs ? 'SERVICE_UNAVAILABLE' : 'CONVERSION_FAILED', { cause });
}
