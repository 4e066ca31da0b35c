/**
 * Begins each page of a document where Word began it. Word notes where pages began when it saved
 * (`w:lastRenderedPageBreak`, ISO/IEC 29500-1, 17.3.3.13); here such a mark becomes a page break.
 *
 * Word writes a mark into the first run of a page. A page that begins with an empty paragraph has none. In tables, a row
 * that goes on to another page has marks in the cells that go on, and the row below it has one as well.
 */
import {
  attributeOf,
  isOn,
  type MarkupVisitor,
  prefixOf,
  qualified,
  visitMarkup,
  WORD_NAMESPACE,
} from '../facts/markup.ts';
import { ParagraphProperties } from './paragraph-properties.ts';

/** What text and pictures are made of. */
const contents = [
  ...['t', 'tab', 'ptab', 'sym', 'cr', 'noBreakHyphen', 'softHyphen'],
  ...['footnoteReference', 'endnoteReference'],
];
/** Text in them is on no page of its own, or on none at all. */
const skipped = ['del', 'moveFrom', 'pPrChange', 'rPrChange', 'sectPrChange', 'tblPrChange', 'trPrChange'];
const objects = ['pict', 'drawing', 'object'];
const elements = [
  ...['p', 'pPr', 'r', 'rPr', 'tbl', 'tblPr', 'tblGrid', 'tr', 'tblHeader', 'tc', 'vMerge', 'sectPr'],
  ...['lastRenderedPageBreak', 'br', 'fldChar', 'pageBreakBefore', 'numPr'],
  ...contents,
  ...skipped,
  ...objects,
];
const contentNames: ReadonlySet<string> = new Set(contents);
const skippedNames: ReadonlySet<string> = new Set(skipped);
const objectNames: ReadonlySet<string> = new Set(objects);
/** Elements between a paragraph and its runs that can end before a break and begin again behind it. */
const divisible: ReadonlySet<string> = new Set(['hyperlink', 'ins', 'moveTo', 'smartTag', 'r']);
/** So far the body grows at the foot of a page, in twentieths of a point: about three lines. */
const MAX_GROWTH = 700;
/** What stays free for the footer behind its distance from the page's edge: a line. */
const FOOTER_HEIGHT = 330;

/** What a document says of its pages. */
export interface PageMarks {
  /** Marks that become a page break. */
  readonly breaks: number;
  /** Pages that marks and the document's own breaks name; those that begin with an empty paragraph are not among them. */
  readonly pages: number;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Paragraph {
  /** Its `w:pPr`, or the place for one. */
  properties: { start: number; end: number; content: string };
  hasContent: boolean;
  isListItem: boolean;
  beginsPage: boolean;
  readonly splits: Split[];
  /** Complex fields that begin in it and do not end before this point. */
  openFields: number;
}

/** A mark inside a paragraph. */
interface Split {
  readonly start: number;
  readonly end: number;
  /** End tags of what is open at the mark, and their start tags. */
  readonly endTags: string;
  readonly startTags: string;
}

interface Row {
  readonly start: number;
  /** A mark stands before all text of its first cell. */
  beginsPage: boolean;
  /** A cell is merged with the one above. */
  isMerged: boolean;
  isHeader: boolean;
  cells: number;
  marksInCell: number;
  /** Page ends that the row goes over. */
  pageEnds: number;
}

interface Table {
  /** Its `w:tblPr` and `w:tblGrid`. */
  properties: string;
  readonly headerRows: string[];
  rows: number;
  row: Row | undefined;
  /** Whether the row before went on to another page. */
  wentOn: boolean;
}

/**
 * Reads what a document says of its pages, in linear time whatever it is.
 *
 * @param xml the main part.
 */
export function readPageMarks(xml: string): PageMarks {
  const reader = new PageMarkReader(xml, false);
  visitMarkup(xml, reader);
  return reader.marks;
}

/**
 * The main part with a page break for each mark, and a body that may grow a little towards the footer: so a page that
 * comes out some lines longer than in Word still holds what Word put on it. A hostile document can make this take long.
 *
 * @param xml the main part, in any encoding in which ASCII is ASCII.
 */
export function withPageBreaks(xml: string): string {
  const reader = new PageMarkReader(xml, true);
  visitMarkup(xml, reader);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of reader.edits) {
    pieces.push(xml.slice(at, start), text);
    at = end;
  }
  return withGrownPages(pieces.join('') + xml.slice(at));
}

class PageMarkReader implements MarkupVisitor {
  readonly #xml: string;
  readonly #prefix: string;
  readonly #names: ReadonlyMap<string, string>;
  /** Where each section begins, as its `w:type` says. */
  readonly #sections: readonly (string | undefined)[];
  readonly #writes: boolean;
  readonly #edits: Edit[] = [];
  readonly #tables: Table[] = [];
  /** Elements between the paragraph and this point. */
  readonly #open: { readonly name: string; readonly tag: string }[] = [];
  #paragraph: Paragraph | undefined;
  #runProperties = '';
  #isFirstInCell = false;
  /** The properties that are being read, of a paragraph, a run or a table, and where they begin. */
  #properties: { readonly name: string; readonly start: number } | undefined;
  #skipped = 0;
  #section = 0;
  #endsSection = false;
  /** A break of the document's own has begun a page on which there is nothing yet; so does the document. */
  #isPageEmpty = true;
  #ownBreaks = 0;
  #breaks = 0;
  /** Page ends inside rows, and marks that stay as they are. */
  #others = 0;

  /** @param writes whether the edits are wanted, which can be much larger than the part. */
  constructor(xml: string, writes: boolean) {
    this.#writes = writes;
    this.#xml = xml;
    this.#prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    this.#names = new Map([['mc:AlternateContent', 'drawing'], ...qualified(this.#prefix, elements)]);
    this.#sections = sectionTypes(xml, this.#prefix);
  }

  get marks(): PageMarks {
    return { breaks: this.#breaks, pages: 1 + this.#ownBreaks + this.#breaks + this.#others };
  }

  get edits(): Edit[] {
    return this.#edits.toSorted((a, b) => a.start - b.start);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    if (this.#skipped > 0) {
      if (!isEmpty) this.#skipped += 1;
      return;
    }
    const local = this.#names.get(name) ?? '';
    if (objectNames.has(local) || skippedNames.has(local)) {
      if (objectNames.has(local)) this.#noteContent();
      if (!isEmpty) this.#skipped = 1;
    } else if (contentNames.has(local)) {
      // A tab stop of a paragraph's properties is no content.
      if (this.#properties === undefined) this.#noteContent();
    } else if (this.#properties !== undefined) {
      this.#readProperty(local, attributes, isEmpty);
    } else if (!this.#openBlock(local, attributes, isEmpty, start, end) && this.#paragraph && !isEmpty) {
      this.#open.push({ name, tag: this.#xml.slice(start, end) });
    }
  }

  /** @returns whether it was an element that is none between a paragraph and its text. */
  #openBlock(local: string, attributes: string, isEmpty: boolean, start: number, end: number): boolean {
    switch (local) {
      case 'p':
        this.#openParagraph(end);
        if (isEmpty) this.#closeParagraph();
        return true;
      case 'pPr':
      case 'rPr':
      case 'tblPr':
      case 'tblGrid':
        if (!isEmpty) this.#properties = { name: local, start };
        return true;
      case 'r':
        this.#runProperties = '';
        return false;
      case 'lastRenderedPageBreak':
        this.#readMark(start, end);
        return true;
      case 'br':
        if (attributeOf(attributes, `${this.#prefix}type`) === 'page') {
          this.#breakPage();
          if (this.#paragraph) this.#paragraph.hasContent = true;
        } else this.#noteContent();
        return true;
      case 'fldChar':
        this.#countField(attributeOf(attributes, `${this.#prefix}fldCharType`));
        return true;
      case 'tbl':
        this.#tables.push({ properties: '', headerRows: [], rows: 0, row: undefined, wentOn: false });
        return true;
      case 'tr':
        this.#openRow(start);
        return true;
      case 'tc':
        this.#openCell();
        return true;
      case 'tblHeader':
      case 'vMerge':
        this.#readRowProperty(local, attributes);
        return true;
      case 'sectPr':
        if (!isEmpty) this.#skipped = 1;
        return true;
      default:
        return false;
    }
  }

  close(name: string, _start: number, end: number): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const local = this.#names.get(name);
    if (this.#properties !== undefined) {
      // The properties of a paragraph have some of a run in them.
      if (this.#properties.name === local) this.#closeProperties(local, this.#properties.start, end);
      return;
    }
    if (local === 'p') this.#closeParagraph();
    else if (local === 'tr') this.#closeRow(end);
    else if (local === 'tbl') {
      this.#tables.pop();
      this.#isPageEmpty = false;
    } else if (this.#open.at(-1)?.name === name) this.#open.pop();
  }

  #closeProperties(name: string, start: number, end: number): void {
    this.#properties = undefined;
    const text = this.#xml.slice(start, end);
    const table = this.#tables.at(-1);
    if (name === 'pPr' && this.#paragraph) {
      const content = text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'));
      this.#paragraph.properties = { start, end, content };
    } else if (name === 'rPr') this.#runProperties = text;
    else if (table && name.startsWith('tbl')) table.properties += text;
  }

  #readProperty(local: string, attributes: string, isEmpty: boolean): void {
    const paragraph = this.#paragraph;
    if (local === 'pageBreakBefore' && isOn(attributes, `${this.#prefix}val`)) {
      // Behind a break on an empty page it makes no page of its own.
      if (!this.#isPageEmpty) this.#breakPage();
    } else if (local === 'numPr' && paragraph) paragraph.isListItem = true;
    else if (local === 'sectPr') {
      this.#endsSection = true;
      if (!isEmpty) this.#skipped = 1;
    }
  }

  #noteContent(): void {
    this.#isPageEmpty = false;
    if (this.#paragraph) this.#paragraph.hasContent = true;
  }

  #breakPage(): void {
    this.#ownBreaks += 1;
    this.#isPageEmpty = true;
  }

  #countField(type: string | undefined): void {
    if (!this.#paragraph) return;
    if (type === 'begin') this.#paragraph.openFields += 1;
    else if (type === 'end' && this.#paragraph.openFields > 0) this.#paragraph.openFields -= 1;
  }

  #readMark(start: number, end: number): void {
    const paragraph = this.#paragraph;
    if (!paragraph) return;
    if (this.#isPageEmpty) {
      this.#isPageEmpty = false;
      return;
    }
    if (this.#tables.length > 0) this.#markRow(paragraph);
    else if (!paragraph.hasContent) {
      paragraph.beginsPage = true;
      this.#breaks += 1;
    } else if (this.#isDivisible(paragraph)) {
      this.#breaks += 1;
      if (!this.#writes) return;
      const endTags = this.#open.map(({ name }) => `</${name}>`).reverse();
      const startTags = this.#open.map(({ tag }) => tag);
      paragraph.splits.push({
        start,
        end,
        endTags: endTags.join(''),
        startTags: startTags.join('') + this.#runProperties,
      });
    } else this.#others += 1;
  }

  /** What goes on of a list item would lose the indentation of its list. */
  #isDivisible({ openFields, isListItem }: Paragraph): boolean {
    const local = (name: string) => name.slice(name.indexOf(':') + 1);
    return openFields === 0 && !isListItem && this.#open.every(({ name }) => divisible.has(local(name)));
  }

  #openParagraph(contentStart: number): void {
    this.#paragraph = {
      properties: { start: contentStart, end: contentStart, content: '' },
      hasContent: false,
      isListItem: false,
      beginsPage: false,
      splits: [],
      openFields: 0,
    };
    this.#open.length = 0;
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    this.#isFirstInCell = false;
    this.#open.length = 0;
    if (paragraph && this.#writes) this.#changeParagraph(paragraph);
    if (!this.#endsSection) return;
    this.#endsSection = false;
    this.#section += 1;
    const type = this.#sections[this.#section];
    if (type !== 'continuous' && type !== 'nextColumn') this.#breakPage();
  }

  #changeParagraph({ properties, beginsPage, splits }: Paragraph): void {
    if (!beginsPage && splits.length === 0) return;
    const own = () => new ParagraphProperties(properties.content, this.#prefix);
    const first = own();
    if (beginsPage) beginPage(first);
    if (splits.length > 0) endPage(first);
    this.#edits.push({ start: properties.start, end: properties.end, text: first.toString() });
    for (const [i, { start, end, endTags, startTags }] of splits.entries()) {
      const next = own();
      beginPage(next);
      continueParagraph(next);
      if (i < splits.length - 1) endPage(next);
      const p = `${this.#prefix}p`;
      this.#edits.push({ start, end, text: `${endTags}</${p}><${p}>${next.toString()}${startTags}` });
    }
  }

  #openRow(start: number): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const marks = { beginsPage: false, marksInCell: 0, pageEnds: 0 };
    table.row = { start, isMerged: false, isHeader: false, cells: 0, ...marks };
  }

  #openCell(): void {
    this.#isFirstInCell = true;
    const row = this.#tables.at(-1)?.row;
    if (!row) return;
    row.cells += 1;
    row.marksInCell = 0;
  }

  #readRowProperty(local: 'tblHeader' | 'vMerge', attributes: string): void {
    const row = this.#tables.at(-1)?.row;
    if (!row) return;
    if (local === 'tblHeader') row.isHeader = isOn(attributes, `${this.#prefix}val`);
    else row.isMerged ||= attributeOf(attributes, `${this.#prefix}val`) !== 'restart';
  }

  /** Rows of tables in tables go where the outer row goes. */
  #markRow({ hasContent }: Paragraph): void {
    const row = this.#tables.length === 1 ? this.#tables[0]?.row : undefined;
    if (!row) return;
    if (row.cells === 1 && row.marksInCell === 0 && this.#isFirstInCell && !hasContent) row.beginsPage = true;
    else {
      row.marksInCell += 1;
      row.pageEnds = Math.max(row.pageEnds, row.marksInCell);
    }
  }

  #closeRow(end: number): void {
    const table = this.#tables.at(-1);
    const row = table?.row;
    if (!table || !row) return;
    table.row = undefined;
    const isRepeated = row.isHeader && table.headerRows.length === table.rows;
    table.rows += 1;
    if (isRepeated) table.headerRows.push(this.#xml.slice(row.start, end));
    const { wentOn } = table;
    table.wentOn = row.pageEnds > 0;
    this.#others += row.pageEnds;
    if (!row.beginsPage || wentOn) return;
    if (row.isMerged || isRepeated || table.rows === 1) {
      this.#others += 1;
      return;
    }
    this.#breaks += 1;
    if (this.#writes) this.#edits.push({ start: row.start, end: row.start, text: this.#tableBreak(table) });
  }

  /** Ends the table and begins it again on the next page. Without a paragraph between them LibreOffice joins them. */
  #tableBreak({ properties, headerRows }: Table): string {
    const w = this.#prefix;
    const between = new ParagraphProperties('', w);
    between.set('pageBreakBefore');
    between.set('spacing', { before: '0', after: '0', line: '20', lineRule: 'exact' });
    const paragraph = `<${w}p>${between.toString()}</${w}p>`;
    return `</${w}tbl>${paragraph}<${w}tbl>${properties}${headerRows.join('')}`;
  }
}

/** The types of the sections in their order; undefined where one has none, which is `nextPage`. */
function sectionTypes(xml: string, prefix: string): (string | undefined)[] {
  const types: (string | undefined)[] = [];
  const begin = new RegExp(`<${prefix}sectPr[\\s/>]`, 'g');
  const type = new RegExp(`<${prefix}type\\s[^<>]{0,200}`);
  for (let match = begin.exec(xml); match; match = begin.exec(xml)) {
    const end = xml.indexOf(`</${prefix}sectPr>`, match.index);
    const tagEnd = xml.indexOf('>', match.index);
    const isEmpty = xml.charAt(tagEnd - 1) === '/';
    if (tagEnd < 0 || (end < 0 && !isEmpty)) break;
    const tag = isEmpty ? '' : (type.exec(xml.slice(match.index, end))?.[0] ?? '');
    types.push(attributeOf(tag, `${prefix}val`));
    if (!isEmpty) begin.lastIndex = end;
  }
  return types;
}

function sectionsOf(prefix: string): RegExp {
  return new RegExp(`<${prefix}sectPr(?:\\s[^<>]*)?>[\\s\\S]*?</${prefix}sectPr>`, 'g');
}

/** Word leaves out the space above the first paragraph of a page. */
function beginPage(properties: ParagraphProperties): void {
  properties.set('pageBreakBefore');
  properties.merge('spacing', { before: '0' }, ['beforeAutospacing', 'beforeLines']);
}

/** What goes on is not indented as a first line is. */
function continueParagraph(properties: ParagraphProperties): void {
  properties.merge('ind', { firstLine: '0' }, ['hanging', 'firstLineChars', 'hangingChars']);
  properties.set('widowControl', { val: '0' });
}

/** The line above the break reaches the right margin where others do. */
function endPage(properties: ParagraphProperties): void {
  if (/["'](?:both|lowKashida|mediumKashida|highKashida)["']/.test(properties.get('jc') ?? '')) {
    properties.set('jc', { val: 'distribute' });
  }
  properties.remove('sectPr');
  properties.merge('spacing', { after: '0' }, ['afterAutospacing', 'afterLines']);
  properties.set('widowControl', { val: '0' });
}

/** Never into the footer. */
function withGrownPages(xml: string): string {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const margins = new RegExp(`(<${prefix}pgMar\\s[^<>]*?${prefix}bottom=["'])(\\d{1,5})(["'][^<>]*>)`);
  return xml.replace(sectionsOf(prefix), (section) =>
    section.replace(margins, (whole, before: string, bottom: string, after: string) => {
      const footer = Number(attributeOf(whole, `${prefix}footer`) ?? 720);
      const lowest = Math.max(footer + FOOTER_HEIGHT, Number(bottom) - MAX_GROWTH);
      return `${before}${Math.min(Number(bottom), lowest)}${after}`;
    }),
  );
}
