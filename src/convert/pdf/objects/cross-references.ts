/** Where the objects of a PDF are (ISO 32000-1, 7.5.4 to 7.5.8): tables, streams, and what updates have added. */
import type { TailReader } from '../../../system/tail-reader.ts';
import { inflated } from './filters.ts';
import { Parser } from './parser.ts';
import { type Dictionary, isArray, isDictionary, type Value } from './values.ts';

/** More than any PDF by LibreOffice has. */
const MAX_OBJECTS = 4_000_000;
/** Most tables and streams; each update adds one. */
const MAX_SECTIONS = 64;
const ENTRY_BYTES = 20;
const PIECE_BYTES = 65_536;
const MAX_STREAM_BYTES = 33_554_432;
const END_BYTES = 1_024;
/** Objects in one stream of objects: more than a producer writes. */
export const MAX_IN_STREAM = 65_536;
const [LOWER_F, LOWER_N, ZERO] = [0x66, 0x6e, 0x30];

/** Where objects are, by number. */
export interface CrossReferences {
  /**
   * Their position in the file, which may be beyond its end; or, of those in streams of objects, −(stream × {@link MAX_IN_STREAM} + index); 0 if there is no
   * such object.
   */
  readonly places: Float64Array;
  readonly trailer: Dictionary;
  /** Positions of the tables and streams themselves. */
  readonly sections: readonly number[];
}

/** Reads them, from the end of the file on. @throws Error saying what is missing or broken. */
export function readCrossReferences(reader: TailReader): CrossReferences {
  return new CrossReferenceReader(reader).read();
}

class CrossReferenceReader {
  readonly #reader: TailReader;
  readonly #sections: number[] = [];
  /** With room for more than there are. */
  #places = new Float64Array(0);
  #size = 0;
  #trailer: Dictionary | undefined;
  /** Entries that may still be read. */
  #left = MAX_OBJECTS;

  constructor(reader: TailReader) {
    this.#reader = reader;
  }

  read(): CrossReferences {
    let position: number | undefined = lastSection(this.#reader);
    while (position !== undefined) {
      const dictionary: Dictionary = this.#readSection(position);
      // In files for old readers, too, a table leads to a stream that counts before older tables.
      const hidden = positionIn(dictionary, '/XRefStm');
      if (hidden !== undefined) this.#readSection(hidden);
      position = positionIn(dictionary, '/Prev');
    }
    if (this.#trailer === undefined) throw new Error('there is no trailer');
    const places = this.#places.subarray(0, this.#size);
    // Until now, free entries had to be told from missing ones.
    for (let number = 0; number < places.length; number += 1) {
      if (Number.isNaN(places[number])) places[number] = 0;
    }
    return { places, trailer: this.#trailer, sections: this.#sections };
  }

  #readSection(position: number): Dictionary {
    if (position >= this.#reader.size) throw new Error('a cross-reference section is beyond the end');
    if (this.#sections.includes(position)) throw new Error('the cross-references lead back to themselves');
    this.#sections.push(position);
    if (this.#sections.length > MAX_SECTIONS) throw new Error('there are too many cross-reference sections');
    const isTable = this.#reader.read(position, 4).toString('latin1') === 'xref';
    return isTable ? this.#readTable(position + 4) : this.#readStream(position);
  }

  #readTable(start: number): Dictionary {
    let position = start;
    for (;;) {
      const head = this.#reader.read(position, 64).toString('latin1');
      const trailer = /^\s*trailer/.exec(head);
      if (trailer) return this.#readTrailer(position + trailer[0].length);
      const found = /^\s*(\d{1,10}) (\d{1,10}) ?\r?\n?/.exec(head);
      if (!found) throw new Error('a cross-reference table is broken');
      const [text, first, count] = found;
      position += text.length;
      this.#readEntries(position, Number(first), Number(count));
      position += Number(count) * ENTRY_BYTES;
    }
  }

  #readTrailer(position: number): Dictionary {
    const trailer = new Parser(this.#reader.read(position, PIECE_BYTES)).value();
    if (!isDictionary(trailer)) throw new Error('the trailer is no dictionary');
    this.#keep(trailer);
    return trailer;
  }

  #readEntries(position: number, first: number, count: number): void {
    this.#take(first, count);
    if (position + count * ENTRY_BYTES > this.#reader.size) {
      throw new Error('a cross-reference table is cut off');
    }
    const perPiece = Math.floor(PIECE_BYTES / ENTRY_BYTES);
    for (let done = 0; done < count; done += perPiece) {
      const inPiece = Math.min(perPiece, count - done);
      const bytes = this.#reader.read(position + done * ENTRY_BYTES, inPiece * ENTRY_BYTES);
      for (let index = 0; index < inPiece; index += 1) {
        const at = index * ENTRY_BYTES;
        const kind = bytes[at + 17];
        if (kind !== LOWER_N && kind !== LOWER_F) throw new Error('a cross-reference entry is broken');
        this.#set(first + done + index, kind === LOWER_N ? decimal(bytes, at) : 0);
      }
    }
  }

  #readStream(position: number): Dictionary {
    // A dictionary of a few lines, with direct values.
    const bytes = this.#reader.read(position, PIECE_BYTES);
    const parser = new Parser(bytes);
    parser.value();
    parser.value();
    if (parser.word() !== 'obj') throw new Error('no cross-references where the file says they are');
    const dictionary = parser.value();
    if (!isDictionary(dictionary) || dictionary['/Type'] !== '/XRef') {
      throw new Error('no cross-references where the file says they are');
    }
    if (parser.word() !== 'stream') throw new Error('cross-references are no stream');
    const begin = parser.at + (bytes[parser.at] === 0x0d ? 2 : 1);
    const length = dictionary['/Length'];
    if (!isCount(length) || position + begin + length > this.#reader.size) {
      throw new Error('a stream of cross-references has no length');
    }
    const data = inflated(this.#reader.read(position + begin, length), dictionary, MAX_STREAM_BYTES);
    this.#keep(dictionary);
    this.#readStreamEntries(data, dictionary);
    return dictionary;
  }

  #readStreamEntries(data: Buffer, dictionary: Dictionary): void {
    const widths = dictionary['/W'];
    if (!isArray(widths) || widths.length !== 3 || !widths.every((width) => isCount(width) && width <= 7)) {
      throw new Error('a stream of cross-references has no widths');
    }
    const [type = 0, second = 0, third = 0] = widths as number[];
    const index = isArray(dictionary['/Index']) ? dictionary['/Index'] : [0, dictionary['/Size'] ?? 0];
    let at = 0;
    for (let pair = 0; pair + 1 < index.length; pair += 2) {
      const [first, count] = [index[pair], index[pair + 1]];
      if (!isCount(first) || !isCount(count)) throw new Error('a stream of cross-references has no ranges');
      this.#take(first, count);
      if (at + count * (type + second + third) > data.length) throw new Error('cross-references are cut off');
      for (let number = first; number < first + count; number += 1) {
        const kind = type === 0 ? 1 : field(data, at, type);
        const where = field(data, at + type, second);
        const inner = field(data, at + type + second, third);
        at += type + second + third;
        if (kind === 1) this.#set(number, where);
        else if (kind === 2) this.#set(number, inStream(where, inner));
        else this.#set(number, 0);
      }
    }
  }

  /** Makes room for entries. */
  #take(first: number, count: number): void {
    this.#left -= count;
    if (this.#left < 0 || first + count > MAX_OBJECTS) throw new Error('there are too many objects');
    this.#size = Math.max(this.#size, first + count);
    if (this.#size <= this.#places.length) return;
    const larger = new Float64Array(Math.max(this.#size, 2 * this.#places.length)).fill(Number.NaN);
    larger.set(this.#places);
    this.#places = larger;
  }

  /** The newest entry counts, which is read first. */
  #set(number: number, place: number): void {
    if (!Number.isNaN(this.#places[number])) return;
    this.#places[number] = place;
  }

  #keep(trailer: Dictionary): void {
    this.#trailer ??= trailer;
  }
}

/** Where the last cross-references are. @throws Error if the file does not begin and end as a PDF. */
export function lastSection(reader: TailReader): number {
  if (reader.size === 0) throw new Error('the file is empty');
  if (reader.read(0, 5).toString('latin1') !== '%PDF-') throw new Error('the file does not start as a PDF');
  const end = reader.read(Math.max(0, reader.size - END_BYTES), END_BYTES).toString('latin1');
  const found = /startxref\s+(\d{1,15})\s+%%EOF\s*$/.exec(end)?.[1];
  if (found === undefined) throw new Error('the file does not end as a PDF');
  return Number(found);
}

function positionIn(dictionary: Dictionary, key: string): number | undefined {
  const value = dictionary[key];
  if (value === undefined) return undefined;
  if (!isCount(value)) throw new Error(`${key} is no position`);
  return value;
}

function isCount(value: Value | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function inStream(stream: number, index: number): number {
  if (stream < 1 || stream >= MAX_OBJECTS || index >= MAX_IN_STREAM) {
    throw new Error('an object is in no stream of objects');
  }
  return -(stream * MAX_IN_STREAM + index);
}

/** Ten digits. */
function decimal(bytes: Buffer, at: number): number {
  let value = 0;
  for (let digit = 0; digit < 10; digit += 1) {
    const figure = (bytes[at + digit] ?? 0) - ZERO;
    if (figure < 0 || figure > 9) throw new Error('a cross-reference entry is broken');
    value = value * 10 + figure;
  }
  return value;
}

function field(data: Buffer, at: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index += 1) value = value * 256 + (data[at + index] ?? 0);
  return value;
}
