/**
 * A scanner of XML markup: how deep elements and tables nest, and whether a document type is declared. It is many
 * times as fast as a parser. In all that an XML processor would accept it sees the same markup, and the engine's
 * parser ends at the first thing that is not well-formed: what the scanner makes of the rest does no harm.
 */
import { MAX_ELEMENT_DEPTH, MAX_TABLE_DEPTH } from './limits.ts';

/** What is wrong with an XML part. A document type without an internal subset declares no entities. */
export type XmlFault = 'doctype' | 'doctype-subset' | 'nesting' | 'encoding';

const TEXT = 0;
const MARKUP = 1;
const DECLARATION = 2;
const NAME = 3;
const TAG = 4;
const QUOTED = 5;
const END_TAG = 6;
const COMMENT = 7;
const CDATA = 8;
const INSTRUCTION = 9;
const DOCTYPE = 10;

const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const DASH = 0x2d;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** The local name `tbl` as a number, as `#name` computes it. */
const TABLE_NAME = 0x74626c;
const TABLE_NAME_LENGTH = 3;

/** Reads a part in pieces, as bytes of an encoding in which ASCII means ASCII. */
export class XmlScanner {
  #state = TEXT;
  #fault: XmlFault | undefined;
  #declaresType = false;
  #depth = 0;
  #tables = 0;
  /** By depth: 1 where the open element is a table. */
  readonly #isTable = new Uint8Array(MAX_ELEMENT_DEPTH + 1);
  #name = 0;
  #nameLength = 0;
  #declaration = '';
  #quote = QUOTE;
  #afterSlash = false;
  /** Bytes of the comment, section or instruction so far, and the last two of them. */
  #bodyLength = 0;
  #last = 0;
  #secondLast = 0;

  /** What is wrong so far; a part that has a fault need not be read on, unless it is `doctype`. */
  get fault(): XmlFault | undefined {
    return this.#fault ?? (this.#declaresType ? 'doctype' : undefined);
  }

  write(bytes: Buffer): void {
    // No XML has it; parsers that find it anyway read the part in some other encoding.
    if (bytes.includes(0)) this.#fault ??= 'encoding';
    for (let i = 0; i < bytes.length && this.#fault === undefined; ) i = this.#step(bytes, i);
  }

  /** Reads on from `i` in the present state; where the next state begins. */
  #step(bytes: Buffer, i: number): number {
    switch (this.#state) {
      case TEXT:
        return this.#find(bytes, LESS, i, MARKUP);
      case MARKUP:
        return this.#markup(bytes, i);
      case DECLARATION:
        return this.#declare(bytes, i);
      case NAME:
        return this.#readName(bytes, i);
      case TAG:
        return this.#readTag(bytes, i);
      case QUOTED:
        return this.#find(bytes, this.#quote, i, TAG);
      case END_TAG:
        return this.#endTag(bytes, i);
      case COMMENT:
        return this.#readBody(bytes, i, DASH, 2);
      case CDATA:
        return this.#readBody(bytes, i, CLOSING_BRACKET, 2);
      case INSTRUCTION:
        return this.#readBody(bytes, i, QUESTION, 1);
      default:
        return this.#readDoctype(bytes, i);
    }
  }

  #find(bytes: Buffer, byte: number, i: number, next: number): number {
    const at = bytes.indexOf(byte, i);
    if (at < 0) return bytes.length;
    this.#state = next;
    return at + 1;
  }

  #markup(bytes: Buffer, i: number): number {
    const byte = bytes[i];
    if (byte === SLASH) this.#state = END_TAG;
    else if (byte === QUESTION) this.#startBody(INSTRUCTION);
    else if (byte === EXCLAMATION) {
      this.#state = DECLARATION;
      this.#declaration = '';
    } else {
      this.#state = NAME;
      this.#name = 0;
      this.#nameLength = 0;
      this.#afterSlash = false;
      return i;
    }
    return i + 1;
  }

  #declare(bytes: Buffer, i: number): number {
    this.#declaration += String.fromCharCode(bytes[i] ?? 0);
    if (this.#declaration === '--') this.#startBody(COMMENT);
    else if (this.#declaration === '[CDATA[') this.#startBody(CDATA);
    else if (!'--'.startsWith(this.#declaration) && !'[CDATA['.startsWith(this.#declaration)) {
      this.#state = DOCTYPE;
      this.#declaresType = true;
      return i;
    }
    return i + 1;
  }

  #readDoctype(bytes: Buffer, start: number): number {
    for (let i = start; i < bytes.length; i += 1) {
      if (bytes[i] === BRACKET) this.#fault = 'doctype-subset';
      if (bytes[i] === GREATER) this.#state = TEXT;
      if (bytes[i] === BRACKET || bytes[i] === GREATER) return i + 1;
    }
    return bytes.length;
  }

  #readName(bytes: Buffer, start: number): number {
    for (let i = start; i < bytes.length; i += 1) {
      const byte = bytes[i] ?? 0;
      if (byte <= SPACE || byte === SLASH || byte === GREATER) {
        this.#state = TAG;
        return i;
      }
      this.#name = byte === COLON ? 0 : (this.#name << 8) | byte;
      this.#nameLength = byte === COLON ? 0 : this.#nameLength + 1;
    }
    return bytes.length;
  }

  #readTag(bytes: Buffer, start: number): number {
    for (let i = start; i < bytes.length; i += 1) {
      const byte = bytes[i] ?? 0;
      if (byte === GREATER) {
        this.#open();
        if (this.#afterSlash) this.#close();
        this.#state = TEXT;
        return i + 1;
      }
      this.#afterSlash = byte === SLASH;
      if (byte === QUOTE || byte === APOSTROPHE) {
        this.#quote = byte;
        this.#state = QUOTED;
        return i + 1;
      }
    }
    return bytes.length;
  }

  #open(): void {
    this.#depth += 1;
    const isTable = this.#nameLength === TABLE_NAME_LENGTH && this.#name === TABLE_NAME ? 1 : 0;
    this.#isTable[this.#depth] = isTable;
    this.#tables += isTable;
    if (this.#depth > MAX_ELEMENT_DEPTH || this.#tables > MAX_TABLE_DEPTH) this.#fault = 'nesting';
  }

  #endTag(bytes: Buffer, i: number): number {
    const next = this.#find(bytes, GREATER, i, TEXT);
    if (this.#state === TEXT) this.#close();
    return next;
  }

  #close(): void {
    if (this.#depth === 0) return;
    this.#tables -= this.#isTable[this.#depth] ?? 0;
    this.#depth -= 1;
  }

  #startBody(state: number): void {
    this.#state = state;
    this.#bodyLength = 0;
  }

  /** Reads to the `>` behind `count` times the byte `before`; these must belong to the body. */
  #readBody(bytes: Buffer, start: number, before: number, count: number): number {
    for (let at = bytes.indexOf(GREATER, start); at >= 0; at = bytes.indexOf(GREATER, at + 1)) {
      const isEnd =
        this.#bodyLength + at - start >= count &&
        this.#behind(bytes, at - 1) === before &&
        (count === 1 || this.#behind(bytes, at - 2) === before);
      if (isEnd) {
        this.#state = TEXT;
        return at + 1;
      }
    }
    this.#bodyLength += bytes.length - start;
    this.#secondLast = this.#behind(bytes, bytes.length - 2);
    this.#last = bytes[bytes.length - 1] ?? 0;
    return bytes.length;
  }

  /** The byte at `at`, which may lie in the piece before. */
  #behind(bytes: Buffer, at: number): number {
    if (at >= 0) return bytes[at] ?? 0;
    return at === -1 ? this.#last : this.#secondLast;
  }
}
