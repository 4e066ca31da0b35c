/**
 * Column widths of autofit tables (`w:tblLayout`, ISO/IEC 29500-1, 17.18.87). In Word, no column is narrower than its longest
 * word. LibreOffice differs in three ways:
 *
 * - It uses the stored widths (`w:tblGrid`) and breaks words that do not fit. The stored widths are Word's only if Word saved
 *   the table in its present form.
 * - It rounds widths, and so breaks words that just fit. Their cells get a smaller margin.
 * - It shrinks the columns to the table's width (`w:tblW`, 17.4.63), and reads only whole percentages up to 100. In Word, the
 *   columns decide.
 */
import { withCellMargins } from '../document/cell-properties.ts';
import { withEdits } from '../document/edits.ts';
import { type ElementVisitor, type StartTag, visitNamed } from '../document/elements.ts';
import { readPoints } from '../document/lengths.ts';
import {
  attributeOf,
  fromBytes,
  isOn,
  prefixOf,
  qualified,
  WORD_NAMESPACE,
  withoutReferences,
} from '../document/markup.ts';
import { fontAttributes } from '../document/run-fonts.ts';
import { CellWords } from './cell-words.ts';
import { type LineProperties, readLineProperty } from './layout-styles.ts';
import type { TextWidth, TextWidths } from './text-widths.ts';

const skipped = [
  ...['tblPrEx', 'tblPrChange', 'tblGridChange', 'trPrChange', 'tcPrChange', 'pPrChange', 'rPrChange'],
  ...['sectPrChange', 'del', 'moveFrom', 'pict', 'drawing', 'object', 'rt'],
];
const inTables = [
  ...['tbl', 'tblPr', 'tblStyle', 'tblW', 'tblLayout', 'tblInd', 'tblpPr', 'tblCellMar', 'gridCol'],
  ...['tr', 'gridBefore', 'tc', 'tcPr', 'gridSpan', 'tcMar', 'left', 'start', 'right', 'end'],
  ...['p', 'pPr', 'pStyle', 'ind', 'r', 'rPr', 'rStyle', 'rFonts', 'sz', 'b', 'i', 'caps'],
  ...['vanish', 'smallCaps', 'w', 'spacing', 'sym', 'vertAlign', 'noBreakHyphen', 't', 'tab', 'br', 'cr'],
  'textDirection',
];
const inSections = ['sectPr', 'pgSz', 'pgMar', 'cols'];
const skippedNames: ReadonlySet<string> = new Set(skipped);
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
/** Shares of the room, in fiftieths of a per cent. */
const PER_CENT = 50;
const HUNDRED_PER_CENT = 5000;
/** Largest relative difference between columns that Word calculated and the percentage of their table. */
const SHARE_TOLERANCE = 0.05;
/** Word's limit. */
const MAX_COLUMNS = 63;
/** In all tables of a part. A document with 91 pages of tables has 2,700. */
const MAX_CELLS = 100_000;
/** Number of run formats whose widths are cached. */
const MAX_KNOWN = 1_000;
/** Word's default page, in twips. */
const PAGE = { width: 12_240, margins: 2 * 1440, columns: 1, space: 720 };
/** From this compatibility mode on, the table's edge is at the text margin; before, the text of its cells is. */
const WORD_2013 = 15;

type Side = 'left' | 'right';
const sides: Readonly<Record<string, Side>> = { left: 'left', start: 'left', right: 'right', end: 'right' };
type Margins = Partial<Record<Side, number>>;

/** In twips, or in fiftieths of a per cent of the room. */
interface Length {
  readonly type: 'dxa' | 'pct';
  readonly value: number;
}

interface Cell {
  readonly column: number;
  span: number;
  readonly margins: Margins;
  /** Its text is vertical. */
  isTurned: boolean;
  /** Its `w:tcPr`, or the place for one. */
  properties: { readonly start: number; end: number };
  readonly words: CellWords;
}

interface Column {
  readonly start: number;
  readonly end: number;
  readonly isEmpty: boolean;
  width: number;
  /** Width that its cells need, without and with kerning, margins included. */
  need: number;
  least: number;
}

interface Table {
  style: string;
  /** Fixed layout: columns ignore their content. */
  isFixed: boolean;
  /** Nested or floating: the available width is unknown. */
  isApart: boolean;
  /** Preferred width; undefined: it may be as wide as the text area. */
  width: (Length & { readonly start: number; readonly end: number }) | undefined;
  indentation: number;
  readonly margins: Margins;
  readonly columns: Column[];
  readonly cells: Cell[];
  /** Column of the next cell. */
  at: number;
}

/** Whether a piece of an XML part may have a table. */
export function mayHaveColumnWidths(piece: Buffer): boolean {
  return piece.includes('gridCol');
}

/**
 * The main part with columns at least as wide as their longest words, in linear time.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 * @param mode Word's compatibility mode.
 */
export function withWordsColumnWidths(xml: string, widths: TextWidths, mode: number): string {
  const reader = new TableReader(xml, widths, mode);
  visitNamed(xml, reader);
  reader.endSection();
  return withEdits(xml, reader.edits);
}

class TableReader implements ElementVisitor {
  readonly names: ReadonlyMap<string, string>;
  readonly edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  readonly #xml: string;
  readonly #widths: TextWidths;
  readonly #mode: number;
  readonly #prefix: string;
  /** The open tables, the innermost last. */
  readonly #tables: Table[] = [];
  /** Tables of the current section; its width is known at its end. */
  #finished: Table[] = [];
  #section = { ...PAGE };
  /** Margins of the open `w:tblCellMar` or `w:tcMar`. */
  #margins: Margins | undefined;
  #inTableProperties = false;
  #inParagraphProperties = false;
  #isText = false;
  #paragraphStyle = '';
  #run: { fonts: string; style: string; properties: LineProperties; isHidden: boolean; isKnown: boolean } =
    newRun();
  readonly #known = new Map<string, TextWidth>();
  #cells = 0;

  constructor(xml: string, widths: TextWidths, mode: number) {
    this.#xml = xml;
    this.#widths = widths;
    this.#mode = mode;
    this.#prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    this.names = new Map([
      ['mc:AlternateContent', 'drawing'],
      ...qualified(this.#prefix, [...inTables, ...inSections, ...skipped]),
    ]);
  }

  open({ local, attributes, isEmpty, start, end }: StartTag): boolean {
    if (local === undefined || this.#cells > MAX_CELLS) return false;
    if (skippedNames.has(local)) return true;
    const table = this.#tables.at(-1);
    if (local === 'tbl') {
      if (!isEmpty) this.#openTable();
    } else if (inSections.includes(local)) this.#readSection(local, attributes);
    else if (table) {
      if (local === 'gridCol') {
        const width = this.#twips(attributes, 'w') ?? 0;
        table.columns.push({ start, end, isEmpty, width, need: 0, least: 0 });
      } else if (local === 'tc') {
        const properties = { start: end, end };
        const words = new CellWords();
        table.cells.push({ column: table.at, span: 1, margins: {}, isTurned: false, properties, words });
        table.at += 1;
        this.#cells += 1;
      } else if (local === 'tcPr') Object.assign(table.cells.at(-1)?.properties ?? {}, { start, end });
      else if (local === 'tblW') {
        const length = this.#length(attributes);
        table.width = length && isEmpty ? { ...length, start, end } : undefined;
      } else this.#readInTable(table, local, attributes, isEmpty);
    }
    return false;
  }

  close(_name: string, local: string | undefined, _start: number, end: number): void {
    if (this.#cells > MAX_CELLS) return;
    const cell = this.#tables.at(-1)?.cells.at(-1);
    if (local === 'tbl') this.#closeTable();
    else if (local === 'sectPr') this.endSection();
    else if (local === 'tblPr') this.#inTableProperties = false;
    else if (local === 'pPr') this.#inParagraphProperties = false;
    else if (local === 't') this.#isText = false;
    else if (local === 'tblCellMar' || local === 'tcMar') this.#margins = undefined;
    else if (local === 'tcPr' && cell) cell.properties.end = end;
    else if (local === 'p') cell?.words.endWord();
  }

  text(xml: string, start: number, end: number): void {
    const table = this.#isText ? this.#tables.at(-1) : undefined;
    const cell = table?.cells.at(-1);
    if (!table || !cell || this.#run.isHidden) return;
    if (this.#run.isKnown)
      cell.words.add(withoutReferences(fromBytes(xml.slice(start, end))), this.#width(table));
    else cell.words.addUnknown();
  }

  #openTable(): void {
    this.#tables.push({
      style: '',
      isFixed: false,
      isApart: this.#tables.length > 0,
      width: undefined,
      indentation: 0,
      margins: {},
      columns: [],
      cells: [],
      at: 0,
    });
  }

  #readInTable(table: Table, local: string, attributes: string, isEmpty: boolean): void {
    const value = () => attributeOf(attributes, `${this.#prefix}val`) ?? '';
    const cell = table.cells.at(-1);
    const side = sides[local];
    if (side !== undefined) {
      const width = this.#twips(attributes, 'w');
      if (this.#margins && width !== undefined) this.#margins[side] = width;
    } else if (local === 'tblPr') this.#inTableProperties = !isEmpty;
    else if (this.#inTableProperties) this.#readTable(table, local, attributes);
    else if (local === 'tr') table.at = 0;
    else if (local === 'gridBefore') table.at += Number(value());
    else if (local === 'gridSpan' && cell) {
      cell.span = Number(value());
      table.at = cell.column + cell.span;
    } else if (local === 'textDirection' && cell) cell.isTurned = true;
    else if (local === 'tcMar') this.#margins = isEmpty ? undefined : cell?.margins;
    else if (cell) this.#readText(cell, local, attributes, isEmpty);
  }

  #readTable(table: Table, local: string, attributes: string): void {
    if (local === 'tblStyle') table.style = fromBytes(attributeOf(attributes, `${this.#prefix}val`) ?? '');
    else if (local === 'tblInd') table.indentation = this.#twips(attributes, 'w') ?? 0;
    else if (local === 'tblpPr') table.isApart = true;
    else if (local === 'tblCellMar') this.#margins = table.margins;
    else if (local === 'tblLayout')
      table.isFixed = attributeOf(attributes, `${this.#prefix}type`) === 'fixed';
  }

  #readText({ words }: Cell, local: string, attributes: string, isEmpty: boolean): void {
    if (local === 'p') {
      this.#paragraphStyle = '';
      words.beginParagraph(0);
    } else if (local === 'pPr') this.#inParagraphProperties = !isEmpty;
    else if (this.#inParagraphProperties) {
      if (local === 'pStyle') this.#paragraphStyle = attributeOf(attributes, `${this.#prefix}val`) ?? '';
      else if (local === 'ind') {
        const of = (...names: string[]) =>
          Math.max(0, ...names.map((name) => this.#twips(attributes, name) ?? 0));
        words.beginParagraph(of('left', 'start') + of('right', 'end'));
      }
    } else if (local === 'r') this.#run = newRun();
    else if (local === 't') this.#isText = !isEmpty;
    else if (local === 'tab' || local === 'br' || local === 'cr') words.endWord();
    else if (local === 'sym' || local === 'noBreakHyphen') words.addUnknown();
    else this.#readRun(local, attributes);
  }

  #readRun(local: string, attributes: string): void {
    const run = this.#run;
    if (local === 'rFonts') run.fonts = fontAttributes(attributes, this.#prefix);
    else if (local === 'rStyle') run.style = fromBytes(attributeOf(attributes, `${this.#prefix}val`) ?? '');
    else if (local === 'vanish') run.isHidden = isOn(attributes, `${this.#prefix}val`);
    else if (changesWidths.has(local)) run.isKnown = false;
    else run.properties = { ...run.properties, ...readLineProperty(local, attributes, this.#prefix) };
  }

  #readSection(local: string, attributes: string): void {
    if (local === 'sectPr') this.#section = { ...PAGE };
    else if (local === 'pgSz') this.#section.width = this.#twips(attributes, 'w') ?? PAGE.width;
    else if (local === 'pgMar') {
      const sides = ['left', 'right', 'gutter'].map((side) => this.#twips(attributes, side) ?? 0);
      this.#section.margins = sum(sides);
    } else if (local === 'cols') {
      const columns = Number(attributeOf(attributes, `${this.#prefix}num`));
      this.#section.columns = columns >= 1 ? columns : 1;
      this.#section.space = this.#twips(attributes, 'space') ?? PAGE.space;
    }
  }

  #width(table: Table): TextWidth {
    const { fonts, style, properties } = this.#run;
    const paragraph = this.#widths.paragraphStyle(this.#paragraphStyle);
    const styles = [style, paragraph, table.style] as const;
    const key = [fonts, ...styles, ...Object.entries(properties)].join('\n');
    const known = this.#known.get(key) ?? this.#widths.of({ fonts, properties, styles }, this.#prefix);
    if (this.#known.size < MAX_KNOWN) this.#known.set(key, known);
    return known;
  }

  #closeTable(): void {
    const table = this.#tables.pop();
    if (!table || table.columns.length > MAX_COLUMNS) return;
    for (const cell of table.cells) {
      const column = cell.span === 1 ? table.columns[cell.column] : undefined;
      if (!column || cell.isTurned || cell.words.longest === 0) continue;
      const need = needOf(table, cell);
      column.need = Math.max(column.need, need);
      column.least = Math.max(column.least, cell.words.isKerned ? need * (1 - KERNED) : need);
    }
    this.#finished.push(table);
  }

  /** Also called at the end of the part. */
  endSection(): void {
    const { width, margins, columns, space } = this.#section;
    const room = (width - margins - (columns - 1) * space) / columns;
    for (const table of this.#finished) {
      if (!table.isFixed && !table.isApart) this.#widen(table, room);
      this.#setWidth(table, room);
      for (const cell of table.cells) this.#loosen(table, cell);
    }
    this.#finished = [];
  }

  #widen(table: Table, room: number): void {
    const { columns, indentation } = table;
    if (columns.some(({ width }) => width <= 0)) return;
    if (columns.every(({ width, least }) => least <= width + TOLERANCE)) return;
    const now = sum(columns.map(({ width }) => width));
    const most = room - indentation + (this.#mode < WORD_2013 ? marginsOf(table, {}) : 0);
    const total = table.width ? now : Math.max(now, most);
    const wanted = columns.map(({ width, need }) => Math.max(width, need));
    const over = Math.max(0, sum(wanted) - total);
    const spare = sum(columns.map(({ need }, index) => (wanted[index] ?? 0) - need));
    if (over > spare) return;
    const share = over / Math.max(1, spare);
    for (const column of columns) {
      const { start, end, isEmpty, width, need } = column;
      const wide = Math.max(width, need);
      column.width = Math.round(wide - (wide - need) * share);
      const w = this.#prefix;
      if (column.width !== width)
        this.edits.push({ start, end, text: `<${w}gridCol ${w}w="${column.width}"${isEmpty ? '/' : ''}>` });
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
    const w = this.#prefix;
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
    const text = withCellMargins(this.#xml.slice(start, end), this.#prefix, { right });
    if (text !== undefined) this.edits.push({ start, end, text });
  }

  #length(attributes: string): Length | undefined {
    const type = attributeOf(attributes, `${this.#prefix}type`) ?? 'dxa';
    if (type === 'dxa') return { type, value: this.#twips(attributes, 'w') ?? 0 };
    return type === 'pct' ? { type, value: Number(attributeOf(attributes, `${this.#prefix}w`)) } : undefined;
  }

  /** A length in twips, undefined where there is none. */
  #twips(attributes: string, name: string): number | undefined {
    const points = readPoints(attributeOf(attributes, this.#prefix + name));
    return points === undefined ? undefined : points * TWIPS_PER_POINT;
  }
}

function newRun() {
  return { fonts: '', style: '', properties: {}, isHidden: false, isKnown: true };
}

function needOf(table: Table, { words, margins }: Cell): number {
  return Math.ceil(words.longest + marginsOf(table, margins));
}

function marginsOf(table: Table, own: Margins): number {
  return marginOf(table, own, 'left') + marginOf(table, own, 'right');
}

function marginOf(table: Table, own: Margins, side: Side): number {
  return own[side] ?? table.margins[side] ?? USUAL_MARGIN;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
