/** SHA-256 of files. */
import { createHash, hash as hashOnce } from 'node:crypto';
import type { TailReader } from './tail-reader.ts';

const PIECE_BYTES = 262_144;

/** SHA-256 of a file, in hexadecimal. @throws Error if it cannot be read. */
export function sha256Of(reader: TailReader): string {
  if (reader.whole) return hashOnce('sha256', reader.whole);
  const hash = createHash('sha256');
  // One buffer for all pieces, as V8 counts each as part of its heap.
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let position = 0; position < reader.size; position += PIECE_BYTES) {
    hash.update(reader.readInto(piece, position));
  }
  return hash.digest('hex');
}
