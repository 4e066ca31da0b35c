/**
 * Gaps between floating objects and the margins (`wp:wrapSquare` and the like, ISO/IEC 29500-1, 20.4.2.16 to 20.4.2.18).
 *
 * - Where there is no room beside an object, Word goes on below it. LibreOffice puts empty paragraphs beside it, and first letters.
 * - Word puts no text into a gap that is narrower than an inch, only empty paragraphs. LibreOffice does from a fifth of an inch on.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import {
  attributeOf,
  type MarkupVisitor,
  prefixOf,
  visitMarkup,
  WORD_NAMESPACE,
} from '../document/markup.ts';
import { type SectionWidth, sectionsOf } from '../document/section-widths.ts';
import { editAttributes, localName } from '../document/tags.ts';
import { distanceOf, type Floating, FloatingReader, ROOM, startOf, TEXT_ROOM } from './floating-objects.ts';

/** A paragraph whose object begins further below its top has its first line above it, in twips. */
const LINE = 200;

interface Placed extends Floating {
  /** Whether text stands beside it: that of its paragraph, or of the next one. */
  hasText: boolean;
}

/**
 * The main part without text in narrow gaps, in linear time. Objects in tables and text boxes stay as they are.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withoutNarrowGaps(xml: string): string {
  const reader = new GapReader(prefixOf(xml, WORD_NAMESPACE) ?? 'w:');
  visitMarkup(xml, reader);
  const sectionAt = sectionsOf(xml);
  return withEdits(
    xml,
    reader.objects.flatMap((object) => {
      const section = sectionAt(object.end);
      return (section && editOf(object, section)) ?? [];
    }),
  );
}

class GapReader implements MarkupVisitor {
  /** All of them, in order. */
  readonly objects: Placed[] = [];
  readonly #prefix: string;
  /** Elements whose objects stay, and how many of them are open. */
  readonly #others: ReadonlySet<string>;
  #depth = 0;
  readonly #floating = new FloatingReader();
  /** The objects of the open paragraph, and those of the one before it. */
  #own: Placed[] = [];
  #before: Placed[] = [];
  /** Whether the open paragraph has text. */
  #hasText = false;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#others = new Set(['tbl', 'txbxContent'].map((local) => prefix + local));
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    if (!isEmpty && this.#others.has(name)) this.#depth += 1;
    if (this.#depth > 0) return;
    if (name === `${this.#prefix}t`) this.#hasText ||= !isEmpty;
    else this.#floating.open(name, attributes, isEmpty, start, end);
  }

  close(name: string, _start: number, end: number): void {
    if (this.#others.has(name)) this.#depth -= 1;
    if (this.#depth > 0) return;
    if (name === `${this.#prefix}p`) this.#endParagraph();
    const object = this.#floating.close(name, end);
    if (object) this.#own.push({ ...object, hasText: false });
  }

  text(xml: string, start: number, end: number): void {
    this.#floating.text(xml, start, end);
  }

  #endParagraph(): void {
    for (const object of this.#before) object.hasText ||= this.#hasText;
    for (const object of this.#own) {
      const below = object.down.from === 'paragraph' ? distanceOf(object.down) : undefined;
      object.hasText = this.#hasText && below !== undefined && below < LINE;
      this.objects.push(object);
    }
    this.#before = this.#own;
    this.#own = [];
    this.#hasText = false;
  }
}

function editOf(object: Placed, section: SectionWidth): Edit | undefined {
  const { across, wrap, width, space, end } = object;
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
  if (isFull || (object.hasText && !isOpenLeft && !isOpenRight)) {
    const prefix = wrap.name.slice(0, -local.length);
    return { start: wrap.start, end, text: `<${prefix}wrapTopAndBottom/>` };
  }
  if (sides !== 'bothSides' || isOpenLeft === isOpenRight || left <= space.left || right <= space.right)
    return undefined;
  const side = isOpenLeft ? 'left' : 'right';
  const attributes = withValues(wrap.attributes, (name, value) => (name === 'wrapText' ? side : value));
  return attributes === wrap.attributes ? undefined : editAttributes(wrap, attributes);
}
