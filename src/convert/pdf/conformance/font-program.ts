/** What an embedded font program says of its glyphs. */
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
