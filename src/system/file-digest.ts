/** SHA-256 of files, in pieces: a large one does not hold up the thread's other work. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TailReader } from './tail-reader.ts';

/** Takes a fraction of a millisecond. */
const PIECE_BYTES = 262_144;

/** SHA-256 of a file, in hexadecimal. @throws Error if it cannot be read. */
export async function sha256Of(reader: TailReader): Promise<string> {
  const hash = createHash('sha256');
  // One for all pieces: V8 counts memory outside its heap, and soon collects garbage.
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, reader.size));
  for (let position = 0; position < reader.size; position += PIECE_BYTES) {
    if (position > 0) await nextTurn();
    hash.update(reader.readInto(piece, position));
  }
  return hash.digest('hex');
}
