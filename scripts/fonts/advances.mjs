/** The widths of the letters of Word's fonts, for those whose stand-ins have the same: src/convert/fonts/letter-widths.ts reads them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { glyphsByCharacter } from './cmap.mjs';
import { advances, familyName, readFaces, styleName, unitsPerEm } from './sfnt.mjs';
import { charactersIn } from './widths.mjs';

/** Latin, Greek and Cyrillic, and the punctuation of their text. */
const RANGES = ['U+0020-024F', 'U+0370-052F', 'U+1E00-1EFF', 'U+2010-2044', 'U+20A0-20BF', 'U+2116-2122'];
const STYLES = new Set(['Regular', 'Bold', 'Italic', 'Bold Italic']);

/** @typedef {import('./sfnt.mjs').Face} Face */
/** @typedef {Record<string, number[][]>} Styles by style, one list a range: its first code point, then its widths in thousandths of an em, 0 for characters that the font lacks */

/**
 * @param {import('./table.mjs').FontTable} table
 * @returns {string[]} the fonts of Debian that stand in as they are, and others beside them
 */
export function installedFonts({ packages }) {
  const folders = new Set(packages.map(({ proof }) => dirname(proof)).filter((folder) => existsSync(folder)));
  return [...folders].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ttf'))
      .sort()
      .map((name) => join(folder, name)),
  );
}

/**
 * @param {import('./table.mjs').FontTable} table
 * @param {readonly string[]} files fonts
 * @returns {Record<string, Styles>} by the name of Word's font in lower case
 */
export function letterWidths({ standIns }, files) {
  const wanted = new Set(
    standIns.flatMap(({ use, metricsCompatible = [] }) => (metricsCompatible.length > 0 ? [use] : [])),
  );
  /** @type {Map<string, Styles>} */
  const families = new Map();
  for (const face of files.flatMap((file) => readFaces(readFileSync(file)))) {
    const family = familyName(face) ?? '';
    const style = styleName(face) ?? '';
    if (wanted.has(family) && STYLES.has(style))
      families.set(family, { ...families.get(family), [style]: widthsOf(face) });
  }
  return Object.fromEntries(
    standIns.flatMap(({ use, metricsCompatible = [] }) => {
      const styles = families.get(use);
      return styles ? metricsCompatible.map((name) => [name.toLowerCase(), styles]) : [];
    }),
  );
}

/**
 * @param {Face} face
 * @returns {number[][]}
 */
function widthsOf(face) {
  const units = unitsPerEm(face);
  const byGlyph = advances(face);
  const last = byGlyph.at(-1) ?? 0;
  const cmap = face.tables.get('cmap') ?? Buffer.alloc(0);
  return RANGES.map((range) => {
    const characters = charactersIn([range]);
    const glyphs = glyphsByCharacter(cmap, characters);
    const widths = characters.map((character) => {
      const glyph = glyphs.get(character);
      return glyph === undefined ? 0 : Math.round(((byGlyph[glyph] ?? last) * 10_000) / units) / 10;
    });
    return [characters[0]?.codePointAt(0) ?? 0, ...widths];
  });
}
