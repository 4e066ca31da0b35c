/** Whether a part is XML, and the encoding of its markup: from its first bytes, as parsers decide. */
import { attributeOf } from '../document/markup.ts';
import type { XmlFault } from './xml-scanner.ts';

/** Number of leading bytes that are examined. */
export const XML_HEAD_BYTES = 1_024;

export interface XmlEncoding {
  /** Bytes per character. */
  readonly unit: 1 | 2;
  readonly bigEndian: boolean;
  /** As declared, if it is not UTF-8. */
  readonly name?: string;
  /** The encoding is not allowed in packages (ECMA-376 part 2, 6.1.4), or is unknown. */
  readonly fault?: XmlFault;
}

const EBCDIC = Buffer.from([0x4c, 0x6f, 0xa7, 0x94]);
/** Encodings whose markup is ASCII: more than packages may use, so that other faults are found as well. */
const BYTE_ENCODINGS = /^((us-)?ascii|iso-?8859-?\d+|latin-?\d|(windows|cp)-?125\d)$/i;
const UTF_8 = /^utf-?8$/i;
/** Web decoders treat it as Windows-1252; XML parsers do not. */
const LATIN_1 = /^((us-)?ascii|iso-?8859-?1|latin-?1)$/i;
const UTF_8_DECLARATION = Buffer.from('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>');
const UTF_16 = /^(utf-?16(-?[lb]e)?|iso-10646-ucs-2|ucs-2)$/i;

/** Undefined if no parser takes it for XML. */
export function xmlEncoding(head: Buffer): XmlEncoding | undefined {
  if (head.subarray(0, 4).equals(EBCDIC) || isUtf32(head)) {
    return { unit: 1, bigEndian: false, fault: 'encoding' };
  }
  const candidates: readonly XmlEncoding[] =
    head[0] === 0xff && head[1] === 0xfe
      ? [{ unit: 2, bigEndian: false }]
      : head[0] === 0xfe && head[1] === 0xff
        ? [{ unit: 2, bigEndian: true }]
        : [
            { unit: 1, bigEndian: false },
            { unit: 2, bigEndian: head[0] === 0 },
          ];
  for (const encoding of candidates) {
    const text = toBytes(head, encoding)
      .toString('latin1')
      .replace(/^(\xef\xbb\xbf|\xff)/, '');
    if (!beginsAsXml(text, head.length >= XML_HEAD_BYTES)) continue;
    const name = declaredEncoding(text);
    if (name === undefined) return { ...encoding, fault: 'encoding' };
    if (name === '' || UTF_8.test(name)) return encoding;
    const known = encoding.unit === 1 ? BYTE_ENCODINGS : UTF_16;
    return known.test(name) ? { ...encoding, name } : { ...encoding, fault: 'encoding' };
  }
  return undefined;
}

/** Converts the pieces of a part to UTF-8; undefined if it is UTF-8. */
export function xmlDecoder(encoding: XmlEncoding): ((bytes: Buffer) => Buffer) | undefined {
  const { unit, bigEndian, name } = encoding;
  if (unit === 2) return streamDecoder(bigEndian ? 'utf-16be' : 'utf-16le');
  if (name === undefined) return undefined;
  const fromLatin1 = (bytes: Buffer) => Buffer.from(bytes.toString('latin1'));
  if (LATIN_1.test(name)) return fromLatin1;
  try {
    return streamDecoder(name);
  } catch {
    // An encoding that only the engine's parser may know. Distinct bytes stay distinct.
    return fromLatin1;
  }
}

/** @throws RangeError if the encoding is unknown. */
function streamDecoder(name: string): (bytes: Buffer) => Buffer {
  const decoder = new TextDecoder(name);
  return (bytes) => Buffer.from(decoder.decode(bytes, { stream: true }));
}

/**
 * Converts text to one byte per character: ASCII, and 0xff for everything else.
 *
 * @param bytes whole characters; an incomplete last one is ignored.
 */
function toBytes(bytes: Buffer, { unit, bigEndian }: XmlEncoding): Buffer {
  if (unit === 1) return bytes;
  const folded = Buffer.allocUnsafe(bytes.length >> 1);
  const high = bigEndian ? 0 : 1;
  for (let i = 0; i < folded.length; i += 1) {
    const low = bytes[2 * i + 1 - high] ?? 0;
    folded[i] = bytes[2 * i + high] === 0 && low < 0x80 ? low : 0xff;
  }
  return folded;
}

/** Converts a part to an ASCII-compatible encoding: UTF-16 becomes UTF-8. */
export function withAsciiMarkup(part: Buffer): Buffer {
  const encoding = xmlEncoding(part.subarray(0, XML_HEAD_BYTES));
  if (encoding?.unit !== 2) return part;
  const text = new TextDecoder(encoding.bigEndian ? 'utf-16be' : 'utf-16le').decode(part);
  const declaration = text.startsWith('<?xml') ? text.indexOf('?>') + '?>'.length : 0;
  return Buffer.concat([UTF_8_DECLARATION, Buffer.from(text.slice(declaration))]);
}

/** `<` and the next character, in four bytes each. */
function isUtf32(head: Buffer): boolean {
  const [first, second] = [head.subarray(0, 4), head.subarray(4, 8)];
  return [0, 3].some((at) => {
    const only = (bytes: Buffer) => bytes.length === 4 && bytes.every((byte, i) => i === at || byte === 0);
    return (
      only(first) && only(second) && beginsAsXml(String.fromCharCode(first[at] ?? 0, second[at] ?? 0), false)
    );
  });
}

function beginsAsXml(text: string, isCut: boolean): boolean {
  const start = text.trimStart();
  return /^<[A-Za-z_:?!\x80-\xff]/.test(start) || (start === '' && isCut);
}

/** Empty if the part declares none; undefined if it cannot be decided. */
function declaredEncoding(text: string): string | undefined {
  if (!/^<\?xml\s/.test(text)) return '';
  const end = text.indexOf('?>');
  if (end < 0) return undefined;
  const declaration = text.slice(0, end);
  return attributeOf(declaration, 'encoding') ?? (declaration.includes('encoding') ? undefined : '');
}
