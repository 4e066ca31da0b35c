/**
 * The type of the first section (ISO/IEC 29500-1, 17.6.22). It says how a section begins behind the one before it, so Word does
 * nothing for the first. LibreOffice lays the first page out with a header that has no room (up to 25.2), and its text begins
 * as much higher.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from '../document/markup.ts';

const elements = ['sectPr', 'sectPrChange', 'type', 'pgNumType'];

/** Whether a piece of an XML part may have a section that begins on an even or an odd page. */
export function mayBeginOnSide(piece: Buffer): boolean {
  return piece.includes('evenPage') || piece.includes('oddPage');
}

/**
 * The main part without such a type of its first section, in linear time. An even first page keeps its number, 2.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withFirstSection(xml: string): string {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(prefix, elements);
  const edits: Edit[] = [];
  let type: { readonly start: number; end: number; readonly value: string } | undefined;
  let numbers: { readonly start: number; readonly end: number; readonly attributes: string } | undefined;
  let state: 'before' | 'in' | 'in its changes' | 'behind' = 'before';
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (state === 'before' && local === 'sectPr') state = isEmpty ? 'behind' : 'in';
      else if (state !== 'in' || local === undefined) return;
      else if (local === 'type') type = { start, end, value: attributeOf(attributes, `${prefix}val`) ?? '' };
      else if (local === 'pgNumType') numbers = { start, end, attributes };
      else if (!isEmpty) state = 'in its changes';
    },
    close(name, start, end) {
      const local = names.get(name);
      if (local === 'type' && state === 'in' && type) type.end = end;
      else if (local === 'sectPrChange' && state === 'in its changes') state = 'in';
      else if (local === 'sectPr' && state === 'in') {
        state = 'behind';
        if (type?.value !== 'evenPage' && type?.value !== 'oddPage') return;
        edits.push({ start: type.start, end: type.end, text: '' });
        const isNumbered = numbers && attributeOf(numbers.attributes, `${prefix}start`) !== undefined;
        if (type.value === 'oddPage' || isNumbered) return;
        const two = `<${prefix}pgNumType ${prefix}start="2"`;
        edits.push(
          numbers
            ? { start: numbers.start, end: numbers.start + `<${prefix}pgNumType`.length, text: two }
            : { start, end: start, text: `${two}/>` },
        );
      }
    },
  });
  return withEdits(xml, edits);
}
