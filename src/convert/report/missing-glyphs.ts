/** Characters in whose place a PDF shows a box, as no font has them. */
import type { FontCoverage } from '../fonts/coverage.ts';
import { countScripts } from '../text/scripts.ts';

/** More scripts are not told. */
const MAX_SCRIPTS = 10;
/** What has a shape of its own, wherever it stands. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
/** Seen by nobody; or accents, which join the letter before them. */
const OF_OTHERS = /^[\p{Default_Ignorable_Code_Point}\p{Script=Inherited}]$/u;
/** Consonants and vowels that join to a syllable, which may be in a font that has none of them alone. */
const HANGUL_PARTS = /^[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]$/;
const HANGUL_SYLLABLE = 0xac00;

/** How many different characters, and the codes of their scripts (ISO 15924), that of the most first. */
export interface MissingGlyphs {
  readonly count: number;
  readonly scripts: string[];
}

/**
 * Which of a document's characters no font has. In doubt, none: a letter with an accent counts as there where the fonts
 * have its parts.
 *
 * @param codePoints in ascending order.
 */
export function missingGlyphs(
  codePoints: readonly number[],
  coverage: FontCoverage,
): MissingGlyphs | undefined {
  const missing = codePoints
    .filter((point) => !coverage.has(point))
    .map((point) => String.fromCodePoint(point))
    .filter((character) => isShown(character) && !isMadeOfOthers(character, coverage));
  if (missing.length === 0) return undefined;
  const scripts = [...countScripts(missing).keys()];
  return { count: missing.length, scripts: scripts.slice(0, MAX_SCRIPTS) };
}

function isShown(character: string): boolean {
  return VISIBLE.test(character) && !OF_OTHERS.test(character);
}

/** HarfBuzz takes a character apart, or joins it with others, where that gives glyphs that the font has. */
function isMadeOfOthers(character: string, coverage: FontCoverage): boolean {
  if (HANGUL_PARTS.test(character)) return coverage.has(HANGUL_SYLLABLE);
  const parts = character.normalize('NFD');
  return parts !== character && [...parts].every((part) => coverage.has(part.codePointAt(0) ?? 0));
}
