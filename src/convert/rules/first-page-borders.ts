/**
 * Borders of the first page of a section only, or of all others (`w:pgBorders` with `w:display="firstPage"` or `"notFirstPage"`;
 * ISO/IEC 29500-1, 17.6.10). LibreOffice draws them on all pages. So the former become lines at the same places of the page, anchored
 * in the first paragraph of the section; the latter are covered there by white ones.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { readPoints } from '../document/lengths.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { readSectionTags, type SectionElement, type SectionTags } from '../document/sections.ts';
import { mayHaveElement, tagsIn } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const OFFICE = 'http://schemas.microsoft.com/office';
const EMU_PER_POINT = 12_700;
/** Widths of borders are in eighths of a point, from 1/4 to 12 points (17.3.4). */
const WIDTHS = { unit: 1 / 8, least: 0.25, most: 12 } as const;
/** Sections whose borders become lines, of a kilobyte each; others keep theirs. */
const MAX_BORDERED = 1_000;
/** Most points from the text or the edge of the page (17.6.7). */
const MOST_SPACE = 31;
/** Word's defaults: a Letter page with margins of an inch, in points. */
const PAGE = { width: 612, height: 792, margin: 72, edge: 36 } as const;

/** How much wider than a border is what covers it, in points. */
const COVER = 1;
const WHITE = 'FFFFFF';

const sides = ['top', 'left', 'bottom', 'right'] as const;
type Side = (typeof sides)[number];
const dashes: ReadonlyMap<string, string> = new Map([
  ['dotted', 'sysDot'],
  ['dashed', 'dash'],
  ['dashSmallGap', 'sysDash'],
  ['dotDash', 'dashDot'],
  ['dotDotDash', 'sysDashDotDot'],
]);
/** Numbers of lines, with gaps as wide as the lines; one for other kinds. */
const lineCounts: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
]);

/** Whether borders that are measured from the text are around headers and footers. */
export interface Surrounded {
  readonly header: boolean;
  readonly footer: boolean;
}

/** The first paragraph of a section that is no frame. */
interface Paragraph {
  /** Where a run may begin it. */
  at: number;
  /** Its tag, where it is empty. */
  readonly empty: { readonly start: number; readonly attributes: string } | undefined;
}

interface Border {
  readonly kind: string;
  readonly color: string;
  /** Of a line, in points. */
  readonly width: number;
  /** Where its lines are, in points from the edge of the page on its side; the first is the outermost. */
  readonly places: readonly number[];
}

/** The main part with lines in place of such borders, in linear time. */
export function withFirstPageBorders(xml: Bytes, surrounded: Surrounded): Bytes {
  const prefix = wordPrefixOf(xml);
  const paragraphs = firstParagraphs(xml, prefix);
  const edits: Edit[] = [];
  const isWhite = !mayHaveElement(xml, 'background');
  let [hasHeader, hasFooter, bordered] = [false, false, 0];
  for (const [at, tags] of readSectionTags(xml, prefix).entries()) {
    hasHeader ||= tags.has('headerReference');
    hasFooter ||= tags.has('footerReference');
    const value = (element: SectionElement, key: string) =>
      attributeOf(tags.get(element)?.attributes ?? '', prefix + key) ?? '';
    const beginsPage = at === 0 || !/^(?:continuous|nextColumn)$/.test(value('type', 'val'));
    const [borders, paragraph] = [tags.get('pgBorders'), paragraphs[at]];
    if (!borders || borders.isEmpty || !paragraph || !beginsPage) continue;
    const display = value('pgBorders', 'display');
    const covers = display === 'notFirstPage' && isWhite;
    if ((display !== 'firstPage' && !covers) || bordered === MAX_BORDERED) continue;
    bordered += 1;
    const close = `</${borders.name}>`;
    const behind = xml.indexOf(close, borders.end);
    if (behind < 0) continue;
    const around = { header: hasHeader && surrounded.header, footer: hasFooter && surrounded.footer };
    const lines = drawn(xml.slice(borders.end, behind), tags, prefix, around, covers);
    if (!covers) edits.push({ start: borders.start, end: behind + close.length, text: '' });
    if (lines !== '') edits.push(beginning(paragraph, prefix, lines));
  }
  return withEdits(xml, edits);
}

/** One of each section, undefined where it has none. */
function firstParagraphs(xml: string, prefix: string): (Paragraph | undefined)[] {
  const names = qualified(prefix, ['p', 'pPr', 'framePr', 'sectPr']);
  const found: (Paragraph | undefined)[] = [];
  let first: Paragraph | undefined;
  /** It, while its properties may still come. */
  let beginning: Paragraph | undefined;
  let sections = 0;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === 'sectPr') {
        if (sections === 0) found.push(first);
        if (sections === 0) first = undefined;
        if (!isEmpty) sections += 1;
      } else if (local === 'p' && !first && sections === 0) {
        first = { at: end, empty: isEmpty ? { start, attributes } : undefined };
        beginning = isEmpty ? undefined : first;
      } else if (local === 'pPr' && isEmpty && beginning) beginning.at = end;
      else if (local === 'framePr' && beginning) first = undefined;
    },
    close(name, _start, end) {
      const local = names.get(name);
      if (local === 'sectPr') sections -= 1;
      else if (local === 'pPr' && beginning && sections === 0) beginning.at = end;
      if (local === 'p' || (local === 'pPr' && sections === 0)) beginning = undefined;
    },
  });
  return found;
}

function beginning({ at, empty }: Paragraph, prefix: string, lines: string): Edit {
  const run = `<${prefix}r>${lines}</${prefix}r>`;
  if (!empty) return { start: at, end: at, text: run };
  const text = `<${prefix}p${empty.attributes}>${run}</${prefix}p>`;
  return { start: empty.start, end: at, text };
}

/** The lines of the borders as drawings. */
function drawn(
  borders: string,
  tags: SectionTags,
  prefix: string,
  around: Surrounded,
  covers: boolean,
): string {
  const text = (element: SectionElement, key: string) =>
    attributeOf(tags.get(element)?.attributes ?? '', prefix + key);
  const points = (element: SectionElement, key: string, otherwise: number) =>
    Math.abs(readPoints(text(element, key)) ?? otherwise);
  const isFromPage = text('pgBorders', 'offsetFrom') === 'page';
  const [width, height] = [points('pgSz', 'w', PAGE.width), points('pgSz', 'h', PAGE.height)];
  const margin = (side: Side): number => {
    if (isFromPage) return 0;
    const isAround = (side === 'top' && around.header) || (side === 'bottom' && around.footer);
    const edge = side === 'top' ? 'header' : 'footer';
    return isAround ? points('pgMar', edge, PAGE.edge) : points('pgMar', side, PAGE.margin);
  };
  const found = new Map<Side, Border>();
  const names = qualified(prefix, sides);
  // The last one of a side counts.
  for (const { name, attributes } of tagsIn(borders, (each) => names.has(each)).toReversed()) {
    const side = names.get(name);
    if (!side || found.has(side)) continue;
    const border = readBorder(attributes, prefix, margin(side), isFromPage);
    if (border) found.set(side, covers ? coverOf(border) : border);
  }
  const corner = (side: Side, line: number) => {
    const places = found.get(side)?.places;
    return places ? (places[line] ?? places[0] ?? 0) : margin(side);
  };
  const isBehind = !covers && text('pgBorders', 'zOrder') === 'back';
  return sides
    .flatMap((side) => {
      const border = found.get(side);
      return (border?.places ?? []).map((place, line) => {
        const [left, top] = [corner('left', line), corner('top', line)];
        const [right, bottom] = [width - corner('right', line), height - corner('bottom', line)];
        const isUpright = side === 'left' || side === 'right';
        const x = side === 'right' ? width - place : left;
        const y = side === 'bottom' ? height - place : top;
        const [cx, cy] = isUpright ? [0, bottom - top] : [right - left, 0];
        return border && cx >= 0 && cy >= 0 ? lineOf(border, [x, y, cx, cy], prefix, isBehind) : '';
      });
    })
    .join('');
}

/** Undefined where there is none. */
function readBorder(
  attributes: string,
  prefix: string,
  margin: number,
  isFromPage: boolean,
): Border | undefined {
  const value = (key: string) => attributeOf(attributes, prefix + key) ?? '';
  const kind = value('val');
  if (kind === '' || kind === 'nil' || kind === 'none') return undefined;
  const number = (key: string) => (/^\d{1,6}$/.test(value(key)) ? Number(value(key)) : 0);
  const width = Math.min(WIDTHS.most, Math.max(WIDTHS.least, number('sz') * WIDTHS.unit));
  const space = Math.min(MOST_SPACE, number('space'));
  const count = lineCounts.get(kind) ?? 1;
  const thickness = (2 * count - 1) * width;
  // The space is between the border and what it is measured from.
  const outer = isFromPage ? space : margin - space - thickness;
  const places = Array.from({ length: count }, (_, line) => outer + (2 * line + 1 / 2) * width);
  const color = value('color');
  return { kind, color: /^[\da-f]{6}$/i.test(color) ? color : '000000', width, places };
}

/** One that hides a border. */
function coverOf({ width, places }: Border): Border {
  const [first = 0, last = first] = [places[0], places.at(-1)];
  return { kind: '', color: WHITE, width: last - first + width + COVER, places: [(first + last) / 2] };
}

/** A line from a corner of the page, in points. */
function lineOf(
  { kind, color, width }: Border,
  [x, y, cx, cy]: readonly [number, number, number, number],
  prefix: string,
  isBehind: boolean,
): string {
  const emu = (points: number) => Math.round(points * EMU_PER_POINT);
  const position = (axis: string, points: number) =>
    `<wp:position${axis} relativeFrom="page"><wp:posOffset>${emu(points)}</wp:posOffset></wp:position${axis}>`;
  const size = `cx="${emu(cx)}" cy="${emu(cy)}"`;
  const dash = dashes.get(kind);
  return (
    `<${prefix}drawing><wp:anchor xmlns:wp="${DRAWING}/wordprocessingDrawing" xmlns:a="${DRAWING}/main" distT="0" distB="0" ` +
    `distL="0" distR="0" simplePos="0" relativeHeight="1" behindDoc="${isBehind ? 1 : 0}" locked="0" layoutInCell="0" ` +
    `allowOverlap="1"><wp:simplePos x="0" y="0"/>${position('H', x)}${position('V', y)}<wp:extent ${size}/><wp:wrapNone/>` +
    '<wp:docPr id="1" name=""><a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}">' +
    `<adec:decorative xmlns:adec="${OFFICE}/drawing/2017/decorative" val="1"/></a:ext></a:extLst></wp:docPr>` +
    `<a:graphic><a:graphicData uri="${OFFICE}/word/2010/wordprocessingShape">` +
    `<wps:wsp xmlns:wps="${OFFICE}/word/2010/wordprocessingShape"><wps:cNvCnPr/><wps:spPr><a:xfrm><a:off x="0" y="0"/>` +
    `<a:ext ${size}/></a:xfrm><a:prstGeom prst="line"><a:avLst/></a:prstGeom><a:ln w="${emu(width)}" cap="sq"><a:solidFill>` +
    `<a:srgbClr val="${color}"/></a:solidFill>${dash ? `<a:prstDash val="${dash}"/>` : ''}</a:ln></wps:spPr><wps:bodyPr/>` +
    `</wps:wsp></a:graphicData></a:graphic></wp:anchor></${prefix}drawing>`
  );
}
