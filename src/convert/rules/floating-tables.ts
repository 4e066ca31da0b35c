/** Floating tables (`w:tblpPr`, ISO/IEC 29500-1, 17.4.57), which text evades as it does floating objects. */
import { attributeOf } from '../document/markup.ts';
import { localName, type Tag } from '../document/tags.ts';
import { EMU_PER_TWIP, type Floating, LINE } from './floating-objects.ts';

const LENGTH = /^-?\d{1,6}$/;
const tableElements: ReadonlySet<string> = new Set(['tblpPr', 'tr', 'trHeight', 'gridCol', 'tblW']);

interface FloatingTable extends Pick<Floating, 'across' | 'width' | 'space'> {
  /** The element that says where it stands. */
  readonly position: Tag;
  /** The element with the height of its only row, if it has one. */
  readonly row: Tag | undefined;
  /** Whether it begins beside the first line of the paragraph below it, which it belongs to. */
  readonly isBesideText: boolean;
}

/** Whether an element is one of those that {@link TableReader} reads, by its name as written. */
export function isOfTable(name: string): boolean {
  return tableElements.has(localName(name));
}

/** Reads a table, whose tags it is to be told, but not those of tables in it. */
export class TableReader {
  readonly #prefix: string;
  #position: Tag | undefined;
  /** In twips: its preferred width, and that of its columns together. */
  #preferred = 0;
  #columns = 0;
  #rows = 0;
  #row: Tag | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  read(tag: Tag): void {
    const local = localName(tag.name);
    if (local === 'tblpPr') this.#position ??= tag;
    else if (local === 'tr') this.#rows += 1;
    else if (local === 'trHeight') this.#row = tag;
    else if (local === 'gridCol') this.#columns += this.#length(tag, 'w');
    else if (local === 'tblW' && this.#value(tag, 'type') === 'dxa')
      this.#preferred ||= this.#length(tag, 'w');
  }

  /** What has been read; undefined where it does not float, or says nothing of its width. */
  get floating(): FloatingTable | undefined {
    const position = this.#position;
    const width = this.#preferred || this.#columns;
    if (!position || width <= 0) return undefined;
    const length = (name: string) => this.#length(position, name);
    const anchor = this.#value(position, 'horzAnchor') ?? '';
    const place = this.#value(position, 'tblpXSpec') ?? String(length('tblpX') * EMU_PER_TWIP);
    return {
      across: { from: anchor === 'text' ? 'column' : anchor, place },
      width,
      space: { top: 0, bottom: 0, left: length('leftFromText'), right: length('rightFromText') },
      position,
      row: this.#rows === 1 ? this.#row : undefined,
      isBesideText: this.#value(position, 'vertAnchor') === 'text' && Math.abs(length('tblpY')) < LINE,
    };
  }

  #length(tag: Tag, name: string): number {
    return lengthOf(tag, this.#prefix + name);
  }

  #value(tag: Tag, name: string): string | undefined {
    return attributeOf(tag.attributes, this.#prefix + name);
  }
}

/** An attribute in twips; 0 where it is none. */
export function lengthOf({ attributes }: Tag, name: string): number {
  const value = attributeOf(attributes, name) ?? '';
  return LENGTH.test(value) ? Number(value) : 0;
}
