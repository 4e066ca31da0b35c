/**
 * Finds where rows of tables begin pages. A row that continues on another page has marks in its continued cells. What follows such
 * a cell, the next cell or the row below, has a mark as well, which means nothing.
 */
import { localName, tagsIn } from '../document/tags.ts';
import type { BreakSite, CellCut, CellPlace, LocatedStart, RowPlace, TableStart } from './page-starts.ts';

/** Longest header row, or properties of a row, that each break repeats, in characters. */
const MAX_REPEATED = 65_536;
/** Word's limit for columns. */
const MAX_CELLS = 63;
/** Elements that a repetition would count again, or make exist twice; a field may do either. */
const numbered: ReadonlySet<string> = new Set([
  ...['numPr', 'footnoteReference', 'endnoteReference', 'bookmarkStart', 'fldSimple', 'fldChar', 'instrText'],
]);

/** A page start as read, without what depends on the reader's position in the document. */
export type ReadStart = Omit<
  LocatedStart,
  'section' | 'sectionAbove' | 'isBreakable' | 'isBlank' | 'clearsDrawing'
>;

/** A mark in a cell. */
interface CellMark extends CellCut {
  /** Where its run begins. */
  readonly begin: number;
  /** Whether something stands before it in its paragraph. */
  readonly isWithin: boolean;
}

interface Cell extends CellPlace {
  content: number;
  contentEnd: number;
  end: number;
  readonly cuts: (CellCut & { readonly begin: number })[];
  /** No paragraph has ended in it. */
  isAtStart: boolean;
}

interface Row extends RowPlace {
  end: number;
  content: number;
  readonly cells: Cell[];
  readonly table: Table;
  /** Where the content before it ends. */
  readonly previousEnd: number | undefined;
  hasContent: boolean;
  /** A mark that stands before all of its content. */
  begin: CellMark | undefined;
  /** A cell is merged with the one above, or with the one below. */
  isMerged: boolean;
  isMergedBelow: boolean;
  isHeader: boolean;
  /** A paragraph of it is in the list of its style. */
  isNumbered: boolean;
  /** Content controls in it, around cells or paragraphs, so far. */
  controls: number;
}

interface Table extends TableStart {
  /** Where its tag begins. */
  readonly start: number;
  /** Whether nothing stands before it in the cell that it is in. */
  readonly isAtStart: boolean;
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
  /** Text flows around it: its continuation would be beside or above other content. */
  isFloating: boolean;
}

/** Reads tables, and the tables in them. */
export class TableReader {
  readonly #xml: string;
  readonly #add: (start: ReadStart, isFloating: boolean) => void;
  readonly #tables: Table[] = [];

  /** @param add receives the page starts of a row at its end, and whether it is the first of a floating table. */
  constructor(xml: string, add: (start: ReadStart, isFloating: boolean) => void) {
    this.#xml = xml;
    this.#add = add;
  }

  /** Whether a table is open. */
  get isInside(): boolean {
    return this.#tables.length > 0;
  }

  /** @param start where its tag begins. */
  openTable(start: number): void {
    this.#tables.push({
      start,
      isAtStart: this.#row?.cells.at(-1)?.isAtStart ?? false,
      properties: '',
      headerRows: [],
      rows: 0,
      row: undefined,
      wentOn: false,
      controls: 0,
      isRepeatable: true,
      isFloating: false,
    });
  }

  closeTable(): void {
    this.#tables.pop();
  }

  /** @param text its `w:tblPr` or `w:tblGrid`. */
  addProperties(text: string): void {
    const table = this.#tables.at(-1);
    if (table) table.properties += text;
  }

  /** The open table is not in the text flow, but at a position of its own. */
  float(): void {
    const table = this.#tables.at(-1);
    if (table) table.isFloating = true;
  }

  /** Rows, cells and paragraphs may stand in a content control. */
  openControl(): void {
    const table = this.#tables.at(-1);
    if (table?.row) table.row.controls += 1;
    else if (table) table.controls += 1;
  }

  closeControl(): void {
    const table = this.#tables.at(-1);
    if (table && !table.row) table.controls -= 1;
  }

  /**
   * @param start where its tag begins, and where that ends.
   * @param previousEnd where the content before it ends.
   */
  openRow(start: number, content: number, previousEnd: number | undefined): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    table.row = {
      start,
      content,
      end: content,
      table,
      previousEnd,
      cells: [],
      hasContent: false,
      begin: undefined,
      isMerged: false,
      isMergedBelow: false,
      isHeader: false,
      isNumbered: false,
      controls: 0,
    };
  }

  makeHeader(): void {
    const row = this.#row;
    if (row) row.isHeader = true;
  }

  mergeCell(isFirst: boolean): void {
    const row = this.#row;
    if (!row) return;
    if (isFirst) row.isMergedBelow = true;
    else row.isMerged = true;
  }

  /** @param start where its tag begins, and where that ends. */
  openCell(start: number, content: number): void {
    this.#row?.cells.push({
      start,
      content,
      contentEnd: content,
      end: content,
      cuts: [],
      isAtStart: true,
    });
  }

  /** @param end where the properties of the row end, or of the cell that is open in it. */
  closeProperties(of: 'row' | 'cell', end: number): void {
    const row = this.#row;
    const place = of === 'row' ? row : row?.cells.at(-1);
    if (place) place.content = end;
  }

  /** @param contentEnd where its end tag begins, and where that ends. */
  closeCell(contentEnd: number, end: number): void {
    const cell = this.#row?.cells.at(-1);
    if (cell) Object.assign(cell, { contentEnd, end });
  }

  noteContent(): void {
    for (const { row } of this.#tables) if (row) row.hasContent = true;
  }

  /** @param isNumbered whether the paragraph is in the list of its style. */
  closeParagraph(isNumbered: boolean): void {
    for (const { row } of this.#tables) {
      const cell = row?.cells.at(-1);
      if (cell) cell.isAtStart = false;
      if (row) row.isNumbered ||= isNumbered;
    }
  }

  mark(mark: CellMark): void {
    const row = this.#row;
    const cell = row?.cells.at(-1);
    if (!row || !cell) return;
    const isAtStart = cell.isAtStart && !mark.isWithin && cell.cuts.length === 0;
    if (isAtStart && !row.hasContent && !row.begin) row.begin = mark;
    // The cell before it went on, and this one begins beside that.
    else if (isAtStart && (row.cells.at(-2)?.cuts.length ?? 0) > 0) return;
    else cell.cuts.push(mark);
  }

  closeRow(end: number): void {
    const table = this.#tables.at(-1);
    const row = table?.row;
    if (!table || !row) return;
    table.row = undefined;
    row.end = end;
    const isRepeated = row.isHeader && table.headerRows.length === table.rows;
    table.rows += 1;
    if (isRepeated) {
      const text = this.#xml.slice(row.start, end);
      table.headerRows.push(text);
      // Only the outermost table is asked: its rows would be read again for each one around them.
      if (this.#tables.length === 1)
        table.isRepeatable &&= text.length <= MAX_REPEATED && !row.isNumbered && !isNumbered(text);
    }
    const { wentOn } = table;
    const ends = pageEndsOf(row);
    table.wentOn = ends.length > 0;
    if (row.begin !== undefined && !wentOn) {
      const { begin } = row.begin;
      const site = table.rows > 1 ? siteAbove(row, isRepeated) : siteOfTable(row);
      this.#found({ kind: 'mark', begin, previousEnd: row.previousEnd, site });
    }
    for (const [index, begin] of ends.entries()) {
      const site = isDivisible(row, index) ? ({ kind: 'within-row', row, index } as const) : undefined;
      this.#found({ kind: 'mark', begin, previousEnd: undefined, site });
    }
  }

  /** If a row of a nested table begins a page, the outer row continues there. */
  #found(start: ReadStart): void {
    const [outer, table] = this.#tables.slice(-2);
    if (!table) {
      this.#add(start, outer?.isFloating === true && outer.rows === 1 && start.site === undefined);
    } else {
      const cell = outer?.row?.cells.at(-1);
      const { begin, site } = start;
      if (cell && begin !== undefined) cell.cuts.push({ begin, ...cutAt(table, site) });
    }
  }

  get #row(): Row | undefined {
    return this.#tables.at(-1)?.row;
  }
}

/** Where a cell goes on that has a table whose row begins a page. */
function cutAt({ start, isAtStart, headerRows }: Table, site: BreakSite | undefined): CellCut {
  if (site?.kind === 'row' && headerRows.length === 0) return { block: site.start, site };
  if (site?.kind === 'table' && !isAtStart) {
    return { block: start, site: { kind: 'paragraph', properties: site.properties } };
  }
  return { block: start, site: undefined };
}

function isNumbered(xml: string): boolean {
  return tagsIn(xml, (name) => numbered.has(localName(name))).length > 0;
}

/** The position of each page end within a row, in the first cell that has it. */
function pageEndsOf({ cells }: Row): number[] {
  const ends: number[] = [];
  for (const { cuts } of cells) {
    for (const [index, { begin }] of cuts.entries()) ends[index] ??= begin;
  }
  return ends;
}

function siteOfTable(row: Row): BreakSite | undefined {
  const site = row.begin?.site;
  const isInFirstCell = row.begin !== undefined && row.begin.begin < (row.cells[0]?.end ?? 0);
  if (site?.kind !== 'paragraph' || !isInFirstCell || row.table.isFloating) return undefined;
  return { kind: 'table', row, properties: site.properties };
}

/** Between a row and the one above it. */
function siteAbove(row: Row, isRepeated: boolean): BreakSite | undefined {
  const { start, table } = row;
  const isInside = !row.isMerged && !isRepeated && table.controls === 0 && !table.isFloating;
  return isInside && table.isRepeatable ? { kind: 'row', start, table } : undefined;
}

/** Whether the row can be split where it continues on another page for the n-th time, by index. */
function isDivisible(row: Row, index: number): boolean {
  const { table, cells } = row;
  if (row.isMerged || row.isMergedBelow || row.isHeader) return false;
  if (table.isFloating || !table.isRepeatable) return false;
  if (row.controls > 0 || table.controls > 0 || cells.length > MAX_CELLS) return false;
  const properties = cells.reduce((sum, cell) => sum + cell.content - cell.start, row.content - row.start);
  if (properties > MAX_REPEATED) return false;
  return cells.every(({ cuts }) => index >= cuts.length || cuts[index]?.site !== undefined);
}
