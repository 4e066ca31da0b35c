/**
 * Paragraphs and styles that name the rule of their line spacing, but no spacing (`w:spacing` with `w:lineRule="auto"` and without
 * `w:line`, ISO/IEC 29500-1, 17.3.1.33), as Google Docs writes all headings. Word takes the spacing of the style below, or the
 * document's. LibreOffice (seen in 25.2) takes one line. Without the rule, it inherits both.
 */
import { withValues } from '../document/attributes.ts';
import { attributeOf, wordPrefixOf } from '../document/markup.ts';
import { withTags } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const RULE = 'lineRule';

/** The part without rules of a spacing that is not there, in linear time. */
export function withInheritedLines(xml: Bytes): Bytes {
  if (!xml.includes(RULE)) return xml;
  const prefix = wordPrefixOf(xml);
  return withTags(
    xml,
    (name) => name === `${prefix}spacing`,
    (_name, attributes) =>
      attributeOf(attributes, `${prefix}line`) === undefined
        ? withValues(attributes, (name, value) =>
            name === prefix + RULE && value === 'auto' ? undefined : value,
          )
        : attributes,
  );
}
