/** Whether a part is XML, and the encoding of its markup: from its first bytes, as parsers decide. */
import type { XmlFault } from './xml-scanner.ts';

/** Number of leading bytes that are examined. */
export const XML_HEAD_BYTES = 1_024;

export interface XmlEncoding {
  /** Bytes per character. */
  readonly unit: 1 | 2;
  readonly bigEndian: boolean;
  /** As declared, if it is not UTF-8. */
  readonly name?: string;
  /** Bytes before the content once the part is decoded: the mark of UTF-8 and the declaration. */
  readonly bodyStart: number;
  /** The encoding is not allowed in packages (ECMA-376 part 2, 6.1.4), is unknown, or cannot be told for sure. */
  readonly fault?: XmlFault;
}

const EBCDIC = Buffer.from([0x4c, 0x6f, 0xa7, 0x94]);
/** Encodings whose markup is ASCII: more than packages may use. */
const BYTE_ENCODINGS = /^((us-)?ascii|iso-?8859-?\d+|latin-?\d|(windows|cp)-?125\d)$/i;
const UTF_8 = /^utf-?8$/i;
/** Web decoders treat it as Windows-1252; XML parsers do not. */
const LATIN_1 = /^((us-)?ascii|iso-?8859-?1|latin-?1)$/i;
const UTF_16 = /^(utf-?16(-?[lb]e)?|iso-10646-ucs-2|ucs-2)$/i;
const UTF_8_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const UTF_16_MARK = Uint8Array.of(0xfe, 0xff);
/** Text that parsers take for a declaration, and those whose meaning they agree on (XML 1.0, productions 23 to 26, 32, 80, 81). */
const DECLARATION_START = /^<\?xml(?![\w.:\x80-\xff-])/i;
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.\d+\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])([A-Za-z][\w.-]*)\2)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\4)?[ \t\r\n]*\?>/;
/** What a parser may skip before `<`, in any encoding. */
const XML_AT_LAST = /^[\0\t\n\r \xef\xbb\xbf\xfe\xff]*</;

/** Undefined if no parser takes it for XML. */
export function xmlEncoding(head: Buffer): XmlEncoding | undefined {
  if (head.subarray(0, 4).equals(EBCDIC) || isUtf32(head)) {
    return { unit: 1, bigEndian: false, bodyStart: 0, fault: 'encoding' };
  }
  const candidates: readonly Pick<XmlEncoding, 'unit' | 'bigEndian'>[] =
    head[0] === 0xff && head[1] === 0xfe
      ? [{ unit: 2, bigEndian: false }]
      : head[0] === 0xfe && head[1] === 0xff
        ? [{ unit: 2, bigEndian: true }]
        : [
            { unit: 1, bigEndian: false },
            { unit: 2, bigEndian: head[0] === 0 },
          ];
  for (const { unit, bigEndian } of candidates) {
    const mark = unit === 1 ? UTF_8_MARK : bigEndian ? UTF_16_MARK : UTF_16_MARK.toReversed();
    let marks = 0;
    while (head.subarray(mark.length * marks, mark.length * (marks + 1)).equals(mark)) marks += 1;
    const text = toBytes(head.subarray(mark.length * marks), { unit, bigEndian }).toString('latin1');
    if (!beginsAsXml(text, head.length >= XML_HEAD_BYTES)) continue;
    const declared = declaration(text);
    // What decodes UTF-16 leaves out the mark.
    const bodyStart = (unit === 1 ? mark.length * marks : 0) + (declared?.length ?? 0);
    const encoding = { unit, bigEndian, bodyStart };
    if (marks > 1 || !declared) return { ...encoding, fault: 'encoding' };
    const { name } = declared;
    if (name === undefined || UTF_8.test(name)) return encoding;
    const isKnown = unit === 2 ? UTF_16.test(name) : marks === 0 && isByteEncoding(name);
    return isKnown ? { ...encoding, name } : { ...encoding, fault: 'encoding' };
  }
  return undefined;
}

/** Whether a parser that is more lenient than {@link xmlEncoding} might take it for XML. */
export function mayBeXml(head: Buffer): boolean {
  return XML_AT_LAST.test(head.toString('latin1'));
}

/** Converts the pieces of a part to UTF-8; undefined if it is UTF-8. */
export function xmlDecoder(encoding: XmlEncoding): ((bytes: Buffer) => Buffer) | undefined {
  const { unit, bigEndian, name } = encoding;
  if (unit === 2) return streamDecoder(bigEndian ? 'utf-16be' : 'utf-16le');
  if (name === undefined) return undefined;
  const fromLatin1 = (bytes: Buffer) => Buffer.from(bytes.toString('latin1'));
  return LATIN_1.test(name) ? fromLatin1 : streamDecoder(name);
}

function isByteEncoding(name: string): boolean {
  if (!BYTE_ENCODINGS.test(name)) return false;
  try {
    return LATIN_1.test(name) || new TextDecoder(name).encoding !== '';
  } catch {
    return false;
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
function toBytes(bytes: Buffer, { unit, bigEndian }: Pick<XmlEncoding, 'unit' | 'bigEndian'>): Buffer {
  if (unit === 1) return bytes;
  const folded = Buffer.allocUnsafe(bytes.length >> 1);
  const high = bigEndian ? 0 : 1;
  for (let i = 0; i < folded.length; i += 1) {
    const low = bytes[2 * i + 1 - high] ?? 0;
    folded[i] = bytes[2 * i + high] === 0 && low < 0x80 ? low : 0xff;
  }
  return folded;
}

/** `<` and the next character, in four bytes each. */
function isUtf32(head: Buffer): boolean {
  const [first, second] = [head.subarray(0, 4), head.subarray(4, 8)];
  return [0, 1, 2, 3].some((at) => {
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

/** The length of the declaration and the encoding in it; undefined if parsers may disagree about it. */
function declaration(
  text: string,
): { readonly length: number; readonly name?: string | undefined } | undefined {
  if (!DECLARATION_START.test(text)) return { length: 0 };
  const found = DECLARATION.exec(text);
  return found ? { length: found[0].length, name: found[3] } : undefined;
}
