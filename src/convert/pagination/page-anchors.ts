/**
 * Bookmarks by which the engine says where on its pages the pages of Word begin: the PDF has a named destination for each
 * (ISO 32000-1, 12.3.2.3), which is taken out of it again.
 */
import { withEdits } from '../document/edits.ts';
import { wordPrefixOf } from '../document/markup.ts';
import type { Bytes } from '../text/bytes.ts';
import type { LocatedStarts } from './page-starts.ts';

const NAME = 'platen-page-';
/** Word numbers bookmarks from 0; no document has as many. */
const FIRST_ID = 1_900_000_000;

/** Which place of a document an anchor is at. */
type AnchorPoint = 'begin' | 'previous-end';

/** @param index of the page start; that of no start for the end of the document. */
export function anchorName(index: number, point: AnchorPoint): string {
  return `${NAME}${index}${point === 'begin' ? '' : '-end'}`;
}

/** The main part with an anchor at each page start and where the page before it ends. */
export function withAnchors(xml: Bytes, { starts, end }: LocatedStarts): Bytes {
  const prefix = wordPrefixOf(xml);
  const anchors = [
    ...starts.flatMap(({ begin, previousEnd }, i) => [
      { at: begin, name: anchorName(i, 'begin') },
      { at: previousEnd, name: anchorName(i, 'previous-end') },
    ]),
    { at: end, name: anchorName(starts.length, 'previous-end') },
  ].flatMap(({ at, name }, i) => (at === undefined ? [] : [{ at, name, id: FIRST_ID + i }]));
  const edits = anchors.map(({ at, name, id }) => ({
    start: at,
    end: at,
    text: `<${prefix}bookmarkStart ${prefix}id="${id}" ${prefix}name="${name}"/><${prefix}bookmarkEnd ${prefix}id="${id}"/>`,
  }));
  return withEdits(xml, edits);
}

/** The main part without the anchors of {@link withAnchors}. */
export function withoutAnchors(xml: string): string {
  const w = wordPrefixOf(xml).replaceAll('.', '\\.');
  const anchor = `<${w}bookmarkStart ${w}id="\\d{10}" ${w}name="${NAME}[^"]{1,16}"/><${w}bookmarkEnd ${w}id="\\d{10}"/>`;
  return xml.replace(new RegExp(anchor, 'g'), '');
}
