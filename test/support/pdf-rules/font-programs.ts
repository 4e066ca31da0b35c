/** What embedded font programs say of their glyphs. */
import { readTrueType } from './true-type.ts';
import { readType1 } from './type1.ts';

export interface FontProgram {
  /** Names of all glyphs but `.notdef`; undefined if the program has none. */
  readonly glyphNames: readonly string[] | undefined;
  /** Platform and encoding of each table of codes of a TrueType font. */
  readonly codeTables: readonly (readonly [platform: number, encoding: number])[];
  /**
   * The glyph that a code shows by the program's own encoding; undefined for `.notdef`.
   *
   * @param name of the glyph, if the PDF gives one.
   */
  glyph(code: number, name?: string): Glyph | undefined;
}

export interface Glyph {
  /** In thousandths of an em. */
  readonly width: number;
}

/**
 * @param key of the font descriptor that has the program.
 * @throws Error if it cannot be read.
 */
export function readFontProgram(key: string, data: Buffer): FontProgram {
  if (key === '/FontFile2') return readTrueType(data);
  if (key === '/FontFile') return readType1(data);
  throw new Error(`programs in ${key} cannot be read here`);
}
