/** Reads the syntax of PDF objects and content streams (ISO 32000-1, 7.2, 7.3 and 7.8.2), in linear time. */
import { KeptWords } from './kept-words.ts';
import { type Dictionary, PdfString, Reference, type Value } from './values.ts';

/** The bytes end where more must follow. */
export class CutOff extends Error {
  constructor() {
    super('an object is cut off');
  }
}

/** A word that is no value: of an object such as `endobj`, or an operator of a content stream. */
export class Word {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How deep arrays and dictionaries may be in each other. */
const MAX_DEPTH = 100;
/** Longest number, name or word, in bytes: names have up to 127. */
const MAX_WORD = 1_024;
/** Longest number of an object. */
const MAX_DIGITS = 10;
/** What numbers with so many digits behind the point are divided by. */
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits);
/** Most bytes that are made to a string one by one: for few, a call of toString takes longer. */
const FEW_BYTES = 8;
/** Room for a hexadecimal string, as most are short. */
const scratch = Buffer.alloc(64);
const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
/** Strings of one byte: most of a page by LibreOffice are, as it moves letters by their kerning. */
const letters = characters.map((character) => new PdfString(character));
const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
/** What each byte is. */
const kinds = new Uint8Array(256);
for (const code of Buffer.from('\0\t\n\f\r ', 'latin1')) kinds[code] = SPACE;
for (const code of Buffer.from('()<>[]{}/%', 'latin1')) kinds[code] = DELIMITER;
/** Of hexadecimal digits; −1 of other bytes. */
const digitValues = new Int8Array(256).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digitValues[digit.charCodeAt(0)] = value;
  digitValues[digit.toUpperCase().charCodeAt(0)] = value;
}
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const [PERCENT, SLASH, OPEN, CLOSE, BACKSLASH] = [0x25, 0x2f, 0x28, 0x29, 0x5c];
const [ARRAY, END_ARRAY, LESS, GREATER] = [0x5b, 0x5d, 0x3c, 0x3e];
const [NEW_LINE, RETURN, CAPITAL_R, ZERO, NINE] = [0x0a, 0x0d, 0x52, 0x30, 0x39];
const [MINUS, POINT] = [0x2d, 0x2e];
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const names = new KeptWords(nameOf);
const words = new KeptWords(wordOf);
const ESCAPE = /\\(?:([0-7]{1,3})|(\r\n|[\s\S]))|\r\n?/g;
/** Ends of an array and of a dictionary, as values. */
const ends = { array: new Word(']'), dictionary: new Word('>>') } as const;

/** What an array of strings and numbers shows: most of a page is these, so nothing is made of each of them. */
export class ShownText {
  /** The codes in the strings, each once: so many of the first places. */
  readonly codes = new Uint8Array(256);
  codeCount = 0;
  /** Strings and numbers. */
  entries = 0;
  /** The longest string, and the largest amounts of numbers without and with a fraction. */
  longest = 0;
  integer = 0;
  real = 0;
  readonly #has = new Uint8Array(256);

  clear(): void {
    for (let index = 0; index < this.codeCount; index += 1) this.#has[this.codes[index] as number] = 0;
    this.codeCount = 0;
    this.entries = 0;
    this.longest = 0;
    this.integer = 0;
    this.real = 0;
  }

  addCode(code: number): void {
    if (this.#has[code] === 1) return;
    this.#has[code] = 1;
    this.codes[this.codeCount] = code;
    this.codeCount += 1;
  }

  /** @param length in bytes. */
  addString(length: number): void {
    this.entries += 1;
    if (length > this.longest) this.longest = length;
  }

  addNumber(value: number): void {
    this.entries += 1;
    const amount = Math.abs(value);
    if (!Number.isInteger(amount)) {
      if (amount > this.real) this.real = amount;
    } else if (amount > this.integer) this.integer = amount;
  }
}

interface ParserOptions {
  /** Position of the first byte to read. */
  readonly at?: number;
  /** Whether nothing follows the bytes; otherwise what touches their end is {@link CutOff}. True by default. */
  readonly isWhole?: boolean;
  /** Whether `5 0 R` is a reference, as in objects; in content streams it is not. True by default. */
  readonly hasReferences?: boolean;
}

export class Parser {
  /** Position of the next byte. */
  at: number;
  readonly #bytes: Buffer;
  readonly #isWhole: boolean;
  readonly #hasReferences: boolean;
  #depth = 0;

  constructor(bytes: Buffer, { at = 0, isWhole = true, hasReferences = true }: ParserOptions = {}) {
    this.#bytes = bytes;
    this.at = at;
    this.#isWhole = isWhole;
    this.#hasReferences = hasReferences;
  }

  /** The next value. @throws Error if there is none; CutOff. */
  value(): Value {
    const found = this.next();
    if (found === undefined || found instanceof Word) {
      throw new Error(`there is "${found?.text.slice(0, 40) ?? ''}" where a value should be`);
    }
    return found;
  }

  /** The next word. @throws Error if there is none; CutOff. */
  word(): string {
    const found = this.next();
    if (found instanceof Word) return found.text;
    throw new Error('there is no word where one should be');
  }

  /** The next value or word; undefined at the end of all. @throws Error if there is neither; CutOff. */
  next(): Value | Word | undefined {
    this.#passSpace();
    const bytes = this.#bytes;
    const code = bytes[this.at];
    if (code === undefined) {
      if (this.#isWhole) return undefined;
      throw new CutOff();
    }
    switch (code) {
      case SLASH: {
        this.at += 1;
        const start = this.at;
        return names.at(bytes, start, this.#passRegular());
      }
      case OPEN:
        return this.#literal();
      case LESS:
        if (this.#following() === LESS) return this.#dictionary();
        return this.#hexadecimal();
      case ARRAY:
        return this.#array();
      case END_ARRAY:
        this.at += 1;
        return ends.array;
      case GREATER:
        if (this.#following() !== GREATER) throw new Error('there is a single ">"');
        this.at += 2;
        return ends.dictionary;
    }
    if (kinds[code] === DELIMITER) throw new Error(`there is a "${String.fromCharCode(code)}" without sense`);
    if (code <= NINE) {
      const isWhole = isDigit(code);
      const number = this.#number();
      if (number !== undefined) {
        const mayRefer = this.#hasReferences && isWhole && Number.isInteger(number);
        return mayRefer ? this.#reference(number) : number;
      }
    }
    const start = this.at;
    return words.at(bytes, start, this.#passRegular());
  }

  /** Reads an array of hexadecimal strings and short numbers, as LibreOffice shows text; false if the next value is none. */
  shown(text: ShownText): boolean {
    this.#passSpace();
    const bytes = this.#bytes;
    const start = this.at;
    if (bytes[start] !== ARRAY) return false;
    text.clear();
    for (let at = start + 1; ; ) {
      const code = bytes[at] as number;
      if (code === LESS) {
        const first = at + 1;
        at = first;
        for (; ; at += 2) {
          // Behind the end there are no digits either.
          const high = digitValues[bytes[at] as number] ?? -1;
          const low = digitValues[bytes[at + 1] as number] ?? -1;
          if (high < 0 || low < 0) break;
          text.addCode((high << 4) | low);
        }
        if (bytes[at] !== GREATER) break;
        text.addString((at - first) >> 1);
        at += 1;
      } else if (code === END_ARRAY) {
        this.at = at + 1;
        return true;
      } else if (kinds[code] === SPACE) at += 1;
      else {
        this.at = at;
        const number = this.#number();
        if (number === undefined) break;
        text.addNumber(number);
        at = this.at;
      }
    }
    this.at = start;
    return false;
  }

  #passSpace(): void {
    const bytes = this.#bytes;
    for (; ; this.at += 1) {
      const code = bytes[this.at];
      if (code === undefined) return;
      if (code === PERCENT) this.#passComment();
      else if (kinds[code] !== SPACE) return;
    }
  }

  #passComment(): void {
    const bytes = this.#bytes;
    while (this.at < bytes.length && bytes[this.at] !== NEW_LINE && bytes[this.at] !== RETURN) this.at += 1;
  }

  /** The byte behind the next one. */
  #following(): number | undefined {
    const code = this.#bytes[this.at + 1];
    if (code === undefined && !this.#isWhole) throw new CutOff();
    return code;
  }

  /** Goes behind regular characters, and says where that is. */
  #passRegular(): number {
    const bytes = this.#bytes;
    let at = this.at;
    while (at < bytes.length && kinds[bytes[at] as number] === REGULAR) at += 1;
    if (at - this.at > MAX_WORD) throw new Error('a name, number or word is too long');
    if (at === bytes.length && !this.#isWhole) throw new CutOff();
    this.at = at;
    return at;
  }

  /** A number of few digits, as most are; undefined, and nothing is read, for others. */
  #number(): number | undefined {
    const bytes = this.#bytes;
    const isNegative = bytes[this.at] === MINUS;
    const start = isNegative ? this.at + 1 : this.at;
    let at = start;
    let value = 0;
    let behindPoint = -1;
    for (; ; at += 1) {
      const code = bytes[at] as number;
      if (code >= ZERO && code <= NINE) {
        value = value * 10 + code - ZERO;
        if (behindPoint >= 0) behindPoint += 1;
      } else if (code === POINT && behindPoint < 0) behindPoint = 0;
      else break;
    }
    const digits = at - start - (behindPoint < 0 ? 0 : 1);
    if (digits === 0 || digits > MAX_DIGITS) return undefined;
    const follows = bytes[at];
    if (follows === undefined) {
      if (!this.#isWhole) throw new CutOff();
    } else if (kinds[follows] === REGULAR) return undefined;
    this.at = at;
    const amount = behindPoint > 0 ? value / (POWERS[behindPoint] as number) : value;
    return isNegative ? -amount : amount;
  }

  /** The reference that a number begins, or the number. */
  #reference(number: number): Value {
    const bytes = this.#bytes;
    let at = this.#behindSpace(this.at);
    const start = at;
    let generation = 0;
    for (; isDigit(bytes[at]); at += 1) generation = generation * 10 + (bytes[at] as number) - ZERO;
    if (at === start || at - start > MAX_DIGITS) return number;
    at = this.#behindSpace(at);
    if (at + 1 >= bytes.length && !this.#isWhole) throw new CutOff();
    const follows = bytes[at + 1];
    if (bytes[at] !== CAPITAL_R || (follows !== undefined && kinds[follows] === REGULAR)) return number;
    this.at = at + 1;
    return new Reference(number, generation);
  }

  #behindSpace(from: number): number {
    let at = from;
    while (at < this.#bytes.length && kinds[this.#bytes[at] as number] === SPACE) at += 1;
    return at;
  }

  #array(): Value[] {
    this.at += 1;
    this.#enter();
    const items: Value[] = [];
    for (let item = this.next(); item !== ends.array; item = this.next()) items.push(this.#inside(item));
    this.#depth -= 1;
    return items;
  }

  #dictionary(): Dictionary {
    this.at += 2;
    this.#enter();
    const dictionary: Record<string, Value> = {};
    for (let key = this.next(); key !== ends.dictionary; key = this.next()) {
      if (typeof key !== 'string') throw new Error('a key of a dictionary is no name');
      dictionary[key] = this.#inside(this.next());
    }
    this.#depth -= 1;
    return dictionary;
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Error('arrays and dictionaries are nested too deeply');
  }

  #inside(item: Value | Word | undefined): Value {
    if (item === undefined) throw new CutOff();
    if (item instanceof Word) throw new Error(`there is "${item.text.slice(0, 40)}" inside an object`);
    return item;
  }

  #hexadecimal(): PdfString {
    const bytes = this.#bytes;
    if (bytes[this.at + 3] === GREATER) {
      const [high, low] = [bytes[this.at + 1] as number, bytes[this.at + 2] as number];
      const letter = letters[((digitValues[high] as number) << 4) | (digitValues[low] as number)];
      if (letter) {
        this.at += 4;
        return letter;
      }
    }
    let [decoded, digits, at] = [scratch, 0, this.at + 1];
    for (let code = bytes[at]; code !== GREATER; code = bytes[at]) {
      if (code === undefined) throw new CutOff();
      at += 1;
      const digit = digitValues[code] as number;
      if (digit < 0) {
        if (kinds[code] === SPACE) continue;
        throw new Error('a hexadecimal string has other characters');
      }
      const index = digits >> 1;
      if (index === decoded.length) decoded = Buffer.concat([decoded], 2 * decoded.length);
      // A missing last digit is 0.
      decoded[index] = digits % 2 === 0 ? digit << 4 : (decoded[index] as number) | digit;
      digits += 1;
    }
    this.at = at + 1;
    return new PdfString(latin1(decoded, 0, (digits + 1) >> 1));
  }

  #literal(): PdfString {
    const bytes = this.#bytes;
    const start = this.at + 1;
    let at = start;
    for (let depth = 1; ; at += 1) {
      const code = bytes[at];
      if (code === undefined) throw new CutOff();
      if (code === BACKSLASH) at += 1;
      else if (code === OPEN) depth += 1;
      else if (code === CLOSE) depth -= 1;
      if (depth === 0) break;
    }
    this.at = at + 1;
    const text = bytes.toString('latin1', start, at);
    return new PdfString(text.includes('\\') || text.includes('\r') ? text.replace(ESCAPE, unescaped) : text);
  }
}

function unescaped(written: string, octal: string | undefined, character: string | undefined): string {
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
  // A line end is one, however it is written; behind a backslash it is none.
  if (character === undefined) return '\n';
  if (/[\r\n]/.test(character)) return '';
  return ESCAPES[character] ?? written.slice(1);
}

/** Bytes as characters; most are few, for which a call of toString takes longer. */
function latin1(bytes: Buffer, start: number, end: number): string {
  if (end - start > FEW_BYTES) return bytes.toString('latin1', start, end);
  let text = '';
  for (let at = start; at < end; at += 1) text += characters[bytes[at] as number];
  return text;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE;
}

function wordOf(text: string): Value | Word {
  if (NUMBER.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text === 'null' ? null : new Word(text);
}

function nameOf(text: string): string {
  const name = text.includes('#')
    ? text.replace(/#([0-9A-Fa-f]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text;
  return `/${name}`;
}
