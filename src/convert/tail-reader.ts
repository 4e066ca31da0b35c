/** Random access to a file whose end says where everything else is, as in ZIP and PDF. */
import { fstatSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const WINDOW_BYTES = 131_072;

/** Reads from an open file, which it does not close; the file's last 128 KB are read once and kept. */
export class TailReader {
  /** Length of the file in bytes. */
  readonly size: number;
  readonly #file: FileHandle;
  readonly #window: Buffer;
  readonly #windowStart: number;

  private constructor(file: FileHandle, size: number, window: Buffer) {
    this.#file = file;
    this.size = size;
    this.#window = window;
    this.#windowStart = size - window.length;
  }

  /**
   * Reads the end of the file, in this thread: what was written a moment ago is in memory, and copying it takes
   * less time than handing the work to another.
   *
   * @throws Error when it is not a regular file.
   */
  static over(file: FileHandle): TailReader {
    const about = fstatSync(file.fd);
    if (!about.isFile()) throw new Error('not a regular file');
    const window = Buffer.allocUnsafe(Math.min(about.size, WINDOW_BYTES));
    const bytesRead = readSync(file.fd, window, 0, window.length, about.size - window.length);
    if (bytesRead < window.length) throw new Error('the file became shorter while it was read');
    return new TailReader(file, about.size, window);
  }

  /** The `length` bytes at `position`, fewer where the file ends before; treat them as read-only. */
  async read(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, this.size);
    if (position >= end) return Buffer.alloc(0);
    if (position >= this.#windowStart) {
      return this.#window.subarray(position - this.#windowStart, end - this.#windowStart);
    }
    return readFully(this.#file, position, end - position);
  }
}

async function readFully(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead < length) throw new Error(`the file ended at ${position + bytesRead} while it was read`);
  return buffer;
}
