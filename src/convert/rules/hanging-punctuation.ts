/**
 * Punctuation beyond the end of a line (`w:overflowPunct`, ISO/IEC 29500-1, 17.3.1.21), which is on by default. Word 2010 puts
 * it there, later versions do not. LibreOffice does, unless the property is written: it takes it for its opposite.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import type { Bytes } from '../text/bytes.ts';

const elements = ['docDefaults', 'pPrDefault', 'pPr', 'overflowPunct'];

/**
 * The styles with a default by which LibreOffice puts no punctuation beyond the end of a line, in linear time.
 */
export function withoutHanging(xml: Bytes): Bytes {
  const prefix = wordPrefixOf(xml);
  const names = qualified(prefix, elements);
  const own = `<${prefix}overflowPunct/>`;
  const within = (name: string, content: string) => `<${prefix}${name}>${content}</${prefix}${name}>`;
  /** Inside of the defaults; what is written there, once it is known. */
  let isIn = false;
  let edit: Edit | undefined;
  visitMarkup(xml, {
    names,
    open(name, _, isEmpty, start, end) {
      const local = names.get(name);
      if (local === 'docDefaults') isIn = !isEmpty;
      else if (!isIn || local === undefined) return;
      else if (local === 'overflowPunct') edit = { start, end: start, text: '' };
      else if (isEmpty) {
        const content = local === 'pPr' ? own : within('pPr', own);
        edit = { start, end, text: within(local, content) };
      } else if (local === 'pPr') edit = { start: end, end, text: own };
    },
    close(name, start) {
      const local = names.get(name);
      if (!isIn || (local !== 'docDefaults' && local !== 'pPrDefault')) return;
      const content = within('pPr', own);
      edit ??= {
        start,
        end: start,
        text: local === 'pPrDefault' ? content : within('pPrDefault', content),
      };
      if (local === 'docDefaults') isIn = false;
    },
  });
  return edit ? withEdits(xml, [edit]) : xml;
}
