/** A PDF on its way to the client. */
import { close, closeSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { TailReader } from '../../convert/tail-reader.ts';

const CHUNK_BYTES = 65_536;
/** So little fits into the buffers of a connection that has just taken all that came before. */
const LAST_BYTES = 1_024;
/** Closing a file of up to this size takes less time than having another thread close it. */
const LARGE_BYTES = 1_048_576;

/** What happens around the last chunk of a PDF. */
export interface LastChunk {
  /** Resolves when the connection has taken what was passed on before. */
  flushed(): Promise<void>;
  /** Is called just before the last chunk is passed on. */
  before(): void;
  /** Is called in the same turn, once it has been passed on. */
  after(): void;
}

/**
 * Streams an open file and closes it, whatever happens. Nothing is read ahead.
 *
 * @param reader reads the file; it has some of it in memory.
 */
export function pdfStream(fd: number, reader: TailReader, lastChunk: LastChunk): Readable {
  let position = 0;

  async function next(stream: Readable): Promise<void> {
    const left = reader.size - position;
    const isLast = left <= LAST_BYTES;
    const chunk = await reader.read(position, isLast ? left : Math.min(CHUNK_BYTES, left - LAST_BYTES));
    position += chunk.length;
    if (isLast) await lastChunk.flushed();
    if (stream.destroyed) return;
    if (isLast) lastChunk.before();
    stream.push(chunk);
    if (!isLast) return;
    lastChunk.after();
    stream.push(null);
  }

  return new Readable({
    highWaterMark: 0,
    read() {
      next(this).catch((error) => this.destroy(error));
    },
    destroy(error, callback) {
      // A large file is freed now, as its name is gone, which takes some 10 ms for 100 MB.
      if (reader.size > LARGE_BYTES) {
        close(fd, (failure) => callback(error ?? failure));
        return;
      }
      closeSync(fd);
      callback(error);
    },
  });
}
