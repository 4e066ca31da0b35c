/**
 * Measures what reading an XML part costs: the nesting of elements and tables, the number of attributes, and the amount of text;
 * and whether it declares a document type. It is many times as fast as a parser.
 */
import { changeElements } from '../document/change-elements.ts';
import { MAX_SPLIT_TAG, MarkupLexer } from '../document/markup-lexer.ts';
import { SeenNames } from '../document/markup-names.ts';
import { fromBytes } from '../text/bytes.ts';
import { MAX_ATTRIBUTES, MAX_ELEMENT_DEPTH, MAX_PARAGRAPH_BYTES, MAX_TABLE_DEPTH } from './limits.ts';
import { Tag } from './tag.ts';

/** What is wrong with an XML part. A document type without an internal subset declares no entities. */
export type XmlFault = 'doctype' | 'doctype-subset' | 'nesting' | 'attributes' | 'encoding' | 'paragraph';

const SLASH = 0x2f;

/** Kinds of open elements. */
const OTHER_ELEMENT = 0;
const TABLE_ELEMENT = 1;
const PARAGRAPH_ELEMENT = 2;
/** Text, also what is in other elements inside it. */
const TEXT_ELEMENT = 3;
/** A character as an element. The engine takes longer for it than for text. */
const CHARACTER_ELEMENT = 4;
/** A character that is a line portion of its own. */
const PORTION_ELEMENT = 5;
/** Runs that are formatted in turns take the engine quadratic time: 16,000 up to a minute. Long paragraphs have 600. */
const RUN_ELEMENT = 6;
/** An element whose tag is read, or of a tracked change; otherwise they count as any other. */
const READ_ELEMENT = 7;
const CHANGE_ELEMENT = 8;

/** Bytes of text that cost the engine as much as one such element. */
const CHARACTER_BYTES = 4;
const PORTION_BYTES = 32;
const RUN_BYTES = 8;

/** By the length of their local names. */
const kinds: { readonly name: string; readonly first: number; readonly kind: number }[][] = [];
for (const [name, kind] of [
  ['tbl', TABLE_ELEMENT],
  ['p', PARAGRAPH_ELEMENT],
  ['t', TEXT_ELEMENT],
  ['r', RUN_ELEMENT],
  ['delText', TEXT_ELEMENT],
  ['tab', CHARACTER_ELEMENT],
  ['sym', PORTION_ELEMENT],
  ['noBreakHyphen', PORTION_ELEMENT],
  ['softHyphen', CHARACTER_ELEMENT],
  ['style', READ_ELEMENT],
  ['basedOn', READ_ELEMENT],
  ['dataBinding', READ_ELEMENT],
  ...changeElements.map((name) => [name, CHANGE_ELEMENT] as const),
] as const) {
  kinds[name.length] ??= [];
  kinds[name.length]?.push({ name, first: name.charCodeAt(0), kind });
}

/** Reads a part in pieces, as bytes of an encoding in which ASCII means ASCII. */
export class XmlScanner {
  #fault: XmlFault | undefined;
  #declaresType = false;
  #depth = 0;
  #tables = 0;
  /** By depth: what the open element is, and how many attributes it has. */
  readonly #kinds = new Uint8Array(MAX_ELEMENT_DEPTH + 1);
  readonly #attributes = new Uint32Array(MAX_ELEMENT_DEPTH + 1);
  /** Attributes of all open elements. */
  #openAttributes = 0;
  #nodes = 0;
  /** Bytes of text in each open paragraph, the innermost last. */
  readonly #paragraphs: number[] = [];
  #isText = false;
  #hasLongParagraph = false;
  #mayHaveChange = false;
  readonly #names: SeenNames;
  readonly #onTag: ((tag: Tag) => void) | undefined;
  readonly #lexer = new MarkupLexer({
    open: (xml, start, local, nameEnd, end, values) => this.#open(xml, start, local, nameEnd, end, values),
    close: () => this.#close(),
    text: (_, start, end) => this.#readText(end - start),
    section: (_, start, end) => this.#readText(end - start),
    other: (kind) => {
      if (kind === 'doctype') this.#declaresType = true;
      else if (kind === 'subset') this.#refuse('doctype-subset');
      else this.#nodes += 1;
    },
  });

  /**
   * @param onTag is given the tags of `style`, `basedOn` and `dataBinding`, whatever their namespaces are.
   * @param wanted local names that are looked for.
   */
  constructor(onTag?: (tag: Tag) => void, wanted: ReadonlySet<string> = new Set()) {
    this.#onTag = onTag;
    this.#names = new SeenNames(wanted);
  }

  /**
   * Faults so far. Reading stops at the first fault, except at those
   * that are harmless in some parts: `doctype` and `paragraph`.
   */
  get faults(): XmlFault[] {
    const found: XmlFault[] = this.#fault ? [this.#fault] : [];
    if (this.#declaresType && !this.#fault) found.push('doctype');
    if (this.#hasLongParagraph) found.push('paragraph');
    return found;
  }

  /** Nodes so far, but for plain text: elements, attributes, comments, sections, instructions. */
  get nodes(): number {
    return this.#nodes;
  }

  /** Those of the wanted names that elements had so far. */
  get names(): ReadonlySet<string> {
    return this.#names.found;
  }

  /** Whether there has been an element that is called like one of a tracked change. */
  get mayHaveChange(): boolean {
    return this.#mayHaveChange;
  }

  write(bytes: Buffer): void {
    // XML never has a NUL; parsers that find one read the part in another encoding.
    if (bytes.includes(0)) this.#refuse('encoding');
    this.#lexer.write(bytes.toString('latin1'));
  }

  #refuse(fault: XmlFault): void {
    this.#fault ??= fault;
    this.#lexer.stop();
  }

  #open(xml: string, start: number, local: number, nameEnd: number, end: number, values: number): void {
    this.#names.add(xml, local, nameEnd);
    const outer = this.#kinds[this.#depth] ?? OTHER_ELEMENT;
    let kind = kindOf(xml, local, nameEnd);
    if (kind === READ_ELEMENT) {
      this.#readTag(xml, start, local, nameEnd, end);
      kind = OTHER_ELEMENT;
    } else if (kind === CHANGE_ELEMENT) {
      this.#mayHaveChange = true;
      kind = OTHER_ELEMENT;
    }
    if (kind === OTHER_ELEMENT && outer === TEXT_ELEMENT) kind = TEXT_ELEMENT;
    this.#depth += 1;
    this.#nodes += 1 + values;
    this.#openAttributes += values;
    this.#attributes[this.#depth] = values;
    this.#kinds[this.#depth] = kind;
    this.#isText = kind === TEXT_ELEMENT;
    if (kind === TABLE_ELEMENT) this.#tables += 1;
    else if (kind === PARAGRAPH_ELEMENT) this.#paragraphs.push(0);
    else if (kind === CHARACTER_ELEMENT) this.#addText(CHARACTER_BYTES);
    else if (kind === PORTION_ELEMENT) this.#addText(PORTION_BYTES);
    else if (kind === RUN_ELEMENT) this.#addText(RUN_BYTES);
    if (this.#depth > MAX_ELEMENT_DEPTH || this.#tables > MAX_TABLE_DEPTH) this.#refuse('nesting');
    else if (this.#openAttributes > MAX_ATTRIBUTES) this.#refuse('attributes');
    else if (xml.charCodeAt(end - 2) === SLASH) this.#close();
  }

  #readText(bytes: number): void {
    if (this.#isText) this.#addText(bytes);
  }

  /** Counts text, or an element that costs as much. */
  #addText(bytes: number): void {
    const last = this.#paragraphs.length - 1;
    if (last < 0) return;
    const sum = (this.#paragraphs[last] ?? 0) + bytes;
    this.#paragraphs[last] = sum;
    this.#hasLongParagraph ||= sum > MAX_PARAGRAPH_BYTES;
  }

  #close(): void {
    if (this.#depth === 0) return;
    const kind = this.#kinds[this.#depth];
    if (kind === TABLE_ELEMENT) this.#tables -= 1;
    else if (kind === PARAGRAPH_ELEMENT) this.#paragraphs.pop();
    this.#openAttributes -= this.#attributes[this.#depth] ?? 0;
    this.#depth -= 1;
    this.#isText = this.#kinds[this.#depth] === TEXT_ELEMENT;
  }

  #readTag(xml: string, start: number, local: number, nameEnd: number, end: number): void {
    if (!this.#onTag) return;
    if (end - start > MAX_SPLIT_TAG) this.#refuse('attributes');
    else this.#onTag(new Tag(xml.slice(local, nameEnd), fromBytes(xml.slice(nameEnd, end - 1)), this.#depth));
  }
}

function kindOf(xml: string, local: number, nameEnd: number): number {
  const named = kinds[nameEnd - local];
  if (named === undefined) return OTHER_ELEMENT;
  const first = xml.charCodeAt(local);
  for (const each of named) {
    if (each.first === first && xml.startsWith(each.name, local)) return each.kind;
  }
  return OTHER_ELEMENT;
}
