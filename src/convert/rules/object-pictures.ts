/**
 * Embedded objects, such as workbooks (`w:object`; ISO/IEC 29500-1, 17.3.3.19). Word prints the picture that it stored of one.
 * LibreOffice opens the object in its place, and shows nothing where it cannot: of a workbook, without Calc. So
 * `o:OLEObject` loses its name where there is a picture, which is then one like others.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { renaming } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

interface EmbeddedObject {
  hasPicture: boolean;
  /** That take the name of the object. */
  readonly renamings: Edit[];
}

/** The part with pictures in place of its objects, as long as it was. */
export function withObjectPictures(xml: Bytes): Bytes {
  const names = new Map([
    ...qualified(wordPrefixOf(xml), ['object']),
    ...['v:imagedata', 'o:OLEObject'].map((name) => [name, name] as const),
  ]);
  const edits: Edit[] = [];
  const open: EmbeddedObject[] = [];
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start) {
      const local = names.get(name);
      const object = open.at(-1);
      if (local === 'object' && !isEmpty) open.push({ hasPicture: false, renamings: [] });
      else if (!object) return;
      else if (local === 'v:imagedata') object.hasPicture ||= (attributeOf(attributes, 'r:id') ?? '') !== '';
      else if (local === 'o:OLEObject') object.renamings.push(renaming(name, start + '<'.length));
    },
    close(name, start) {
      const local = names.get(name);
      if (local === 'o:OLEObject') open.at(-1)?.renamings.push(renaming(name, start + '</'.length));
      else if (local === 'object') {
        const object = open.pop();
        if (object?.hasPicture) for (const edit of object.renamings) edits.push(edit);
      }
    },
  });
  return withEdits(xml, edits);
}
