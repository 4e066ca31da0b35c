/** The marks of tracked changes in a document that is to show them: LibreOffice shows them unless the settings say otherwise. */
import { type Edit, withEdits } from '../document/edits.ts';
import { qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import type { Bytes } from '../text/bytes.ts';

/**
 * The settings of a document without `w:revisionView` (ISO/IEC 29500-1, 17.15.1.69), which hides marks; the same where it is not there.
 */
export function withMarks(xml: Bytes): Bytes {
  const names = qualified(wordPrefixOf(xml), ['revisionView']);
  const edits: (Edit & { end: number })[] = [];
  visitMarkup(xml, {
    names,
    open(_name, _attributes, _isEmpty, start, end) {
      edits.push({ start, end, text: '' });
    },
    close(_name, _start, end) {
      const last = edits.at(-1);
      if (last) last.end = end;
    },
  });
  return withEdits(xml, edits);
}
