/**
 * Objects in headers and footers that their text evades (`wp:wrapSquare` and the like, ISO/IEC 29500-1, 20.4.2.16 to 20.4.2.20), as
 * logos beside letterheads. In LibreOffice they cover that text; only the text of the page evades them. So the paragraphs beside an
 * object are indented, and those that have no room beside it get space above them.
 *
 * Paragraphs in tables and text boxes stay, as do those behind a table, pictures in a line of their own, text that would flow on both
 * sides, and text that would come below half of the page.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, type MarkupVisitor, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { contentOf, ParagraphProperties } from '../document/paragraph-properties.ts';
import type { SectionWidth } from '../document/section-widths.ts';
import { localName } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import {
  distanceOf,
  type Floating,
  FloatingReader,
  isOfFloating,
  ROOM,
  startOf,
  TEXT_ROOM,
} from './floating-objects.ts';
import { type ParagraphStyles, readLineProperty } from './layout-styles.ts';

/** The height of a line, and the width of a letter, in sizes of their font. */
const LINE_HEIGHT = 1.2;
const LETTER_WIDTH = 0.5;
const TWIPS_PER_HALF_POINT = 10;
/** Word's size where no style names one, in half points. */
const DEFAULT_SIZE = 20;
/** What overlaps by less stands above or below, in twips. */
const TOLERANCE = 60;
/** More than any real header has: each is compared with each. */
const MAX_OBJECTS = 50;
const MAX_PARAGRAPHS = 200;

interface Paragraph {
  /** Its `w:pPr`, or the place for one. */
  start: number;
  end: number;
  /** Of its font, in half points; 0 where that is the one of its style. */
  size: number;
  letters: number;
  /** Whether it has a picture in its line. Then its height is not known. */
  hasPicture: boolean;
  readonly objects: Floating[];
}

/** An object beside the lines of paragraphs, in twips from the top of the first paragraph. */
interface Obstacle {
  readonly top: number;
  readonly bottom: number;
  /** Where text may begin and where it must end; undefined where it has no room. */
  readonly room: { readonly from: number; readonly to: number } | undefined;
  /** Not even empty paragraphs have room. */
  readonly isFull: boolean;
}

/** A header or footer whose text evades its objects, in linear time. */
export function withHeaderObjects(xml: Bytes, section: SectionWidth, styles: ParagraphStyles): Bytes {
  const prefix = wordPrefixOf(xml);
  const reader = new HeaderReader(prefix);
  visitMarkup(xml, reader);
  const { paragraphs } = reader;
  const count = paragraphs.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count === 0 || count > MAX_OBJECTS || paragraphs.length > MAX_PARAGRAPHS) return xml;
  return withEdits(xml, editsOf(xml, { prefix, section, styles, isHeader: reader.isHeader }, paragraphs));
}

class HeaderReader implements MarkupVisitor {
  readonly names: { has(name: string): boolean };
  readonly paragraphs: Paragraph[] = [];
  isHeader = false;
  readonly #prefix: string;
  readonly #others: ReadonlySet<string>;
  readonly #floating = new FloatingReader();
  #depth = 0;
  /** The open paragraph, and whether its text is read. */
  #paragraph: Paragraph | undefined;
  #isText = false;
  #hasTable = false;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#others = new Set(
      ['tbl', 'txbxContent', 'pict', 'pPrChange', 'rPrChange'].map((local) => prefix + local),
    );
    const own = qualified(prefix, ['hdr', 'p', 'pPr', 'sz', 't']);
    const isInline = (name: string) => localName(name) === 'inline';
    this.names = {
      has: (name) => own.has(name) || this.#others.has(name) || isInline(name) || isOfFloating(name),
    };
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    if (name === `${this.#prefix}hdr`) this.isHeader = true;
    if (name === `${this.#prefix}tbl`) this.#hasTable = true;
    if (!isEmpty && this.#others.has(name)) this.#depth += 1;
    if (this.#depth > 0 || this.#hasTable) return;
    const local = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : '';
    if (local === 'p') {
      this.#paragraph = { start: end, end, size: 0, letters: 0, hasPicture: false, objects: [] };
      if (isEmpty) this.#paragraph = undefined;
      else this.paragraphs.push(this.#paragraph);
    } else if (local === 'pPr' && this.#paragraph) Object.assign(this.#paragraph, { start, end });
    else if (local === 'sz' && this.#paragraph) {
      const size = readLineProperty('sz', attributes, this.#prefix).size ?? 0;
      this.#paragraph.size = Math.max(this.#paragraph.size, size);
    } else if (local === 't') this.#isText = !isEmpty;
    else if (localName(name) === 'inline' && this.#paragraph) this.#paragraph.hasPicture = true;
    else this.#floating.open(name, attributes, isEmpty, start, end);
  }

  close(name: string, _start: number, end: number): void {
    if (this.#others.has(name)) this.#depth -= 1;
    if (this.#depth > 0 || this.#hasTable) return;
    if (name === `${this.#prefix}pPr` && this.#paragraph) this.#paragraph.end = end;
    else if (name === `${this.#prefix}t`) this.#isText = false;
    const object = this.#floating.close(name, end);
    if (object) this.#paragraph?.objects.push(object);
  }

  text(xml: string, start: number, end: number): void {
    if (this.#isText && this.#paragraph) this.#paragraph.letters += xml.slice(start, end).trim().length;
    this.#floating.text(xml, start, end);
  }
}

interface Context {
  readonly prefix: string;
  readonly section: SectionWidth;
  readonly styles: ParagraphStyles;
  readonly isHeader: boolean;
}

/** Where a paragraph stands, and what it has. */
interface Line {
  readonly paragraph: Paragraph;
  readonly properties: ParagraphProperties;
  readonly before: number;
  readonly after: number;
  readonly height: number;
}

function editsOf(xml: string, context: Context, paragraphs: readonly Paragraph[]): Edit[] {
  const lines = paragraphs.map((paragraph) => lineOf(xml, context, paragraph));
  const obstacles = obstaclesOf(context, lines);
  if (obstacles.length === 0) return [];
  const edits: Edit[] = [];
  let y = 0;
  for (const { paragraph, properties, before, after, height } of lines) {
    const hasText = paragraph.letters > 0;
    y += before;
    const beside = obstacles.filter(
      ({ top, bottom }) => bottom > y + TOLERANCE && top < y + height - TOLERANCE,
    );
    const isBelow = beside.some(({ isFull, room }) => (hasText ? !room : isFull && !paragraph.hasPicture));
    if (isBelow) {
      const lower = Math.max(...beside.map(({ bottom }) => bottom)) - y;
      properties.merge('spacing', { before: String(Math.round(before + lower)) }, [
        'beforeAutospacing',
        'beforeLines',
      ]);
      y += lower;
    } else if (hasText && beside.length > 0 && !properties.has('bidi')) indent(properties, beside, context);
    y += height + after;
    const { start, end } = paragraph;
    const text = properties.toString();
    if (beside.length > 0 && (isBelow || hasText)) edits.push({ start, end, text });
  }
  return edits;
}

function indent(properties: ParagraphProperties, beside: readonly Obstacle[], { section }: Context): void {
  const of = (...names: string[]) =>
    names
      .map((name) => Number(/^-?\d{1,5}$/.exec(properties.value('ind', name) ?? '')))
      .find((n) => n !== 0) ?? 0;
  const from = Math.max(...beside.map(({ room }) => room?.from ?? 0));
  const to = Math.min(...beside.map(({ room }) => room?.to ?? section.twips));
  const [left, right, first] = [of('left', 'start'), of('right', 'end'), of('firstLine') - of('hanging')];
  const begin = Math.max(left, from);
  const other = Math.max(left + first, from) - begin;
  properties.merge(
    'ind',
    {
      left: String(Math.round(begin)),
      right: String(Math.round(Math.max(right, section.twips - to))),
      ...(other === 0 ? {} : { [other > 0 ? 'firstLine' : 'hanging']: String(Math.round(Math.abs(other))) }),
    },
    [
      'start',
      'end',
      'firstLine',
      'hanging',
      ...['left', 'right', 'start', 'end', 'firstLine', 'hanging'].map((name) => `${name}Chars`),
    ],
  );
}

function lineOf(xml: string, { prefix, section, styles: all }: Context, paragraph: Paragraph): Line {
  const { start, end, size: own, letters } = paragraph;
  const properties = new ParagraphProperties(contentOf(xml.slice(start, end)), prefix);
  const { styles } = all;
  const style = all.paragraphStyle(fromBytes(properties.value('pStyle') ?? ''));
  const direct = readLineProperty('spacing', properties.get('spacing') ?? '', prefix);
  const get = <Name extends 'before' | 'after' | 'line' | 'lineRule'>(name: Name) =>
    direct[name] ?? styles.get(style, name);
  const size = (own || (styles.get(style, 'size') ?? DEFAULT_SIZE)) * TWIPS_PER_HALF_POINT;
  const line = get('line') ?? 240;
  const rule = get('lineRule') ?? 'auto';
  const usual = size * LINE_HEIGHT;
  const height = rule === 'exact' ? line : rule === 'atLeast' ? Math.max(line, usual) : (usual * line) / 240;
  const count = Math.max(1, Math.ceil((letters * size * LETTER_WIDTH) / section.twips));
  return {
    paragraph,
    properties,
    before: get('before') ?? 0,
    after: get('after') ?? 0,
    height: height * count,
  };
}

function obstaclesOf(context: Context, lines: readonly Line[]): Obstacle[] {
  const obstacles: Obstacle[] = [];
  let y = 0;
  for (const { paragraph, before, height, after } of lines) {
    for (const object of paragraph.objects) {
      const obstacle = obstacleOf(object, y + before, context);
      if (obstacle) obstacles.push(obstacle);
    }
    y += before + height + after;
  }
  return obstacles;
}

/** @param line where the first line of its paragraph begins. */
function obstacleOf(object: Floating, line: number, { section, isHeader }: Context): Obstacle | undefined {
  const { space, wrap, width, height } = object;
  const from = startOf(object, section);
  const top = topOf(object, line, section, isHeader);
  if (from === undefined || top === undefined || height === 0) return undefined;
  const [left, right] = [from - space.left, from + width + space.right];
  if (right <= 0 || left >= section.twips) return undefined;
  const place = { top: top - space.top, bottom: top + height + space.bottom };
  const sides = attributeOf(wrap.attributes, 'wrapText') ?? 'bothSides';
  const isOpenLeft = sides !== 'right' && from >= TEXT_ROOM;
  const isOpenRight = sides !== 'left' && section.twips - from - width >= TEXT_ROOM;
  const isWhole = localName(wrap.name) === 'wrapTopAndBottom';
  if (!isWhole && (isOpenLeft || isOpenRight)) {
    if (isOpenLeft && isOpenRight) return undefined;
    const room = isOpenRight ? { from: right, to: section.twips } : { from: 0, to: left };
    return { ...place, room, isFull: false };
  }
  if (place.bottom > section.height / 2) return undefined;
  return { ...place, room: undefined, isFull: isWhole || (left < ROOM && section.twips - right < ROOM) };
}

/** From the top of the first paragraph; undefined where that is not known. */
function topOf(
  { down }: Floating,
  line: number,
  section: SectionWidth,
  isHeader: boolean,
): number | undefined {
  const distance = down.place === 'top' ? 0 : distanceOf(down);
  if (distance === undefined) return undefined;
  if (down.from === 'paragraph' || down.from === 'line') return line + distance;
  if (!isHeader) return undefined;
  if (down.from === 'page' || down.from === 'topMargin') return distance - section.header;
  return down.from === 'margin' ? distance + section.top - section.header : undefined;
}
