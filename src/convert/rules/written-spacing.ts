/**
 * Space above or below a paragraph whose automatic spacing is off (`w:beforeAutospacing="0"`, ISO/IEC 29500-1, 17.3.1.33), as in
 * text copied from the web. Word uses the written space, as without that attribute. LibreOffice leaves it out between items of a
 * list, whatever the attribute says: so the attribute is removed, unless a style says otherwise.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import type { ParagraphStyles } from './layout-styles.ts';

const NAME = 'Autospacing';
/** The values that say no (17.17.4). */
const off: ReadonlySet<string> = new Set(['0', 'false', 'off']);

/** The main part without such attributes, in linear time. */
export function withWrittenSpacing(xml: Bytes, { styles, paragraphStyle }: ParagraphStyles): Bytes {
  if (!xml.includes(NAME)) return xml;
  const prefix = wordPrefixOf(xml);
  const names = qualified(prefix, ['p', 'pStyle', 'spacing']);
  const own = new Set(['before', 'after'].map((side) => prefix + side + NAME));
  const edits: Edit[] = [];
  let style = '';
  visitMarkup(xml, {
    names,
    open(tag, attributes, _isEmpty, start) {
      const local = names.get(tag);
      if (local === 'p') style = paragraphStyle('');
      else if (local === 'pStyle') style = paragraphStyle(attributeOf(attributes, `${prefix}val`) ?? '');
      else if (local === 'spacing' && attributes.includes(NAME) && !styles.get(style, 'isAutomatic')) {
        const text = withValues(attributes, (name, value) =>
          own.has(name) && off.has(value) ? undefined : value,
        );
        if (text !== attributes) edits.push(editAttributes({ name: tag, attributes, start }, text));
      }
    },
  });
  return withEdits(xml, edits);
}
