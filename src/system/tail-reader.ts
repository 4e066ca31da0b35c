/** Random access to a file whose end says where everything else is, as in ZIP and PDF. */
import { fstatSync, readSync } from 'node:fs';

const WINDOW_BYTES = 131_072;

/**
 * Reads from an open file, which it does not close; the file's last 128 KB are read once and kept.
 *
 * It reads in the thread that asks: what was written a moment ago is in memory, and copying a piece of it takes less
 * time than handing the work to another thread.
 */
export class TailReader {
  /** Length of the file in bytes. */
  readonly size: number;
  readonly #fd: number;
  readonly #window: Buffer;
  readonly #windowStart: number;

  private constructor(fd: number, size: number, window: Buffer) {
    this.#fd = fd;
    this.size = size;
    this.#window = window;
    this.#windowStart = size - window.length;
  }

  /**
   * Reads the end of the file.
   *
   * @param fd of the open file.
   * @throws Error when it is not a regular file.
   */
  static over(fd: number): TailReader {
    const about = fstatSync(fd);
    if (!about.isFile()) throw new Error('not a regular file');
    const window = Buffer.allocUnsafe(Math.min(about.size, WINDOW_BYTES));
    const bytesRead = readSync(fd, window, 0, window.length, about.size - window.length);
    if (bytesRead < window.length) throw new Error('the file became shorter while it was read');
    return new TailReader(fd, about.size, window);
  }

  /** The whole file, if it is in memory; treat it as read-only. */
  get whole(): Buffer | undefined {
    return this.#windowStart === 0 ? this.#window : undefined;
  }

  /** The `length` bytes at `position`, fewer where the file ends before; treat them as read-only. */
  read(position: number, length: number): Buffer {
    const end = Math.min(position + length, this.size);
    if (position >= end) return Buffer.alloc(0);
    if (position >= this.#windowStart) return this.#inWindow(position, end);
    return readFully(this.#fd, position, Buffer.allocUnsafe(end - position));
  }

  /**
   * As {@link read}, but for as many bytes as the buffer holds, and without allocating memory.
   *
   * @param position before the end of the file.
   * @returns a part of the buffer, valid until its next use, or of the kept end of the file.
   */
  readInto(buffer: Buffer, position: number): Buffer {
    const end = Math.min(position + buffer.length, this.size);
    if (position >= this.#windowStart) return this.#inWindow(position, end);
    return readFully(this.#fd, position, buffer.subarray(0, end - position));
  }

  #inWindow(start: number, end: number): Buffer {
    return this.#window.subarray(start - this.#windowStart, end - this.#windowStart);
  }
}

function readFully(fd: number, position: number, buffer: Buffer): Buffer {
  const bytesRead = readSync(fd, buffer, 0, buffer.length, position);
  if (bytesRead < buffer.length) {
    throw new Error(`the file ended at ${position + bytesRead} while it was read`);
  }
  return buffer;
}
