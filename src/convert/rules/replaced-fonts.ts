/** Naming other fonts in a document: for those that are nowhere to be had, and for two that the engine would choose badly. */
import type { LastResorts } from '../document/last-resorts.ts';
import { withoutReferences } from '../document/markup.ts';

/**
 * Tags that name fonts: of runs, and of themes and drawings. No match looks beyond a `<`.
 */
const TAG = /<(?:[\w.-]+:)?(?:rFonts|latin|ea|cs|font)\s[^<>]*>/g;
const NAME = /\b((?:ascii|hAnsi|eastAsia|cs|typeface)\s*=\s*)("[^"]*"|'[^']*')/g;

/** Those of complex scripts: in runs, in themes for Hebrew, and in drawings. */
const COMPLEX_FONT =
  /(<(?:[\w.-]+:)?(?:rFonts\s[^<>]*?\bcs|cs\s[^<>]*?\btypeface|font\s+script\s*=\s*["']Hebr["']\s+typeface)\s*=\s*["'])(Arial|Times New Roman)(?=["'])/g;
/** Only letters from U+05C0 to U+05FF have it in UTF-8, as their first byte. */
const HEBREW = 0xd7;

/** Whether a piece of an XML part may name fonts. */
export function mayNameFonts(piece: Buffer): boolean {
  return piece.includes('rFonts') || piece.includes('typeface');
}

/**
 * The part with other names for these fonts.
 *
 * @param part in an encoding in which ASCII is ASCII, without comments and sections.
 * @returns undefined where it names none of them.
 */
export function withLastResorts(part: Buffer, resorts: LastResorts): Buffer | undefined {
  let isChanged = false;
  const text = part.toString('latin1').replace(TAG, (tag) =>
    tag.replace(NAME, (whole, attribute: string, quoted: string) => {
      const name = withoutReferences(Buffer.from(quoted.slice(1, -1), 'latin1').toString());
      const resort = resorts.get(name.toLowerCase());
      if (resort === undefined) return whole;
      isChanged = true;
      return `${attribute}"${written(resort)}"`;
    }),
  );
  return isChanged ? Buffer.from(text, 'latin1') : undefined;
}

/** Whether a piece of an XML part in UTF-8 has Hebrew letters. */
export function hasHebrew(piece: Buffer): boolean {
  return piece.includes(HEBREW);
}

/**
 * The part of a document with Hebrew text, with Platen's own stand-ins for Arial and Times New Roman in complex scripts
 * (docs/fonts.md). The engine takes Liberation for these two by itself, whose Hebrew letters are too wide.
 *
 * @param part in an encoding in which ASCII is ASCII, without comments and sections.
 * @returns undefined where it names neither.
 */
export function withHebrewFonts(part: Buffer): Buffer | undefined {
  const before = part.toString('latin1');
  const text = before.replace(COMPLEX_FONT, '$1Platen $2');
  return text === before ? undefined : Buffer.from(text, 'latin1');
}

/** As an attribute in UTF-8, seen as Latin-1. */
function written(name: string): string {
  const escaped = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return Buffer.from(escaped).toString('latin1');
}
