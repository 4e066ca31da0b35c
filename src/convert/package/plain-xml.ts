/**
 * XML as the engine gets it: UTF-8 without a mark, behind our declaration, with characters of XML alone. The engine guesses
 * encodings in its own way: it takes ` encoding=` anywhere in the first line for the declaration's.
 */
import { isUtf8 } from 'node:buffer';
import { xmlText } from '../text/xml-text.ts';
import type { Pieces } from './content.ts';
import { damaged } from './refusal.ts';
import { XML_HEAD_BYTES, type XmlEncoding, xmlDecoder, xmlEncoding } from './xml-encoding.ts';

/** As Word writes it, so that most parts stay as they are. */
export const DECLARATION = Buffer.from('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>');

/** Characters of three bytes that XML 1.0 does not have (2.2). */
const NO_CHARACTERS = [Buffer.from('\ufffe'), Buffer.from('\uffff')];
const SPACE = 0x20;
const [TAB, LINE_FEED, CARRIAGE_RETURN] = [0x09, 0x0a, 0x0d];

const NOTHING = Buffer.alloc(0);
/** The mark of UTF-8. */
const MARK_BYTES = 3;

/** Rewrites a part that is given in pieces. */
export class PlainXml {
  readonly #decode: ((bytes: Buffer) => Buffer) | undefined;
  /** Bytes of the mark and the declaration that are still to come. */
  #skip: number;
  /** Start of a character that continues in the next piece. */
  #tail: Buffer = NOTHING;
  #isSame: boolean;
  /** Whether the part says that it is XML. */
  readonly isDeclared: boolean;
  #size = DECLARATION.length;

  /** @param head the first bytes of the part, enough for {@link xmlEncoding}. */
  constructor(encoding: XmlEncoding, head: Buffer) {
    this.#decode = xmlDecoder(encoding);
    this.#skip = encoding.bodyStart;
    this.isDeclared = encoding.bodyStart > MARK_BYTES;
    this.#isSame = this.#decode === undefined && head.subarray(0, encoding.bodyStart).equals(DECLARATION);
  }

  /** Whether the part so far is written as it was. */
  get isSame(): boolean {
    return this.#isSame;
  }

  /** Bytes of the part so far, with the declaration. */
  get size(): number {
    return this.#size;
  }

  /** Takes the next piece. Returns what follows of the content behind the declaration. */
  write(piece: Buffer): Buffer {
    const decoded = this.#decode?.(piece) ?? piece;
    const skipped = Math.min(this.#skip, decoded.length);
    this.#skip -= skipped;
    const rest = skipped > 0 ? decoded.subarray(skipped) : decoded;
    const bytes = this.#tail.length > 0 ? Buffer.concat([this.#tail, rest]) : rest;
    const whole = lengthInCharacters(bytes);
    this.#tail = bytes.subarray(whole);
    return this.#take(bytes.subarray(0, whole));
  }

  /** Returns the rest: an incomplete last character. */
  end(): Buffer {
    const rest = this.#tail;
    this.#tail = NOTHING;
    return this.#take(rest);
  }

  #take(bytes: Buffer): Buffer {
    const isValid =
      isUtf8(bytes) && !hasControl(bytes) && !NO_CHARACTERS.some((character) => bytes.includes(character));
    // A NUL stays: the part is refused for it.
    const plain = isValid || bytes.includes(0) ? bytes : Buffer.from(xmlText(bytes.toString()));
    this.#isSame &&= isValid;
    this.#size += plain.length;
    return plain;
  }
}

/**
 * A whole part as the engine gets it.
 *
 * @throws PlatenError `CORRUPTED_FILE` if it is no XML, or in an encoding that packages may not use.
 */
export function plainXml(part: Buffer): Buffer {
  const xml = plainOf(part);
  const pieces = [DECLARATION, xml.write(part), xml.end()];
  return xml.isSame ? part : Buffer.concat(pieces);
}

/** The same in pieces; `part` has pieces as well. */
export async function* plainPieces(part: Pieces): AsyncGenerator<Buffer, void> {
  let head: Buffer = Buffer.alloc(0);
  let xml: PlainXml | undefined;
  yield DECLARATION;
  for await (const piece of part) {
    if (xml) yield xml.write(piece);
    else {
      head = Buffer.concat([head, piece]);
      if (head.length < XML_HEAD_BYTES) continue;
      xml = plainOf(head);
      yield xml.write(head);
    }
  }
  if (!xml) {
    xml = plainOf(head);
    yield xml.write(head);
  }
  yield xml.end();
}

/** Whether a part is XML that can be decoded. */
export function isXml(part: Buffer): boolean {
  const encoding = xmlEncoding(part.subarray(0, XML_HEAD_BYTES));
  return encoding !== undefined && !encoding.fault;
}

function plainOf(part: Buffer): PlainXml {
  const head = part.subarray(0, XML_HEAD_BYTES);
  const encoding = xmlEncoding(head);
  if (!encoding) throw damaged('damaged', 'a part is no XML');
  if (encoding.fault) throw damaged('encoding', 'a part cannot be decoded');
  return new PlainXml(encoding, head);
}

/** Length without the start of a last character that is incomplete. */
function lengthInCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const wanted = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Whether there is a control that XML does not allow. Four bytes at a time, as this is done for all text. */
function hasControl(bytes: Buffer): boolean {
  const before = -bytes.byteOffset & 3;
  if (bytes.length < before) return hasControlIn(bytes, 0, bytes.length);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + before, (bytes.length - before) >> 2);
  if (hasControlIn(bytes, 0, before)) return true;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? 0;
    // A byte below the space, or a few others.
    if (((word - 0x20202020) & ~word & 0x80808080) === 0) continue;
    if (hasControlIn(bytes, before + 4 * i, before + 4 * i + 4)) return true;
  }
  return hasControlIn(bytes, before + 4 * words.length, bytes.length);
}

function hasControlIn(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? SPACE;
    if (byte < SPACE && byte !== TAB && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) return true;
  }
  return false;
}
