/**
 * A scanner of XML markup: how deep elements and tables nest, how many attributes and how much text they have, and
 * whether a document type is declared. It is many times as fast as a parser. In all that an XML processor would accept
 * it sees the same markup, and the engine's parser ends at the first thing that is not well-formed: what the scanner
 * makes of the rest does no harm.
 */
import { MAX_ATTRIBUTES, MAX_ELEMENT_DEPTH, MAX_PARAGRAPH_BYTES, MAX_TABLE_DEPTH } from './limits.ts';
import { Tag } from './tag.ts';

/** What is wrong with an XML part. A document type without an internal subset declares no entities. */
export type XmlFault = 'doctype' | 'doctype-subset' | 'nesting' | 'attributes' | 'encoding' | 'paragraph';

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

/** A local name as a number, as `#name` computes it: of long ones the end, which with the length tells them apart. */
const nameNumber = (name: string): number =>
  [...Buffer.from(name)].reduce((sum, byte) => (sum << 8) | byte, 0);
/** Elements whose tags are read, by the length of their names. */
const readNames: { readonly name: string; readonly number: number }[] = [];
for (const name of ['style', 'basedOn', 'dataBinding'])
  readNames[name.length] = { name, number: nameNumber(name) };
/** What is kept of such a tag; values are some dozens of bytes long. */
const MAX_TAG_BYTES = 65_536;

/** What an open element is, as far as it counts. */
const OTHER_ELEMENT = 0;
const TABLE_ELEMENT = 1;
const PARAGRAPH_ELEMENT = 2;
/** Text, also what is in other elements inside it. */
const TEXT_ELEMENT = 3;
/** Properties of a run, or of the mark that ends a paragraph. */
const PROPERTIES_ELEMENT = 4;
/** What a tracked change takes away; in properties, it joins the paragraph to the next. */
const DELETED_ELEMENT = 5;
/** A character as an element. The engine takes longer for it than for text. */
const CHARACTER_ELEMENT = 6;
/** One that is a portion of its line for itself. */
const PORTION_ELEMENT = 7;
/** Runs that are formatted in turns take the engine quadratic time: 16,000 up to a minute. Long paragraphs have 600. */
const RUN_ELEMENT = 8;

/** The bytes of text that take the engine as long. */
const CHARACTER_BYTES = 4;
const PORTION_BYTES = 32;
const RUN_BYTES = 8;

/** By the length of their names. */
const kinds: { readonly number: number; readonly kind: number }[][] = [];
for (const [name, kind] of [
  ['tbl', TABLE_ELEMENT],
  ['p', PARAGRAPH_ELEMENT],
  ['t', TEXT_ELEMENT],
  ['r', RUN_ELEMENT],
  ['delText', TEXT_ELEMENT],
  ['rPr', PROPERTIES_ELEMENT],
  ['del', DELETED_ELEMENT],
  ['moveFrom', DELETED_ELEMENT],
  ['tab', CHARACTER_ELEMENT],
  ['sym', PORTION_ELEMENT],
  ['noBreakHyphen', PORTION_ELEMENT],
  ['softHyphen', CHARACTER_ELEMENT],
] as const) {
  kinds[name.length] ??= [];
  kinds[name.length]?.push({ number: nameNumber(name), kind });
}

/** The text of an open paragraph. */
interface ParagraphText {
  bytes: number;
  /** Of these, what stays when tracked changes are made, and that of paragraphs joined to this one. */
  kept: number;
  isJoined: boolean;
}

/** Reads a part in pieces, as bytes of an encoding in which ASCII means ASCII. */
export class XmlScanner {
  #state = TEXT;
  #fault: XmlFault | undefined;
  #declaresType = false;
  #depth = 0;
  #tables = 0;
  /** By depth: what the open element is, and how many attributes it has. */
  readonly #kinds = new Uint8Array(MAX_ELEMENT_DEPTH + 1);
  readonly #attributes = new Uint16Array(MAX_ELEMENT_DEPTH + 1);
  /** Attributes of the tag that is being read, and those of all open elements. */
  #tagAttributes = 0;
  #openAttributes = 0;
  /** Nodes so far, but for plain text: elements, attributes, comments, sections, instructions. */
  #nodes = 0;
  /** The open paragraphs, the innermost last, and what the next goes on from. */
  readonly #paragraphs: ParagraphText[] = [];
  #joinedBytes = 0;
  #isText = false;
  /** How many open elements are taken away. */
  #deleted = 0;
  #hasLongParagraph = false;
  readonly #onTag: ((tag: Tag) => void) | undefined;
  /** The name of the element whose tag is read, where its attributes begin in this piece, and what came before. */
  #readTagName: string | undefined;
  #readFrom = 0;
  readonly #readPieces: Buffer[] = [];
  #readBytes = 0;
  #name = 0;
  #nameLength = 0;
  #declaration = '';
  #quote = QUOTE;
  #afterSlash = false;
  /** Bytes of the comment, section or instruction so far, and the last two of them. */
  #bodyLength = 0;
  #last = 0;
  #secondLast = 0;

  /** @param onTag is given the tags of `style`, `basedOn` and `dataBinding`, whatever their namespaces are. */
  constructor(onTag?: (tag: Tag) => void) {
    this.#onTag = onTag;
  }

  /**
   * What is wrong so far. Behind the first fault the part is not read on, except behind those that are harmless in some
   * parts: `doctype` and `paragraph`.
   */
  get faults(): XmlFault[] {
    const found: XmlFault[] = this.#fault ? [this.#fault] : [];
    if (this.#declaresType && !this.#fault) found.push('doctype');
    if (this.#hasLongParagraph) found.push('paragraph');
    return found;
  }

  /** Nodes so far, but for plain text. */
  get nodes(): number {
    return this.#nodes;
  }

  write(bytes: Buffer): void {
    // No XML has it; parsers that find it anyway read the part in some other encoding.
    if (bytes.includes(0)) this.#fault ??= 'encoding';
    for (let i = 0; i < bytes.length && this.#fault === undefined; ) i = this.#step(bytes, i);
    if (this.#readTagName !== undefined && this.#fault === undefined) this.#keepReadTag(bytes);
  }

  /** Reads on from `i` in the present state; where the next state begins. */
  #step(bytes: Buffer, i: number): number {
    switch (this.#state) {
      case TEXT:
        return this.#readText(bytes, i);
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

  #readText(bytes: Buffer, i: number): number {
    const next = this.#find(bytes, LESS, i, MARKUP);
    if (this.#isText) this.#addText(next - i);
    return next;
  }

  #addText(bytes: number): void {
    const paragraph = this.#paragraphs[this.#paragraphs.length - 1];
    if (paragraph === undefined) return;
    paragraph.bytes += bytes;
    if (this.#deleted === 0) paragraph.kept += bytes;
    this.#hasLongParagraph ||= Math.max(paragraph.bytes, paragraph.kept) > MAX_PARAGRAPH_BYTES;
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
      this.#tagAttributes = 0;
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
    // Fields of the scanner take longer to read and write than variables.
    let [name, length, i] = [this.#name, this.#nameLength, start];
    for (; i < bytes.length; i += 1) {
      const byte = bytes[i] as number;
      if (byte <= SPACE || byte === SLASH || byte === GREATER) {
        this.#state = TAG;
        break;
      }
      name = byte === COLON ? 0 : (name << 8) | byte;
      length = byte === COLON ? 0 : length + 1;
    }
    this.#name = name;
    this.#nameLength = length;
    if (this.#state === TAG && readNames[length]?.number === name) this.#beginReadTag(i);
    return i;
  }

  #readTag(bytes: Buffer, start: number): number {
    let afterSlash = this.#afterSlash;
    for (let i = start; i < bytes.length; i += 1) {
      const byte = bytes[i] as number;
      if (byte === GREATER) {
        if (this.#readTagName !== undefined) this.#endReadTag(bytes, i);
        this.#open();
        if (afterSlash) this.#close();
        this.#state = TEXT;
        return i + 1;
      }
      afterSlash = byte === SLASH;
      if (byte === QUOTE || byte === APOSTROPHE) {
        this.#afterSlash = false;
        this.#quote = byte;
        this.#tagAttributes += 1;
        this.#state = QUOTED;
        return i + 1;
      }
    }
    this.#afterSlash = afterSlash;
    return bytes.length;
  }

  #open(): void {
    this.#depth += 1;
    this.#nodes += 1 + this.#tagAttributes;
    this.#openAttributes += this.#tagAttributes;
    this.#attributes[this.#depth] = this.#tagAttributes;
    const outer = this.#kinds[this.#depth - 1] ?? OTHER_ELEMENT;
    const kind = this.#kind() ?? (outer === TEXT_ELEMENT ? TEXT_ELEMENT : OTHER_ELEMENT);
    this.#kinds[this.#depth] = kind;
    this.#isText = kind === TEXT_ELEMENT;
    if (kind > TEXT_ELEMENT) this.#openPiece(kind, outer);
    else if (kind === TABLE_ELEMENT) this.#tables += 1;
    else if (kind === PARAGRAPH_ELEMENT) {
      this.#paragraphs.push({ bytes: 0, kept: this.#joinedBytes, isJoined: false });
      this.#joinedBytes = 0;
    }
    if (this.#depth > MAX_ELEMENT_DEPTH || this.#tables > MAX_TABLE_DEPTH) this.#fault = 'nesting';
    else if (this.#openAttributes > MAX_ATTRIBUTES) this.#fault = 'attributes';
  }

  #kind(): number | undefined {
    const named = kinds[this.#nameLength];
    if (named === undefined) return undefined;
    for (const { number, kind } of named) if (number === this.#name) return kind;
    return undefined;
  }

  /** An element that says something of the text of a paragraph. */
  #openPiece(kind: number, outer: number): void {
    if (kind === CHARACTER_ELEMENT) this.#addText(CHARACTER_BYTES);
    if (kind === PORTION_ELEMENT) this.#addText(PORTION_BYTES);
    if (kind === RUN_ELEMENT) this.#addText(RUN_BYTES);
    if (kind !== DELETED_ELEMENT) return;
    this.#deleted += 1;
    const paragraph = this.#paragraphs[this.#paragraphs.length - 1];
    if (outer === PROPERTIES_ELEMENT && paragraph !== undefined) paragraph.isJoined = true;
  }

  #endTag(bytes: Buffer, i: number): number {
    const next = this.#find(bytes, GREATER, i, TEXT);
    if (this.#state === TEXT) this.#close();
    return next;
  }

  #close(): void {
    if (this.#depth === 0) return;
    const kind = this.#kinds[this.#depth];
    if (kind === TABLE_ELEMENT) this.#tables -= 1;
    else if (kind === DELETED_ELEMENT) this.#deleted -= 1;
    else if (kind === PARAGRAPH_ELEMENT) {
      const closed = this.#paragraphs.pop();
      this.#joinedBytes = closed?.isJoined ? closed.kept : 0;
    }
    this.#openAttributes -= this.#attributes[this.#depth] ?? 0;
    this.#depth -= 1;
    this.#isText = this.#kinds[this.#depth] === TEXT_ELEMENT;
  }

  #beginReadTag(i: number): void {
    if (!this.#onTag) return;
    this.#readTagName = readNames[this.#nameLength]?.name;
    this.#readFrom = i;
  }

  /** The tag goes on in the next piece. */
  #keepReadTag(bytes: Buffer): void {
    const piece = bytes.subarray(this.#readFrom);
    this.#readBytes += piece.length;
    this.#readFrom = 0;
    if (this.#readBytes > MAX_TAG_BYTES) this.#fault = 'attributes';
    else this.#readPieces.push(Buffer.from(piece));
  }

  #endReadTag(bytes: Buffer, end: number): void {
    const attributes = Buffer.concat([...this.#readPieces, bytes.subarray(this.#readFrom, end)]);
    this.#readPieces.length = 0;
    this.#readBytes = 0;
    if (this.#readTagName !== undefined)
      this.#onTag?.(new Tag(this.#readTagName, attributes.toString(), this.#depth));
    this.#readTagName = undefined;
  }

  #startBody(state: number): void {
    this.#nodes += 1;
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
        if (this.#isText && this.#state === CDATA) this.#addText(at - start);
        this.#state = TEXT;
        return at + 1;
      }
    }
    if (this.#isText && this.#state === CDATA) this.#addText(bytes.length - start);
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
