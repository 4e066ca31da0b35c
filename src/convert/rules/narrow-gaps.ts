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
import { SectionWidth } from '../document/section-widths.ts';
import { editAttributes, localName, mayHaveElement, type Tag } from '../document/tags.ts';

const wraps = ['wrapSquare', 'wrapTight', 'wrapThrough'];
const wrapNames: ReadonlySet<string> = new Set(wraps);
/** The least gaps that have text, and that have empty paragraphs, in twips. */
const INCH = 1_440;
const ROOM = 300;
/** A paragraph whose object begins further below its top has its first line above it, in twips. */
const LINE = 200;
const EMU_PER_TWIP = 635;

/** An object beside text; lengths in twips. */
interface Floating {
  /** What it stands at, and where: an alignment, or a distance in EMU. */
  readonly across: { from: string; place: string };
  readonly down: { from: string; place: string };
  width: number;
  readonly left: number;
  readonly right: number;
  /** The element that says how text flows around it, and where that ends. */
  wrap: Tag | undefined;
  end: number;
  /** Whether text stands beside it: that of its paragraph, or of the next one. */
  hasText: boolean;
  section: SectionWidth | undefined;
}

/** Whether a piece of an XML part may have such an object. */
export function mayHaveGaps(piece: Buffer): boolean {
  return wraps.some((name) => mayHaveElement(piece, name));
}

/**
 * The main part without text in narrow gaps, in linear time. Objects in tables, text boxes and columns stay as they are.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withoutNarrowGaps(xml: string): string {
  const reader = new GapReader(prefixOf(xml, WORD_NAMESPACE) ?? 'w:');
  visitMarkup(xml, reader);
  return withEdits(xml, reader.edits());
}

class GapReader implements MarkupVisitor {
  readonly #prefix: string;
  /** Elements whose objects stay and whose sections are none, and how many of them are open. */
  readonly #others: ReadonlySet<string>;
  #depth = 0;
  #object: Floating | undefined;
  /** The position that is read. */
  #position: { from: string; place: string } | undefined;
  /** All objects, how many of them have their section, those of the open paragraph, and those of the one before it. */
  readonly #objects: Floating[] = [];
  #placed = 0;
  #own: Floating[] = [];
  #before: Floating[] = [];
  /** Whether the open paragraph has text. */
  #hasText = false;
  /** The section that is read, and the one that has been. */
  #section: SectionWidth | undefined;
  #ended: SectionWidth | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#others = new Set(['tbl', 'txbxContent', 'sectPrChange'].map((local) => prefix + local));
  }

  edits(): Edit[] {
    this.#endSection();
    return this.#objects.flatMap((object) => (object.section && editOf(object, object.section)) ?? []);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    if (!isEmpty && this.#others.has(name)) this.#depth += 1;
    if (this.#depth > 0) return;
    this.#section?.read(name, attributes);
    const local = localName(name);
    if (name === `${this.#prefix}sectPr` && !isEmpty) this.#section = new SectionWidth(this.#prefix);
    else if (name === `${this.#prefix}t`) this.#hasText ||= !isEmpty;
    else if (local === 'anchor' && !isEmpty) {
      const [left, right] = [twips(attributes, 'distL'), twips(attributes, 'distR')];
      const [across, down] = [
        { from: '', place: '' },
        { from: '', place: '' },
      ];
      this.#object = {
        across,
        down,
        width: 0,
        left,
        right,
        wrap: undefined,
        end,
        hasText: false,
        section: undefined,
      };
    } else if (this.#object && /^position[HV]$/.test(local) && !isEmpty) {
      this.#position = local === 'positionH' ? this.#object.across : this.#object.down;
      this.#position.from = attributeOf(attributes, 'relativeFrom') ?? '';
    } else if (this.#object && local === 'extent') this.#object.width ||= twips(attributes, 'cx');
    else if (this.#object && wrapNames.has(local))
      Object.assign(this.#object, { wrap: { name, attributes, isEmpty, start, end }, end });
  }

  close(name: string, _start: number, end: number): void {
    if (this.#others.has(name)) this.#depth -= 1;
    if (this.#depth > 0) return;
    const local = localName(name);
    if (name === `${this.#prefix}p`) this.#endParagraph();
    else if (name === `${this.#prefix}sectPr`) [this.#ended, this.#section] = [this.#section, undefined];
    else if (local === 'positionH' || local === 'positionV') this.#position = undefined;
    else if (this.#object && name === this.#object.wrap?.name) this.#object.end = end;
    else if (this.#object && local === 'anchor') {
      if (this.#object.wrap) this.#own.push(this.#object);
      this.#object = undefined;
    }
  }

  text(xml: string, start: number, end: number): void {
    if (this.#position) this.#position.place += xml.slice(start, end).trim();
  }

  #endParagraph(): void {
    for (const object of this.#before) object.hasText ||= this.#hasText;
    for (const object of this.#own) {
      const { from, place } = object.down;
      object.hasText = this.#hasText && from === 'paragraph' && Number(place) < LINE * EMU_PER_TWIP;
      this.#objects.push(object);
    }
    this.#before = this.#own;
    this.#own = [];
    this.#hasText = false;
    this.#endSection();
  }

  /** Of a section whose properties are read: those in a paragraph come before its objects. */
  #endSection(): void {
    if (!this.#ended) return;
    for (; this.#placed < this.#objects.length; this.#placed += 1) {
      const object = this.#objects[this.#placed];
      if (object) object.section = this.#ended;
    }
    this.#ended = undefined;
  }
}

function editOf(object: Floating, section: SectionWidth): Edit | undefined {
  const { wrap, width, end } = object;
  const from = startOf(object, section);
  if (!wrap || from === undefined || section.hasColumns) return undefined;
  const sides = attributeOf(wrap.attributes, 'wrapText') ?? 'bothSides';
  const left = sides === 'right' ? 0 : from;
  const right = sides === 'left' ? 0 : section.twips - from - width;
  const isFull = left - object.left < ROOM && right - object.right < ROOM;
  if (isFull || (object.hasText && left < INCH && right < INCH)) {
    const prefix = wrap.name.slice(0, -localName(wrap.name).length);
    return { start: wrap.start, end, text: `<${prefix}wrapTopAndBottom/>` };
  }
  if (sides !== 'bothSides' || left >= INCH === right >= INCH || left <= object.left || right <= object.right)
    return undefined;
  const side = left >= INCH ? 'left' : 'right';
  const attributes = withValues(wrap.attributes, (name, value) => (name === 'wrapText' ? side : value));
  return attributes === wrap.attributes ? undefined : editAttributes(wrap, attributes);
}

/** Where the object begins, from the left edge of the text; undefined where that is not known. */
function startOf({ across, width }: Floating, { left, twips: text, page }: SectionWidth): number | undefined {
  const [edge, room] = across.from === 'page' ? [-left, page] : [0, text];
  if (!/^(?:page|margin|column)$/.test(across.from)) return undefined;
  if (/^-?\d{1,9}$/.test(across.place)) return edge + Number(across.place) / EMU_PER_TWIP;
  if (across.place === 'left') return edge;
  if (across.place === 'center') return edge + (room - width) / 2;
  return across.place === 'right' ? edge + room - width : undefined;
}

function twips(attributes: string, name: string): number {
  const value = attributeOf(attributes, name) ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) / EMU_PER_TWIP : 0;
}
