/**
 * Where the rows of a document's tables begin pages. A row that goes on to another page has marks in the cells that go on,
 * and the row below it has one as well.
 */
import type { BreakSite, LocatedStart, PropertiesPlace, TableStart } from './page-starts.ts';

/** A header row that is written once more for each break, in characters. */
const MAX_HEADER_ROW = 65_536;
/** What would be counted once more, or be there twice. */
const NUMBERED = /<(?:[\w.-]{1,32}:)?(?:numPr|footnoteReference|endnoteReference|bookmarkStart)[\s/>]/;

/** A start that is read, without what belongs to the place in the document that has been reached. */
export type ReadStart = Omit<LocatedStart, 'section' | 'isBreakable'>;

/** A mark in a cell. */
export interface CellMark {
  /** Where its run begins. */
  readonly begin: number;
  /** Whether something stands before it in its paragraph. */
  readonly isWithin: boolean;
  /** Those of its paragraph; undefined where they are not to be changed. */
  readonly properties: PropertiesPlace | undefined;
}

interface Row {
  readonly start: number;
  /** Where the content before it ends. */
  readonly previousEnd: number | undefined;
  /** A mark that stands before all text of its first cell. */
  begin: CellMark | undefined;
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

/** Reads tables, and the tables in them. */
export class TableReader {
  readonly #xml: string;
  readonly #add: (start: ReadStart) => void;
  readonly #tables: Table[] = [];
  /** The paragraph is the first in its cell. */
  #isFirstInCell = false;

  /** @param add takes the starts that rows are, once they are at their ends. */
  constructor(xml: string, add: (start: ReadStart) => void) {
    this.#xml = xml;
    this.#add = add;
  }

  /** Whether a table is open. */
  get isInside(): boolean {
    return this.#tables.length > 0;
  }

  openTable(): void {
    this.#tables.push({
      properties: '',
      headerRows: [],
      rows: 0,
      row: undefined,
      wentOn: false,
      controls: 0,
      isRepeatable: true,
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

  /** Rows may stand in a content control, which ends with the table. */
  countControl(by: number): void {
    const table = this.#tables.at(-1);
    if (table && !table.row) table.controls += by;
  }

  /** @param previousEnd where the content before it ends. */
  openRow(start: number, previousEnd: number | undefined): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const marks = { begin: undefined, marksInCell: 0, pageEnds: [] };
    table.row = { start, previousEnd, isMerged: false, isHeader: false, cells: 0, ...marks };
  }

  makeHeader(): void {
    const row = this.#tables.at(-1)?.row;
    if (row) row.isHeader = true;
  }

  mergeCell(): void {
    const row = this.#tables.at(-1)?.row;
    if (row) row.isMerged = true;
  }

  openCell(): void {
    this.#isFirstInCell = true;
    const row = this.#tables.at(-1)?.row;
    if (!row) return;
    row.cells += 1;
    row.marksInCell = 0;
  }

  closeParagraph(): void {
    this.#isFirstInCell = false;
  }

  /** Rows of tables in tables go where the outer row goes. */
  mark(mark: CellMark): void {
    const row = this.#tables.length === 1 ? this.#tables[0]?.row : undefined;
    if (!row) return;
    if (row.cells === 1 && row.marksInCell === 0 && this.#isFirstInCell && !mark.isWithin) row.begin = mark;
    else {
      row.pageEnds[row.marksInCell] ??= mark.begin;
      row.marksInCell += 1;
    }
  }

  closeRow(end: number): void {
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
      const { begin, properties } = row.begin;
      const site = table.rows > 1 ? siteAbove(row, table, isRepeated) : siteOfTable(properties);
      this.#add({ kind: 'mark', begin, previousEnd: row.previousEnd, site });
    }
    for (const begin of row.pageEnds)
      this.#add({ kind: 'mark', begin, previousEnd: undefined, site: undefined });
  }
}

function siteOfTable(properties: PropertiesPlace | undefined): BreakSite | undefined {
  return properties && { kind: 'table', properties };
}

/** Between a row and the one above it. */
function siteAbove(row: Row, table: Table, isRepeated: boolean): BreakSite | undefined {
  const isInside = !row.isMerged && !isRepeated && table.controls === 0;
  return isInside && table.isRepeatable ? { kind: 'row', start: row.start, table } : undefined;
}
