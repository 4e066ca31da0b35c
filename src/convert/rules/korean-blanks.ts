/**
 * Blanks of Korean text. In Word they have the font of Latin text, or half the width of an East Asian letter beside such a
 * letter, where the settings of the document say so. LibreOffice takes the font of East Asian text for a blank behind an East
 * Asian letter. So that font gets the name of a stand-in whose blank has Word's width (docker/fonts/README.md).
 */
import { withValues } from '../document/attributes.ts';
import { wordPrefixOf } from '../document/markup.ts';
import { readRunFonts } from '../document/run-fonts.ts';
import { withTags } from '../document/tags.ts';
import { fontRows } from '../fonts/font-table.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import type { EastAsianSettings } from './east-asian-settings.ts';

/** By the names of fonts in lower case, what may stand behind the name. */
let blanks: ReadonlyMap<string, readonly string[]> | undefined;

/** The part, with fonts for its Korean text whose blank has Word's width. */
export function withWordsBlanks(xml: Bytes, { halvesBlanks, theme }: EastAsianSettings): Bytes {
  const w = wordPrefixOf(xml);
  const own = new Set([`${w}eastAsia`, `${w}eastAsiaTheme`]);
  return withTags(
    xml,
    (name) => name === `${w}rFonts`,
    (_name, attributes) => {
      const { ascii, eastAsia } = readRunFonts(fromBytes(attributes), w, theme);
      const mayFollow = blanksOf(eastAsia ?? '');
      const isOther = ascii !== undefined && ascii.toLowerCase() !== eastAsia?.toLowerCase();
      const blank = halvesBlanks ? 'Half' : isOther ? 'Quarter' : undefined;
      if (eastAsia === undefined || blank === undefined || !mayFollow.includes(blank)) return attributes;
      const rest = withValues(attributes, (attribute, value) => (own.has(attribute) ? undefined : value));
      return `${rest} ${w}eastAsia="${Buffer.from(`${eastAsia} ${blank}`).toString('latin1')}"`;
    },
  );
}

/** The name for a font with a blank of half an em; undefined where there is none. */
export function halfBlankFont(name: string): string | undefined {
  return blanksOf(name).includes('Half') ? `${name} Half` : undefined;
}

function blanksOf(font: string): readonly string[] {
  blanks ??= readBlanks();
  return blanks.get(font.toLowerCase()) ?? [];
}

/** fontconfig's rules (scripts/fonts/rules.mjs) take the real font for such a name, where it is installed. */
function readBlanks(): Map<string, string[]> {
  const found = fontRows().standIns.flatMap(({ word, blanks: others = {} }) =>
    word.map((name) => [name.toLowerCase(), Object.keys(others)] as const),
  );
  return new Map(found.filter(([, others]) => others.length > 0));
}
