/**
 * The objects of a PDF (ISO 32000-1, 7.3 to 7.7), read where and when they are asked for. The file may be anything: a document
 * may have taken over the process that wrote it. So depth, size and number are bounded, objects may not overlap, and what is
 * read of each is bounded by where the next one begins.
 */
import type { TailReader } from '../../../system/tail-reader.ts';
import { MAX_IN_STREAM, readCrossReferences } from './cross-references.ts';
import { inflated } from './filters.ts';
import { CutOff, Parser } from './parser.ts';
import {
  type Dictionary,
  isArray,
  isDictionary,
  isName,
  PdfString,
  Reference,
  type Value,
} from './values.ts';

const WINDOW_BYTES = 65_536;
/** Longest object without the content of its stream: the parents of 200,000 elements, or a million numbers. */
const MAX_OBJECT_BYTES = 16_777_216;
/** Bytes of an object that are read at first. */
const FIRST_BYTES = 4_096;
/** Longest stream of objects, unpacked; and all that are unpacked. */
const MAX_PACKED_BYTES = 16_777_216;
const MAX_UNPACKED_BYTES = 268_435_456;
/** Most bytes of streams that are read together, as they are packed: what they hold may be little. 10,000 pages take half. */
const MAX_STREAM_BYTES = 268_435_456;
/** Source bytes of the objects that are kept parsed by default, as more would outlive their use; and how many streams of objects. */
const KEPT_BYTES = 65_536;
const MAX_KEPT_STREAMS = 4;
/** How far a reference may lead to another one. */
const MAX_REFERENCES = 16;
const MAX_PAGES = 1_000_000;
/** How deep the page tree may be. */
const MAX_TREE_DEPTH = 64;
const INHERITED = ['/Resources', '/MediaBox', '/CropBox', '/Rotate'] as const;
const [NEW_LINE, RETURN] = [0x0a, 0x0d];
const END = 'endobj';

/** Content of a stream, where it is in the file. */
export interface Stream {
  /** Its object's number. */
  readonly number: number;
  readonly dictionary: Dictionary;
  /** Of its first byte. */
  readonly position: number;
  /** As it is packed, in bytes. */
  readonly length: number;
}

/** An object, and its stream if it is one; then the value is the stream's dictionary. */
export interface PdfObject {
  readonly value: Value;
  readonly stream?: Stream;
  /** Bytes from its number to behind `endobj`, or before the content of its stream. */
  readonly length: number;
}

/** An object as it is in the file. */
interface SourceObject {
  /** Of its first byte. */
  readonly position: number;
  /** From its number to before `endobj`, with a character for each byte. */
  readonly text: string;
}

/** A page, with what it inherits. */
export interface PageObject {
  readonly number: number;
  readonly dictionary: Dictionary;
}

/** Objects of a stream that holds some. */
interface PackedObjects {
  readonly bytes: Buffer;
  /** Number, position and end of each. */
  readonly places: readonly (readonly [number: number, at: number, end: number])[];
}

export class PdfObjects {
  readonly reader: TailReader;
  readonly trailer: Dictionary;
  readonly catalog: Dictionary;
  /** One more than the largest number of an object. */
  readonly size: number;
  /** Positions of the cross-reference tables and streams, the newest first. */
  readonly sections: readonly number[];
  /** See CrossReferences. */
  readonly #places: Float64Array;
  /** Positions in the file at which something begins, ascending. */
  readonly #starts: Float64Array;
  readonly #kept = new Map<number, PdfObject>();
  readonly #maxKeptBytes: number;
  #keptBytes = 0;
  readonly #packed = new Map<number, PackedObjects>();
  #unpackedLeft = MAX_UNPACKED_BYTES;
  #streamBytesLeft = MAX_STREAM_BYTES;
  /** Streams whose content is being found. */
  readonly #opening = new Set<number>();
  /** A part of the file. */
  #window: Buffer = Buffer.alloc(0);
  readonly #windowSpace = Buffer.allocUnsafe(WINDOW_BYTES);
  #windowStart = 0;

  /**
   * @param maxKeptBytes source bytes of the objects that are kept parsed.
   * @throws Error saying what is missing or broken.
   */
  constructor(reader: TailReader, maxKeptBytes = KEPT_BYTES) {
    this.reader = reader;
    this.#maxKeptBytes = maxKeptBytes;
    const { places, trailer, sections } = readCrossReferences(reader);
    this.#places = places;
    this.size = places.length;
    this.sections = sections;
    this.trailer = trailer;
    const own = places.filter((place) => place > 0 && place < reader.size).sort();
    for (let index = 1; index < own.length; index += 1) {
      if (own[index] === own[index - 1]) throw new Error('two objects are at one position');
    }
    this.#starts = new Float64Array(own.length + sections.length);
    this.#starts.set(own);
    this.#starts.set(sections, own.length);
    this.#starts.sort();
    if ('/Encrypt' in trailer) throw new Error('the PDF is encrypted');
    this.catalog = this.dictionary(trailer['/Root']);
    if (this.catalog['/Pages'] === undefined) throw new Error('there is no catalogue with pages');
  }

  /** As the first line says, or the catalogue; such as `1.7`. @throws Error if there is none. */
  get version(): string {
    const header = /^%PDF-(\d\.\d)[\r\n]/.exec(this.reader.read(0, 16).toString('latin1'))?.[1];
    if (header === undefined) throw new Error('the first line has no version');
    const newer = this.name(this.catalog['/Version'])?.slice(1) ?? '';
    return /^\d\.\d$/.test(newer) && newer > header ? newer : header;
  }

  /** Whether there is an object of this number. */
  has(number: number): boolean {
    return (this.#places[number] ?? 0) !== 0;
  }

  /** The numbers of all objects, also of those that nothing refers to. */
  *numbers(): Generator<number> {
    for (let number = 0; number < this.size; number += 1) if (this.has(number)) yield number;
  }

  /** Where an object is in the file, up to what follows it; undefined if it is in a stream of objects, or not at all. */
  rangeOf(number: number): { readonly start: number; readonly end: number } | undefined {
    const place = this.#places[number] ?? 0;
    return place > 0 ? { start: place, end: this.#endOf(place) } : undefined;
  }

  /** An object; null if there is none of this number. @throws Error if it is broken, or too large. */
  object(number: number): PdfObject {
    const known = this.#kept.get(number);
    if (known) return known;
    const place = this.#places[number] ?? 0;
    if (place === 0) return { value: null, length: 0 };
    return place > 0 ? this.#read(number, place) : this.#readPacked(number, -place);
  }

  /** What is written of an object that is no stream. @throws Error if it is one, is in another one, or as {@link object}. */
  source(number: number): SourceObject {
    const { stream, length } = this.object(number);
    const position = this.rangeOf(number)?.start;
    if (position === undefined || stream) throw new Error(`object ${number} is not in the file by itself`);
    return { position, text: this.reader.read(position, length - END.length).toString('latin1') };
  }

  /** The value that a reference leads to; of a stream, its dictionary. Null for nothing. @throws Error as {@link object}. */
  get(value: Value | undefined): Value {
    let found = value ?? null;
    for (let steps = 0; found instanceof Reference; steps += 1) {
      if (steps === MAX_REFERENCES) throw new Error('a reference leads to too many others');
      found = this.object(found.number).value;
    }
    return found;
  }

  /** Empty if the value is none. */
  dictionary(value: Value | undefined): Dictionary {
    const found = this.get(value);
    return isDictionary(found) ? found : {};
  }

  /** Empty if the value is none. */
  array(value: Value | undefined): readonly Value[] {
    const found = this.get(value);
    return isArray(found) ? found : [];
  }

  /** An array, or the value as the only item of one. */
  list(value: Value | undefined): readonly Value[] {
    const found = this.get(value);
    if (value === undefined || found === null) return [];
    return isArray(found) ? found : [value];
  }

  number(value: Value | undefined): number | undefined {
    const found = this.get(value);
    return typeof found === 'number' ? found : undefined;
  }

  /** With its `/`. */
  name(value: Value | undefined): string | undefined {
    const found = this.get(value);
    return isName(found) ? found : undefined;
  }

  /** A text string. */
  text(value: Value | undefined): string | undefined {
    const found = this.get(value);
    return found instanceof PdfString ? found.text : undefined;
  }

  /** Undefined if the value does not refer to a stream. */
  stream(value: Value | undefined): Stream | undefined {
    return value instanceof Reference ? this.object(value.number).stream : undefined;
  }

  /**
   * What the stream holds that a value refers to.
   *
   * @param limit most bytes, unpacked.
   * @throws RangeError if it is longer; Error if it is packed in another way than by Flate, or broken, or is no stream.
   */
  streamData(value: Value | undefined, limit: number): Buffer {
    const stream = this.stream(value);
    if (!stream) throw new Error('there is no stream where one should be');
    return this.data(stream, limit);
  }

  /** What a stream holds, as {@link streamData}. */
  data(stream: Stream, limit: number): Buffer {
    const { position, length, dictionary } = stream;
    if (length > limit) throw new RangeError(`a stream is longer than ${limit} bytes`);
    this.#streamBytesLeft -= length;
    if (this.#streamBytesLeft < 0) throw new Error('the streams are too large together');
    const filters = {
      '/Filter': this.list(dictionary['/Filter']).map((item) => this.get(item)),
      '/DecodeParms': this.list(dictionary['/DecodeParms']).map((item) => this.get(item)),
    };
    return inflated(this.reader.read(position, length), filters, limit);
  }

  /** The pages in order. @throws Error if the page tree leads back to itself, or is too large. */
  *pages(): Generator<PageObject> {
    const seen = new Uint8Array(this.size);
    /** Nodes on the way to the next page: their kids, how many are done, and what these inherit. */
    const open: { readonly kids: readonly Value[]; done: number; readonly passed: Dictionary }[] = [];
    open.push({ kids: [this.catalog['/Pages'] ?? null], done: 0, passed: {} });
    let pages = 0;
    for (let node = open.at(-1); node; node = open.at(-1)) {
      const reference = node.kids[node.done];
      node.done += 1;
      if (reference === undefined) {
        open.pop();
        continue;
      }
      if (!(reference instanceof Reference)) throw new Error('the page tree has something that is no object');
      const { number } = reference;
      if (seen[number] !== 0) throw new Error('the page tree leads back to itself, or to nothing');
      seen[number] = 1;
      const own = this.dictionary(reference);
      if (own['/Kids'] !== undefined) {
        if (open.length > MAX_TREE_DEPTH) throw new Error('the page tree is too deep');
        const passed = { ...node.passed, ...inherited(own) };
        open.push({ kids: this.array(own['/Kids']), done: 0, passed });
        continue;
      }
      if (this.name(own['/Type']) !== '/Page') throw new Error('the page tree has something that is no page');
      pages += 1;
      if (pages > MAX_PAGES) throw new Error('there are too many pages');
      yield { number, dictionary: { ...node.passed, ...own } };
    }
  }

  #read(number: number, position: number): PdfObject {
    // LibreOffice writes 4294967295 for objects that it refers to and forgets, such as the tags of blank pages.
    if (position >= this.reader.size) throw new Error(`object ${number} is beyond the end of the file`);
    const end = this.#endOf(position);
    const most = Math.min(end - position, MAX_OBJECT_BYTES);
    for (let length = Math.min(FIRST_BYTES, most); ; length = Math.min(length * 8, most)) {
      const bytes = this.bytes(position, length);
      try {
        return this.#parse(number, position, end, new Parser(bytes, { isWhole: false }), bytes);
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
        if (length < most) continue;
        throw new Error(`object ${number} has no end within ${most} bytes`, { cause: error });
      }
    }
  }

  #parse(number: number, position: number, end: number, parser: Parser, bytes: Buffer): PdfObject {
    const [own, generation] = [parser.value(), parser.value()];
    if (own !== number || typeof generation !== 'number' || parser.word() !== 'obj') {
      throw new Error(`object ${number} is not at its position`);
    }
    const value = parser.value();
    const word = parser.word();
    if (word === END) return this.#keep(number, { value, length: parser.at });
    if (word !== 'stream' || !isDictionary(value)) throw new Error(`object ${number} does not end`);
    const line = bytes[parser.at] === RETURN ? parser.at + 1 : parser.at;
    if (line >= bytes.length) throw new CutOff();
    if (bytes[line] !== NEW_LINE) throw new Error(`the stream ${number} does not begin on a line of its own`);
    const start = position + line + 1;
    const length = this.#lengthOf(number, value);
    if (start + length > end) throw new Error(`the stream ${number} is longer than its place in the file`);
    const after = this.bytes(start + length, Math.min(16, end - start - length)).toString('latin1');
    if (!/^\r?\n?endstream/.test(after)) throw new Error(`the stream ${number} does not have its length`);
    const stream = { number, dictionary: value, position: start, length };
    return this.#keep(number, { value, stream, length: parser.at });
  }

  #lengthOf(number: number, dictionary: Dictionary): number {
    if (this.#opening.size > 2 || this.#opening.has(number)) {
      throw new Error(`the length of the stream ${number} leads back to it`);
    }
    this.#opening.add(number);
    try {
      const length = this.get(dictionary['/Length']);
      if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) return length;
      throw new Error(`the stream ${number} has no length`);
    } finally {
      this.#opening.delete(number);
    }
  }

  #readPacked(number: number, place: number): PdfObject {
    const stream = Math.floor(place / MAX_IN_STREAM);
    const { bytes, places } = this.#unpacked(stream);
    const [own, at = 0, end = 0] = places[place % MAX_IN_STREAM] ?? [];
    if (own !== number) throw new Error(`object ${number} is not in the stream ${stream}`);
    return this.#keep(number, { value: new Parser(bytes.subarray(at, end)).value(), length: end - at });
  }

  #unpacked(number: number): PackedObjects {
    const known = this.#packed.get(number);
    if (known) return known;
    const position = this.#places[number] ?? 0;
    if (position <= 0) throw new Error(`there is no stream ${number} of objects`);
    const { stream } = this.#read(number, position);
    if (stream?.dictionary['/Type'] !== '/ObjStm') throw new Error(`${number} has no objects in it`);
    const bytes = this.data(stream, Math.min(MAX_PACKED_BYTES, this.#unpackedLeft));
    this.#unpackedLeft -= bytes.length;
    const [count, first] = [stream.dictionary['/N'], stream.dictionary['/First']];
    if (typeof count !== 'number' || typeof first !== 'number' || !(count <= MAX_IN_STREAM)) {
      throw new Error(`the stream ${number} does not say what is in it`);
    }
    const parser = new Parser(bytes, { hasReferences: false });
    const places: [number, number][] = [];
    for (let index = 0; index < count; index += 1) {
      const [own, at] = [parser.value(), parser.value()];
      if (typeof own !== 'number' || typeof at !== 'number' || !(at >= 0)) {
        throw new Error(`the stream ${number} does not say what is in it`);
      }
      places.push([own, first + at]);
    }
    if (this.#packed.size >= MAX_KEPT_STREAMS) this.#packed.delete([...this.#packed.keys()][0] ?? 0);
    const packed = { bytes, places: withEnds(places, bytes.length) };
    this.#packed.set(number, packed);
    return packed;
  }

  #keep(number: number, object: PdfObject): PdfObject {
    this.#keptBytes += object.length;
    if (this.#keptBytes > this.#maxKeptBytes) {
      this.#kept.clear();
      this.#keptBytes = object.length;
    }
    this.#kept.set(number, object);
    return object;
  }

  /** Where the next thing begins in the file. */
  #endOf(position: number): number {
    const starts = this.#starts;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return starts[low] ?? this.reader.size;
  }

  /** Bytes of the file, valid until the next call of any method. */
  bytes(position: number, length: number): Buffer {
    if (length > WINDOW_BYTES) return this.reader.read(position, length);
    const isInside =
      position >= this.#windowStart && position + length <= this.#windowStart + this.#window.length;
    if (!isInside && position < this.reader.size) {
      this.#window = this.reader.readInto(this.#windowSpace, position);
      this.#windowStart = position;
    }
    const at = position - this.#windowStart;
    return this.#window.subarray(at, at + length);
  }
}

/** Each object ends where the next one begins. @throws Error if two begin at one position. */
function withEnds(places: readonly [number, number][], length: number): [number, number, number][] {
  const ends = new Map<number, number>();
  let end = length;
  for (const [, at] of places.toSorted(([, one], [, other]) => other - one)) {
    if (at >= end) throw new Error('two objects are at one position in a stream');
    ends.set(at, end);
    end = at;
  }
  return places.map(([number, at]) => [number, at, ends.get(at) ?? at]);
}

function inherited(node: Dictionary): Dictionary {
  const entries = INHERITED.filter((key) => key in node).map((key) => [key, node[key] as Value]);
  return Object.fromEntries(entries);
}
