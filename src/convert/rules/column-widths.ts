/**
 * Column widths of autofit tables (`w:tblLayout`, ISO/IEC 29500-1, 17.18.87). In Word, no column is narrower than its longest
 * word. LibreOffice differs in four ways:
 *
 * - It uses stored widths that are placeholders, and makes columns alike where there are none (preferred-widths.ts).
 * - It uses the stored widths (`w:tblGrid`) and breaks words that do not fit. The stored widths are Word's only if Word saved
 *   the table in its present form.
 * - It rounds widths, and so breaks words that just fit. Their cells get a smaller margin.
 * - It shrinks the columns to the table's width (`w:tblW`, 17.4.63), and reads only whole percentages up to 100. In Word, the
 *   columns decide.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { withCellMargins } from '../document/cell-properties.ts';
import { readPoints } from '../document/lengths.ts';
import { withoutReferences } from '../document/markup.ts';
import { Remembered } from '../document/remembered.ts';
import { fontAttributes } from '../document/run-fonts.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import { CellWords } from './cell-words.ts';
import { type CellCondition, type LineProperties, readLineProperty } from './layout-styles.ts';
import { HUNDRED_PER_CENT, type Length, sum, wishedWidths } from './preferred-widths.ts';
import type { TextWidth, TextWidths } from './text-widths.ts';

const passesOver = ['tblPrEx', 'pict', 'object', 'rt'];
const inTables = [
  ...[
    'tbl',
    'tblPr',
    'tblStyle',
    'tblLook',
    'tblW',
    'tblLayout',
    'tblInd',
    'tblpPr',
    'tblCellMar',
    'tblCellSpacing',
    'tblGrid',
    'gridCol',
  ],
  ...['tr', 'gridBefore', 'tc', 'tcPr', 'tcW', 'gridSpan', 'tcMar', 'left', 'start', 'right', 'end'],
  ...['p', 'pPr', 'pStyle', 'ind', 'r', 'rPr', 'rStyle', 'rFonts', 'sz', 'b', 'i', 'caps'],
  ...['vanish', 'smallCaps', 'w', 'spacing', 'sym', 'vertAlign', 'noBreakHyphen', 't', 'tab', 'br', 'cr'],
  'textDirection',
];
/** Which conditions of its style a table takes, by the attribute that says so, and by the bit of the older one (17.4.55). */
const looks = {
  firstRow: ['firstRow', 0x20],
  firstCol: ['firstColumn', 0x80],
  lastCol: ['lastColumn', 0x100],
} as const;
const inSections = ['sectPr', 'pgSz', 'pgMar', 'cols'];
/** Properties that change the widths of a run's text in ways that are not calculated here. */
const changesWidths: ReadonlySet<string> = new Set(['smallCaps', 'vertAlign', 'w', 'spacing']);

const TWIPS_PER_POINT = 20;
/** Default left and right margin of a cell, in twips. */
const USUAL_MARGIN = 108;
/** Tolerance in twips for a column as wide as its longest word. Kerning makes a word narrower by up to this share. */
const TOLERANCE = 10;
const KERNED = 0.025;
/** A word with less spare room than this, in twips, may not fit in LibreOffice. It gets this much. */
const SNUG = 16;
/** In fiftieths of a per cent. */
const PER_CENT = 50;
/** Largest relative difference between columns that Word calculated and the percentage of their table. */
const SHARE_TOLERANCE = 0.05;
/** The width of a picture in the text (`wp:inline`), and how far from the start of its drawing it is at most. */
const INLINE_WIDTH = /^\s*<wp:inline(?:\s[^>]*)?>\s*<wp:extent\s[^>]*?\bcx="(\d{1,9})"/;
const MAX_INLINE = 1_000;
const EMUS_PER_TWIP = 635;
/** Word's limit. */
const MAX_COLUMNS = 63;
/** In all tables of a part. A document with 91 pages of tables has 2,700. */
const MAX_CELLS = 100_000;
/** Number of run formats whose widths are cached. */
const MAX_KNOWN = 1_000;
const UNKNOWN_WIDTH: TextWidth = { em: 200, isKerned: false, of: () => undefined };
/** Word's default page, in twips. */
const PAGE = { width: 12_240, margins: 2 * 1440, columns: 1, space: 720 };
/** From this compatibility mode on, the table's edge is at the text margin; before, the text of its cells is. */
const WORD_2013 = 15;

type Side = 'left' | 'right';
const sides: Readonly<Record<string, Side>> = { left: 'left', start: 'left', right: 'right', end: 'right' };
type Margins = Partial<Record<Side, number>>;

interface Cell {
  readonly column: number;
  span: number;
  readonly margins: Margins;
  /** The width that it prefers. */
  width: Length | undefined;
  /** Its text is vertical. */
  isTurned: boolean;
  /** Its `w:tcPr`, or the place for one. */
  properties: { readonly start: number; end: number };
  readonly words: CellWords;
}

interface Column {
  readonly stored: number;
  /** As it is to be. */
  width: number;
  /** What its cells prefer; undefined where they say nothing, or different things. */
  preferred: Length | undefined;
  isDisputed: boolean;
  /** Width that its cells need, without and with kerning, margins included. */
  need: number;
  least: number;
  /** Width of its longest line, margins included. */
  line: number;
}

/** The room between the margins, or in a column of the text, from the end of the section before to its own. */
interface Room {
  readonly end: number;
  readonly width: number;
}

interface Table {
  style: string;
  /** What its style says more of some of its cells is taken of these. */
  look: ReadonlySet<CellCondition>;
  /** How many rows have begun. */
  rows: number;
  /** Fixed layout: columns ignore their content. */
  isFixed: boolean;
  readonly isNested: boolean;
  /** Its stored columns have the space between cells, its cells prefer widths without. */
  isSpaced: boolean;
  /** Nested or floating: the available width is unknown. */
  isApart: boolean;
  /** Preferred width; undefined: it may be as wide as the text area. */
  width: (Length & { readonly start: number; readonly end: number }) | undefined;
  indentation: number;
  readonly margins: Margins;
  readonly columns: Column[];
  /** The stored columns, or the place for them. */
  grid: { start: number; end: number };
  readonly cells: Cell[];
  /** Column of the next cell. */
  at: number;
}

/**
 * The main part with columns at least as wide as their longest words, in linear time.
 *
 * @param mode Word's compatibility mode.
 */
export function withWordsColumnWidths(xml: Bytes, widths: TextWidths, mode: number): Bytes {
  return new TableReader(xml, widths, mode).walk().edited();
}

/** The rooms of the text, in order; the last one is that of all that follows. */
class RoomReader extends BodyWalk {
  readonly rooms: Room[] = [];
  #section = { ...PAGE };

  constructor(xml: Bytes) {
    super(xml, { elements: inSections, passesOver });
  }

  override open(element: Element): void {
    const { local } = element;
    if (local === 'sectPr') this.#section = { ...PAGE };
    else if (local === 'pgSz') this.#section.width = twips(element, 'w') ?? PAGE.width;
    else if (local === 'pgMar') {
      const sides = ['left', 'right', 'gutter'].map((side) => twips(element, side) ?? 0);
      this.#section.margins = sum(sides);
    } else if (local === 'cols') {
      const columns = Number(element.value('num'));
      this.#section.columns = columns >= 1 ? columns : 1;
      this.#section.space = twips(element, 'space') ?? PAGE.space;
    }
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (local === 'sectPr') this.#endSection(end);
  }

  override walk(): this {
    super.walk();
    this.#endSection(Number.POSITIVE_INFINITY);
    return this;
  }

  #endSection(end: number): void {
    const { width, margins, columns, space } = this.#section;
    this.rooms.push({ end, width: (width - margins - (columns - 1) * space) / columns });
  }
}

class TableReader extends BodyWalk {
  readonly #widths: TextWidths;
  readonly #mode: number;
  /** The open tables, the innermost last. */
  readonly #tables: Table[] = [];
  /** Those of the section that is read and of those behind it. */
  readonly #rooms: Room[];
  /** Margins of the open `w:tblCellMar` or `w:tcMar`. */
  #margins: Margins | undefined;
  #inTableProperties = false;
  #inParagraphProperties = false;
  #paragraphStyle = '';
  #run = newRun();
  readonly #known = new Map<string, TextWidth>();
  /** Properties of cells, with a smaller margin. */
  readonly #loose = new Remembered<string | undefined>();
  #cells = 0;

  constructor(xml: Bytes, widths: TextWidths, mode: number) {
    super(xml, { elements: [...inTables, 'drawing'], texts: ['t'], passesOver });
    this.#rooms = new RoomReader(xml).walk().rooms.reverse();
    this.#widths = widths;
    this.#mode = mode;
  }

  override open(element: Element): boolean {
    const { local, isEmpty, start, end } = element;
    if (local === undefined || this.#cells > MAX_CELLS) return false;
    const table = this.#tables.at(-1);
    if (local === 'drawing') {
      if (!isEmpty) this.#readPicture(table?.cells.at(-1), end);
      return true;
    }
    if (local === 'tbl') {
      if (!isEmpty) this.#openTable(end);
    } else if (table) {
      if (local === 'gridCol') {
        // A table with more is left alone.
        if (table.columns.length <= MAX_COLUMNS) table.columns.push(newColumn(twips(element, 'w') ?? 0));
      } else if (local === 'tblGrid') {
        table.grid = { start, end };
      } else if (local === 'tc') {
        const properties = { start: end, end };
        const words = new CellWords();
        table.cells.push({
          column: table.at,
          span: 1,
          margins: {},
          width: undefined,
          isTurned: false,
          properties,
          words,
        });
        table.at += 1;
        this.#cells += 1;
      } else if (local === 'tcPr') Object.assign(table.cells.at(-1)?.properties ?? {}, { start, end });
      else if (local === 'tblW') {
        const length = lengthOf(element);
        table.width = length && isEmpty ? { ...length, start, end } : undefined;
      } else this.#readInTable(table, element);
    }
    return false;
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (this.#cells > MAX_CELLS) return;
    const cell = this.#tables.at(-1)?.cells.at(-1);
    if (local === 'tbl') this.#closeTable(end);
    else if (local === 'tblPr') this.#endTableProperties(end);
    else if (local === 'tblGrid') this.#endGrid(end);
    else if (local === 'pPr') this.#inParagraphProperties = false;
    else if (local === 'tblCellMar' || local === 'tcMar') this.#margins = undefined;
    else if (local === 'tcPr' && cell) cell.properties.end = end;
    else if (local === 'p') cell?.words.endLine();
  }

  override text(start: number, end: number): void {
    const table = this.#tables.at(-1);
    const cell = table?.cells.at(-1);
    if (!table || !cell || this.#run.isHidden) return;
    const text = withoutReferences(fromBytes(this.xml.slice(start, end)));
    this.#run.width ??= this.#width(table);
    if (this.#run.isKnown) cell.words.add(text, this.#run.width);
    else cell.words.addUnknown(text, this.#run.width);
  }

  #openTable(end: number): void {
    const isNested = this.#tables.length > 0;
    this.#tables.push({
      style: '',
      look: new Set(),
      rows: 0,
      isFixed: false,
      isNested,
      isSpaced: false,
      isApart: isNested,
      grid: { start: end, end },
      width: undefined,
      indentation: 0,
      margins: {},
      columns: [],
      cells: [],
      at: 0,
    });
  }

  #endTableProperties(end: number): void {
    this.#inTableProperties = false;
    const table = this.#tables.at(-1);
    if (table) table.grid = { start: end, end };
  }

  #endGrid(end: number): void {
    const table = this.#tables.at(-1);
    if (table) table.grid.end = end;
  }

  /** A picture in the text is as wide as a word. */
  #readPicture(cell: Cell | undefined, end: number): void {
    const [, width] = INLINE_WIDTH.exec(this.xml.slice(end, end + MAX_INLINE)) ?? [];
    if (width !== undefined) cell?.words.addPicture(Number(width) / EMUS_PER_TWIP);
  }

  #readInTable(table: Table, element: Element): void {
    const { local = '', isEmpty } = element;
    const cell = table.cells.at(-1);
    const side = sides[local];
    if (side !== undefined) {
      const width = twips(element, 'w');
      if (this.#margins && width !== undefined) this.#margins[side] = width;
    } else if (local === 'tblPr') this.#inTableProperties = !isEmpty;
    else if (this.#inTableProperties) this.#readTable(table, element);
    else if (local === 'tr') {
      table.at = 0;
      table.rows += 1;
    } else if (local === 'gridBefore') table.at += Number(element.value() ?? '');
    else if (local === 'gridSpan' && cell) {
      cell.span = Number(element.value() ?? '');
      table.at = cell.column + cell.span;
    } else if (local === 'tcW' && cell) cell.width = lengthOf(element);
    else if (local === 'textDirection' && cell) cell.isTurned = true;
    else if (local === 'tcMar') this.#margins = isEmpty ? undefined : cell?.margins;
    else if (cell) this.#readText(cell, element);
  }

  #readTable(table: Table, element: Element): void {
    const { local } = element;
    if (local === 'tblStyle') table.style = element.text();
    else if (local === 'tblLook') table.look = lookOf(element);
    else if (local === 'tblInd') table.indentation = twips(element, 'w') ?? 0;
    else if (local === 'tblpPr') table.isApart = true;
    else if (local === 'tblCellSpacing') table.isSpaced = true;
    else if (local === 'tblCellMar') this.#margins = table.margins;
    else if (local === 'tblLayout') table.isFixed = element.value('type') === 'fixed';
  }

  #readText({ words }: Cell, element: Element): void {
    const { local, isEmpty } = element;
    if (local === 'p') {
      this.#paragraphStyle = '';
      words.beginParagraph(0);
    } else if (local === 'pPr') this.#inParagraphProperties = !isEmpty;
    else if (this.#inParagraphProperties) {
      if (local === 'pStyle') this.#paragraphStyle = element.value() ?? '';
      else if (local === 'ind') {
        const of = (...names: string[]) => Math.max(0, ...names.map((name) => twips(element, name) ?? 0));
        words.beginParagraph(of('left', 'start') + of('right', 'end'));
      }
    } else if (local === 'r') this.#run = newRun();
    else if (local === 'tab') words.addTab();
    else if (local === 'br' || local === 'cr') words.endLine();
    else if (local === 'sym' || local === 'noBreakHyphen') words.addUnknown('-', UNKNOWN_WIDTH);
    else this.#readRun(element);
  }

  #readRun(element: Element): void {
    const { local = '', attributes } = element;
    const run = this.#run;
    if (local === 'rFonts') run.fonts = fontAttributes(attributes, this.w);
    else if (local === 'rStyle') run.style = element.text();
    else if (local === 'vanish') run.isHidden = element.isOn;
    else if (changesWidths.has(local)) run.isKnown = false;
    else if (local !== 'sz' && local !== 'b' && local !== 'i' && local !== 'caps') return;
    else run.properties.push(element);
  }

  #width(table: Table): TextWidth {
    const { fonts, style, properties } = this.#run;
    const conditions = conditionsOf(table);
    const written = properties.map(({ local, attributes }) => local + attributes);
    const key = [fonts, style, this.#paragraphStyle, table.style, ...written, ...conditions].join('\n');
    const known = this.#known.get(key);
    if (known) return known;
    const paragraph = this.#widths.paragraphStyle(this.#paragraphStyle);
    const said: LineProperties = Object.assign(
      {},
      ...properties.map(({ local = '', attributes }) => readLineProperty(local, attributes, this.w)),
    );
    const width = this.#widths.of(
      { fonts, properties: said, styles: [style, paragraph, table.style], conditions },
      this.w,
    );
    if (this.#known.size < MAX_KNOWN) this.#known.set(key, width);
    return width;
  }

  #closeTable(end: number): void {
    const table = this.#tables.pop();
    if (!table) return;
    const { columns, cells } = table;
    if (columns.length === 0) addColumns(table);
    if (columns.length <= MAX_COLUMNS) {
      for (const cell of cells) noteCell(table, cell);
      for (const cell of cells) if (cell.span > 1) noteSpan(table, cell);
      this.#setColumns(table, this.#roomAt(end));
    }
    this.#tables.at(-1)?.cells.at(-1)?.words.addTable(lineOf(table));
  }

  #roomAt(place: number): number {
    while ((this.#rooms.at(-1)?.end ?? place) < place) this.#rooms.pop();
    return this.#rooms.at(-1)?.width ?? 0;
  }

  #setColumns(table: Table, room: number): void {
    this.#takeWishes(table, room);
    if (!table.isFixed && !table.isApart) this.#widen(table, room);
    this.#setWidth(table, room);
    this.#writeColumns(table);
    for (const cell of table.cells) this.#loosen(table, cell);
  }

  /** The width that a table may have. */
  #most({ indentation, margins, columns }: Table, room: number): number {
    const outer = this.#mode < WORD_2013 && columns.length > 0 ? marginsOf({ margins }, {}) : 0;
    return room - indentation + outer;
  }

  #takeWishes(table: Table, room: number): void {
    const { columns, cells, isFixed, isNested, isSpaced, width: own } = table;
    if (columns.length === 0 || isSpaced) return;
    const inTwips = own?.type === 'pct' ? (room * own.value) / HUNDRED_PER_CENT : own?.value;
    const isKnown = own !== undefined && own.value > 0 && !(isNested && own.type === 'pct');
    const widths = wishedWidths({
      columns,
      isFixed,
      isKnown: cells.every(({ words }) => words.isKnown),
      width: isKnown ? inTwips : undefined,
      room: isNested ? undefined : this.#most(table, room),
    });
    for (const [index, width] of widths?.entries() ?? []) {
      const column = columns[index];
      if (column) column.width = width;
    }
  }

  #writeColumns({ columns, grid }: Table): void {
    if (columns.every(({ stored, width }) => stored === width)) return;
    const w = this.w;
    const written = columns.map(({ width }) => `<${w}gridCol ${w}w="${Math.round(width)}"/>`).join('');
    this.edits.push({ ...grid, text: `<${w}tblGrid>${written}</${w}tblGrid>` });
  }

  #widen(table: Table, room: number): void {
    const { columns } = table;
    if (columns.some(({ width }) => width <= 0)) return;
    if (columns.every(({ width, least }) => least <= width + TOLERANCE)) return;
    const now = sum(columns.map(({ width }) => width));
    const total = table.width ? now : Math.max(now, this.#most(table, room));
    const wanted = columns.map(({ width, need }) => Math.max(width, need));
    const over = Math.max(0, sum(wanted) - total);
    const spare = sum(columns.map(({ need }, index) => (wanted[index] ?? 0) - need));
    if (over > spare) return;
    const share = over / Math.max(1, spare);
    for (const column of columns) {
      const wide = Math.max(column.width, column.need);
      column.width = Math.round(wide - (wide - column.need) * share);
    }
  }

  #setWidth({ columns, width, isFixed, isApart }: Table, room: number): void {
    const all = sum(columns.map((column) => column.width));
    if (!width || columns.some((column) => column.width <= 0)) return;
    const { start, end, type, value } = width;
    if (type === 'dxa') {
      // If a column is exactly as wide as its longest word, Word calculated the widths.
      const isWords = columns.some(({ width: own, need }) => need > 0 && Math.abs(own - need) < SNUG);
      if (isFixed || !isWords || all <= value + SNUG) return;
    } else {
      const wanted = (room * value) / HUNDRED_PER_CENT;
      const isKept = value <= HUNDRED_PER_CENT && value % PER_CENT === 0;
      if (isKept || isApart || !(Math.abs(all - wanted) <= wanted * SHARE_TOLERANCE)) return;
    }
    const w = this.w;
    this.edits.push({ start, end, text: `<${w}tblW ${w}w="${Math.round(all)}" ${w}type="dxa"/>` });
  }

  #loosen(table: Table, cell: Cell): void {
    const { column, span, isTurned, words } = cell;
    if (isTurned || words.longest === 0) return;
    const width = sum(table.columns.slice(column, column + span).map((each) => each.width));
    const room = width - needOf(table, cell);
    // In a fixed layout, Word also breaks words that do not fit.
    if (room < (table.isFixed ? 0 : -TOLERANCE) || room >= SNUG) return;
    const { start, end } = cell.properties;
    const right = Math.max(0, marginOf(table, cell.margins, 'right') - SNUG);
    const properties = this.xml.slice(start, end);
    const text = this.#loose.of(`${right} ${properties}`, () =>
      withCellMargins(properties, this.w, { right }),
    );
    if (text !== undefined) this.edits.push({ start, end, text });
  }
}

function lengthOf(element: Element): Length | undefined {
  const type = element.value('type') ?? 'dxa';
  const written = element.value('w') ?? '';
  // Whatever the type is (17.18.90).
  if (written.endsWith('%')) return { type: 'pct', value: Number(written.slice(0, -1)) * PER_CENT };
  if (type === 'dxa') return { type, value: twips(element, 'w') ?? 0 };
  return type === 'pct' ? { type, value: Number(written) } : undefined;
}

/** A length in twips, undefined where there is none. */
function twips(element: Element, name: string): number | undefined {
  const points = readPoints(element.value(name));
  return points === undefined ? undefined : points * TWIPS_PER_POINT;
}

function lookOf(element: Element): ReadonlySet<CellCondition> {
  const bits = Number.parseInt(element.value() ?? '0', 16);
  const names = Object.keys(looks) as CellCondition[];
  return new Set(
    names.filter((name) => {
      const [attribute, bit] = looks[name];
      const said = element.value(attribute);
      return said === undefined ? (bits & bit) !== 0 : said === '1' || said === 'true' || said === 'on';
    }),
  );
}

/** Those of the last cell so far; a column's are stronger than a row's (17.7.6). */
function conditionsOf({ look, rows, cells, columns }: Table): readonly CellCondition[] {
  if (look.size === 0) return [];
  const cell = cells.at(-1);
  const isIn: Readonly<Record<CellCondition, boolean>> = {
    firstCol: cell?.column === 0,
    lastCol: cell !== undefined && cell.column + cell.span === columns.length,
    firstRow: rows === 1,
  };
  const order = ['firstCol', 'lastCol', 'firstRow'] as const;
  return order.filter((condition) => look.has(condition) && isIn[condition]);
}

interface Run {
  fonts: string;
  style: string;
  /** Its other properties. */
  readonly properties: Element[];
  isHidden: boolean;
  isKnown: boolean;
  /** That of its text, once it has some. */
  width: TextWidth | undefined;
}

function newRun(): Run {
  return { fonts: '', style: '', properties: [], isHidden: false, isKnown: true, width: undefined };
}

function newColumn(stored: number): Column {
  return { stored, width: stored, preferred: undefined, isDisputed: false, need: 0, least: 0, line: 0 };
}

/** The columns of a table that stores none. */
function addColumns({ columns, cells }: Table): void {
  const count = cells.reduce((most, { column, span }) => Math.max(most, column + span), 0);
  if (count <= MAX_COLUMNS) for (let i = 0; i < count; i += 1) columns.push(newColumn(0));
}

/** Notes what a cell of one column asks for. */
function noteCell(table: Table, cell: Cell): void {
  const column = cell.span === 1 ? table.columns[cell.column] : undefined;
  if (!column) return;
  noteWidth(column, cell.width);
  if (cell.isTurned) return;
  column.line = Math.max(column.line, lineOfCell(table, cell));
  if (cell.words.longest === 0) return;
  const need = needOf(table, cell);
  column.need = Math.max(column.need, need);
  column.least = Math.max(column.least, cell.words.isKerned ? need * (1 - KERNED) : need);
}

/** The line of a cell of several columns: what these lack for it, they share. */
function noteSpan(table: Table, cell: Cell): void {
  if (cell.isTurned) return;
  const columns = table.columns.slice(cell.column, cell.column + cell.span);
  const missing = lineOfCell(table, cell) - sum(columns.map(({ line }) => line));
  for (const column of columns) column.line += Math.max(0, missing) / columns.length;
}

function lineOfCell(table: Table, { words, margins }: Cell): number {
  return Math.ceil(words.longestLine + marginsOf(table, margins) + SNUG);
}

/** The width of a table that is as wide as it wants to be. */
function lineOf({ columns, width }: Table): number {
  const stored = sum(columns.map((column) => column.stored));
  const lines = sum(columns.map(({ line }) => line));
  return Math.max(stored, lines, width?.type === 'dxa' ? width.value : 0);
}

function noteWidth(column: Column, width: Length | undefined): void {
  if (!width || !(width.value > 0) || column.isDisputed) return;
  const { preferred } = column;
  column.isDisputed =
    preferred !== undefined &&
    (preferred.type !== width.type || Math.abs(preferred.value - width.value) > SNUG);
  column.preferred = column.isDisputed ? undefined : (preferred ?? width);
}

function needOf(table: Table, { words, margins }: Cell): number {
  return Math.ceil(words.longest + marginsOf(table, margins));
}

function marginsOf(table: Pick<Table, 'margins'>, own: Margins): number {
  return marginOf(table, own, 'left') + marginOf(table, own, 'right');
}

function marginOf(table: Pick<Table, 'margins'>, own: Margins, side: Side): number {
  return own[side] ?? table.margins[side] ?? USUAL_MARGIN;
}
