/**
 * Gaps between the margins and floating objects (`wp:wrapSquare` and the like, ISO/IEC 29500-1, 20.4.2.16 to 20.4.2.18) or floating
 * tables (`w:tblpPr`, 17.4.57).
 *
 * - Where there is no room beside an object, Word goes on below it. LibreOffice puts empty paragraphs beside it, and first letters.
 * - Word puts no text into a gap that is narrower than an inch, only empty paragraphs. LibreOffice does from a fifth of an inch on.
 *
 * - The edge of an object is that of its contour, if it has one (`wp:wrapPolygon`). What it leaves for empty paragraphs counts in Word
 *   where its box would leave nothing. LibreOffice wants more, so such an object loses its distance from text, which has no room anyway.
 *
 * Such objects get another wrap. Tables have none, but a distance from text, which then fills the gap.
 *
 * A table with one row that is as high as the page begins a page in Word. LibreOffice begins it where the page has some room, and
 * hides the rest. So it becomes one that does not float, with room for the line behind it.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, type MarkupVisitor, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { type SectionWidth, sectionsOf } from '../document/section-widths.ts';
import { editAttributes, localName, type Tag } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import {
  distanceOf,
  type Floating,
  FloatingReader,
  isOfFloating,
  LINE,
  ROOM,
  startOf,
  TEXT_ROOM,
} from './floating-objects.ts';
import { isOfTable, lengthOf, TableReader } from './floating-tables.ts';

interface Placed {
  readonly object: Pick<Floating, 'across' | 'width' | 'space'> &
    Partial<Pick<Floating, 'contour' | 'anchor'>>;
  /** The element that says how text flows around it. */
  readonly wrap: Tag;
  /** Where that element ends, or the table. */
  readonly end: number;
  /** The height of a table's only row. */
  readonly row?: Tag | undefined;
  /** Whether text stands beside it: that of its paragraph, or of the next one. */
  hasText: boolean;
}

/**
 * The main part without text in narrow gaps, in linear time. What stands in tables and text boxes stays as it is.
 */
export function withoutNarrowGaps(xml: Bytes): Bytes {
  const reader = new GapReader(wordPrefixOf(xml));
  visitMarkup(xml, reader);
  const sectionAt = sectionsOf(xml);
  return withEdits(
    xml,
    reader.placed.flatMap((each) => {
      const section = sectionAt(each.end);
      return section ? (unfloating(each, section) ?? editOf(each, section) ?? []) : [];
    }),
  );
}

class GapReader implements MarkupVisitor {
  /** All of them, in order. */
  readonly placed: Placed[] = [];
  readonly names: { has(name: string): boolean };
  readonly #prefix: string;
  /** Elements whose objects stay, and how many of them are open. */
  readonly #others: ReadonlySet<string>;
  #depth = 0;
  readonly #floating = new FloatingReader();
  #table: TableReader;
  /** The objects of the open paragraph, and those of the one before it with the tables between them. */
  #own: (Placed & { readonly below: number | undefined })[] = [];
  #before: Placed[] = [];
  /** Whether the open paragraph has text. */
  #hasText = false;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#table = new TableReader(prefix);
    this.#others = new Set(['tbl', 'txbxContent'].map((local) => prefix + local));
    const own = qualified(prefix, ['p', 't']);
    this.names = {
      has: (name) => own.has(name) || this.#others.has(name) || isOfFloating(name) || isOfTable(name),
    };
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    if (!isEmpty && this.#others.has(name)) {
      this.#depth += 1;
      if (this.#depth === 1) this.#table = new TableReader(this.#prefix);
    }
    if (this.#depth === 1) this.#table.read({ name, attributes, isEmpty, start, end });
    if (this.#depth > 0) return;
    if (name === `${this.#prefix}t`) this.#hasText ||= !isEmpty;
    else this.#floating.open(name, attributes, isEmpty, start, end);
  }

  close(name: string, _start: number, end: number): void {
    if (this.#others.has(name)) {
      this.#depth -= 1;
      const table = this.#depth === 0 && name === `${this.#prefix}tbl` ? this.#table.floating : undefined;
      if (table) {
        const placed = { object: table, wrap: table.position, row: table.row, end, hasText: false };
        this.placed.push(placed);
        if (table.isBesideText) this.#before.push(placed);
      }
    }
    if (this.#depth > 0) return;
    if (name === `${this.#prefix}p`) this.#endParagraph();
    const object = this.#floating.close(name, end);
    if (!object) return;
    const below = object.down.from === 'paragraph' ? distanceOf(object.down) : undefined;
    this.#own.push({ object, wrap: object.wrap, end: object.end, hasText: false, below });
  }

  text(xml: string, start: number, end: number): void {
    this.#floating.text(xml, start, end);
  }

  #endParagraph(): void {
    for (const each of this.#before) each.hasText ||= this.#hasText;
    for (const each of this.#own) {
      each.hasText = this.#hasText && each.below !== undefined && each.below < LINE;
      this.placed.push(each);
    }
    this.#before = this.#own;
    this.#own = [];
    this.#hasText = false;
  }
}

/** Makes a table as high as the page one that does not float. */
function unfloating({ wrap, row }: Placed, section: SectionWidth): Edit[] | undefined {
  const body = section.down.margin?.[1] ?? 0;
  const name = row && `${row.name.slice(0, -localName(row.name).length)}val`;
  if (!row || !name || body <= 2 * ROOM || lengthOf(row, name) < body - ROOM) return undefined;
  const height = String(Math.round(body - 2 * ROOM));
  const attributes = withValues(row.attributes, (each, value) => (each === name ? height : value));
  return [{ start: wrap.start, end: wrap.end, text: '' }, editAttributes(row, attributes)];
}

function editOf({ object, wrap, end, hasText }: Placed, section: SectionWidth): Edit | undefined {
  const { across, width, space, contour, anchor } = object;
  const { column } = section;
  if (column === undefined || (column !== section.twips && across.from !== 'column')) return undefined;
  const from = startOf(object, section, column);
  const local = localName(wrap.name);
  if (local === 'wrapTopAndBottom' || from === undefined) return undefined;
  const sides = attributeOf(wrap.attributes, 'wrapText') ?? 'bothSides';
  const left = sides === 'right' ? 0 : from;
  const right = sides === 'left' ? 0 : column - from - width;
  const isFull = left - space.left < ROOM && right - space.right < ROOM;
  const [isOpenLeft, isOpenRight] = [left >= TEXT_ROOM, right >= TEXT_ROOM];
  if (isFull && contour && anchor && !hasText) {
    const inner = left > 0 ? contour.left * width : 0;
    const outer = right > 0 ? (1 - contour.right) * width : 0;
    if (left + inner - space.left >= ROOM || right + outer - space.right >= ROOM)
      return editAttributes(
        anchor,
        withValues(anchor.attributes, (name, value) => (/^dist[LR]$/.test(name) ? '0' : value)),
      );
  }
  const isClosed = isFull || (hasText && !isOpenLeft && !isOpenRight);
  const isTable = local === 'tblpPr';
  const prefix = wrap.name.slice(0, -local.length);
  if (isClosed && !isTable) return { start: wrap.start, end, text: `<${prefix}wrapTopAndBottom/>` };
  const isOneSided = isOpenLeft !== isOpenRight && left > space.left && right > space.right;
  if (!isClosed && (sides !== 'bothSides' || !isOneSided)) return undefined;
  if (isTable) {
    const filled = Object.entries({
      [`${prefix}leftFromText`]: isOpenLeft ? space.left : Math.max(left, space.left),
      [`${prefix}rightFromText`]: isOpenRight ? space.right : Math.max(right, space.right),
    });
    const names = filled.map(([name]) => name);
    const rest = withValues(wrap.attributes, (name, value) => (names.includes(name) ? undefined : value));
    const distances = filled.map(([name, distance]) => ` ${name}="${Math.round(distance)}"`).join('');
    return editAttributes(wrap, `${distances}${rest}`);
  }
  const side = isOpenLeft ? 'left' : 'right';
  const attributes = withValues(wrap.attributes, (name, value) => (name === 'wrapText' ? side : value));
  return attributes === wrap.attributes ? undefined : editAttributes(wrap, attributes);
}
