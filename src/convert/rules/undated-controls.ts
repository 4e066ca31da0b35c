/**
 * Content controls for a date in which nobody has chosen one (`w:date` without `w:fullDate`, ISO/IEC 29500-1, 17.5.2.7).
 * Word shows what is written in them. LibreOffice shows 30/12/1899, the zero of its calendar, where the control is bound to
 * data that is no date (`2016-2017`). So the first letter of the element becomes an underscore: then the control is one for text.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { renaming } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** The part with controls for text in their place, as long as it was. */
export function withUndatedControls(xml: Bytes): Bytes {
  const prefix = wordPrefixOf(xml);
  const names = qualified(prefix, ['sdtPr', 'date']);
  const edits: Edit[] = [];
  let isInControl = false;
  let isDateOpen = false;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start) {
      const local = names.get(name);
      if (local === 'sdtPr') isInControl = !isEmpty;
      else if (local === 'date' && isInControl && !attributeOf(attributes, `${prefix}fullDate`)) {
        isDateOpen = !isEmpty;
        edits.push(renaming(name, start + '<'.length));
      }
    },
    close(name, start) {
      const local = names.get(name);
      if (local === 'sdtPr') isInControl = false;
      else if (local === 'date' && isDateOpen) {
        isDateOpen = false;
        edits.push(renaming(name, start + '</'.length));
      }
    },
  });
  return withEdits(xml, edits);
}
