/**
 * Reads where the pages of a document begin, as Word noted when it saved it (`w:lastRenderedPageBreak`, ISO/IEC 29500-1,
 * 17.3.3.13), and by the document's own breaks and sections.
 *
 * Word writes a mark into the first run of a page. A page that begins with an empty paragraph has none.
 */
import { BodyWalk, drawings, type Element } from '../document/body-walk.ts';
import { readDrawing } from '../document/drawings.ts';
import { MATH_NAMESPACE, prefixOf, qualified } from '../document/markup.ts';
import { MAX_SECTIONS, readSections, type Section } from '../document/sections.ts';
import type { Styles } from '../document/styles.ts';
import { localName } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import { showsEmpty } from './page-ends.ts';
import type { LocatedStart, LocatedStarts, ParagraphSite, PropertiesPlace } from './page-starts.ts';
import { type ReadStart, TableReader } from './table-reader.ts';

/** A part that has this name may have marks. */
export const PAGE_MARK = 'lastRenderedPageBreak';

/** What text and pictures are made of. */
const contents = [
  ...['t', 'tab', 'ptab', 'sym', 'cr', 'noBreakHyphen', 'softHyphen'],
  ...['footnoteReference', 'endnoteReference'],
];
const equations = ['oMathPara', 'oMath'];
const bookmarks: ReadonlySet<string | undefined> = new Set(['bookmarkStart', 'bookmarkEnd']);
const elements = [
  ...['p', 'pPr', 'r', 'rPr', 'tbl', 'tblPr', 'tblGrid', 'sectPr'],
  ...['tr', 'trPr', 'tblPrEx', 'tblHeader', 'tc', 'tcPr', 'vMerge', 'sdtContent', 'customXml'],
  ...['lastRenderedPageBreak', 'br', 'fldChar', 'fldSimple', 'pageBreakBefore', 'pStyle', 'tblpPr'],
  ...contents,
  ...drawings,
  'bookmarkStart',
  'bookmarkEnd',
];
const contentNames: ReadonlySet<string | undefined> = new Set(contents);
const objectNames: ReadonlySet<string | undefined> = new Set(drawings);
const equationNames: ReadonlySet<string | undefined> = new Set(equations);
/** Elements between a paragraph and its runs that can end before a break and begin again behind it. */
const divisible: ReadonlySet<string> = new Set(['hyperlink', 'smartTag', 'r']);
/** More than any document that people write has; with more, the engine's layout is used. */
const MAX_STARTS = 5_000;

/**
 * Reads where pages begin, in linear time whatever the document is.
 *
 * @param styles those of the document.
 * @returns undefined where it has too many.
 */
export function readPageStarts(xml: Bytes, styles: Styles): LocatedStarts | undefined {
  const reader = new PageStartReader(xml, styles).walk();
  reader.finish();
  const starts = reader.starts;
  if (starts.length > MAX_STARTS || reader.marks > MAX_STARTS || reader.sections.length > MAX_SECTIONS)
    return undefined;
  return { starts, sections: reader.sections, end: reader.end };
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

interface Paragraph {
  /** Where its tag begins. */
  readonly start: number;
  properties: PropertiesPlace;
  style: string;
  /** Whether the paragraph itself is set to begin a page. */
  breaksPage: boolean | undefined;
  hasContent: boolean;
  /** A field begins in it, whose result may not be stored. */
  hasField: boolean;
  /** Complex fields that begin in it and do not end before this point. */
  openFields: number;
  /** An empty element. */
  readonly isEmpty: boolean;
  /** Its properties declare no namespace of their own. */
  isPlain: boolean;
}

class PageStartReader extends BodyWalk {
  readonly starts: LocatedStart[] = [];
  readonly sections: readonly Section[];
  /** Number of marks other than those of the document's own breaks. */
  marks = 0;
  readonly #styles: Styles;
  readonly #tables: TableReader;
  /** Elements between the paragraph and this point, and where the tag before each one ends. */
  #open: { readonly element: Element; readonly behind: number }[] = [];
  /** Where the last tag ends, apart from those of bookmarks. */
  #behind = 0;
  #paragraph: Paragraph | undefined;
  #runProperties = '';
  /** The properties that are being read, of a paragraph, a run or a table. */
  #properties: Element | undefined;
  #section = 0;
  #endsSection = false;
  /** Whether the page is still empty, after the document's start or a break of its own. */
  #isPageEmpty = true;
  /** That page, once it is one. */
  #emptyPage: Mutable<LocatedStart> | undefined;
  /** Where the last run, or the last equation, ends that has content. */
  #contentEnd: number | undefined;
  /** Where the last mark outside tables begins its page. */
  #markBegin: number | undefined;
  #runHasContent = false;
  /** The last block of the body so far, if it is an empty paragraph. */
  #last: Mutable<LocatedStart> | undefined;
  /** Where a floating table begins a page, until the paragraph that it belongs to: the next one. */
  #floating: Mutable<LocatedStart> | undefined;
  #drawingStart = 0;
  #hasDrawingAbove = false;

  constructor(xml: Bytes, styles: Styles) {
    const others = qualified(prefixOf(xml, MATH_NAMESPACE) ?? 'm:', equations);
    super(xml, { elements, others, readsAll: true, readsDeletions: true });
    this.#styles = styles;
    this.sections = readSections(xml, this.w);
    this.#tables = new TableReader(xml, (start, isFloating) => {
      const added = this.#add(start);
      if (isFloating) this.#floating = added;
    });
  }

  get end(): number | undefined {
    return this.#contentEnd;
  }

  /** Call at the end. The last paragraph gets no anchor: with one, it may need a page of its own below a floating table. */
  finish(): void {
    if (this.#last) this.#last.begin = undefined;
  }

  override open(tag: Element): boolean {
    const isPassedOver = this.#read(tag);
    if (!bookmarks.has(tag.local)) this.#behind = tag.end;
    return isPassedOver;
  }

  /** @returns whether to pass over what is in it. */
  #read(tag: Element): boolean {
    const { local, isEmpty } = tag;
    if (objectNames.has(local)) {
      this.#drawingStart = tag.start;
      this.#noteContent();
      return true;
    }
    if (equationNames.has(local)) {
      this.#noteContent(tag.start);
      return true;
    }
    if (contentNames.has(local)) {
      // A tab stop of a paragraph's properties is no content.
      if (this.#properties === undefined) this.#noteContent();
    } else if (this.#properties !== undefined) this.#readProperty(tag);
    else if (!this.#openBlock(tag) && this.#paragraph && !isEmpty)
      this.#open.push({ element: tag, behind: this.#behind });
    return local === 'sectPr' || local === PAGE_MARK;
  }

  /** @returns whether the element is not one that stands between a paragraph and its text. */
  #openBlock(element: Element): boolean {
    const { local, isEmpty, start, end } = element;
    switch (local) {
      case 'p':
        this.#openParagraph(start, end, isEmpty);
        if (isEmpty) this.#closeParagraph();
        return true;
      case 'pPr':
      case 'rPr':
      case 'tblPr':
      case 'tblGrid':
        if (!isEmpty) this.#properties = element;
        return true;
      case 'r':
        this.#runProperties = '';
        this.#runHasContent = false;
        return false;
      case 'lastRenderedPageBreak':
        this.#readMark(start);
        return true;
      case 'br':
        if (element.value('type') === 'page') {
          this.#breakPage();
          if (this.#paragraph) this.#paragraph.hasContent = true;
        } else this.#noteContent();
        return true;
      case 'fldChar':
        this.#countField(element.value('fldCharType'));
        return true;
      case 'fldSimple':
        if (this.#paragraph) this.#paragraph.hasField = true;
        return false;
      case 'tbl':
        if (!this.#tables.isInside) this.#floating = undefined;
        if (!isEmpty) this.#tables.openTable(start);
        return true;
      case 'tr':
        this.#tables.openRow(start, end, this.#contentEnd);
        return true;
      case 'sdtContent':
      case 'customXml':
        if (!isEmpty && !this.#paragraph) this.#tables.openControl();
        return false;
      case 'tc':
        this.#tables.openCell(start, end);
        return true;
      case 'tblHeader':
        if (element.isOn) this.#tables.makeHeader();
        return true;
      case 'vMerge':
        this.#tables.mergeCell(element.value() === 'restart');
        return true;
      case 'sectPr':
        return true;
      default:
        return false;
    }
  }

  override close(local: string | undefined, start: number, end: number, name: string): void {
    this.#behind = end;
    if (objectNames.has(local)) this.#noteDrawing(this.xml.slice(this.#drawingStart, end));
    else if (this.#properties !== undefined) {
      // The properties of a paragraph have some of a run in them.
      if (this.#properties.local === local) this.#closeProperties(this.#properties, start, end);
    } else if (local === 'p') {
      this.#noteField(start);
      this.#closeParagraph();
    } else if (equationNames.has(local)) this.#contentEnd = end;
    else if (local === 'tr') this.#tables.closeRow(end);
    else if (local === 'tc') this.#tables.closeCell(start, end);
    else if (local === 'tcPr') this.#tables.closeProperties('cell', end);
    else if (local === 'trPr' || local === 'tblPrEx') this.#tables.closeProperties('row', end);
    else if ((local === 'sdtContent' || local === 'customXml') && !this.#paragraph) {
      this.#tables.closeControl();
    } else if (local === 'tbl') {
      this.#tables.closeTable();
      this.#isPageEmpty = false;
    } else if (this.#open.at(-1)?.element.name === name) {
      this.#open.pop();
      if (local === 'r' && this.#runHasContent) this.#contentEnd = end;
    }
  }

  /** @param contentEnd where the end tag begins. */
  #closeProperties(
    { local, attributes, start, end: content }: Element,
    contentEnd: number,
    end: number,
  ): void {
    this.#properties = undefined;
    if (local === 'pPr' && this.#paragraph) {
      this.#paragraph.properties = { start, end, content: this.xml.slice(content, contentEnd) };
      this.#paragraph.isPlain = attributes === '';
      const { breaksPage, style } = this.#paragraph;
      // On a page that is still empty after a break, it does not begin another page.
      if ((breaksPage ?? this.#styles.breaksPage(style)) && !this.#isPageEmpty) this.#breakPage();
    } else if (local === 'rPr') this.#runProperties = this.xml.slice(start, end);
    else if (local?.startsWith('tbl')) this.#tables.addProperties(this.xml.slice(start, end));
  }

  #readProperty(element: Element): void {
    const { local } = element;
    const paragraph = this.#paragraph;
    if (local === 'pageBreakBefore' && paragraph) {
      paragraph.breaksPage = element.isOn;
    } else if (local === 'pStyle' && paragraph) {
      paragraph.style = element.text();
    } else if (local === 'sectPr') this.#endsSection = true;
    else if (local === 'tblpPr') this.#tables.float();
  }

  /** @param begin where it does; that of its run where it is in one. */
  #noteContent(begin?: number): void {
    this.#isPageEmpty = false;
    this.#runHasContent = true;
    this.#tables.noteContent();
    if (this.#paragraph) this.#paragraph.hasContent = true;
    if (!this.#emptyPage) return;
    this.#emptyPage.begin = begin ?? this.#runStart;
    this.#emptyPage = undefined;
  }

  /** Where what stands on the page so far ends: its content, or its beginning where it has none. */
  get #above(): number | undefined {
    return this.#markBegin === undefined
      ? this.#contentEnd
      : Math.max(this.#markBegin, this.#contentEnd ?? 0);
  }

  /** Where the open run begins; undefined where none is open. */
  get #runStart(): number | undefined {
    return this.#open.findLast(({ element }) => element.local === 'r')?.element.start;
  }

  #breakPage(sectionAbove = this.#section): void {
    this.#isPageEmpty = true;
    this.#emptyPage = this.#add({
      kind: 'own',
      begin: undefined,
      previousEnd: this.#above,
      site: undefined,
    });
    this.#emptyPage.sectionAbove = sectionAbove;
  }

  #add({ kind, begin, previousEnd, site }: ReadStart, isBlank = false): Mutable<LocatedStart> {
    if (kind !== 'empty') this.#hasDrawingAbove = false;
    const added = {
      kind,
      begin,
      previousEnd,
      site,
      section: this.#section,
      sectionAbove: this.#section,
      isBreakable: site !== undefined,
      isBlank,
      clearsDrawing: this.#hasDrawingAbove,
    };
    if (this.starts.length <= MAX_STARTS) this.starts.push(added);
    return added;
  }

  #noteDrawing(xml: string): void {
    this.#hasDrawingAbove ||= readDrawing(xml).isInFront;
  }

  #countField(type: string | undefined): void {
    if (!this.#paragraph) return;
    if (type === 'begin') {
      this.#paragraph.openFields += 1;
      this.#paragraph.hasField = true;
    } else if (type === 'end' && this.#paragraph.openFields > 0) this.#paragraph.openFields -= 1;
  }

  #readMark(start: number): void {
    const paragraph = this.#paragraph;
    if (!paragraph || this.starts.length > MAX_STARTS || this.marks > MAX_STARTS) return;
    const begin = this.#runStart;
    if (begin === undefined) return;
    if (this.#isPageEmpty) {
      this.#noteContent();
      return;
    }
    this.marks += 1;
    const { hasContent: isWithin, start: from } = paragraph;
    const site = this.#siteOf(paragraph, start);
    if (this.#tables.isInside) this.#tables.mark({ begin, isWithin, block: from, site });
    else {
      const previousEnd = isWithin ? undefined : this.#above;
      this.#add({ kind: 'mark', begin, previousEnd, site });
      this.#markBegin = begin;
    }
  }

  #siteOf(paragraph: Paragraph, start: number): ParagraphSite | undefined {
    const { properties } = paragraph;
    if (!paragraph.isPlain) return undefined;
    if (!paragraph.hasContent) return { kind: 'paragraph', properties };
    if (!this.#isDivisible(paragraph)) return undefined;
    // A run without content before the mark moves to the next page as a whole.
    const run = this.#open.at(-1);
    if (!run) return undefined;
    const kind = 'within-paragraph';
    const open = this.#open.map(({ element }) => ({
      name: element.name,
      tag: this.xml.slice(element.start, element.end),
    }));
    return this.#runHasContent
      ? { kind, properties, start, open, runProperties: this.#runProperties }
      : { kind, properties, start: run.behind, open: open.slice(0, -1), runProperties: '' };
  }

  #isDivisible({ openFields }: Paragraph): boolean {
    return openFields === 0 && this.#open.every(({ element }) => divisible.has(localName(element.name)));
  }

  #openParagraph(start: number, contentStart: number, isEmpty: boolean): void {
    this.#last = undefined;
    this.#paragraph = {
      start,
      properties: { start: contentStart, end: contentStart, content: '' },
      style: '',
      breaksPage: undefined,
      hasContent: false,
      hasField: false,
      openFields: 0,
      isEmpty,
      isPlain: true,
    };
    this.#open = [];
  }

  /**
   * A paragraph with nothing but a field counts as content, as the field's result may not be stored.
   *
   * @param end where the content of the paragraph ends.
   */
  #noteField(end: number): void {
    if (!this.#paragraph?.hasField || this.#paragraph.hasContent) return;
    this.#noteContent(this.#paragraph.properties.end);
    this.#contentEnd = end;
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    const style = this.#styles.paragraphStyle(paragraph?.style ?? '');
    this.#tables.closeParagraph(this.#styles.isInList(style));
    this.#open = [];
    if (paragraph && !this.#tables.isInside) {
      this.#placeFloating(paragraph);
      if (!paragraph.isEmpty) this.#noteEmpty(paragraph);
    }
    if (!this.#endsSection) return;
    this.#endsSection = false;
    this.#section += 1;
    if (this.sections[this.#section]?.beginsPage ?? true) this.#breakPage(this.#section - 1);
  }

  /** A floating table is on the page of its paragraph. */
  #placeFloating({ isEmpty, isPlain, properties }: Paragraph): void {
    if (this.#floating && isPlain && !isEmpty)
      Object.assign(this.#floating, { site: { kind: 'paragraph', properties }, isBreakable: true });
    this.#floating = undefined;
  }

  #noteEmpty({ hasContent, openFields, properties, isPlain }: Paragraph): void {
    if (hasContent || !isPlain || openFields > 0 || this.#endsSection || this.#isPageEmpty) return;
    const previousEnd = this.#above;
    const site = { kind: 'paragraph', properties } as const;
    const isBlank = !showsEmpty(properties.content, this.w, this.#styles);
    this.#last = this.#add({ kind: 'empty', begin: properties.end, previousEnd, site }, isBlank);
  }
}
