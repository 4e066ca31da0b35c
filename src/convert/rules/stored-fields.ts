/**
 * Has fields show the result that the document stores. LibreOffice works many of them out anew: it would print the
 * date of the conversion, the name of our file, or nothing. Word prints what is stored, unless it is told to update.
 *
 * LibreOffice shows the stored result of a field that it does not know, so the first letter of the kind becomes an
 * underscore. What depends on our pages (PAGE, NUMPAGES, PAGEREF), what refers to text (REF, STYLEREF) and what makes
 * links stays as it is; so does a field without a result, and one that Word would work out when it opens the document.
 *
 * LibreOffice makes a section of a table of contents, which begins in the middle of its heading where the field does, has
 * the space above a paragraph at the top of a page, which Word leaves out, and glues the dots to the entries in the text.
 * As a field that it does not know, the table is paragraphs like any other; the page numbers in it stay those of Word, and
 * its entries do not look like links (link-styles.ts).
 */

/** Kinds of fields (ISO/IEC 29500-1, 17.16.5) that LibreOffice would work out from what it has no right answer to. */
const kinds: ReadonlySet<string> = new Set([
  ...['DATE', 'TIME', 'CREATEDATE', 'SAVEDATE', 'PRINTDATE', 'EDITTIME'],
  ...['AUTHOR', 'LASTSAVEDBY', 'REVNUM', 'NUMWORDS', 'NUMCHARS', 'FILESIZE'],
  ...['TITLE', 'SUBJECT', 'KEYWORDS', 'COMMENTS', 'DOCPROPERTY', 'DOCVARIABLE', 'INFO'],
  ...['USERNAME', 'USERINITIALS', 'USERADDRESS'],
  ...['IF', 'COMPARE', 'QUOTE', 'MERGEREC', '='],
  'TOC',
]);
/** Kept in the result of a table of contents, and worked out elsewhere. */
const PAGE_NUMBER = 'PAGEREF';
/** These would show a path of ours: they stay empty where no result is stored, and so does what may be one in disguise. */
const paths: ReadonlySet<string> = new Set(['FILENAME', 'TEMPLATE']);

/** What an instruction can begin with, cut anywhere, when it is of such a kind. */
const beginnings = new Set(
  [...kinds, ...paths].flatMap((kind) => [...kind].map((_, i) => kind.slice(0, i + 1))),
);
/** The first letters of an instruction or of a piece of one. */
const BEGINNING = /(?:<(?:[\w.-]+:)?instrText(?:\s[^<>]*)?>|instr\s*=\s*["'])\s*(=|[A-Za-z]*)/g;

/**
 * Tags of fields, of text and of what else a result may be, whatever the prefix of the namespace, and what follows. No
 * match looks beyond a `<`.
 */
const TAG =
  /<(\/?)(?:[\w.-]+:)?(fldChar|fldSimple|instrText|rStyle|t|sym|drawing|pict|object|noBreakHyphen|tab|ptab|br|cr)(?:\s([^<>]*))?\/?>([^<]*)/g;
const TYPE = /fldCharType\s*=\s*["'](\w+)["']/;
const DIRTY = /dirty\s*=\s*["'](?:1|true|on)["']/;
const STYLE = /val\s*=\s*["']([\w-]*)/d;
const INSTRUCTION = /instr\s*=\s*(?:"([^"]*)|'([^']*))/d;
const UNDERSCORE = 0x5f;
const LESS_THAN = 0x3c;
/** So much is looked at in one piece, and up to the next `<`. */
const WINDOW_BYTES = 1_048_576;
/** Longer than the longest kind. */
const MAX_KIND = 64;
/** Fields inside fields; those that are deeper stay as they are. */
const MAX_DEPTH = 10_000;

/** A field that has begun, as far as it has been read. */
interface Field {
  /** Its instruction up to where its kind ends: runs may cut it anywhere. */
  instruction: string;
  /** Where that begins; undefined until it has a letter. */
  start: number | undefined;
  /** Its stored result has begun, and whether there is something in it. */
  result: 'none' | 'empty' | 'some';
  /** Word works it out when it opens the document. */
  readonly dirty: boolean;
  /** It is a table of contents, and its result has begun. */
  listsContents: boolean;
}

/** A tag and what follows it. */
interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
  /** Where the attributes stand in the part. */
  readonly attributesAt: number;
  /** Up to the next tag. */
  readonly content: string;
  readonly contentAt: number;
}

/** Whether a piece of an XML part may have a field that `keepStoredResults` changes. */
export function mayKeepResults(piece: Buffer): boolean {
  if (!piece.includes('instrText') && !piece.includes('fldSimple')) return false;
  for (const [, letters = ''] of piece.toString('latin1').matchAll(BEGINNING)) {
    if (letters === '' || beginnings.has(letters.toUpperCase())) return true;
  }
  return false;
}

/**
 * Changes the fields of an XML part in place, which keeps its length.
 *
 * @param part in an encoding in which ASCII is ASCII.
 * @param linkStyle the style of links; in tables of contents, its first letter becomes an underscore.
 * @returns whether anything changed.
 */
export function keepStoredResults(part: Buffer, linkStyle?: string): boolean {
  const fields = new Fields(linkStyle);
  let changed = false;
  for (const tag of tags(part)) {
    const position = fields.read(tag);
    if (position === undefined) continue;
    part[position] = UNDERSCORE;
    changed = true;
  }
  return changed;
}

function* tags(part: Buffer): Generator<Tag, void> {
  for (let start = 0, end = 0; start < part.length; start = end) {
    // A window ends before a tag, so that none is cut, and no text is parted from its tag.
    const next = part.indexOf(LESS_THAN, start + WINDOW_BYTES);
    end = next < 0 ? part.length : next;
    for (const match of part.toString('latin1', start, end).matchAll(TAG)) {
      const [whole, slash, name = '', attributes = '', content = ''] = match;
      const contentAt = start + match.index + whole.length - content.length;
      const attributesAt = contentAt - 1 - attributes.length;
      yield { name, isEnd: slash === '/', attributes, attributesAt, content, contentAt };
    }
  }
}

/** The fields that have begun and not ended. */
class Fields {
  readonly #open: Field[] = [];
  /** How many more have begun inside the deepest of them. */
  #deeper = 0;
  /** How many of them are tables of contents whose results have begun. */
  #tables = 0;
  readonly #linkStyle: string | undefined;

  constructor(linkStyle: string | undefined) {
    this.#linkStyle = linkStyle;
  }

  /** @returns where to change a field that has ended and keeps its result, or the style of a link. */
  read(tag: Tag): number | undefined {
    const { name, isEnd, attributes } = tag;
    if (name === 'rStyle') return this.#tables > 0 ? this.#linkStyleAt(tag) : undefined;
    if (name === 'fldSimple') return isEnd ? this.#end() : this.#readSimple(tag);
    if (name === 'fldChar') return this.#readCharacter(TYPE.exec(attributes)?.[1], attributes);
    if (name === 'instrText') this.#readInstruction(tag.content, tag.contentAt);
    else this.#readContent(tag);
    return undefined;
  }

  #linkStyleAt({ attributes, attributesAt }: Tag): number | undefined {
    const match = STYLE.exec(attributes);
    const [at] = match?.indices?.[1] ?? [];
    return at !== undefined && match?.[1] === this.#linkStyle ? attributesAt + at : undefined;
  }

  #readCharacter(type: string | undefined, attributes: string): number | undefined {
    if (type === 'end') return this.#end();
    if (type === 'begin') this.#begin(attributes);
    else if (type === 'separate' && this.#deeper === 0) this.#beginResult();
    return undefined;
  }

  #readSimple({ attributes, attributesAt }: Tag): number | undefined {
    if (attributes.endsWith('/')) return undefined;
    this.#begin(attributes);
    const match = INSTRUCTION.exec(attributes);
    const [from] = match?.indices?.[1] ?? match?.indices?.[2] ?? [];
    if (from !== undefined) this.#readInstruction(match?.[1] ?? match?.[2] ?? '', attributesAt + from);
    this.#beginResult();
    return undefined;
  }

  #begin(attributes: string): void {
    if (this.#open.length === MAX_DEPTH) this.#deeper += 1;
    else {
      const dirty = DIRTY.test(attributes);
      this.#open.push({ instruction: '', start: undefined, result: 'none', dirty, listsContents: false });
    }
  }

  #readInstruction(text: string, position: number): void {
    const field = this.#open.at(-1);
    if (!field || this.#deeper > 0 || field.result !== 'none' || field.instruction.length > MAX_KIND) return;
    const first = field.start === undefined ? text.search(/\S/) : 0;
    if (first < 0) return;
    field.start ??= position + first;
    field.instruction += text.slice(first, first + MAX_KIND);
  }

  #beginResult(): void {
    const field = this.#open.at(-1);
    if (field?.result !== 'none') return;
    field.result = 'empty';
    field.listsContents = !field.dirty && kindOf(field.instruction) === 'TOC';
    if (field.listsContents) this.#tables += 1;
  }

  #readContent({ name, isEnd, content }: Tag): void {
    const field = this.#open.at(-1);
    const isSome = !isEnd && (name !== 't' || content !== '');
    if (isSome && field?.result === 'empty') field.result = 'some';
  }

  #end(): number | undefined {
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      return undefined;
    }
    const field = this.#open.pop();
    if (!field) return undefined;
    // The result of a field is part of the one that it is in.
    const outer = this.#open.at(-1);
    if (field.result === 'some' && outer?.result === 'empty') outer.result = 'some';
    if (field.listsContents) this.#tables -= 1;
    const hasResult = field.result === 'some' && !field.dirty;
    return keepsResult(field.instruction, hasResult, this.#tables > 0) ? field.start : undefined;
  }
}

function kindOf(instruction: string): string {
  return /^(?:=|[A-Za-z]+)/.exec(instruction)?.[0].toUpperCase() ?? '';
}

function keepsResult(instruction: string, hasResult: boolean, isInContents: boolean): boolean {
  const kind = kindOf(instruction);
  if (paths.has(kind) || isDisguised(kind, instruction)) return true;
  return hasResult && (kinds.has(kind) || (isInContents && kind === PAGE_NUMBER));
}

/** LibreOffice takes a kind in quotation marks, or written with references to its characters, as Word never has it. */
function isDisguised(kind: string, instruction: string): boolean {
  return /^["&]/.test(instruction) || (beginnings.has(kind) && instruction.startsWith('&#', kind.length));
}
