/**
 * Styles without a name (`w:name`, ISO/IEC 29500-1, 17.7.4.9), as Google Docs writes for tables. Word applies them. LibreOffice
 * (seen in 25.2) finds styles by name and ignores them, with their cell margins. So they get a name.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';

const ID = 'styleId';
/** No built-in style of Word has this name. */
const NAME = 'Platen Unnamed';

/** The styles part with a name for every style. */
export function withNamedStyles(xml: string): string {
  if (!xml.includes(ID)) return xml;
  const prefix = wordPrefixOf(xml);
  const names = qualified(prefix, ['style', 'name']);
  const edits: Edit[] = [];
  let unnamed: { readonly id: string; readonly end: number } | undefined;
  visitMarkup(xml, {
    names,
    open(tag, attributes, isEmpty, _start, end) {
      const local = names.get(tag);
      if (local === 'style' && !isEmpty) {
        const id = attributeOf(attributes, `${prefix}${ID}`);
        unnamed = id === undefined || !/^[\w-]+$/.test(id) ? undefined : { id, end };
      } else if (local === 'name') unnamed = undefined;
    },
    close(tag) {
      if (names.get(tag) !== 'style' || !unnamed) return;
      const { id, end } = unnamed;
      edits.push({ start: end, end, text: `<${prefix}name ${prefix}val="${NAME} ${id}"/>` });
      unnamed = undefined;
    },
  });
  return withEdits(xml, edits);
}
