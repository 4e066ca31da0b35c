/**
 * Items of lists whose paragraph style is not defined. For Word such a style says nothing (ISO/IEC 29500-1, 17.3.1.27).
 * LibreOffice then also forgets the list that the paragraph itself names. So the reference to the style means nothing.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { renaming } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';

/**
 * The part without such references, as long as it was; in linear time.
 *
 * @param isDefined of the id of a paragraph style.
 */
export function withoutUndefinedStyles(xml: Bytes, isDefined: (id: string) => boolean): Bytes {
  const w = wordPrefixOf(xml);
  const names = qualified(w, ['pPr', 'pStyle', 'numPr', 'pPrChange']);
  const edits: Edit[] = [];
  let reference: Edit[] = [];
  let isItem = false;
  let isOld = false;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start) {
      const local = names.get(name);
      if (local === undefined || isOld) return;
      if (local === 'pPr') [reference, isItem] = [[], false];
      else if (local === 'numPr') isItem = true;
      else if (local === 'pPrChange') isOld = !isEmpty;
      else {
        const hasStyle = isDefined(fromBytes(attributeOf(attributes, `${w}val`) ?? ''));
        reference = hasStyle ? [] : [renaming(name, start + '<'.length)];
      }
    },
    close(name, start) {
      const local = names.get(name);
      if (local === 'pPrChange') isOld = false;
      else if (isOld) return;
      else if (local === 'pStyle' && reference.length > 0)
        reference.push(renaming(name, start + '</'.length));
      else if (local === 'pPr' && isItem) {
        edits.push(...reference);
        [reference, isItem] = [[], false];
      }
    },
  });
  return withEdits(xml, edits);
}
