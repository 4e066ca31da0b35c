/** A PDF on its way to the client. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { TailReader } from '../convert/tail-reader.ts';

const CHUNK_BYTES = 65_536;

/**
 * Streams an open file and closes it, whatever happens.
 *
 * @param reader reads the file; it may have some of it in memory.
 * @param beforeLast is called just before the last chunk is passed on, which is no sooner than the client has
 *   taken what came before: nothing is read ahead.
 */
export function pdfStream(file: FileHandle, reader: TailReader, beforeLast: () => void): Readable {
  let position = 0;
  return new Readable({
    highWaterMark: 0,
    read() {
      reader.read(position, CHUNK_BYTES).then(
        (chunk) => {
          if (this.destroyed) return;
          position += chunk.length;
          const last = position === reader.size;
          if (last) beforeLast();
          this.push(chunk);
          if (last) this.push(null);
        },
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      file.close().then(
        () => callback(error),
        (failure) => callback(error ?? failure),
      );
    },
  });
}
