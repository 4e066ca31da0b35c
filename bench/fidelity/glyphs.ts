/** Characters of a PDF without a glyph: the reader sees a box, or nothing. */
import { fileURLToPath } from 'node:url';
import { runTool } from '../../src/cli/compare/tools.ts';
import { fontName } from './fonts.ts';

/** Characters without a glyph, by the font that lacks it. */
export interface MissingGlyphs {
  readonly font: string;
  /** Number of occurrences. */
  readonly count: number;
  /**
   * Their text in the PDF, at most 20. LibreOffice gives all of one font the text of the first, so the document may
   * have more.
   */
  readonly characters: string;
}

/** A line of the output of glyphs.mujs, which explains it. */
interface ShownGlyph {
  readonly font: string;
  readonly unicode: number;
  readonly count: number;
  readonly notdef: boolean;
  readonly blank: boolean;
}

const SCRIPT = fileURLToPath(new URL('glyphs.mujs', import.meta.url));
const MAX_CHARACTERS = 20;

/**
 * Letters, digits, punctuation, symbols and private-use characters, except those that are blank by design: Hangul
 * fillers, the empty braille cell, blanks of symbol fonts, and characters without text (U+FFFD).
 */
const VISIBLE = /^(?![\u115f\u1160\u3164\uffa0\u2800\uf020\uf0a0\ufffd])[\p{L}\p{N}\p{P}\p{S}\p{Co}]$/u;

/**
 * A glyph is missing if it looks like the font's .notdef, or if a visible character draws nothing, as the .notdef of
 * some fonts is blank.
 *
 * @throws Error if mutool cannot read the PDF
 */
export async function missingGlyphs(pdf: string): Promise<MissingGlyphs[]> {
  return findMissing(JSON.parse(await runTool('mutool', ['run', SCRIPT, pdf])) as ShownGlyph[]);
}

/** Evaluates the output of glyphs.mujs. */
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
