/** Reads embedded font programs. */
import type { FontProgram } from './font-program.ts';
import { readTrueType } from './true-type.ts';
import { readType1 } from './type1.ts';

/**
 * @param key of the font descriptor that has the program.
 * @throws Error if it cannot be read.
 */
export function readFontProgram(key: string, data: Buffer): FontProgram {
  if (key === '/FontFile2') return readTrueType(data);
  if (key === '/FontFile') return readType1(data);
  throw new Error(`programs in ${key} cannot be read here`);
}
