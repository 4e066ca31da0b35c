/**
 * Pictures that are linked (`r:link` of `a:blip`; ISO/IEC 29500-1, 20.1.8.13). Nothing is fetched for a document. LibreOffice leaves a
 * linked picture out by its settings, but opens the file that fills a shape, and asks for the address of its host: only the sandbox
 * stops that. So no picture has a link, and shows its copy or nothing, as before.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { visitAttributes, visitMarkup } from '../document/markup.ts';
import { localName } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** The part without the links of its pictures. */
export function withoutPictureLinks(xml: Bytes): Bytes {
  const edits: Edit[] = [];
  visitMarkup(xml, {
    names: { has: (name) => localName(name) === 'blip' },
    open(name, attributes, _isEmpty, start) {
      const at = start + '<'.length + name.length;
      visitAttributes(attributes, (nameStart, nameEnd, from, to) => {
        const isLink = localName(attributes.slice(nameStart, nameEnd)) === 'link';
        if (isLink && to > from) edits.push({ start: at + from, end: at + to, text: '' });
        return true;
      });
    },
  });
  return withEdits(xml, edits);
}
