/** A PDF on its way to the client. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

const CHUNK_BYTES = 65_536;

/**
 * Streams an open file and closes it, whatever happens.
 *
 * @param bytes its size.
 * @param beforeLast is called just before the last chunk is passed on, which is no sooner than the client has
 *   taken what came before: nothing is read ahead.
 */
export function pdfStream(file: FileHandle, bytes: number, beforeLast: () => void): Readable {
  let position = 0;
  return new Readable({
    highWaterMark: 0,
    read() {
      readChunk(file, position, Math.min(CHUNK_BYTES, bytes - position)).then(
        (chunk) => {
          if (this.destroyed) return;
          position += chunk.length;
          const last = position === bytes;
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

async function readChunk(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  if (bytesRead < length) throw new Error(`the PDF ended at ${position + bytesRead} while it was sent`);
  return buffer;
}
