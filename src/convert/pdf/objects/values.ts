/** Values of PDF objects (ISO 32000-1, 7.3), and how they are written. */

/** Each string is a name, decoded and with its `/`, so no name means anything to JavaScript. */
export type Value = null | boolean | number | string | PdfString | Reference | readonly Value[] | Dictionary;

/** The keys are names. */
export interface Dictionary {
  readonly [key: string]: Value;
}

/** A string object, which is text only for those who know its key. */
export class PdfString {
  /** A character for each byte. */
  readonly bytes: string;

  constructor(bytes: string) {
    this.bytes = bytes;
  }

  /** A text string: UTF-16 with a byte order mark where ASCII does not do. */
  static of(text: string): PdfString {
    if (/^[\x20-\x7e]*$/.test(text)) return new PdfString(text);
    return new PdfString(`\xfe\xff${Buffer.from(text, 'utf16le').swap16().toString('latin1')}`);
  }

  /** What it says as a text string (7.9.2). */
  get text(): string {
    const { bytes } = this;
    if (bytes.startsWith('\xfe\xff')) {
      const units = Buffer.from(bytes.slice(2, bytes.length - (bytes.length % 2)), 'latin1');
      return units.swap16().toString('utf16le');
    }
    if (bytes.startsWith('\xef\xbb\xbf')) return Buffer.from(bytes.slice(3), 'latin1').toString('utf8');
    return Array.from(bytes, documentCharacter).join('');
  }
}

/** PDFDocEncoding (annex D.2) where it is not Latin-1: 0x18 to 0x1f, and 0x80 to 0xa0. */
const [LOW, HIGH] = ['˘ˇˆ˙˝˛˚˜', '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€'];

function documentCharacter(byte: string): string {
  const code = byte.charCodeAt(0);
  return LOW[code - 0x18] ?? HIGH[code - 0x80] ?? byte;
}

/** Refers to an object by its number. */
export class Reference {
  readonly number: number;
  readonly generation: number;

  constructor(number: number, generation = 0) {
    this.number = number;
    this.generation = generation;
  }

  toString(): string {
    return `${this.number} ${this.generation} R`;
  }
}

export function isName(value: Value | undefined): value is string {
  return typeof value === 'string';
}

export function isArray(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isDictionary(value: Value | undefined): value is Dictionary {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Reference) &&
    !(value instanceof PdfString)
  );
}

/** Most digits behind the point: more than any unit of a page needs. */
const FRACTION_DIGITS = 10;
const IRREGULAR = /[^!-~]|[#()<>[\]{}/%]/g;
const PLAIN_STRING = /^[\n\x20-\x7e]*$/;

/**
 * The text of a value, with a character for each byte. It starts with a delimiter or, for numbers, words and references, with
 * a blank, so that values can be written one behind the other.
 *
 * @throws Error if an array or dictionary is in itself.
 */
export function written(value: Value): string {
  if (typeof value === 'string') return writtenName(value);
  if (typeof value === 'number') return ` ${writtenNumber(value)}`;
  if (value === null || typeof value === 'boolean') return ` ${value}`;
  if (value instanceof Reference) return ` ${value}`;
  if (value instanceof PdfString) return writtenString(value);
  if (isArray(value)) return `[${value.map(written).join('').replace(/^ /, '')}]`;
  let text = '<<';
  for (const key in value) text += writtenName(key) + written((value as Dictionary)[key] ?? null);
  return `${text}>>`;
}

/** Names as they are written: there are few, and they come often. */
const writtenNames = new Map<string, string>();
const MAX_NAMES = 4_096;

function writtenName(name: string): string {
  const known = writtenNames.get(name);
  if (known !== undefined) return known;
  const escaped = (character: string) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const text = `/${name.slice(1).replace(IRREGULAR, escaped)}`;
  if (writtenNames.size < MAX_NAMES) writtenNames.set(name, text);
  return text;
}

function writtenNumber(value: number): string {
  const text = String(value);
  // PDF has no exponents.
  return text.includes('e') ? value.toFixed(FRACTION_DIGITS) : text;
}

function writtenString({ bytes }: PdfString): string {
  if (!PLAIN_STRING.test(bytes)) return `<${Buffer.from(bytes, 'latin1').toString('hex').toUpperCase()}>`;
  return `(${bytes.replace(/[\\()]/g, '\\$&')})`;
}
