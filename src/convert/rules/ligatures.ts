/**
 * Ligatures such as "ti", "tt" and "fi". Word has none unless a document asks for them (`w14:ligatures`, [MS-DOCX] 2.6.1.8);
 * LibreOffice has them wherever a font does, and they are not as wide as their letters. A feature behind the name of a font turns
 * them off. So the names of those fonts get it whose stand-ins have ligatures, and are found under such a name.
 */
import { withValues } from '../document/attributes.ts';
import { wordPrefixOf } from '../document/markup.ts';
import { localName, withTags } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';

const FEATURE = ':-liga';
/** In lower case. Cambria is not found. */
const fonts: ReadonlySet<string> = new Set([
  ...[
    'calibri',
    'calibri light',
    'corbel',
    'candara',
    'constantia',
    'georgia',
    'verdana',
    'tahoma',
    'garamond',
  ],
  ...['segoe ui', 'segoe ui light', 'palatino linotype', 'book antiqua', 'century', 'century schoolbook'],
  ...['bookman old style', 'century gothic', 'franklin gothic book'],
]);
const ASKS = /:ligatures \w+:val="(?!none")/;

/** Whether a part asks for ligatures. */
export function asksForLigatures(xml: string): boolean {
  return ASKS.test(xml);
}

/** The part without ligatures, in linear time. */
export function withoutLigatures(xml: Bytes): Bytes {
  const w = wordPrefixOf(xml);
  const own = new Set([`${w}ascii`, `${w}hAnsi`, 'typeface']);
  const isTheme = xml.includes('fontScheme');
  return withTags(
    xml,
    (name) => name === `${w}rFonts` || (isTheme && localName(name) === 'latin'),
    (_name, attributes) =>
      withValues(attributes, (name, value) =>
        own.has(name) && fonts.has(fromBytes(value).toLowerCase()) ? value + FEATURE : value,
      ),
  );
}
