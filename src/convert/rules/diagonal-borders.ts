/**
 * Diagonal lines in cells of tables: only the PDF says how large a cell is. So each such cell gets a colour that marks it
 * (marked-cells.ts), which is hardly another than its own, and `pdf/cell-lines.ts` draws the lines.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { type CellLine, linesIn, type MarkedCells } from '../document/marked-cells.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import type { Bytes } from '../text/bytes.ts';

/** What a border is that is none (ISO/IEC 29500-1, 17.18.2). */
const NO_BORDER = /^(?:nil|none|)$/;
const COLOUR = /^[0-9a-f]{6}$/i;
const WHITE = 'FFFFFF';
/** Widths are in eighths of a point. */
const EIGHTHS = 8;
const USUAL_WIDTH = 0.5;
/** Most marks of a document. */
const MAX_MARKS = 200;
/** A mark differs by so much in a channel at most. */
const NEAR = 4;

/** The marks of a document. */
export class CellMarks {
  /** Number of lines that are missing from the PDF. */
  missing = 0;
  readonly #cells = new Map<string, MarkedCells | undefined>();
  readonly #text: string;
  /** Colours that are used; found when the first mark is asked for. */
  #used: Set<string> | undefined;
  /** How many marks near a colour were tried. */
  readonly #tried = new Map<string, number>();

  /** @param text whose colours are no marks. */
  constructor(text: string) {
    this.#text = text;
  }

  get cells(): readonly MarkedCells[] {
    return [...this.#cells.values()].filter((each) => each !== undefined);
  }

  /** The mark of a cell; undefined if there is none left. */
  markOf(cells: Omit<MarkedCells, 'mark' | 'count'>): string | undefined {
    const key = JSON.stringify(cells);
    if (!this.#cells.has(key)) {
      const mark = this.#cells.size < MAX_MARKS ? this.#unused(cells.fill ?? WHITE) : undefined;
      this.#cells.set(key, mark === undefined ? undefined : { ...cells, mark, count: 0 });
    }
    const known = this.#cells.get(key);
    if (known) known.count += 1;
    return known?.mark;
  }

  #unused(fill: string): string | undefined {
    this.#used ??= coloursIn(this.#text);
    for (let at = (this.#tried.get(fill) ?? 0) + 1; at < NEAR ** 3; at += 1) {
      this.#tried.set(fill, at);
      const mark = near(fill, at);
      if (this.#used.has(mark)) continue;
      this.#used.add(mark);
      return mark;
    }
    return undefined;
  }
}

function coloursIn(text: string): Set<string> {
  return new Set([...text.matchAll(/"([0-9a-f]{6})"/gi)].map(([, found = '']) => found.toUpperCase()));
}

/** A colour that differs little from another one. @param at its number. */
function near(colour: string, at: number): string {
  const offsets = [at % NEAR, Math.floor(at / NEAR) % NEAR, Math.floor(at / NEAR ** 2)];
  const channels = offsets.map((offset, channel) => {
    const value = Number.parseInt(colour.slice(2 * channel, 2 * channel + 2), 16);
    return (value < 128 ? value + offset : value - offset).toString(16).padStart(2, '0');
  });
  return channels.join('').toUpperCase();
}

interface Cell {
  falling?: CellLine | undefined;
  rising?: CellLine | undefined;
  /** Its shading: the element, and its colour. */
  shading?: { readonly start: number; end: number; readonly fill: string | undefined; isPlain: boolean };
  /** Where its borders end. */
  end: number;
}

/**
 * The part with marked cells, in linear time.
 *
 * @param isShaded whether a style of tables shades cells, which the mark would hide.
 */
export function withMarkedCells(xml: Bytes, marks: CellMarks, isShaded: (style: string) => boolean): Bytes {
  const w = wordPrefixOf(xml);
  const names = qualified(w, ['tbl', 'tblStyle', 'tcPr', 'tcPrChange', 'tcBorders', 'tl2br', 'tr2bl', 'shd']);
  const edits: Edit[] = [];
  /** The styles of the tables that are open. */
  const tables: string[] = [];
  let cell: Cell | undefined;
  let isOld = false;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === undefined) return;
      const value = (attribute: string) => attributeOf(attributes, w + attribute) ?? '';
      if (local === 'tbl') tables.push(...(isEmpty ? [] : ['']));
      else if (local === 'tblStyle') tables.splice(-1, 1, value('val'));
      else if (local === 'tcPr') cell = isEmpty ? undefined : { end };
      else if (local === 'tcPrChange') isOld = !isEmpty;
      else if (!cell || isOld) return;
      else if (local === 'shd') {
        const fill = COLOUR.test(value('fill')) ? value('fill').toUpperCase() : undefined;
        const isPlain = /^(?:clear|nil)$/.test(value('val'));
        cell.shading = { start, end, fill: value('val') === 'nil' ? undefined : fill, isPlain };
      } else if (local !== 'tcBorders' && !NO_BORDER.test(value('val'))) {
        const colour = COLOUR.test(value('color')) ? value('color').toUpperCase() : '000000';
        const line = { colour, width: Number.parseInt(value('sz'), 10) / EIGHTHS || USUAL_WIDTH };
        if (local === 'tl2br') cell.falling = line;
        else cell.rising = line;
      }
    },
    close(name, _start, end) {
      const local = names.get(name);
      if (local === 'tbl') tables.pop();
      else if (local === 'tcPrChange') isOld = false;
      else if (local === 'tcBorders' && cell && !isOld) cell.end = end;
      else if (local === 'shd' && cell?.shading && !isOld) cell.shading.end = end;
      else if (local === 'tcPr') {
        const edit = cell && markedCell(cell, marks, w, isShaded(tables.at(-1) ?? ''));
        if (edit) edits.push(edit);
        cell = undefined;
      }
    },
  });
  return withEdits(xml, edits);
}

function markedCell(
  { falling, rising, shading, end }: Cell,
  marks: CellMarks,
  w: string,
  isShaded: boolean,
): Edit | undefined {
  if (!falling && !rising) return undefined;
  const isKnown = shading ? shading.isPlain : !isShaded;
  const mark = isKnown ? marks.markOf({ fill: shading?.fill, falling, rising }) : undefined;
  if (mark === undefined) {
    marks.missing += linesIn({ falling, rising });
    return undefined;
  }
  const text = `<${w}shd ${w}val="clear" ${w}color="auto" ${w}fill="${mark}"/>`;
  return { start: shading?.start ?? end, end: shading?.end ?? end, text };
}
