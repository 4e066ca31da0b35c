/** Byte sources of packages. */
import { RandomAccessReader } from 'yauzl';

/** Random access to bytes: a file, or a package inside another. */
export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /** The `length` bytes at `position`, or fewer at the end; must not be modified. */
  read(position: number, length: number): Buffer;
}

/** Bytes in memory. */
export function inMemory(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (position, length) => bytes.subarray(position, position + length),
  };
}

/** @throws Error if the source ends earlier. */
export function readExactly(source: ByteSource, position: number, length: number): Buffer {
  const bytes = source.read(position, length);
  if (bytes.length < length) throw new Error('the archive points beyond the end of the file');
  return bytes;
}

/** The source for yauzl, with a stretch that is in memory already. */
export class YauzlSource extends RandomAccessReader {
  readonly #source: ByteSource;
  readonly #start: number;
  readonly #stretch: Buffer;

  constructor(source: ByteSource, start: number, stretch: Buffer) {
    super();
    this.#source = source;
    this.#start = start;
    this.#stretch = stretch;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    // yauzl reads on from within the callback.
    queueMicrotask(() => {
      try {
        this.#bytes(position, length).copy(buffer, offset);
      } catch (error) {
        callback(error as Error);
        return;
      }
      callback(null);
    });
  }

  #bytes(position: number, length: number): Buffer {
    const at = position - this.#start;
    if (at >= 0 && at + length <= this.#stretch.length) return this.#stretch.subarray(at, at + length);
    return readExactly(this.#source, position, length);
  }
}
