/** Naming other fonts in a document, for those that are nowhere to be had. */
import type { LastResorts } from '../facts/last-resorts.ts';
import { withoutReferences } from '../facts/markup.ts';

/**
 * Tags that name fonts: of runs, and of themes and drawings. No match looks beyond a `<`.
 */
const TAG = /<(?:[\w.-]+:)?(?:rFonts|latin|ea|cs|font)\s[^<>]*>/g;
const NAME = /\b((?:ascii|hAnsi|eastAsia|cs|typeface)\s*=\s*)("[^"]*"|'[^']*')/g;

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

/** As an attribute in UTF-8, seen as Latin-1. */
function written(name: string): string {
  const escaped = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return Buffer.from(escaped).toString('latin1');
}
