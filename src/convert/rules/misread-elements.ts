/**
 * Elements that LibreOffice takes for more than they say. Their first letter becomes an underscore, so that it does not know them.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { renaming } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

export const misread: readonly string[] = [
  // Hides text on web pages only (ISO/IEC 29500-1, 17.3.2.44), such as the page numbers that Word writes into a table of contents.
  // LibreOffice hides it everywhere but in tables of contents that it knows.
  'webHidden',
  // Asks Word to take styles from the template (17.15.1.55), which no service has. LibreOffice takes defaults of its own: 1.15 lines
  // and 10 points below each paragraph.
  'linkStyles',
];

/** The part without such elements, as long as it was. */
export function withoutMisread(xml: Bytes): Bytes {
  const prefix = wordPrefixOf(xml);
  const names = new Set(misread.map((name) => prefix + name));
  const edits: Edit[] = [];
  visitMarkup(xml, {
    names,
    open(name, _attributes, _isEmpty, start) {
      edits.push(renaming(name, start + '<'.length));
    },
    close(name, start) {
      edits.push(renaming(name, start + '</'.length));
    },
  });
  return withEdits(xml, edits);
}
