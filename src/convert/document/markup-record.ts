/**
 * Where the tags and texts of a part are. Some thirty readers and rules go through a main part, and most leave it as it is: so it
 * is taken apart once, and the others are told the same.
 */

/** Who is told of the markup of a part, in document order. */
export interface MarkupVisitor {
  /** The only elements that it is told of; all where this is absent. */
  readonly wants?: (name: string) => boolean;
  /**
   * @param name as it is written, with its prefix.
   * @param attributes as they are written, see `attributeOf`.
   * @param start where the tag begins.
   * @param end where what follows the tag begins.
   */
  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void;
  close?(name: string, start: number, end: number): void;
  /** Text from `start` to `end`, with its references as they are written. */
  text?(xml: string, start: number, end: number): void;
}

/** Most that are kept: the main part before and after a rule changed it, as text and as bytes, and the parts that it leads to. */
const MAX_RECORDS = 12;
/** Shorter parts are read again as fast. */
const MIN_LENGTH = 4_096;
/** Largest part of which there is a record; the same as in `KeptParts`. */
const MAX_LENGTH = 8_388_608;
/** Most names of elements in a record; documents have some dozens. */
const MAX_NAMES = 1_000;
/** Most numbers in all records, of 4 bytes each: 60 MB of ordinary markup. */
const MAX_NUMBERS = 12_582_912;

/** What a number of a record means besides the name: the lowest two bits. */
const OPEN = 0;
const EMPTY = 1;
const CLOSE = 2;
const TEXT = 3;
/** Numbers of each: what it is, where it begins, where it ends. */
const STEP = 3;

const NO_DATA = new Int32Array(0);

/** The latest last. */
let records: MarkupRecord[] = [];

/** The record of a part that was read a short while ago; undefined if there is none. */
export function recordOf(xml: string): MarkupRecord | undefined {
  if (xml.length < MIN_LENGTH) return undefined;
  const index = records.findLastIndex((each) => each.xml === xml);
  if (index < 0) return undefined;
  const [record] = records.splice(index, 1) as [MarkupRecord];
  records.push(record);
  return record;
}

/** A new record of a part; undefined if the part is too short or too large for one. */
export function newRecord(xml: string): MarkupRecord | undefined {
  return xml.length < MIN_LENGTH || xml.length > MAX_LENGTH ? undefined : new MarkupRecord(xml);
}

/** Keeps a record that is complete, unless its part has too many names. */
export function keepRecord(record: MarkupRecord): void {
  if (record.numbers === 0) return;
  records.push(record);
  while (records.length > MAX_RECORDS || records.reduce((sum, { numbers }) => sum + numbers, 0) > MAX_NUMBERS)
    records.shift();
}

/** Forgets all. Call when a document is done. */
export function forgetRecords(): void {
  records = [];
}

export class MarkupRecord {
  readonly xml: string;
  readonly #names: string[] = [];
  readonly #ids = new Map<string, number>();
  #data: Int32Array;
  #length = 0;

  constructor(xml: string) {
    this.xml = xml;
    this.#data = new Int32Array(xml.length >> 2);
  }

  /** How many numbers it has room for; 0 if it is not to be kept. */
  get numbers(): number {
    return this.#data.length;
  }

  /** The same string for each name, which is then found faster in tables. */
  nameLike(name: string): string {
    return this.#names[this.#ids.get(name) ?? -1] ?? name;
  }

  open(name: string, isEmpty: boolean, start: number, end: number): void {
    this.#add(this.#idOf(name), isEmpty ? EMPTY : OPEN, start, end);
  }

  close(name: string, start: number, end: number): void {
    this.#add(this.#idOf(name), CLOSE, start, end);
  }

  text(start: number, end: number): void {
    this.#add(0, TEXT, start, end);
  }

  /** Tells a visitor what it was told. */
  replay(visitor: MarkupVisitor): void {
    const { xml } = this;
    const names = this.#names;
    const data = this.#data;
    const length = this.#length;
    const wanted = visitor.wants && names.map(visitor.wants);
    if (wanted?.includes(true) === false) return;
    for (let at = 0; at < length; at += STEP) {
      const what = data[at] as number;
      const kind = what & TEXT;
      if (kind === TEXT) {
        visitor.text?.(xml, data[at + 1] as number, data[at + 2] as number);
        continue;
      }
      if (wanted !== undefined && !wanted[what >> 2]) continue;
      const name = names[what >> 2] as string;
      const start = data[at + 1] as number;
      const end = data[at + 2] as number;
      if (kind === CLOSE) {
        visitor.close?.(name, start, end);
        continue;
      }
      const from = start + 1 + name.length;
      const last = end - 1 - kind;
      visitor.open(name, from < last ? xml.slice(from, last) : '', kind === EMPTY, start, end);
    }
  }

  #idOf(name: string): number {
    let id = this.#ids.get(name);
    if (id === undefined) {
      if (this.#names.length === MAX_NAMES) this.#data = NO_DATA;
      else this.#ids.set(name, this.#names.push(name) - 1);
      id = this.#names.length - 1;
    }
    return id;
  }

  #add(id: number, kind: number, start: number, end: number): void {
    if (this.#data === NO_DATA) return;
    if (this.#length + STEP > this.#data.length) {
      const grown = new Int32Array(2 * this.#data.length);
      grown.set(this.#data);
      this.#data = grown;
    }
    this.#data[this.#length] = (id << 2) | kind;
    this.#data[this.#length + 1] = start;
    this.#data[this.#length + 2] = end;
    this.#length += STEP;
  }
}
