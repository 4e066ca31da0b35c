/** Draws the diagonal lines of cells where their marks are (marked-cells.ts): LibreOffice fills a rectangle for each part of a cell. */
import { deflateSync } from 'node:zlib';
import { type CellLine, linesIn, type MarkedCells } from '../document/marked-cells.ts';
import type { PageObject, PdfObjects } from './objects/pdf-objects.ts';
import { Reference } from './objects/values.ts';
import { contentOf, countPages, MAX_PAGES, readPages } from './pages.ts';

/** Most pages, and most content of a page and of all pages, in bytes: cells beyond stay without lines. */
const MOST_PAGES = MAX_PAGES / 2;
const MAX_STREAM_BYTES = 8_388_608;
const MAX_BYTES = 33_554_432;

/** A colour that is set, the graphics state that is kept or taken back, or a filled rectangle. */
const OPERATION =
  /(?<![^\s])(?:([\d.]+) ([\d.]+) ([\d.]+) rg|([qQ])|(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re f\*)(?=\s)/g;

/**
 * Draws the lines of cells where their marks are.
 *
 * @returns the pages' contents for `replaceObjects`, and about how many lines are missing: at least one where a page was not read.
 * @throws Error if the PDF has another form.
 */
export function withCellLines(
  pdf: PdfObjects,
  cells: readonly MarkedCells[],
): { readonly changed: [number: number, object: string][]; readonly missing: number } {
  const expected = cells.reduce((sum, each) => sum + each.count * linesIn(each), 0);
  if (countPages(pdf) > MOST_PAGES) return { changed: [], missing: expected };
  const marks = new Map(cells.map((each) => [each.mark, each]));
  const changed: [number, string][] = [];
  let [left, drawn, isWhole] = [MAX_BYTES, 0, true];
  for (const page of readPages(pdf, MAX_PAGES)) {
    const content = textOf(pdf, page, Math.min(left, MAX_STREAM_BYTES));
    const contents = page.dictionary['/Contents'];
    if (content === undefined || !(contents instanceof Reference)) {
      isWhole = false;
      continue;
    }
    left -= content.length;
    const lined = withLines(content, marks, (each) => {
      drawn += linesIn(each);
    });
    if (lined === content) continue;
    const bytes = deflateSync(Buffer.from(lined, 'latin1')).toString('latin1');
    const dictionary = `<</Length ${bytes.length}/Filter/FlateDecode>>`;
    const { number } = contents;
    changed.push([number, `${number} 0 obj\n${dictionary}\nstream\n${bytes}\nendstream\n`]);
  }
  return { changed, missing: isWhole ? 0 : Math.max(1, expected - drawn) };
}

/** What is drawn on a page; undefined where it is too long. */
function textOf(pdf: PdfObjects, page: PageObject, limit: number): string | undefined {
  if (limit <= 0) return undefined;
  try {
    return contentOf(pdf, page, limit)?.toString('latin1');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function withLines(
  content: string,
  marks: ReadonlyMap<string, MarkedCells>,
  onDrawn: (cell: MarkedCells) => void,
): string {
  const kept: (MarkedCells | undefined)[] = [];
  let cells: MarkedCells | undefined;
  return content.replace(OPERATION, (written: string, ...groups: (string | undefined)[]) => {
    const [red, green, blue, state, ...numbers] = groups;
    if (state === 'q') kept.push(cells);
    else if (state === 'Q') cells = kept.pop();
    else if (red !== undefined) cells = marks.get(hexadecimal([red, green, blue].map(Number)));
    else if (cells) {
      onDrawn(cells);
      return lines(cells, numbers.slice(0, 4).map(Number));
    }
    return written;
  });
}

function lines(
  { fill, falling, rising }: MarkedCells,
  [x = 0, y = 0, width = 0, height = 0]: number[],
): string {
  const area = `${x} ${y} ${width} ${height} re`;
  const line = (each: CellLine | undefined, from: number, to: number) =>
    each ? ` ${channels(each.colour)} RG ${each.width} w ${x} ${from} m ${x + width} ${to} l S` : '';
  const filled = fill === undefined ? '' : ` ${channels(fill)} rg ${area} f*`;
  return `q${filled} ${area} W n 0 J []0 d${line(falling, y + height, y)}${line(rising, y, y + height)} Q`;
}

/** Channels from 0 to 1 as six hexadecimal digits in capital letters, and the other way round. */
function hexadecimal(values: readonly number[]): string {
  return values
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
    .toUpperCase();
}
function channels(colour: string): string {
  return [0, 2, 4].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(5)).join(' ');
}
