/**
 * Tables as Word lays them out, in seven respects in which LibreOffice does not.
 *
 * - Space between cells (`w:tblCellSpacing`, ISO/IEC 29500-1, 17.4.45): LibreOffice knows none. The cells get it as margins.
 * - The least height of a row (`w:trHeight`, 17.4.80): in Word, the line above the row comes on top of it. In LibreOffice only
 *   where the cells of the row have that line themselves, not where those above have it at their bottom.
 * - Contextual spacing (17.3.1.9): in Word, a paragraph has no space below it where a table follows whose first paragraph is of
 *   the same style. LibreOffice looks at paragraphs beside each other alone.
 * - Multiple lines (17.3.1.33): what the last line of a cell takes beside its font's height is below it. LibreOffice counts that
 *   by the size of the paragraph's style, not by that of its text. So such a paragraph gets a style of that size (sized-styles.ts).
 * - Columns that a row leaves out (17.4.15): LibreOffice has a cell there, which has the table's own margins, and makes the row as high
 *   as those. So the table has none above and below, and its cells have them.
 * - Two tables in a row (17.4.37) touch in Word. LibreOffice makes them one, which looks like the first. So there is a paragraph of
 *   no height between two that look different.
 * - Floating tables (17.4.57) do not overlap in Word's mode 15: the later one comes below. In LibreOffice they do, unless the
 *   table forbids it (17.4.56).
 */
import { BodyWalk, drawings, type Element } from '../document/body-walk.ts';
import { type CellSide as Side, withCellMargins } from '../document/cell-properties.ts';
import { attributeOf } from '../document/markup.ts';
import { childrenOf, contentOf } from '../document/paragraph-properties.ts';
import { Remembered } from '../document/remembered.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';
import { LINE, type LineProperties, type ParagraphStyles, readLineProperty } from './layout-styles.ts';

const told = {
  elements: [
    ...['tbl', 'tblPr', 'tr', 'trHeight', 'gridBefore', 'gridAfter', 'tc', 'tcPr'],
    ...['p', 'pPr', 'r', 'rStyle', 'sz', 't'],
  ],
  passesOver: ['tblPrEx', ...drawings],
  readsDeletions: true,
};
/** The height that LibreOffice takes a font to have, in its sizes, and Word's size where no style names one, in half points. */
const FONT_HEIGHT = 1.15;
const DEFAULT_SIZE = 20;
const TWIPS_PER_HALF_POINT = 10;
/** Smaller changes cannot be seen. In twips. */
const LEAST_CHANGE = 2;
/** Cells get space around them up to this many, some 10 MB; a document of 91 pages of such tables has 2,700. */
const MAX_SPACED_CELLS = 50_000;
/** Widths of lines are in eighths of a point. */
const TWIPS_PER_EIGHTH = 2.5;

/** Where an element is, or the place for one. */
interface Place {
  start: number;
  end: number;
}

/** A paragraph, by the place of its properties. */
interface Paragraph extends Place {
  /** Of its text, in half points; undefined where that is the one of its style. */
  readonly sizes: Set<number | undefined>;
}

/** What the properties of a paragraph say. */
interface OwnProperties {
  /** They declare no namespace of their own; only such ones are read, and changed. */
  readonly isPlain: boolean;
  readonly style: string;
  readonly lines: LineProperties;
  readonly endsSection: boolean;
}

interface Row {
  /** Places of the properties of its cells. */
  readonly cells: Place[];
  /** The element that gives it a least height. */
  height: (Place & { readonly attributes: string; readonly isEmpty: boolean }) | undefined;
}

interface Table {
  readonly start: number;
  /** How the table directly above it looks; undefined where there is none. */
  readonly follows: string | undefined;
  /** How it looks. */
  look: string;
  /** Where its properties are. */
  properties: Place | undefined;
  /** A row leaves out columns. */
  hasGaps: boolean;
  /** The paragraph above it, until its own first paragraph is read. */
  above: Paragraph | undefined;
  style: string | undefined;
  /** Half of the space between cells, in twips, and the margins of the cells that have none of their own. */
  spacing: number;
  margins: Readonly<Record<Side, number | undefined>>;
  readonly rows: Row[];
}

type TableStyles = ParagraphStyles & Pick<DocumentStyles, 'sized'>;

/** That of Word since 2013. */
const LATEST_MODE = 15;

const sides = ['top', 'left', 'bottom', 'right'] as const;

/** What tables in a row share in LibreOffice. */
const looks = [
  ...['tblStyle', 'bidiVisual', 'tblStyleRowBandSize', 'tblStyleColBandSize', 'jc', 'tblCellSpacing'],
  ...['tblInd', 'tblBorders', 'shd', 'tblCellMar', 'tblpPr'],
];

/**
 * The main part with its tables as Word lays them out, in linear time.
 *
 * @param mode Word's, by the document's settings.
 */
export function withWordsTables(xml: Bytes, styles: TableStyles, mode: number): Bytes {
  return new TableReader(xml, styles, mode).walk().edited();
}

class TableReader extends BodyWalk {
  readonly #styles: TableStyles;
  /** Whether floating tables may overlap. */
  readonly #overlaps: boolean;
  /** The open tables, the innermost last. */
  readonly #tables: Table[] = [];
  /** How many cells have got space around them. */
  #spaced = 0;
  #paragraph: Paragraph | undefined;
  /** The size of the open run. */
  #size: number | undefined;
  /** The properties of the open paragraph, of the open cell or of the table. */
  #properties: Place | undefined;
  /** The paragraph that has just ended. */
  #above: Paragraph | undefined;
  /** How the table that has just ended looks. */
  #look: string | undefined;
  /** By the properties of paragraphs as they are written, what they say, and what becomes of them. */
  readonly #own = new Remembered<OwnProperties>();
  readonly #written = new Remembered<string>();
  /** By what is in the properties of a table or a cell, the elements there. */
  readonly #children = new Remembered<ReadonlyMap<string, string>>();

  constructor(xml: Bytes, styles: TableStyles, mode: number) {
    super(xml, told);
    this.#styles = styles;
    this.#overlaps = mode < LATEST_MODE;
  }

  override open(element: Element): void {
    const { local = '', attributes, isEmpty, start, end } = element;
    const row = this.#tables.at(-1)?.rows.at(-1);
    if (local === 'p') {
      this.#look = undefined;
      this.#paragraph = { start: end, end, sizes: new Set() };
      if (isEmpty) this.#endParagraph(undefined);
    } else if (local === 'tbl') {
      if (!isEmpty) this.#openTable(start);
    } else if (local === 'tr') this.#tables.at(-1)?.rows.push({ cells: [], height: undefined });
    else if (local === 'tc') {
      this.#above = undefined;
      this.#look = undefined;
      if (!isEmpty) row?.cells.push({ start: end, end });
    } else if (local === 'gridBefore' || local === 'gridAfter') {
      const table = this.#tables.at(-1);
      if (table) table.hasGaps = true;
    } else if (local === 'trHeight') {
      if (row) row.height = { start, end, attributes, isEmpty };
    } else if (local === 'r') this.#size = undefined;
    else if (local === 't') this.#paragraph?.sizes.add(this.#size);
    else if (local === 'sz' || local === 'rStyle') this.#readSize(element);
    else {
      const place = local === 'pPr' ? this.#paragraph : local === 'tcPr' ? row?.cells.at(-1) : { start, end };
      if (place) Object.assign(place, { start, end });
      this.#properties = isEmpty ? undefined : place;
    }
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (local === 'p') this.#endParagraph(this.#paragraph);
    else if (local === 'tbl') this.#closeTable();
    else if (local === 'tc') this.#endCell();
    else if (local === 'pPr' || local === 'tcPr' || local === 'tblPr') {
      if (this.#properties) this.#properties.end = end;
      if (local === 'tblPr' && this.#properties) this.#readTable(this.#properties);
      this.#properties = undefined;
    }
  }

  #openTable(start: number): void {
    const outer = this.#tables.at(-1);
    // What begins with a table in its first cell has no first paragraph.
    if (outer) outer.above = undefined;
    this.#tables.push({
      start,
      follows: this.#look,
      look: '',
      properties: undefined,
      hasGaps: false,
      above: this.#above,
      style: undefined,
      spacing: 0,
      margins: noMargins,
      rows: [],
    });
    this.#above = undefined;
    this.#look = undefined;
  }

  #readTable(place: Place): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const properties = this.#childrenOf(place);
    table.properties = place;
    const floating = properties.get('tblpPr');
    if (floating !== undefined) table.above = undefined;
    if (floating !== undefined && !this.#overlaps && !properties.has('tblOverlap')) {
      const end = this.#endOf(floating, place);
      this.edits.push({ start: end, end, text: `<${this.w}tblOverlap ${this.w}val="never"/>` });
    }
    table.look = this.#lookOf(properties);
    const isOther = table.follows !== undefined && table.follows !== table.look;
    if (isOther) this.edits.push({ start: table.start, end: table.start, text: this.#flatParagraph() });
    const style = attributeOf(properties.get('tblStyle') ?? '', `${this.w}val`);
    table.style = style && fromBytes(style);
    table.spacing = this.#width(properties.get('tblCellSpacing')) ?? 0;
    table.margins = this.#margins(properties.get('tblCellMar'));
  }

  /** Widths matter as shares of the room: the columns have the others. */
  #lookOf(properties: ReadonlyMap<string, string>): string {
    const width = properties.get('tblW') ?? '';
    const isShare = attributeOf(width, `${this.w}type`) === 'pct';
    return [isShare ? width : '', ...looks.map((name) => properties.get(name) ?? '')].join('\n');
  }

  /** Where an element ends among the properties of a table. */
  #endOf(element: string, { start }: Place): number {
    return this.xml.indexOf(element, start) + element.length;
  }

  #flatParagraph(): string {
    const w = this.w;
    const spacing = `<${w}spacing ${w}before="0" ${w}after="0" ${w}line="2" ${w}lineRule="exact"/>`;
    return `<${w}p><${w}pPr>${spacing}<${w}rPr><${w}sz ${w}val="2"/></${w}rPr></${w}pPr></${w}p>`;
  }

  #readSize(element: Element): void {
    const { local = '', attributes } = element;
    const size =
      local === 'rStyle'
        ? this.#styles.styles.ofStyle(element.text(), 'size')
        : readLineProperty(local, attributes, this.w).size;
    this.#size = size ?? this.#size;
  }

  #endParagraph(paragraph: Paragraph | undefined): void {
    this.#paragraph = undefined;
    const table = this.#tables.at(-1);
    if (table?.above && paragraph) this.#joinSpacing(table.above, paragraph);
    if (table) table.above = undefined;
    this.#above = paragraph;
  }

  #endCell(): void {
    const last = this.#above;
    this.#above = undefined;
    const table = this.#tables.at(-1);
    const [size, ...others] = last?.sizes ?? [];
    if (!table || !last || size === undefined || others.length > 0) return;
    const own = this.#paragraphAt(last);
    if (!own.isPlain) return;
    const { styles } = this.#styles;
    const get = <Name extends keyof LineProperties>(name: Name) =>
      own.lines[name] ?? styles.ofStyle(own.style, name) ?? styles.get(table.style, name);
    const lines = (get('line') ?? LINE) / LINE;
    if ((get('lineRule') ?? 'auto') !== 'auto' || lines <= 1 || get('isContextual')) return;
    const more = size - (styles.get(own.style, 'size') ?? DEFAULT_SIZE);
    if (Math.abs((lines - 1) * FONT_HEIGHT * more * TWIPS_PER_HALF_POINT) < LEAST_CHANGE) return;
    const style = this.#styles.sized(own.style, size);
    if (style !== undefined) this.#change(last, 'pStyle', { val: style });
  }

  /** Takes away the space below a paragraph above a table that begins with a paragraph of its style. */
  #joinSpacing(above: Paragraph, first: Paragraph): void {
    const own = this.#paragraphAt(above);
    if (!own.isPlain || own.endsSection) return;
    const { styles } = this.#styles;
    const { style, lines } = own;
    const isContextual = lines.isContextual ?? styles.get(style, 'isContextual') ?? false;
    const next = this.#paragraphAt(first);
    if (!isContextual || !next.isPlain || next.style !== style) return;
    const isWritten = styles.isWritten(lines, style, 'after');
    if (isWritten && (lines.after ?? styles.get(style, 'after') ?? 0) === 0) return;
    this.#change(above, 'spacing', { after: '0', afterAutospacing: '0' }, ['afterLines']);
  }

  /** Sets and removes attributes of a property of a paragraph. */
  #change(
    { start, end }: Paragraph,
    property: string,
    attributes: Readonly<Record<string, string>>,
    without: readonly string[] = [],
  ): void {
    const key = [property, ...Object.entries(attributes), this.xml.slice(start, end)].join(' ');
    const text = this.#written.of(key, () => {
      const properties = this.propertiesAt({ start, end });
      properties?.merge(property, attributes, without);
      return String(properties);
    });
    this.edits.push({ start, end, text });
  }

  #paragraphAt(place: Place): OwnProperties {
    return this.#own.of(this.xml.slice(place.start, place.end), () => {
      const w = this.w;
      const properties = this.propertiesAt(place);
      const lines = Object.assign(
        {},
        ...['spacing', 'contextualSpacing'].map((name) => {
          const element = properties?.get(name);
          return element === undefined ? {} : readLineProperty(name, element, w);
        }),
      );
      const id = attributeOf(properties?.get('pStyle') ?? '', `${w}val`) ?? '';
      return {
        isPlain: properties !== undefined,
        style: this.#styles.paragraphStyle(id),
        lines,
        endsSection: properties?.has('sectPr') === true,
      };
    });
  }

  #closeTable(): void {
    const table = this.#tables.pop();
    this.#above = undefined;
    if (!table) return;
    this.#look = table.look;
    const { rows } = table;
    const spaced = rows.reduce((sum, { cells }) => sum + cells.length, this.#spaced);
    const hasGaps = table.hasGaps && ((table.margins.top ?? 0) > 0 || (table.margins.bottom ?? 0) > 0);
    const isSpaced = (table.spacing > 0 || hasGaps) && spaced <= MAX_SPACED_CELLS;
    if (isSpaced) this.#spaced = spaced;
    if (isSpaced && hasGaps && table.properties) this.#takeMargins(table.properties);
    for (const [index, row] of rows.entries()) {
      const previous = rows[index - 1];
      if (previous && row.height) this.#setHeight(row.height, row, previous);
      if (isSpaced) this.#setSpacing(table, row, index === 0, index === rows.length - 1);
    }
  }

  /** @param place of the properties of a table. */
  #takeMargins(place: Place): void {
    const w = this.w;
    const margins = this.#childrenOf(place).get('tblCellMar') ?? '';
    const none = [...childrenOf(contentOf(margins), w)].map(([name, margin]) =>
      name === 'top' || name === 'bottom' ? `<${w}${name} ${w}w="0" ${w}type="dxa"/>` : margin,
    );
    const end = this.#endOf(margins, place);
    const text = `<${w}tblCellMar>${none.join('')}</${w}tblCellMar>`;
    this.edits.push({ start: end - margins.length, end, text });
  }

  #setHeight(tag: NonNullable<Row['height']>, row: Row, previous: Row): void {
    const w = this.w;
    const { start, end, attributes, isEmpty } = tag;
    const height = /^\d{1,5}$/.exec(attributeOf(attributes, `${w}val`) ?? '');
    if (attributeOf(attributes, `${w}hRule`) === 'exact' || height === null) return;
    const hasNoLine = row.cells.every((cell) => this.#line(cell, 'top') === 0);
    const above = previous.cells.reduce(
      (widest, cell) => Math.max(widest, this.#line(cell, 'bottom') ?? 0),
      0,
    );
    if (!hasNoLine || above === 0) return;
    const val = Math.round(Number(height) + above * TWIPS_PER_EIGHTH);
    const text = `<${w}trHeight ${w}val="${val}" ${w}hRule="atLeast"${isEmpty ? '/>' : '>'}`;
    this.edits.push({ start, end, text });
  }

  /** Half of the space between cells on each of their sides, all of it where there is no other cell. */
  #setSpacing({ spacing, margins }: Table, { cells }: Row, isFirst: boolean, isLast: boolean): void {
    for (const [index, place] of cells.entries()) {
      const text = this.xml.slice(place.start, place.end);
      const own = this.#margins(childrenOf(contentOf(text), this.w).get('tcMar'));
      const isOuter = { top: isFirst, left: index === 0, bottom: isLast, right: index === cells.length - 1 };
      const wider = sides.map((side) => {
        const usual = side === 'left' || side === 'right' ? USUAL_MARGIN : 0;
        return [side, (own[side] ?? margins[side] ?? usual) + spacing * (isOuter[side] ? 2 : 1)];
      });
      const changed = withCellMargins(text, this.w, Object.fromEntries(wider));
      if (changed !== undefined) this.edits.push({ ...place, text: changed });
    }
  }

  /** The width of a cell's own line in eighths of a point, 0 where it says that there is none; undefined where it says nothing. */
  #line(cell: Place, side: Side): number | undefined {
    const w = this.w;
    const borders = this.#childrenOf(cell).get('tcBorders');
    const line = borders === undefined ? undefined : childrenOf(contentOf(borders), w).get(side);
    if (line === undefined) return undefined;
    if (/^(nil|none)$/.test(attributeOf(line, `${w}val`) ?? '')) return 0;
    return Number(/^\d{1,3}$/.exec(attributeOf(line, `${w}sz`) ?? '') ?? 0);
  }

  #margins(element: string | undefined): Table['margins'] {
    if (element === undefined) return noMargins;
    const children = childrenOf(contentOf(element), this.w);
    const of = (...names: string[]) =>
      this.#width(names.map((name) => children.get(name)).find((child) => child !== undefined));
    return { top: of('top'), left: of('left', 'start'), bottom: of('bottom'), right: of('right', 'end') };
  }

  /** What an element says of a width in twips. */
  #width(element: string | undefined): number | undefined {
    if (element === undefined || attributeOf(element, `${this.w}type`) !== 'dxa') return undefined;
    const width = /^\d{1,4}$/.exec(attributeOf(element, `${this.w}w`) ?? '');
    return width ? Number(width) : undefined;
  }

  /** What is in the properties of a table or a cell. */
  #childrenOf({ start, end }: Place): ReadonlyMap<string, string> {
    const content = contentOf(this.xml.slice(start, end));
    return this.#children.of(content, () => childrenOf(content, this.w));
  }
}

const noMargins: Table['margins'] = { top: undefined, left: undefined, bottom: undefined, right: undefined };
/** Of cells at the left and right, in twips, where nothing says another one. */
const USUAL_MARGIN = 108;
