/** Writes a file so that it is complete at any time. */
import { closeSync, constants, openSync, renameSync, writevSync } from 'node:fs';
import { PlatenError } from '../../errors.ts';
import type { ByteSink } from './package-writer.ts';

/** Pieces that are written together. */
const MOST_BYTES = 1_048_576;
/** Fewer than `IOV_MAX`, see writev(2). */
const MOST_PIECES = 512;
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/**
 * Writes a new file at `path`, in place of the one there, if any. It writes in this thread: the file lies in memory, or in the
 * page cache.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE` if there is no space; whatever `write` throws.
 */
export async function writeFileWhole(
  path: string,
  write: (file: ByteSink) => Promise<void> | void,
): Promise<void> {
  const draft = `${path}.draft`;
  try {
    const fd = openSync(draft, FLAGS, 0o600);
    try {
      const file = new BufferedFile(fd);
      await write(file);
      file.flush();
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (error) {
    // A full disk, for example, is the server's fault.
    const isOurs = ['open', 'write', 'writev', 'rename'].includes(
      (error as NodeJS.ErrnoException).syscall ?? '',
    );
    throw isOurs ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error }) : error;
  }
}

/** Collects small pieces. */
class BufferedFile implements ByteSink {
  readonly #fd: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  writeFile(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= MOST_BYTES || this.#pieces.length >= MOST_PIECES) this.flush();
  }

  flush(): void {
    let [pieces, left] = [this.#pieces, this.#bytes];
    [this.#pieces, this.#bytes] = [[], 0];
    while (left > 0) {
      let written = writevSync(this.#fd, pieces);
      left -= written;
      // Only a full disk ends early.
      const next = pieces.findIndex(({ length }) => {
        if (written < length) return true;
        written -= length;
        return false;
      });
      pieces = next < 0 ? [] : [(pieces[next] as Buffer).subarray(written), ...pieces.slice(next + 1)];
    }
  }
}
