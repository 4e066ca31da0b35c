/** SHA-256 of files, in pieces: a large one does not hold up the thread's other work. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TailReader } from './tail-reader.ts';

/** Takes a fraction of a millisecond. */
const PIECE_BYTES = 262_144;

/** SHA-256 of a file, in hexadecimal. @throws Error if it cannot be read. */
export async function sha256Of(reader: TailReader): Promise<string> {
  const hash = createHash('sha256');
  for (let position = 0; position < reader.size; position += PIECE_BYTES) {
    if (position > 0) await nextTurn();
    hash.update(await reader.read(position, PIECE_BYTES));
  }
  return hash.digest('hex');
}
