/**
 * Outlines of pictures that do not say how wide they are (`a:ln`, ISO/IEC 29500-1, 20.1.2.2.24). Word draws them 0.75 points wide,
 * LibreOffice not at all. Shapes have the width of their style.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, visitMarkup } from '../document/markup.ts';
import { localName, mayHaveElement } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** In EMU. */
const WIDTH = 9_525;

const elements: ReadonlySet<string> = new Set(['pic', 'ln', 'solidFill']);

/** The part with outlines that have a width, in linear time. */
export function withOutlines(xml: Bytes): Bytes {
  if (!mayHaveElement(xml, 'ln')) return xml;
  const edits: Edit[] = [];
  let isPicture = false;
  /** Where an outline's width is to be written. */
  let at: number | undefined;
  visitMarkup(xml, {
    names: { has: (name) => elements.has(localName(name)) },
    open(name, attributes, isEmpty, start) {
      const local = localName(name);
      if (local === 'pic') isPicture = !isEmpty;
      else if (isPicture && local === 'ln') {
        const isMeant = !isEmpty && attributeOf(attributes, 'w') === undefined;
        at = isMeant ? start + '<'.length + name.length : undefined;
      } else if (local === 'solidFill' && at !== undefined) {
        edits.push({ start: at, end: at, text: ` w="${WIDTH}"` });
        at = undefined;
      }
    },
    close(name) {
      const local = localName(name);
      if (local === 'pic') isPicture = false;
      else if (local === 'ln') at = undefined;
    },
  });
  return withEdits(xml, edits);
}
