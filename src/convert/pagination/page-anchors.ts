/**
 * Bookmarks by which the engine says where on its pages the pages of Word begin: the PDF has a named destination for each
 * (ISO 32000-1, 12.3.2.3), which is taken out of it again.
 */
import { wordPrefixOf } from '../document/markup.ts';
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

/**
 * The main part with an anchor at each page start and where the page before it ends.
 *
 * @param xml in any encoding in which ASCII is ASCII.
 */
export function withAnchors(xml: string, { starts, end }: LocatedStarts): string {
  const prefix = wordPrefixOf(xml);
  const anchors = [
    ...starts.flatMap(({ begin, previousEnd }, i) => [
      { at: begin, name: anchorName(i, 'begin') },
      { at: previousEnd, name: anchorName(i, 'previous-end') },
    ]),
    { at: end, name: anchorName(starts.length, 'previous-end') },
  ].flatMap(({ at, name }, i) => (at === undefined ? [] : [{ at, name, id: FIRST_ID + i }]));
  const pieces: string[] = [];
  let copied = 0;
  for (const { at, name, id } of anchors.sort((one, other) => one.at - other.at)) {
    pieces.push(xml.slice(copied, at));
    pieces.push(`<${prefix}bookmarkStart ${prefix}id="${id}" ${prefix}name="${name}"/>`);
    pieces.push(`<${prefix}bookmarkEnd ${prefix}id="${id}"/>`);
    copied = at;
  }
  return pieces.join('') + xml.slice(copied);
}

/** The main part without the anchors of {@link withAnchors}. */
export function withoutAnchors(xml: string): string {
  const w = wordPrefixOf(xml).replaceAll('.', '\\.');
  const anchor = `<${w}bookmarkStart ${w}id="\\d{10}" ${w}name="${NAME}[^"]{1,16}"/><${w}bookmarkEnd ${w}id="\\d{10}"/>`;
  return xml.replace(new RegExp(anchor, 'g'), '');
}
