/**
 * Fields show their stored results, an empty one included, as in Word unless it is told to update them. LibreOffice recalculates
 * many: it would print the date of the conversion, the name of our file, the other branch of a condition, or an error.
 *
 * LibreOffice shows the stored result of a field that it does not know, so the first letter of the kind becomes an underscore.
 * It works out a field only where it is known to give Word's text:
 *
 * - page numbers (`PAGE`, `NUMPAGES`) in formats that it has, and `PAGEREF` to a bookmark that exists;
 * - `STYLEREF` in headers and footers, where a paragraph has the style;
 * - dates without a result, and others that Word would recalculate on opening the document (marked dirty);
 * - tables of contents and indexes that are empty or dirty (see `fillsIndexes`);
 * - links, form fields, and fields that show nothing.
 *
 * What LibreOffice cannot work out, we do: empty sequences and list numbers (field-counts.ts), equations (equations.ts), barcodes
 * (barcodes.ts), and fields that depend on the page they are on (page-fields.ts). What nobody can is counted.
 *
 * LibreOffice makes a table of contents a section. This begins in the middle of its heading where the field does, keeps the space
 * above a paragraph at the top of a page, which Word leaves out, and glues the dots to the entries in the text. As a field that
 * LibreOffice does not know, the table is ordinary paragraphs, and its entries do not look like links (link-styles.ts).
 *
 * If LibreOffice is to update the fields, tables of contents and dates stay as they are, so that it recognises them. All others
 * keep their results even then: it would show our user, our file, or nothing.
 */
import { attributesIn } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { mathPrefixOf, visitMarkup, withoutReferences } from '../document/markup.ts';
import type { OmittedKind } from '../document/omitted-kinds.ts';
import {
  evaluate,
  formatsIn,
  isPageCount,
  isPageNumber,
  kindOf,
  MAX_CODE,
  PAGE_FIELD,
  pageDependence,
} from '../document/page-expressions.ts';
import { localName } from '../document/tags.ts';
import { type Bytes, fromBytes, toBytes } from '../text/bytes.ts';
import { barcodeMarkup, type DrawBarcode } from './barcodes.ts';
import { equationMarkup } from './equations.ts';
import { FieldCounts } from './field-counts.ts';
import {
  type Field,
  FieldReader,
  type FieldReceiver,
  MAX_REPEATED,
  type Range,
  readCode,
  withInnerResults,
  writtenText,
} from './field-reader.ts';

/** What a field asks of the document around it. */
export interface FieldSurroundings {
  /** Names of the bookmarks of its main part. */
  readonly bookmarks: ReadonlySet<string>;
  /** Whether LibreOffice counts a bookmark on the page that Word counts it on. */
  hasPage(bookmark: string): boolean;
  /** The name by which LibreOffice finds text in a style that `STYLEREF` names; undefined where there is none. */
  shownStyle(name: string): string | undefined;
  /** Whether page numbers have the number of their chapter in front (ISO/IEC 29500-1, 17.6.12). */
  readonly hasChapters: boolean;
  /** Whether some page numbers have another format than digits, which LibreOffice also gives numbers of pages. */
  readonly hasPageFormats: boolean;
  /** Whether LibreOffice lacks the format of some page numbers. */
  readonly lacksPageFormat: boolean;
  /** What `NUMPAGES` is, if it is no number of pages that LibreOffice knows. */
  readonly totalPages?: number | undefined;
  /** Whether nobody can write some page numbers in their format. */
  readonly hasUnwrittenPages: boolean;
  /** From 1; undefined for text that is no heading. */
  headingLevel(style: string): number | undefined;
}

/** What became of the fields of a document. */
export class FieldNotes {
  /** It has an empty or dirty table of contents or index, which LibreOffice is to fill. */
  fillsIndexes = false;
  /** It has fields that depend on their page; see page-fields.ts. */
  hasPageFields = false;
  /** Letters that barcodes have added to the document. */
  barcodes = 0;
  /** Fields that are missing from the PDF, or show another result. */
  readonly missing = new Map<OmittedKind, number>();

  miss(kind: OmittedKind): void {
    this.missing.set(kind, (this.missing.get(kind) ?? 0) + 1);
  }
}

export interface StoredFieldsOptions {
  /** The style of links; in tables of contents, its first letter becomes an underscore. */
  readonly linkStyle?: string | undefined;
  /** Kinds that LibreOffice updates; none by default. */
  readonly updated?: ReadonlySet<string> | undefined;
  /** Undefined for a document inside another. */
  readonly document?: FieldSurroundings | undefined;
  readonly notes?: FieldNotes | undefined;
  /** Undefined where the document has no barcodes. */
  readonly drawBarcode?: DrawBarcode | undefined;
}

/** Whether a part may have a barcode to draw. */
export function mayHaveBarcodes(part: Buffer): boolean {
  return part.includes(BARCODE);
}

/** The kinds that LibreOffice updates as Word would. */
export const updatable: ReadonlySet<string> = new Set(['TOC', 'DATE', 'TIME']);

/** Kinds (ISO/IEC 29500-1, 17.16.5) that show nothing. */
const hidden: ReadonlySet<string> = new Set([
  ...['SET', 'ASK', 'TC', 'XE', 'RD', 'PRIVATE', 'NEXT', 'NEXTIF', 'SKIPIF', 'ADVANCE'],
]);
/** Those, and kinds that LibreOffice draws. */
const left: ReadonlySet<string> = new Set([
  ...['HYPERLINK', 'FORMTEXT', 'FORMCHECKBOX', 'FORMDROPDOWN', 'PAGE', 'NUMPAGES'],
  ...hidden,
]);
/** Kinds whose text is in their instruction. */
const drawnAlone: ReadonlySet<string> = new Set(['SYMBOL', 'MACROBUTTON', 'GOTOBUTTON']);
/** Kinds that Word updates on opening the document, and LibreOffice as well. */
const dates: ReadonlySet<string> = new Set(['DATE', 'TIME']);
/** Kinds that LibreOffice works out as Word does, if Word would do it on opening the document. */
const recalculated: ReadonlySet<string> = new Set([
  ...['TITLE', 'SUBJECT', 'KEYWORDS', 'COMMENTS', 'AUTHOR', 'CREATEDATE', 'SAVEDATE', 'PRINTDATE'],
]);
const indexes: ReadonlySet<string> = new Set(['TOC', 'INDEX']);
const BARCODE = 'DISPLAYBARCODE';
const barcodes: ReadonlySet<string> = new Set([BARCODE, 'MERGEBARCODE', 'BARCODE']);
/** Kinds that stand for a number of a page, which Word works out in the text as well. */
const pageNumbers: ReadonlySet<string> = new Set(['PAGE', 'SECTION', 'SECTIONPAGES']);
const margins: ReadonlySet<string> = new Set(['hdr', 'ftr']);

/**
 * These would show a path of ours: without a stored result they stay empty, and so do fields that may be one in disguise. Every
 * instruction that begins so is changed, whether or not it seems to be in a field, as LibreOffice may pass over what is read here.
 */
const paths: readonly string[] = ['FILENAME', 'TEMPLATE'];
const PATH = /^(?:FILENAME|TEMPLATE)(?![A-Za-z])/i;
/** What LibreOffice may pass over in front of a kind. */
const BEFORE_KIND = /^(?:[\s"'\\]|&(?:#x0*(?:[9ad]|2[027]|5c)|#0*(?:9|10|13|32|34|39|92)|quot|apos);)+/i;
/** Longer than what may stand before a kind, and a kind of references. */
const MAX_HEAD = 512;
/** Letters that equations may add to a part: each of their runs repeats the properties of the field's. */
const MAX_EQUATIONS = 4_000_000;
/** Letters that barcodes may add to a document, and as how many one counts that cannot be drawn: it takes time as well. */
const MAX_BARCODES = 4_000_000;
const NO_BARCODE = 20_000;

/** Elements, one of which is in every field. */
export const fieldElements: readonly string[] = ['instrText', 'delInstrText', 'fldSimple', 'fldChar'];

/** The part with fields as Word prints them. */
export function withStoredResults(xml: Bytes, options: StoredFieldsOptions = {}): Bytes {
  const fields = new StoredFields(xml, options);
  const reader = new FieldReader(fields).of(xml);
  fields.reader = reader;
  visitMarkup(xml, reader);
  return withEdits(xml, fields.finish());
}

class StoredFields implements FieldReceiver {
  reader: FieldReader | undefined;
  readonly #xml: string;
  readonly #options: StoredFieldsOptions;
  readonly #notes: FieldNotes;
  readonly #counts: FieldCounts;
  #mathPrefix: string | undefined;
  /** First letters that become underscores. */
  readonly #renamed = new Set<number>();
  readonly #edits: Edit[] = [];
  /** Edits of sequences: as stored, and as a list of captions needs them. */
  readonly #stored: Edit[] = [];
  readonly #listed: Edit[] = [];
  #listsCaptions = false;
  /** What comes behind the run that is open. */
  #behindRun = '';
  /** Letters of all equations so far. */
  #equations = 0;
  /** Where pieces begin that may begin a path, by field. */
  readonly #disguises = new Map<Field, number[]>();
  /** Tables of contents whose results have begun. */
  readonly #tables = new Set<Field>();

  constructor(xml: string, options: StoredFieldsOptions) {
    this.#xml = xml;
    this.#options = options;
    this.#notes = options.notes ?? new FieldNotes();
    this.#counts = new FieldCounts((style) => options.document?.headingLevel(style));
  }

  get #math(): string {
    this.#mathPrefix ??= mathPrefixOf(this.#xml);
    return this.#mathPrefix;
  }

  /** All edits, none inside another. */
  finish(): Edit[] {
    for (const field of this.reader?.unfinished ?? []) {
      this.#hideDisguises(field);
      if (field.start !== undefined && paths.includes(kindOf(field.code))) this.#renamed.add(field.start);
    }
    const renamings = [...this.#renamed].map((start) => ({ start, end: this.#letterEnd(start), text: '_' }));
    const sequences = this.#listsCaptions ? this.#listed : this.#stored;
    return outermost([...this.#edits, ...sequences, ...renamings]);
  }

  /** Where a letter ends, of which each byte of its UTF-8 is a character here. */
  #letterEnd(start: number): number {
    let end = start + 1;
    while ((this.#xml.charCodeAt(end) & 0xc0) === 0x80) end += 1;
    return end;
  }

  open(local: string, attributes: string, attributesAt: number): void {
    if (local === 'p') this.#counts.beginParagraph();
    else if (local === 'pStyle') this.#counts.style(valueAttribute(attributes)?.value ?? '');
    else if (local === 'numPr') this.#counts.numbered();
    else if (local === 'rStyle' && this.#tables.size > 0) {
      const style = valueAttribute(attributes);
      if (style && style.value === this.#options.linkStyle) this.#renamed.add(attributesAt + style.valueAt);
    }
  }

  runEnd(end: number): void {
    if (this.#behindRun === '') return;
    this.#edits.push({ start: end, end, text: this.#behindRun });
    this.#behindRun = '';
  }

  /** Changes a piece of an instruction that begins with the kind of a path, or may do so with pieces behind it. */
  piece(text: string, position: number, field: Field | undefined): void {
    const head = text.slice(0, MAX_HEAD);
    const before = BEFORE_KIND.exec(head)?.[0].length ?? 0;
    const kind = withoutReferences(head.slice(before));
    if (PATH.test(kind)) this.#renamed.add(position + before);
    const word = kind.trimEnd().toUpperCase();
    if (!field || word === '' || !paths.some((path) => path.startsWith(word))) return;
    const known = this.#disguises.get(field);
    if (known) known.push(position + before);
    else this.#disguises.set(field, [position + before]);
  }

  result(field: Field): void {
    if (kindOf(field.code) === 'TOC' && !field.dirty && !this.#isUpdated('TOC')) this.#tables.add(field);
  }

  end(field: Field, end: Range): void {
    this.#hideDisguises(field);
    this.#tables.delete(field);
    if (field.start === undefined) return;
    const kind = kindOf(field.code);
    if (isDisguised(field.code) || paths.includes(kind)) this.#keep(field, end);
    else if (this.#isUpdated(kind)) return;
    else if (this.#readSpecial(kind, field, end)) return;
    else if (!this.#isLeft(kind, field)) this.#keep(field, end);
    else if (field.hasFields) this.#leaveWithoutFields(kind, field, end);
  }

  /** LibreOffice would print the results of the fields in the instruction of one that it knows. */
  #leaveWithoutFields(kind: string, field: Field, end: Range): void {
    const code = withInnerResults(readCode(field.code)).trim();
    if (kindOf(code) === kind && this.#instruct(field, end, code)) return;
    if (!hidden.has(kind) || field.result !== 'some') this.#rename(field);
  }

  #hideDisguises(field: Field): void {
    if (field.isDoubtful) for (const start of this.#disguises.get(field) ?? []) this.#renamed.add(start);
    this.#disguises.delete(field);
  }

  #isUpdated(kind: string): boolean {
    return this.#options.updated?.has(kind) ?? false;
  }

  /** Fields that are neither left to LibreOffice nor simply stored. @returns whether it is one. */
  #readSpecial(kind: string, field: Field, end: Range): boolean {
    if (kind === 'SEQ') this.#readSequence(field, end);
    else if (kind === 'EQ' && field.result !== 'some') this.#readEquation(field, end);
    else if ((kind === 'LISTNUM' || kind.startsWith('AUTONUM')) && field.result !== 'some') {
      this.#readListNumber(kind, field, end);
    } else if (barcodes.has(kind) && field.result !== 'some') {
      if (!this.#drawBarcode(kind, field, end)) this.#notes.miss('field-barcode');
      return false;
    } else if (indexes.has(kind) && (field.dirty || field.result !== 'some'))
      return this.#readIndex(field, end);
    else return this.#readPageField(kind, field, end) || this.#readStyleReference(kind, field, end);
    return true;
  }

  /** Whether LibreOffice gives Word's text. */
  #isLeft(kind: string, field: Field): boolean {
    if (left.has(kind)) return true;
    if (drawnAlone.has(kind)) return field.result !== 'some';
    if (dates.has(kind)) return field.dirty || field.result !== 'some';
    if (recalculated.has(kind)) return field.dirty;
    return kind === 'PAGEREF' && this.#isKnownPage(field);
  }

  /** LibreOffice writes the number in Arabic digits, and an error where there is no bookmark. */
  #isKnownPage(field: Field): boolean {
    const { document } = this.#options;
    const code = readCode(field.code);
    const bookmark = argumentOf(code);
    if (bookmark === undefined || !document?.hasPage(bookmark)) return false;
    const hasOthers =
      /\\[^h*]/i.test(code) || formatsIn(code).some((each) => !/^(?:MERGE|CHAR)FORMAT$/i.test(each));
    return !hasOthers && /^\s*\d*\s*$/.test(field.resultText);
  }

  /** Shows what is stored; a cross-reference remains a link. */
  #keep(field: Field, end: Range): void {
    const kind = kindOf(field.code);
    if (kind === 'REF' || kind === 'PAGEREF') {
      const code = readCode(field.code);
      const bookmark = argumentOf(code);
      const isLink =
        /\\h\b/i.test(code) && field.depth === 0 && !field.isInLink && !field.resultHasParagraphs;
      const isKnown = bookmark !== undefined && (this.#options.document?.bookmarks.has(bookmark) ?? false);
      if (isLink && isKnown && field.result === 'some' && /^[\w.-]+$/.test(bookmark)) {
        if (this.#instruct(field, end, `HYPERLINK \\l "${bookmark}"`)) return;
      }
    }
    this.#flatten(field);
    // LibreOffice would print the text of an instruction.
    if (field.hasText && this.#instruct(field, end, '_FIELD')) return;
    this.#rename(field);
  }

  /** In Word, a separator makes no line higher. In LibreOffice that of a field which it does not know does, by its font. */
  #flatten({
    prefix: w,
    result,
    resultHasParagraphs,
    isDoubtful,
    separator,
    separatorProperties,
  }: Field): void {
    if (!separator || separatorProperties === undefined || isDoubtful || w === '') return;
    if (result !== 'some' || resultHasParagraphs) return;
    const flat = `<${w}rPr><${w}sz ${w}val="2"/><${w}szCs ${w}val="2"/></${w}rPr>`;
    const { start, end } = separator;
    this.#edits.push({ start, end: start, text: `</${w}r><${w}r>${flat}` });
    this.#edits.push({ start: end, end, text: `</${w}r><${w}r>${separatorProperties}` });
  }

  #rename(field: Field): void {
    if (field.start !== undefined) this.#renamed.add(field.start);
  }

  /** Gives a field another instruction. @returns whether that is possible. */
  #instruct(
    { prefix, begin, simple, separator, isReplaceable, isDoubtful }: Field,
    end: Range,
    code: string,
    edits = this.#edits,
  ): boolean {
    if (isDoubtful) return false;
    const text = writtenText(code);
    if (simple) {
      edits.push({ ...simple.value, text: ` ${text} ` });
      return true;
    }
    if (!isReplaceable || begin === undefined) return false;
    const instruction = `<${prefix}instrText xml:space="preserve"> ${text} </${prefix}instrText>`;
    edits.push({ start: begin, end: separator?.start ?? end.start, text: instruction });
    return true;
  }

  /**
   * Gives a field without a result one, or another one.
   *
   * @param shown content of a run.
   * @returns whether that is possible.
   */
  #fill(field: Field, end: Range, shown: string, edits = this.#edits): boolean {
    const { prefix: w, simple, separator, resultTexts, result } = field;
    if (field.isDoubtful || (result === 'some' && !resultTexts)) return false;
    for (const range of resultTexts ?? []) edits.push({ ...range, text: '' });
    if (simple?.isEmpty) {
      const { tagEnd } = simple;
      edits.push({
        start: tagEnd - '/>'.length,
        end: tagEnd,
        text: `><${w}r>${shown}</${w}r></${w}fldSimple>`,
      });
    } else if (simple) edits.push({ start: end.start, end: end.start, text: `<${w}r>${shown}</${w}r>` });
    else {
      const between = separator ? '' : `<${w}fldChar ${w}fldCharType="separate"/>`;
      edits.push({ start: end.start, end: end.start, text: between + shown });
    }
    return true;
  }

  /** A list of captions that LibreOffice fills looks for sequences: there, each gets its number as a new beginning. */
  #readSequence(field: Field, end: Range): void {
    const code = readCode(field.code);
    const { number, text } = this.#counts.sequence(code, field) ?? {};
    const start = field.start ?? 0;
    this.#stored.push({ start, end: start + 1, text: '_' });
    this.#flatten(field);
    if (number === undefined) return;
    if (text !== undefined) this.#fill(field, end, textMarkup(field, text), this.#stored);
    const name = argumentOf(code);
    const format = formatsIn(code)[0] ?? 'ARABIC';
    if (name !== undefined)
      this.#instruct(field, end, `SEQ ${name} \\r ${number} \\* ${format}`, this.#listed);
  }

  #readListNumber(kind: string, field: Field, end: Range): void {
    const number = this.#counts.listNumber(kind, readCode(field.code));
    this.#rename(field);
    if (number === undefined || !this.#fill(field, end, textMarkup(field, number)))
      this.#notes.miss(kind === 'LISTNUM' ? 'field-listnum' : 'field-autonum');
  }

  #readEquation(field: Field, end: Range): void {
    const hasRoom = this.#equations < MAX_EQUATIONS && field.runProperties.length <= MAX_REPEATED;
    const equation =
      hasRoom &&
      equationMarkup(readCode(field.code), field.prefix, fromBytes(field.runProperties), this.#math);
    if (equation === 'native') return;
    if (!equation || field.simple || field.isDoubtful) this.#notes.miss('field-eq');
    else {
      this.#behindRun += toBytes(equation);
      this.#equations += equation.length;
    }
    // Behind the run, so that it need not be in one.
    if (!this.#instruct(field, end, '_EQ')) this.#rename(field);
  }

  /** @returns whether the field has a drawing as its result. */
  #drawBarcode(kind: string, field: Field, end: Range): boolean {
    const draw = this.#options.drawBarcode;
    const isPossible =
      kind === BARCODE && field.code.length < MAX_CODE && this.#notes.barcodes < MAX_BARCODES;
    if (!draw || !isPossible) return false;
    const code = readCode(field.code);
    const markup = barcodeMarkup(field.hasFields ? withInnerResults(code) : code, field.prefix, draw);
    this.#notes.barcodes += markup?.length ?? NO_BARCODE;
    return markup !== undefined && this.#fill(field, end, markup);
  }

  /** LibreOffice recognises a table of contents by a paragraph that ends in it. */
  #readIndex(field: Field, end: Range): boolean {
    if (!this.#options.document || this.reader?.root !== 'document') return false;
    this.#notes.fillsIndexes = true;
    this.#listsCaptions ||= /\\[ac]\b/i.test(field.code);
    const { prefix: w, begin, code } = field;
    const isOneParagraph = !field.resultHasParagraphs && !field.instructionHasParagraphs;
    if (
      begin === undefined ||
      !isOneParagraph ||
      !field.isReplaceable ||
      !field.isOfRuns ||
      code.includes('{')
    )
      return true;
    const character = (type: string) => `<${w}fldChar ${w}fldCharType="${type}"/>`;
    const text =
      `<${w}instrText xml:space="preserve">${code}</${w}instrText>${character('separate')}` +
      `</${w}r></${w}p><${w}p><${w}r>${character('end')}`;
    this.#edits.push({ start: begin, end: end.end, text });
    return true;
  }

  /** Has a field filled in when its page is known. */
  #readPageField(kind: string, field: Field, end: Range): boolean {
    const { document } = this.#options;
    const isInMargin = margins.has(this.reader?.root ?? '');
    if (kind === 'NUMPAGES' && document?.totalPages !== undefined)
      return this.#writeTotal(document.totalPages, field, end);
    if (field.depth > 0 || !document) return false;
    const code = readCode(field.code);
    if (isPageCount(code) && document.hasPageFormats)
      return this.#instruct(field, end, code.trim().replace(/^\w+/, '$& \\* Arabic'));
    if (!isInMargin && !pageNumbers.has(kind)) return false;
    if (kind === 'PAGE' && isInMargin && document.hasChapters) this.#notes.miss('field-chapter');
    if (document.hasUnwrittenPages && isPageNumber(code)) this.#notes.miss('number-format');
    const dependence = pageDependence(code, isInMargin && document.lacksPageFormat);
    if (dependence === 'none') return false;
    const isPossible = dependence === 'known' && !field.instructionHasParagraphs && !field.hasObjects;
    const instruction = `${PAGE_FIELD}${Buffer.from(code.trim()).toString('base64url')}.`;
    // Its separator stays: LibreOffice gives what it works out the looks of that run.
    if (isPossible && this.#instruct(field, end, instruction)) this.#notes.hasPageFields = true;
    else {
      this.#notes.miss('field-page');
      return false;
    }
    return true;
  }

  /** It is the same on every page. */
  #writeTotal(pages: number, field: Field, end: Range): boolean {
    // Inside another one it is a part of that one's code.
    if (field.depth > 0) return false;
    const facts = { page: 1, pages, section: 1, sectionPages: 1, format: 'decimal' };
    const text = evaluate(readCode(field.code).trim(), facts);
    if (text === undefined || !this.#fill(field, end, textMarkup(field, text))) {
      this.#notes.miss('field-page');
      return false;
    }
    this.#flatten(field);
    this.#rename(field);
    return true;
  }

  /** Word looks for the text of a style on the page of a header; elsewhere it prints what is stored. */
  #readStyleReference(kind: string, field: Field, end: Range): boolean {
    const { document } = this.#options;
    if (kind !== 'STYLEREF' || !document || !margins.has(this.reader?.root ?? '')) return false;
    const code = readCode(field.code);
    if (/\\[^lnrwt*]/i.test(code)) return false;
    const name = argumentOf(code);
    const style = name === undefined ? undefined : document.shownStyle(name);
    if (name === undefined || style === undefined) return false;
    if (style === name) return true;
    return this.#instruct(field, end, code.replace(name, () => style).trim());
  }
}

/** The edits that are in no other one. */
function outermost(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < end) continue;
    kept.push(edit);
    end = edit.end;
  }
  return kept;
}

function valueAttribute(attributes: string) {
  return attributesIn(attributes).find(({ name }) => localName(name) === 'val');
}

function textMarkup({ prefix: w }: Field, text: string): string {
  return `<${w}t xml:space="preserve">${writtenText(text)}</${w}t>`;
}

/** The first argument of an instruction, without quotation marks: what stands before its switches. */
export function argumentOf(code: string): string | undefined {
  const found = /^\s*[A-Za-z]+\s(?:\s*"([^"]*)"\s*(?:\\|$)|([^\\"]*)(?:\\|$))/.exec(code);
  const name = (found?.[1] ?? found?.[2])?.trim();
  return name === '' ? undefined : name;
}

/** LibreOffice accepts a kind in quotation marks, or written with character references, which Word never writes. */
function isDisguised(code: string): boolean {
  return /^\s*["&\\]/.test(code);
}
