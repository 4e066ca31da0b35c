/**
 * Where the pages of a document begin, as Word noted when it saved it (`w:lastRenderedPageBreak`, ISO/IEC 29500-1,
 * 17.3.3.13), and by the document's own breaks and sections.
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
import { MAX_SECTIONS, readSections, type Section } from './sections.ts';

/** By which a part is known that may have marks. */
export const PAGE_MARK = 'lastRenderedPageBreak';

/** What text and pictures are made of. */
const contents = [
  ...['t', 'tab', 'ptab', 'sym', 'cr', 'noBreakHyphen', 'softHyphen'],
  ...['footnoteReference', 'endnoteReference'],
];
/** Text in them is on no page of its own, or on none at all. */
const skipped = [
  ...['del', 'moveFrom', 'pPrChange', 'rPrChange', 'sectPrChange', 'numberingChange'],
  ...['tblPrChange', 'tblPrExChange', 'tblGridChange', 'trPrChange', 'tcPrChange'],
];
const objects = ['pict', 'drawing', 'object'];
const bookmarks: ReadonlySet<string> = new Set(['bookmarkStart', 'bookmarkEnd']);
const elements = [
  ...['p', 'pPr', 'r', 'rPr', 'tbl', 'tblPr', 'tblGrid', 'tr', 'tblHeader', 'tc', 'vMerge', 'sectPr'],
  ...['lastRenderedPageBreak', 'br', 'fldChar', 'pageBreakBefore', 'numPr', 'sdtContent'],
  ...contents,
  ...skipped,
  ...objects,
  ...bookmarks,
];
const contentNames: ReadonlySet<string> = new Set(contents);
const skippedNames: ReadonlySet<string> = new Set(skipped);
const objectNames: ReadonlySet<string> = new Set(objects);
/** Elements between a paragraph and its runs that can end before a break and begin again behind it. */
const divisible: ReadonlySet<string> = new Set(['hyperlink', 'ins', 'moveTo', 'smartTag', 'r']);
/** More than any document that people wrote; what has more is left to the engine. */
const MAX_STARTS = 5_000;
/** A header row that is written once more for each break, in characters. */
const MAX_HEADER_ROW = 65_536;
/** What would be counted once more, or be there twice. */
const NUMBERED = /<(?:[\w.-]{1,32}:)?(?:numPr|footnoteReference|endnoteReference|bookmarkStart)[\s/>]/;

/** The properties of a paragraph, or the place for some. */
export interface PropertiesPlace {
  readonly start: number;
  readonly end: number;
  /** What is in them. */
  readonly content: string;
}

/** Where in the main part a page break can be written. */
export type BreakSite =
  | { readonly kind: 'paragraph'; readonly properties: PropertiesPlace }
  | {
      readonly kind: 'within-paragraph';
      readonly properties: PropertiesPlace;
      readonly start: number;
      readonly end: number;
      /** What is open there, from the outside in. */
      readonly open: readonly OpenElement[];
      /** Of the run that goes on behind it; empty where none does. */
      readonly runProperties: string;
    }
  | { readonly kind: 'row'; readonly start: number; readonly table: TableStart };

/** An element that has begun, and its start tag. */
export interface OpenElement {
  readonly name: string;
  readonly tag: string;
}

/** What a table begins with wherever it goes on. */
export interface TableStart {
  /** Its `w:tblPr` and `w:tblGrid`. */
  readonly properties: string;
  /** The rows that are repeated on each page. */
  readonly headerRows: readonly string[];
}

/**
 * Where a page begins: by a mark, or by a break of the document's own (`own`). An empty paragraph (`empty`) is where one
 * may begin that has no mark.
 */
export interface PageStart {
  readonly kind: 'mark' | 'own' | 'empty';
  /** Index of its section. */
  readonly section: number;
  /** Whether a page break can be written there. */
  readonly isBreakable: boolean;
}

/** A page start, and where in the main part it is. */
export interface LocatedStart extends PageStart {
  /** Where its first content begins in the main part; undefined where it has none. */
  readonly begin: number | undefined;
  /** Where the content before it ends; undefined where that is in the same paragraph. */
  readonly previousEnd: number | undefined;
  /** Undefined where no break can be written. */
  readonly site: BreakSite | undefined;
}

/** What a document says of its pages. */
export interface PageStarts {
  /** In the order of the document; the first page is not among them. */
  readonly starts: readonly PageStart[];
  readonly sections: readonly Section[];
}

/** Where in the main part it says so. */
export interface LocatedStarts extends PageStarts {
  readonly starts: readonly LocatedStart[];
  /** Where the document's last content ends. */
  readonly end: number | undefined;
}

/**
 * Reads where pages begin, in linear time whatever the document is.
 *
 * @param xml the main part, in any encoding in which ASCII is ASCII.
 * @returns undefined where it has no marks, or too many.
 */
export function readPageStarts(xml: string): LocatedStarts | undefined {
  const reader = new PageStartReader(xml);
  visitMarkup(xml, reader);
  const starts = reader.starts;
  if (starts.length > MAX_STARTS || reader.sections.length > MAX_SECTIONS) return undefined;
  if (!starts.some(({ kind }) => kind === 'mark')) return undefined;
  return { starts, sections: reader.sections, end: reader.end };
}

/** What is left where nobody looks into the main part: it is small, and can be sent to another thread. */
export function withoutPlaces({ starts, sections }: LocatedStarts): PageStarts {
  return {
    starts: starts.map(({ kind, section, isBreakable }) => ({ kind, section, isBreakable })),
    sections,
  };
}

/** How many pages marks and the document's own breaks name; those that begin with an empty paragraph are not among them. */
export function namedPages({ starts }: PageStarts): number {
  return 1 + starts.filter(({ kind }) => kind !== 'empty').length;
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

interface Paragraph {
  properties: Mutable<PropertiesPlace>;
  hasContent: boolean;
  isListItem: boolean;
  /** Complex fields that begin in it and do not end before this point. */
  openFields: number;
  /** An empty element. */
  readonly isEmpty: boolean;
  /** Its properties declare no namespace of their own. */
  isPlain: boolean;
}

interface Row {
  readonly start: number;
  /** Where the content before it ends. */
  readonly previousEnd: number | undefined;
  /** A mark stands before all text of its first cell. */
  begin: number | undefined;
  /** A cell is merged with the one above. */
  isMerged: boolean;
  isHeader: boolean;
  cells: number;
  marksInCell: number;
  /** Where each page end that the row goes over is, in the first cell that has it. */
  readonly pageEnds: number[];
}

interface Table extends TableStart {
  properties: string;
  readonly headerRows: string[];
  rows: number;
  row: Row | undefined;
  /** Whether the row before went on to another page. */
  wentOn: boolean;
  /** Content controls that its rows stand in at this point. */
  controls: number;
  /** Whether the header rows may be written once more. */
  isRepeatable: boolean;
}

class PageStartReader implements MarkupVisitor {
  readonly starts: LocatedStart[] = [];
  readonly sections: readonly Section[];
  readonly #xml: string;
  readonly #prefix: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #tables: Table[] = [];
  /** Elements between the paragraph and this point. */
  readonly #open: (OpenElement & { readonly start: number; readonly behind: number })[] = [];
  /** Where the last tag ends that is none of a bookmark. */
  #behind = 0;
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
  /** That page, once it is one. */
  #emptyPage: Mutable<LocatedStart> | undefined;
  /** Where the last run ends that has content. */
  #contentEnd: number | undefined;
  #runHasContent = false;

  constructor(xml: string) {
    this.#xml = xml;
    this.#prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    this.#names = new Map([['mc:AlternateContent', 'drawing'], ...qualified(this.#prefix, elements)]);
    this.sections = readSections(xml, this.#prefix);
  }

  get end(): number | undefined {
    return this.#contentEnd;
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
      this.#open.push({ name, tag: this.#xml.slice(start, end), start, behind: this.#behind });
    }
    if (!bookmarks.has(local)) this.#behind = end;
  }

  /** @returns whether it was an element that is none between a paragraph and its text. */
  #openBlock(local: string, attributes: string, isEmpty: boolean, start: number, end: number): boolean {
    switch (local) {
      case 'p':
        this.#openParagraph(end, isEmpty);
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
        this.#runHasContent = false;
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
        this.#tables.push({
          properties: '',
          headerRows: [],
          rows: 0,
          row: undefined,
          wentOn: false,
          controls: 0,
          isRepeatable: true,
        });
        return true;
      case 'tr':
        this.#openRow(start);
        return true;
      case 'sdtContent':
        if (!isEmpty) this.#countControl(1);
        return false;
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
    this.#behind = end;
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
    else if (local === 'sdtContent' && !this.#paragraph) this.#countControl(-1);
    else if (local === 'tbl') {
      this.#tables.pop();
      this.#isPageEmpty = false;
    } else if (this.#open.at(-1)?.name === name) {
      this.#open.pop();
      if (local === 'r' && this.#runHasContent) this.#contentEnd = end;
    }
  }

  #closeProperties(name: string, start: number, end: number): void {
    this.#properties = undefined;
    const text = this.#xml.slice(start, end);
    const table = this.#tables.at(-1);
    if (name === 'pPr' && this.#paragraph) {
      const content = text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'));
      Object.assign(this.#paragraph.properties, { start, end, content });
      this.#paragraph.isPlain = text.startsWith(`<${this.#prefix}pPr>`);
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
    this.#runHasContent = true;
    if (this.#paragraph) this.#paragraph.hasContent = true;
    if (!this.#emptyPage) return;
    this.#emptyPage.begin = this.#runStart;
    this.#emptyPage = undefined;
  }

  /** Where the open run begins; undefined where none is open. */
  get #runStart(): number | undefined {
    return this.#open.findLast(({ name }) => this.#names.get(name) === 'r')?.start;
  }

  #breakPage(): void {
    this.#isPageEmpty = true;
    this.#emptyPage = this.#add({
      kind: 'own',
      begin: undefined,
      previousEnd: this.#contentEnd,
      site: undefined,
    });
  }

  #add(start: Omit<LocatedStart, 'section' | 'isBreakable'>): Mutable<LocatedStart> {
    const added = { ...start, section: this.#section, isBreakable: start.site !== undefined };
    if (this.starts.length <= MAX_STARTS) this.starts.push(added);
    return added;
  }

  #countField(type: string | undefined): void {
    if (!this.#paragraph) return;
    if (type === 'begin') this.#paragraph.openFields += 1;
    else if (type === 'end' && this.#paragraph.openFields > 0) this.#paragraph.openFields -= 1;
  }

  #readMark(start: number, end: number): void {
    const paragraph = this.#paragraph;
    if (!paragraph || this.starts.length > MAX_STARTS) return;
    const begin = this.#runStart;
    if (begin === undefined) return;
    if (this.#isPageEmpty) {
      this.#noteContent();
      return;
    }
    if (this.#tables.length > 0) this.#markRow(paragraph, begin);
    else {
      const previousEnd = paragraph.hasContent ? undefined : this.#contentEnd;
      this.#add({ kind: 'mark', begin, previousEnd, site: this.#siteOf(paragraph, start, end) });
    }
  }

  #siteOf(paragraph: Paragraph, start: number, end: number): BreakSite | undefined {
    const { properties } = paragraph;
    if (!paragraph.isPlain) return undefined;
    if (!paragraph.hasContent) return { kind: 'paragraph', properties };
    if (!this.#isDivisible(paragraph)) return undefined;
    // A run in which nothing stands before the mark goes on as a whole.
    const run = this.#open.at(-1);
    if (!run) return undefined;
    const kind = 'within-paragraph';
    return this.#runHasContent
      ? { kind, properties, start, end, open: [...this.#open], runProperties: this.#runProperties }
      : {
          kind,
          properties,
          start: run.behind,
          end: run.behind,
          open: this.#open.slice(0, -1),
          runProperties: '',
        };
  }

  /** What goes on of a list item would lose the indentation of its list. */
  #isDivisible({ openFields, isListItem }: Paragraph): boolean {
    const local = (name: string) => name.slice(name.indexOf(':') + 1);
    return openFields === 0 && !isListItem && this.#open.every(({ name }) => divisible.has(local(name)));
  }

  #openParagraph(contentStart: number, isEmpty: boolean): void {
    this.#paragraph = {
      properties: { start: contentStart, end: contentStart, content: '' },
      hasContent: false,
      isListItem: false,
      openFields: 0,
      isEmpty,
      isPlain: true,
    };
    this.#open.length = 0;
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    this.#isFirstInCell = false;
    this.#open.length = 0;
    if (paragraph && this.#tables.length === 0 && !paragraph.isEmpty) this.#noteEmpty(paragraph);
    if (!this.#endsSection) return;
    this.#endsSection = false;
    this.#section += 1;
    if (this.sections[this.#section]?.beginsPage ?? true) this.#breakPage();
  }

  #noteEmpty({ hasContent, openFields, properties, isPlain }: Paragraph): void {
    if (hasContent || !isPlain || openFields > 0 || this.#endsSection || this.#isPageEmpty) return;
    const previousEnd = this.#contentEnd;
    this.#add({ kind: 'empty', begin: properties.end, previousEnd, site: { kind: 'paragraph', properties } });
  }

  #openRow(start: number): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const marks = { begin: undefined, marksInCell: 0, pageEnds: [] };
    table.row = {
      start,
      previousEnd: this.#contentEnd,
      isMerged: false,
      isHeader: false,
      cells: 0,
      ...marks,
    };
  }

  /** Rows may stand in a content control, which ends with the table. */
  #countControl(by: number): void {
    const table = this.#tables.at(-1);
    if (table && !table.row) table.controls += by;
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
  #markRow({ hasContent }: Paragraph, begin: number): void {
    const row = this.#tables.length === 1 ? this.#tables[0]?.row : undefined;
    if (!row) return;
    if (row.cells === 1 && row.marksInCell === 0 && this.#isFirstInCell && !hasContent) row.begin = begin;
    else {
      row.pageEnds[row.marksInCell] ??= begin;
      row.marksInCell += 1;
    }
  }

  #closeRow(end: number): void {
    const table = this.#tables.at(-1);
    const row = table?.row;
    if (!table || !row) return;
    table.row = undefined;
    const isRepeated = row.isHeader && table.headerRows.length === table.rows;
    table.rows += 1;
    if (isRepeated) {
      const text = this.#xml.slice(row.start, end);
      table.headerRows.push(text);
      table.isRepeatable &&= text.length <= MAX_HEADER_ROW && !NUMBERED.test(text);
    }
    const { wentOn } = table;
    table.wentOn = row.pageEnds.length > 0;
    if (row.begin !== undefined && !wentOn) {
      const isInside = !row.isMerged && !isRepeated && table.rows > 1 && table.controls === 0;
      const site =
        isInside && table.isRepeatable ? ({ kind: 'row', start: row.start, table } as const) : undefined;
      this.#add({ kind: 'mark', begin: row.begin, previousEnd: row.previousEnd, site });
    }
    for (const begin of row.pageEnds)
      this.#add({ kind: 'mark', begin, previousEnd: undefined, site: undefined });
  }
}
