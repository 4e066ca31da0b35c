/**
 * Text that is hidden on web pages only (`w:webHidden`, ISO/IEC 29500-1, 17.3.2.44), as Word marks the page numbers of a
 * table of contents. LibreOffice hides it everywhere but in tables of contents that it knows; so the first letter of the
 * element becomes an underscore.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { prefixOf, visitMarkup, WORD_NAMESPACE } from '../document/markup.ts';
import { mayHaveElement, renaming } from '../document/tags.ts';

const NAME = 'webHidden';

/** Whether a piece of an XML part may have such text. */
export function mayHideOnWeb(piece: Buffer): boolean {
  return mayHaveElement(piece, NAME);
}

/**
 * The part without such text, as long as it was.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withWebHidden(xml: string): string {
  const own = (prefixOf(xml, WORD_NAMESPACE) ?? 'w:') + NAME;
  const edits: Edit[] = [];
  visitMarkup(xml, {
    open(name, _attributes, _isEmpty, start) {
      if (name === own) edits.push(renaming(name, start + '<'.length));
    },
    close(name, start) {
      if (name === own) edits.push(renaming(name, start + '</'.length));
    },
  });
  return withEdits(xml, edits);
}
