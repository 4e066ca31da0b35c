/** Reads docker/fonts/fonts.json: the single source of installed fonts, made fonts and their use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/**
 * @typedef {object} StandIn
 * @property {string[]} word names of fonts that a document may ask for
 * @property {string} use the family that it gets where none of that name is installed
 * @property {Record<string, string>} [blanks] families with another blank, by what stands behind the name of the font then
 * @property {string[]} [bullets] families that its bullets are shown in (src/convert/rules/bullets.ts)
 * @property {string[]} [otherLetters] families for the letters that this one lacks, in this order
 * @property {string[]} [metricsCompatible] those of `word` whose letters and lines take the same room as that family's
 *
 * @typedef {[number, number, number]} Line ascent, descent and line gap, in em
 *
 * @typedef {object} MadeFont
 * @property {string} family
 * @property {Line} line
 * @property {Line} [boldLine] of the bold styles, where it is another
 * @property {number | Record<string, number>} [scale] size of its letters, relative to the free font's; by style where
 *   they differ
 * @property {number | Record<string, number>} [lighter] how much thinner its strokes are, in thousandths of an em; by style
 *   where that differs
 * @property {number} [raised] how much higher its letters stand, in thousandths of an em
 * @property {string | string[]} [widths] name of a file in docker/fonts/widths; of several, the last that has a character counts
 * @property {string[]} [characters] ranges of the only ones that it is to have ("U+0590-05FF")
 * @property {string} [digits] the first of the ten that it shows for 0 to 9
 * @property {boolean} [halfWidth] whether characters may be those that the free font draws half as wide as East Asian letters
 *   (feature `hwid`), where that is nearer to their width
 * @property {Record<string, string>} [signs] the only ones that it is to have, each with the one of the free font whose
 *   outline it gets ("U+E12C")
 * @property {Record<string, string | string[]>} from the free font by style: a path, after # the family in a collection;
 *   several where the releases of Debian have it at different ones
 *
 * @typedef {object} FontTable
 * @property {{ name: string, proof: string, since?: number }[]} packages of Debian, each with a file that only it
 *   brings, and the first release that has it
 * @property {string[]} free families that are used under their own names, by the packages of npm that the folder expo-google-fonts has
 * @property {StandIn[]} standIns
 * @property {MadeFont[]} made
 * @property {string[]} fallback families to look for letters in that a font lacks, in this order
 * @property {Record<string, string>} fallbackByLanguage the first of them for text in a language
 * @property {string[]} hidden families that LibreOffice does not see: it takes Caladea for Cambria by itself, and
 *   Debian's Caladea no longer has the widths of Cambria
 */

export const fontFolder = join(root, 'docker/fonts');

/** @returns {FontTable} */
export function readFontTable() {
  return JSON.parse(readFileSync(join(fontFolder, 'fonts.json'), 'utf8'));
}

/**
 * @param {string} name
 * @returns {Record<string, Record<string, number>>} by style, then by character or range of characters ("가-힣"), in
 *   thousandths of an em
 */
export function readWidths(name) {
  return JSON.parse(readFileSync(join(fontFolder, 'widths', `${name}.json`), 'utf8'));
}
