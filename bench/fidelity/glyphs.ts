/** Which characters of a PDF have no glyph: the reader sees a box, or nothing. */
import { fileURLToPath } from 'node:url';
import { fontName } from './fonts.ts';
import { runTool } from './tools.ts';

/** Characters without a glyph, by the font that should have had it. */
export interface MissingGlyphs {
  readonly font: string;
  /** How many are shown. */
  readonly count: number;
  /**
   * What the PDF's text says they are, at most 20. LibreOffice gives all of one font the first one's text, so there
   * may be more in the document.
   */
  readonly characters: string;
}

/** A line of what glyphs.mujs prints, which says what each is. */
export interface ShownGlyph {
  readonly font: string;
  readonly unicode: number;
  readonly count: number;
  readonly notdef: boolean;
  readonly blank: boolean;
}

const SCRIPT = fileURLToPath(new URL('glyphs.mujs', import.meta.url));
const MAX_CHARACTERS = 20;

/**
 * Letters, digits, punctuation, symbols and those of private use, but for what is blank by right: the fillers of
 * Hangul, the empty braille cell, the blanks of symbol fonts, and what has no text (U+FFFD).
 */
const VISIBLE = /^(?![\u115f\u1160\u3164\uffa0\u2800\uf020\uf0a0\ufffd])[\p{L}\p{N}\p{P}\p{S}\p{Co}]$/u;

/**
 * A glyph is missing when it looks like the font's .notdef, or when nothing is seen of a visible character: the
 * .notdef of some fonts is blank.
 *
 * @throws Error when mutool cannot read the PDF
 */
export async function missingGlyphs(pdf: string): Promise<MissingGlyphs[]> {
  return findMissing(JSON.parse(await runTool('mutool', ['run', SCRIPT, pdf])) as ShownGlyph[]);
}

/** Of the glyphs that glyphs.mujs prints. */
export function findMissing(shown: readonly ShownGlyph[]): MissingGlyphs[] {
  const missing = new Map<string, { count: number; characters: string[] }>();
  for (const { font, unicode, count, notdef, blank } of shown) {
    const character = unicode > 0 ? String.fromCodePoint(unicode) : '';
    if (!notdef && !(blank && VISIBLE.test(character))) continue;
    const known = missing.get(fontName(font)) ?? { count: 0, characters: [] };
    known.count += count;
    known.characters.push(character);
    missing.set(fontName(font), known);
  }
  return [...missing].map(([font, { count, characters }]) => ({
    font,
    count,
    characters: characters.slice(0, MAX_CHARACTERS).join(''),
  }));
}
