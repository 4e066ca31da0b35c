/** Characters that a PDF shows as boxes, as no font has them. */
import type { FontCharacters } from '../fonts/installed-fonts.ts';
import { countScripts } from '../text/scripts.ts';

/** Limit of reported scripts. */
const MAX_SCRIPTS = 10;
/** Characters with a shape of their own, or for private use: Chinese documents have signs there that Unicode lacked. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Co}]$/u;
/** Symbol fonts have a byte's sign at U+F000 and the byte. LibreOffice knows which sign of another font that is. */
const OF_SYMBOL_FONTS = /^[\uf000-\uf0ff]$/;
/** Invisible characters; and accents, which join the letter before them. */
const OF_OTHERS = /^[\p{Default_Ignorable_Code_Point}\p{Script=Inherited}]$/u;
/** Jamo that join to a syllable, which a font may have without having them alone. */
const HANGUL_PARTS = /^[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]$/;
const HANGUL_SYLLABLE = 0xac00;

/** Number of different characters, and the codes of their scripts (ISO 15924), the most frequent first. */
export interface MissingGlyphs {
  readonly count: number;
  readonly scripts: string[];
}

/**
 * The characters of a document that no font has; none if in doubt. A letter with an accent is found if the fonts have
 * its parts.
 *
 * @param codePoints in ascending order.
 */
export function missingGlyphs(
  codePoints: readonly number[],
  available: FontCharacters,
): MissingGlyphs | undefined {
  const missing = codePoints
    .filter((point) => available[point] !== 1)
    .map((point) => String.fromCodePoint(point))
    .filter((character) => isShown(character) && !isMadeOfOthers(character, available));
  if (missing.length === 0) return undefined;
  const scripts = [...countScripts(missing).keys()];
  return { count: missing.length, scripts: scripts.slice(0, MAX_SCRIPTS) };
}

function isShown(character: string): boolean {
  return VISIBLE.test(character) && !OF_OTHERS.test(character) && !OF_SYMBOL_FONTS.test(character);
}

/** HarfBuzz decomposes or composes a character if that yields glyphs that the font has. */
function isMadeOfOthers(character: string, available: FontCharacters): boolean {
  if (HANGUL_PARTS.test(character)) return available[HANGUL_SYLLABLE] === 1;
  const parts = character.normalize('NFD');
  return parts !== character && [...parts].every((part) => available[part.codePointAt(0) ?? 0] === 1);
}
