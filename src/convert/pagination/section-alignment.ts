/**
 * Sections whose text stands in the middle or at the bottom of the page (`w:vAlign`, ISO/IEC 29500-1, 17.6.23), as covers do.
 * LibreOffice begins at the top. The engine says where the text of such a section ends, and a last layout has as much room above
 * it as Word leaves there. A section on several pages stays as it is, and so does one that shares its page.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { alignmentOf, readSections, readSectionTags } from '../document/sections.ts';
import type { Destination } from '../pdf/destinations.ts';
import type { PageLine } from '../pdf/page-bottoms.ts';
import { ANCHOR } from './paragraph-anchors.ts';

/** A section, by the anchors in it. */
interface Placed {
  /** Where its content begins in the part. */
  readonly start: number;
  first: Destination | undefined;
  last: Destination | undefined;
  /** The last place before its last paragraph. */
  before: Destination | undefined;
  /** Height of its last paragraph, which the engine leaves out: one that is empty but for the end of the section. */
  leftOut: number;
  /** In its first paragraph: where its properties begin, behind its style, and a break before it. */
  properties: number | undefined;
  pageBreak: { readonly start: number; readonly end: number } | undefined;
  /** Whether there are notes at the foot of its pages. */
  hasNotes: boolean;
}

/** Of the line of an empty paragraph; in points, as all lengths. */
const EMPTY_LINE = 14;
/** The highest line whose text is looked for. */
const MAX_LINE = 150;
/** From the baseline of a font down, in parts of the height above it; fonts have 0.23 to 0.29. */
const DESCENT = 0.28;
/** Of the lines of a footer above their baseline. */
const FOOTER_ASCENT = 12;
/** What text at the bottom of a page keeps from its end: none of it may get onto the next one. */
const SLACK = 3;
const TWIPS = 20;
/** No page is higher (ISO/IEC 29500-1, 17.6.13). */
const MAX_ROOM = 31_680;

/**
 * The main part with room above the text of its aligned sections, in linear time.
 *
 * @param xml with anchors of paragraphs, in an encoding in which ASCII is ASCII.
 * @param destinations where the engine has put them.
 * @param linesOf what is on a page, counted from 0.
 */
export function withAlignedSections(
  xml: string,
  destinations: ReadonlyMap<string, Destination>,
  linesOf: (page: number) => Iterable<PageLine>,
): string {
  const w = wordPrefixOf(xml);
  const alignments = readSectionTags(xml, w).map((tags) => alignmentOf(tags, w));
  if (alignments.every((alignment) => alignment === undefined)) return xml;
  const pages = readSections(xml, w);
  const placed = readPlaces(xml, w, destinations);
  const edits: Edit[] = [];
  for (const [i, section] of placed.entries()) {
    const [alignment, page] = [alignments[i], pages[i]];
    if (alignment === undefined || !page || page.columns > 1 || section.hasNotes) continue;
    const { first, last, leftOut } = section;
    if (!first || first.page !== last?.page) continue;
    if (placed[i - 1]?.last?.page === first.page || placed[i + 1]?.first?.page === first.page) continue;
    const free = freeBelow(last, page.bottom, [...linesOf(last.page)]) - leftOut;
    const room = Math.round((alignment === 'center' ? free / 2 : free - SLACK) * TWIPS);
    if (room > 0) edits.push(...roomAbove(section, Math.min(room, MAX_ROOM), w));
  }
  return withEdits(xml, edits);
}

/** The height between the text of a page and the end of its text area. @param last the line that ends the text. */
function freeBelow({ y: top }: Destination, margin: number, lines: readonly PageLine[]): number {
  let baseline: number | undefined;
  for (const { y, isArtifact } of lines)
    if (!isArtifact && y < top && y > top - MAX_LINE) baseline = Math.max(baseline ?? y, y);
  const bottom = baseline === undefined ? top - EMPTY_LINE : baseline - DESCENT * (top - baseline);
  // A high footer makes the text area lower.
  let end = margin;
  for (const { y, isArtifact } of lines) if (isArtifact && y < bottom) end = Math.max(end, y + FOOTER_ASCENT);
  return bottom - end;
}

/** An empty paragraph, as a table may follow, and no break behind it. @param room its height, in twips. */
function roomAbove({ start, properties, pageBreak }: Placed, room: number, w: string): Edit[] {
  const spacing = `<${w}spacing ${w}before="0" ${w}after="0" ${w}line="${room}" ${w}lineRule="exact"/>`;
  const plain = ['keepNext', 'keepLines', 'pageBreakBefore'].map((each) => `<${w}${each} ${w}val="0"/>`);
  const list = `<${w}numPr><${w}numId ${w}val="0"/></${w}numPr><${w}suppressLineNumbers/>`;
  const grid = `<${w}snapToGrid ${w}val="0"/>`;
  const text = `<${w}p><${w}pPr>${plain.join('')}${list}${grid}${spacing}</${w}pPr></${w}p>`;
  const edits = [{ start, end: start, text }];
  const none = `<${w}pageBreakBefore ${w}val="0"/>`;
  if (pageBreak) edits.push({ ...pageBreak, text: none });
  else if (properties !== undefined) edits.push({ start: properties, end: properties, text: none });
  return edits;
}

/** Where the sections of the part begin, and where the engine has put their first and last paragraph. */
function readPlaces(xml: string, w: string, destinations: ReadonlyMap<string, Destination>): Placed[] {
  const elements = ['body', 'p', 'pPr', 'pStyle', 'pageBreakBefore', 'sectPr', 'bookmarkStart'];
  const names = qualified(w, [...elements, 'footnoteReference']);
  const found: Placed[] = [];
  /** Open paragraphs, and properties of paragraphs. */
  let [depth, properties] = [0, 0];
  let [isFirst, endsSection] = [false, false];
  const begin = (start: number) => {
    isFirst = true;
    const places = { first: undefined, last: undefined, before: undefined, leftOut: 0 };
    found.push({ start, ...places, properties: undefined, pageBreak: undefined, hasNotes: false });
  };
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === undefined) return;
      if (local === 'body' && found.length === 0) begin(end);
      const section = found.at(-1);
      if (!section) return;
      const isOwn = isFirst && depth === 1 && properties === 1;
      if (local === 'p') {
        if (depth === 0) section.before = section.last;
        if (!isEmpty) depth += 1;
        else if (depth === 0) isFirst = false;
      } else if (local === 'pPr' && !isEmpty) {
        properties += 1;
        if (isFirst && depth === 1) section.properties ??= end;
      } else if (local === 'pStyle' && isOwn && isEmpty) section.properties = end;
      else if (local === 'pageBreakBefore' && isOwn && isEmpty) section.pageBreak ??= { start, end };
      else if (local === 'sectPr' && properties > 0) endsSection = true;
      else if (local === 'footnoteReference') section.hasNotes = true;
      else if (local === 'bookmarkStart') {
        const bookmark = attributeOf(attributes, `${w}name`) ?? '';
        const place = bookmark.startsWith(ANCHOR) ? destinations.get(bookmark) : undefined;
        section.first ??= place;
        section.last = place ?? section.last;
      }
    },
    close(name, _, end) {
      const local = names.get(name);
      if (local === 'pPr') properties = Math.max(0, properties - 1);
      if (local !== 'p') return;
      depth -= 1;
      if (depth > 0) return;
      isFirst = false;
      if (endsSection) begin(end);
      endsSection = false;
    },
  });
  for (const [i, section] of found.entries()) {
    const { last, before } = section;
    const next = found[i + 1]?.first;
    // The anchors of a paragraph that is left out are in the next one.
    if (!last || last.page !== next?.page || last.y !== next.y) continue;
    [section.last, section.leftOut] = [before, EMPTY_LINE];
  }
  return found;
}
