/** Page numbers that run on through several documents, which become one PDF. */
import { withValues } from './attributes.ts';
import { type Edit, withEdits } from './edits.ts';
import { qualified, visitMarkup, wordPrefixOf } from './markup.ts';

/** The place of a document among the others. */
export interface PageNumbers {
  /** The number of its first page. */
  readonly first: number;
  /** Pages of all documents. */
  readonly total: number;
}

/**
 * The main part with pages that count on from a number, in linear time: the first section begins with it, and no other one begins
 * anew (`w:pgNumType`, ISO/IEC 29500-1, 17.6.12).
 */
export function withFirstPage(xml: string, first: number): string {
  const w = wordPrefixOf(xml);
  const names = qualified(w, ['body', 'sectPr', 'pgNumType']);
  const start = ` ${w}start="${first}"`;
  const edits: Edit[] = [];
  let [sections, depth, isNumbered] = [0, 0, false];
  /** Where the first section has room for its numbers. */
  let room: Edit | undefined;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, tagStart, end) {
      const local = names.get(name);
      if (local === 'sectPr' && depth === 0) {
        sections += 1;
        const numbers = `<${w}pgNumType${start}/>`;
        if (sections === 1)
          room = isEmpty
            ? { start: end - '/>'.length, end, text: `>${numbers}</${name}>` }
            : { start: end, end, text: numbers };
      } else if (local === 'pgNumType' && depth === 1) {
        const isFirst = sections === 1 && !isNumbered;
        isNumbered ||= isFirst;
        const others = withValues(attributes, (each, value) => (each === `${w}start` ? undefined : value));
        const text = `<${name}${isFirst ? start : ''}${others}${isEmpty ? '/' : ''}>`;
        edits.push({ start: tagStart, end, text });
      }
      if (local === 'sectPr' && !isEmpty) depth += 1;
    },
    close(name, at) {
      const local = names.get(name);
      if (local === 'sectPr') depth = Math.max(0, depth - 1);
      else if (local === 'body')
        room ??= { start: at, end: at, text: `<${w}sectPr><${w}pgNumType${start}/></${w}sectPr>` };
    },
  });
  // Before what begins where it does.
  return withEdits(xml, room && !isNumbered ? [room, ...edits] : edits);
}
