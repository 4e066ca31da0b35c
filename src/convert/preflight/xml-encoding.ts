/** Whether a part is XML, and in which encoding its markup stands: by its first bytes, as parsers find out. */
import type { XmlFault } from './xml-scanner.ts';

/** Bytes at the beginning of a part that tell. */
export const XML_HEAD_BYTES = 1_024;

export interface XmlEncoding {
  /** Bytes a character takes. */
  readonly unit: 1 | 2;
  readonly bigEndian: boolean;
  /** The encoding is none that packages may use (ECMA-376 part 2, 6.1.4), or cannot be told. */
  readonly fault?: XmlFault;
}

const EBCDIC = Buffer.from([0x4c, 0x6f, 0xa7, 0x94]);
/** Encodings in which all markup is ASCII: more than packages may use, as nothing else is wrong with them. */
const BYTE_ENCODINGS = /^(utf-?8|(us-)?ascii|iso-?8859-?\d+|latin-?\d|(windows|cp)-?125\d)$/i;
const UTF_8_DECLARATION = Buffer.from('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>');
const UTF_16 = /^(utf-?16(-?[lb]e)?|iso-10646-ucs-2|ucs-2|utf-?8)$/i;

/** Undefined where no parser reads XML in it. */
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
    return isReadable(text, encoding) ? encoding : { ...encoding, fault: 'encoding' };
  }
  return undefined;
}

/** Has the pieces of a part in UTF-16 in UTF-8; undefined for an encoding in which ASCII means ASCII. */
export function xmlDecoder({ unit, bigEndian }: XmlEncoding): ((bytes: Buffer) => Buffer) | undefined {
  if (unit === 1) return undefined;
  const decoder = new TextDecoder(bigEndian ? 'utf-16be' : 'utf-16le');
  return (bytes) => Buffer.from(decoder.decode(bytes, { stream: true }));
}

/**
 * The text in an encoding of one byte a character, in which ASCII means ASCII and all else is 0xff.
 *
 * @param bytes a whole number of characters; one that is cut off is passed over.
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

/** The part in an encoding in which ASCII is ASCII: one in UTF-16 becomes UTF-8. */
export function withAsciiMarkup(part: Buffer): Buffer {
  const encoding = xmlEncoding(part.subarray(0, XML_HEAD_BYTES));
  if (encoding?.unit !== 2) return part;
  const text = new TextDecoder(encoding.bigEndian ? 'utf-16be' : 'utf-16le').decode(part);
  const declaration = /^<\?xml[^>]*\?>/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([UTF_8_DECLARATION, Buffer.from(text.slice(declaration))]);
}

/** `<` and what may follow it, in four bytes each. */
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

function isReadable(text: string, { unit }: XmlEncoding): boolean {
  if (!/^<\?xml\s/.test(text)) return true;
  const end = text.indexOf('?>');
  if (end < 0) return false;
  const declaration = text.slice(0, end);
  const name = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  if (!name) return !declaration.includes('encoding');
  return (unit === 1 ? BYTE_ENCODINGS : UTF_16).test(name[1] ?? name[2] ?? '');
}
