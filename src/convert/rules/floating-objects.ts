/** Floating objects that text evades, as DrawingML describes them (`wp:anchor`, ISO/IEC 29500-1, 20.4.2.3). */
import { attributeOf } from '../document/markup.ts';
import type { SectionWidth } from '../document/section-widths.ts';
import { localName, type Tag } from '../document/tags.ts';

export const wraps: readonly string[] = ['wrapSquare', 'wrapTight', 'wrapThrough', 'wrapTopAndBottom'];
const wrapNames: ReadonlySet<string> = new Set(wraps);
const objectElements: ReadonlySet<string> = new Set([
  ...['anchor', 'positionH', 'positionV', 'pctPosHOffset', 'pctPosVOffset', 'extent'],
  ...['start', 'lineTo'],
  ...wraps,
]);
/** A contour (`wp:wrapPolygon`, 20.4.2.16) is in such parts of the object's width. */
const CONTOUR_UNITS = 21_600;
export const EMU_PER_TWIP = 635;

/** The least width that text beside an object has in Word, and that empty paragraphs have, in twips. */
export const TEXT_ROOM = 1_440;
export const ROOM = 360;
/** A paragraph whose object begins further below its top has its first line above it, in twips. */
export const LINE = 200;

/** What an object stands at, and where: an alignment, or a distance in EMU. */
interface Position {
  from: string;
  place: string;
}

/** Lengths in twips. */
export interface Floating {
  readonly across: Position;
  readonly down: Position;
  width: number;
  height: number;
  /** The space around it that text keeps clear of. */
  readonly space: Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;
  /** Its left and right edge as text sees them, by its contour, in shares of its width. */
  readonly contour: { left: number; right: number } | undefined;
  readonly anchor: Tag;
  /** The element that says how text flows around it, and where that ends. */
  wrap: Tag;
  end: number;
}

/** Whether an element is one of those that {@link FloatingReader} reads, by its name as written. */
export function isOfFloating(name: string): boolean {
  return objectElements.has(localName(name));
}

/** Reads the objects of a part, whose markup it is to be told. */
export class FloatingReader {
  #object:
    | (Omit<Floating, 'wrap' | 'contour'> & { wrap: Tag | undefined; contour: Floating['contour'] })
    | undefined;
  /** The position that is read. */
  #position: Position | undefined;

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = localName(name);
    if (local === 'anchor' && !isEmpty) {
      const of = (side: string) => twips(attributes, `dist${side}`);
      const space = { top: of('T'), bottom: of('B'), left: of('L'), right: of('R') };
      const [across, down] = [nowhere(), nowhere()];
      const anchor = { name, attributes, isEmpty, start, end };
      const unread = { width: 0, height: 0, contour: undefined, wrap: undefined };
      this.#object = { ...unread, across, down, space, anchor, end };
    } else if (!this.#object) return;
    else if ((local === 'positionH' || local === 'positionV') && !isEmpty) {
      this.#position = local === 'positionH' ? this.#object.across : this.#object.down;
      // Behind one in percent, its alternative says the same in EMU.
      Object.assign(this.#position, { from: attributeOf(attributes, 'relativeFrom') ?? '', place: '' });
    } else if (local === 'pctPosHOffset' || local === 'pctPosVOffset') {
      this.#position = undefined;
    } else if (local === 'extent') {
      this.#object.width ||= twips(attributes, 'cx');
      this.#object.height ||= twips(attributes, 'cy');
    } else if (local === 'start' || local === 'lineTo') {
      const x = attributeOf(attributes, 'x') ?? '';
      const share = Math.min(1, Math.max(0, Number(x) / CONTOUR_UNITS));
      // What cannot be read may be anywhere.
      const [from, to] = /^-?\d{1,5}$/.test(x) ? [share, share] : [0, 1];
      const { left, right } = this.#object.contour ?? { left: 1, right: 0 };
      this.#object.contour = { left: Math.min(left, from), right: Math.max(right, to) };
    } else if (wrapNames.has(local))
      Object.assign(this.#object, { wrap: { name, attributes, isEmpty, start, end }, end });
  }

  /** @returns the object that ends there, if text evades it. */
  close(name: string, end: number): Floating | undefined {
    const local = localName(name);
    const object = this.#object;
    if (local === 'positionH' || local === 'positionV') this.#position = undefined;
    if (name === object?.wrap?.name) object.end = end;
    if (local !== 'anchor' || !object) return undefined;
    this.#object = undefined;
    return object.wrap && { ...object, wrap: object.wrap };
  }

  text(xml: string, start: number, end: number): void {
    if (this.#position) this.#position.place += xml.slice(start, end).trim();
  }
}

/**
 * Where an object begins, from the left edge of the text; undefined where that is not known.
 *
 * @param text its width, in twips.
 */
export function startOf(
  { across, width }: Pick<Floating, 'across' | 'width'>,
  section: SectionWidth,
  text = section.twips,
): number | undefined {
  if (!/^(?:page|margin|column)$/.test(across.from)) return undefined;
  const [edge, room] = across.from === 'page' ? [-section.left, section.page] : [0, text];
  if (across.place === 'left') return edge;
  if (across.place === 'center') return edge + (room - width) / 2;
  if (across.place === 'right') return edge + room - width;
  const distance = distanceOf(across);
  return distance === undefined ? undefined : edge + distance;
}

/** How far from what it stands at, in twips; undefined where it is aligned. */
export function distanceOf({ place }: Position): number | undefined {
  return /^-?\d{1,9}$/.test(place) ? Number(place) / EMU_PER_TWIP : undefined;
}

function nowhere(): Position {
  return { from: '', place: '' };
}

function twips(attributes: string, name: string): number {
  const value = attributeOf(attributes, name) ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) / EMU_PER_TWIP : 0;
}
