/**
 * Links of SVG pictures to other files (`href`; SVG 2, 16.1.2). Word follows none. LibreOffice opens the pictures that an SVG names,
 * whatever its settings say of links, and asks for the addresses of their hosts: only the sandbox stops that. So a link keeps its
 * value only within the picture.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { visitAttributes, visitMarkup } from '../document/markup.ts';
import { localName, mayHaveElement } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const INSIDE = /^(?:#|data:)/;
const LONGEST_INSIDE = 5;

/** The part without the links of SVG that lead out of it, apart from those for readers. */
export function withoutSvgLinks(xml: Bytes): Bytes {
  if (!mayHaveElement(xml, 'svg')) return xml;
  const edits: Edit[] = [];
  visitMarkup(xml, {
    open(name, attributes, _isEmpty, start) {
      if (!attributes.includes('href') || localName(name) === 'a') return;
      const at = start + '<'.length + name.length;
      visitAttributes(attributes, (nameStart, nameEnd, from, to) => {
        const isLink = localName(attributes.slice(nameStart, nameEnd)) === 'href';
        if (isLink && to > from && !INSIDE.test(attributes.slice(from, from + LONGEST_INSIDE)))
          edits.push({ start: at + from, end: at + to, text: '' });
        return true;
      });
    },
  });
  return withEdits(xml, edits);
}
