/**
 * Makes fields show their stored results. LibreOffice recalculates many of them: it would print the date of the conversion, the
 * name of our file, or nothing. Word prints stored results, unless it is told to update them.
 *
 * LibreOffice shows the stored result of a field that it does not know, so the first letter of the kind becomes an underscore.
 * Fields that depend on our pages (PAGE, NUMPAGES, PAGEREF), refer to text (REF, STYLEREF) or make links stay as they are; so do
 * fields without a result, and those that Word would recalculate on opening the document.
 *
 * LibreOffice makes a table of contents a section. This begins in the middle of its heading where the field does, keeps the space
 * above a paragraph at the top of a page, which Word leaves out, and glues the dots to the entries in the text. As a field that
 * LibreOffice does not know, the table is ordinary paragraphs: its page numbers stay those of Word, and its entries do not look
 * like links (link-styles.ts).
 *
 * If LibreOffice is to update the fields, tables of contents and dates stay as they are, so that it recognises them. All others
 * keep their results even then: it would show our user, our file, or nothing.
 */
import { type Attribute, attributesIn } from '../document/attributes.ts';
import { withEdits } from '../document/edits.ts';
import { type MarkupVisitor, visitMarkup, withoutReferences } from '../document/markup.ts';
import { localName } from '../document/tags.ts';

/** Kinds of fields (ISO/IEC 29500-1, 17.16.5) that LibreOffice would recalculate wrongly. */
const kinds: ReadonlySet<string> = new Set([
  ...['DATE', 'TIME', 'CREATEDATE', 'SAVEDATE', 'PRINTDATE', 'EDITTIME'],
  ...['AUTHOR', 'LASTSAVEDBY', 'REVNUM', 'NUMWORDS', 'NUMCHARS', 'FILESIZE'],
  ...['TITLE', 'SUBJECT', 'KEYWORDS', 'COMMENTS', 'DOCPROPERTY', 'DOCVARIABLE', 'INFO'],
  ...['USERNAME', 'USERINITIALS', 'USERADDRESS'],
  ...['IF', 'COMPARE', 'QUOTE', 'MERGEREC', '='],
  'TOC',
]);
/** The kinds that LibreOffice updates as Word would. */
export const updatable: ReadonlySet<string> = new Set(['TOC', 'DATE', 'TIME']);
/** Keeps its result in a table of contents, and is recalculated elsewhere. */
const PAGE_NUMBER = 'PAGEREF';
/**
 * These would show a path of ours: without a stored result they stay empty, and so do fields that may be one in disguise. Every
 * instruction that begins so is changed, whether or not it seems to be in a field, as LibreOffice may pass over what is read here.
 */
const paths: ReadonlySet<string> = new Set(['FILENAME', 'TEMPLATE']);
const PATH = /^(?:FILENAME|TEMPLATE)(?![A-Za-z])/i;
/** What LibreOffice may pass over in front of a kind. */
const BEFORE_KIND = /^(?:[\s"'\\]|&(?:#x0*(?:[9ad]|2[027]|5c)|#0*(?:9|10|13|32|34|39|92)|quot|apos);)+/i;

/** The beginnings of these kinds: an instruction may be cut anywhere. */
const beginnings = new Set(
  [...kinds, ...paths].flatMap((kind) => [...kind].map((_, i) => kind.slice(0, i + 1))),
);

/**
 * Elements that every reader understands alike between the begin of a field and its result. All others, and those of another
 * prefix, make it doubtful which pieces of its instruction LibreOffice puts together.
 */
const ordinary: ReadonlySet<string> = new Set([
  ...[
    'p',
    'r',
    'instrText',
    'fldChar',
    't',
    'tab',
    'br',
    'noBreakHyphen',
    'softHyphen',
    'lastRenderedPageBreak',
  ],
  ...['ins', 'hyperlink', 'smartTag', 'sdt', 'sdtContent', 'bookmarkStart', 'bookmarkEnd', 'proofErr'],
]);
/** Elements with properties, which have elements of many namespaces. */
const PROPERTIES = /(?:Pr|ffData)$/;

/** Elements other than text that a result may have. */
const results: ReadonlySet<string> = new Set([
  ...['sym', 'drawing', 'pict', 'object', 'noBreakHyphen', 'tab', 'ptab', 'br', 'cr'],
]);
/** Longer than the longest kind. */
const MAX_KIND = 64;
/** Longer than what may stand before a kind, and a kind of references. */
const MAX_HEAD = 512;
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
  /** The prefix of its elements. */
  readonly prefix: string;
  /** Whether LibreOffice may put other pieces of its instruction together than we do. */
  isDoubtful: boolean;
  /** Where pieces begin with which the kind of a path may begin. */
  readonly pieces: number[];
}

/** Whether a piece of an XML part may have a field that {@link withStoredResults} changes. */
export function mayKeepResults(piece: Buffer): boolean {
  return piece.includes('instrText') || piece.includes('fldSimple');
}

/**
 * The part with fields that keep their results, as long as it was.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 * @param linkStyle the style of links; in tables of contents, its first letter becomes an underscore.
 * @param updated kinds that do not keep their results; none by default.
 */
export function withStoredResults(
  xml: string,
  linkStyle?: string,
  updated: ReadonlySet<string> = new Set(),
): string {
  const fields = new Fields(linkStyle, updated);
  visitMarkup(xml, fields);
  fields.finish();
  return withEdits(
    xml,
    [...fields.changed].map((start) => ({ start, end: start + 1, text: '_' })),
  );
}

/** The fields that have begun and not ended. Reads elements of any namespace, so that no field that shows a path is missed. */
class Fields implements MarkupVisitor {
  /** Where to change fields that have ended and keep their results, and the styles of links. */
  readonly changed = new Set<number>();
  readonly #open: Field[] = [];
  /** Number of open fields nested deeper than the greatest depth. */
  #deeper = 0;
  /** How many of them are tables of contents whose results have begun. */
  #tables = 0;
  #inside: 'text' | 'instruction' | undefined;
  /** Number of open elements inside an instruction, and of open elements with properties. */
  #insideInstruction = 0;
  #properties = 0;
  readonly #linkStyle: string | undefined;
  readonly #updated: ReadonlySet<string>;

  constructor(linkStyle: string | undefined, updated: ReadonlySet<string>) {
    this.#linkStyle = linkStyle;
    this.#updated = updated;
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number): void {
    const local = localName(name);
    const attributesAt = start + '<'.length + name.length;
    this.#doubt(name, local, attributes);
    if (!isEmpty && PROPERTIES.test(local)) this.#properties += 1;
    if (this.#inside === 'instruction') {
      if (!isEmpty) this.#insideInstruction += 1;
      return;
    }
    if (local === 'rStyle') this.#readStyle(attributes, attributesAt);
    else if (local === 'fldSimple') this.#readSimple(name, attributes, attributesAt, isEmpty);
    else if (local === 'fldChar') this.#readCharacter(name, attributes);
    else if (local === 'instrText') this.#inside = isEmpty ? undefined : 'instruction';
    else if (local === 't') this.#inside = isEmpty ? undefined : 'text';
    else if (results.has(local)) this.#readContent();
  }

  close(name: string): void {
    const local = localName(name);
    if (this.#properties > 0 && PROPERTIES.test(local)) this.#properties -= 1;
    if (this.#inside === 'instruction' && this.#insideInstruction > 0) this.#insideInstruction -= 1;
    else if (local === 'fldSimple') this.#end();
    else if (local === 'instrText' || local === 't') this.#inside = undefined;
  }

  /** Whether an element makes the open field doubtful. */
  #doubt(name: string, local: string, attributes: string): void {
    const field = this.#open.at(-1);
    if (!field || field.isDoubtful || (field.result !== 'none' && local !== 'instrText')) return;
    const isOrdinary =
      ordinary.has(local) &&
      this.#inside !== 'instruction' &&
      name === field.prefix + local &&
      !attributes.includes('xmlns');
    const isProperty = PROPERTIES.test(local) || (this.#properties > 0 && local !== 'instrText');
    if (this.#properties > 0 ? isProperty : isOrdinary || isProperty) return;
    this.#beDoubtful();
  }

  #beDoubtful(): void {
    const field = this.#open.at(-1);
    if (!field) return;
    field.isDoubtful = true;
    for (const start of field.pieces) this.changed.add(start);
  }

  /** Changes the fields that have no end, and would show a path. */
  finish(): void {
    for (const { start, instruction } of this.#open) {
      if (start !== undefined && paths.has(kindOf(instruction))) this.changed.add(start);
    }
  }

  text(xml: string, start: number, end: number): void {
    if (this.#inside === 'instruction') this.#readInstruction(xml.slice(start, end), start);
    else if (this.#inside === 'text') this.#readContent();
  }

  #readStyle(attributes: string, attributesAt: number): void {
    const style = this.#tables > 0 ? attribute(attributes, 'val') : undefined;
    if (style && style.value === this.#linkStyle) this.changed.add(attributesAt + style.valueAt);
  }

  #readCharacter(name: string, attributes: string): void {
    const types = attributesIn(attributes).filter((each) => localName(each.name) === 'fldCharType');
    const type = types.find((each) => prefixOf(each.name) === prefixOf(name)) ?? types[0];
    // Without a prefix of its own, an element has attributes of another.
    const isSure = types.length === 1 && type && [prefixOf(type.name), ''].includes(prefixOf(name));
    if (!isSure) this.#beDoubtful();
    if (type?.value === 'end') this.#end();
    else if (type?.value === 'begin') this.#begin(name, attributes, !isSure);
    else if (type?.value === 'separate' && this.#deeper === 0) this.#beginResult();
  }

  #readSimple(name: string, attributes: string, attributesAt: number, isEmpty: boolean): void {
    for (const each of attributesIn(attributes)) {
      if (localName(each.name) === 'instr') this.#hidePath(each.value, attributesAt + each.valueAt);
    }
    if (isEmpty) return;
    this.#begin(name, attributes);
    const instruction = attribute(attributes, 'instr', name);
    if (instruction) this.#readInstruction(instruction.value, attributesAt + instruction.valueAt);
    this.#beginResult();
  }

  #begin(name: string, attributes: string, isDoubtful = false): void {
    if (this.#open.length === MAX_DEPTH) this.#deeper += 1;
    else {
      this.#open.push({
        instruction: '',
        start: undefined,
        result: 'none',
        dirty: /^(?:1|true|on)$/.test(attribute(attributes, 'dirty', name)?.value ?? ''),
        listsContents: false,
        prefix: prefixOf(name),
        isDoubtful,
        pieces: [],
      });
    }
  }

  /** Changes a piece of an instruction that begins with the kind of a path, or may do so with pieces behind it. */
  #hidePath(text: string, position: number): void {
    const head = text.slice(0, MAX_HEAD);
    const before = BEFORE_KIND.exec(head)?.[0].length ?? 0;
    const kind = withoutReferences(head.slice(before));
    if (PATH.test(kind)) this.changed.add(position + before);
    const field = this.#open.at(-1);
    const word = kind.trimEnd().toUpperCase();
    if (!field || word === '' || ![...paths].some((path) => path.startsWith(word))) return;
    if (field.isDoubtful) this.changed.add(position + before);
    else field.pieces.push(position + before);
  }

  #readInstruction(text: string, position: number): void {
    this.#hidePath(text, position);
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
    const kind = kindOf(field.instruction);
    field.listsContents = !field.dirty && kind === 'TOC' && !this.#updated.has(kind);
    if (field.listsContents) this.#tables += 1;
  }

  #readContent(): void {
    const field = this.#open.at(-1);
    if (field?.result === 'empty') field.result = 'some';
  }

  #end(): void {
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      return;
    }
    const field = this.#open.pop();
    if (!field) return;
    // The result of a nested field is part of the outer result.
    const outer = this.#open.at(-1);
    if (field.result === 'some' && outer?.result === 'empty') outer.result = 'some';
    if (field.listsContents) this.#tables -= 1;
    const isUpdated = field.dirty || this.#updated.has(kindOf(field.instruction));
    const hasResult = field.result === 'some' && !isUpdated;
    if (field.start !== undefined && keepsResult(field.instruction, hasResult, this.#tables > 0))
      this.changed.add(field.start);
  }
}

/** The attribute of this local name with the prefix of its element, else the first one. */
function attribute(attributes: string, local: string, element?: string): Attribute | undefined {
  const found = attributesIn(attributes).filter(({ name }) => localName(name) === local);
  const own = element === undefined ? undefined : prefixOf(element) + local;
  return found.find(({ name }) => name === own) ?? found[0];
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(':') + 1);
}

function kindOf(instruction: string): string {
  return /^(?:=|[A-Za-z]+)/.exec(instruction)?.[0].toUpperCase() ?? '';
}

function keepsResult(instruction: string, hasResult: boolean, isInContents: boolean): boolean {
  const kind = kindOf(instruction);
  if (paths.has(kind) || isDisguised(kind, instruction)) return true;
  return hasResult && (kinds.has(kind) || (isInContents && kind === PAGE_NUMBER));
}

/** LibreOffice accepts a kind in quotation marks, or written with character references, which Word never writes. */
function isDisguised(kind: string, instruction: string): boolean {
  return /^["&\\]/.test(instruction) || (beginnings.has(kind) && instruction.startsWith('&#', kind.length));
}
