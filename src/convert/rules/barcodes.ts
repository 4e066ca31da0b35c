/**
 * Barcodes (`DISPLAYBARCODE`; [MS-OI29500], 3.1.3.2.7), which Word draws and does not store, and LibreOffice does not know: as shapes
 * in the line. Word's own size is not written down anywhere: a module is a pixel of the screen wide, in QR codes four.
 */
import { attributeOf } from '../document/markup.ts';
import { writtenText } from './field-reader.ts';

const PIXEL = 0.75;
/** How large a unit of the library's drawing is by default, in points: it has two for a module of a QR code. */
const units: Readonly<Record<string, number>> = { QR: 2 * PIXEL, JPPOST: 1 };
/** Height of the bars where none is given, and the greatest, in twips: half an inch, and 22 inches. */
const HEIGHT = 720;
const MAX_HEIGHT = 31_680;
const MILLIMETRES_PER_POINT = 25.4 / 72;
const EMU_PER_POINT = 12_700;
/** Coordinates are integers of so many parts of a unit. */
const PARTS = 20;
const levels = ['L', 'M', 'Q', 'H'];

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const SHAPE = 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape';
const GROUP = 'http://schemas.microsoft.com/office/word/2010/wordprocessingGroup';

/** As `drawBarcode` of `barcode-library.ts`. */
export type DrawBarcode = (
  type: string,
  options: {
    readonly text: string;
    readonly scale: number;
    readonly height?: number;
    readonly eclevel?: string;
    readonly includetext?: boolean;
  },
) => string | undefined;

interface Barcode {
  readonly type: string;
  readonly text: string;
  /** Switches by their letters, with their arguments. */
  readonly switches: ReadonlyMap<string, string>;
}

/**
 * The drawing of a barcode, as content of a run.
 *
 * @param code the instruction of the field, with the results of the fields in it.
 * @param w the prefix of the part.
 * @returns undefined where the text does not fit the type: Word writes an error there.
 */
export function barcodeMarkup(code: string, w: string, draw: DrawBarcode): string | undefined {
  const barcode = readBarcode(code);
  if (!barcode) return undefined;
  const { type, text, switches } = barcode;
  const unit = (units[type] ?? PIXEL) * (number(switches.get('s'), 10, 1_000, 100) / 100);
  const height = number(switches.get('h'), 1, MAX_HEIGHT, HEIGHT) / 20;
  const svg = draw(type, {
    text,
    scale: 1,
    ...(type === 'QR'
      ? { eclevel: levels[number(switches.get('q'), 0, 3, 3)] ?? '' }
      : { includetext: switches.has('t') }),
    // The library's unit is a point.
    ...(units[type] === undefined && { height: (height / PIXEL) * MILLIMETRES_PER_POINT }),
  });
  return svg && shapeMarkup(svg, unit, barcode, w);
}

function readBarcode(code: string): Barcode | undefined {
  const [kind, text, type, ...rest] = [...code.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted?.replace(/\\(.)/g, '$1') ?? word ?? '',
  );
  if (kind === undefined || text === undefined || type === undefined) return undefined;
  const switches = new Map<string, string>();
  for (const [at, word] of rest.entries())
    if (/^\\[a-z]$/i.test(word)) switches.set(word.charAt(1).toLowerCase(), rest[at + 1] ?? '');
  const name = type.toUpperCase();
  return { type: name, text: fitted(name, text, switches), switches };
}

/** The text as the library takes it: with a supplement, start and stop signs, and without a check digit that is to be mended. */
function fitted(type: string, text: string, switches: ReadonlyMap<string, string>): string {
  const digits = { EAN13: 12, JAN13: 12, EAN8: 7, JAN8: 7, UPCA: 11, ITF14: 13, CASE: 13 }[type];
  if (type === 'NW7') return /^[a-d].*[a-d]$/i.test(text) ? text.toUpperCase() : `A${text}A`;
  if (type === 'CODE39') return text.replace(/^\*(.*)\*$/, '$1');
  if (digits === undefined) return text;
  const supplement = Number(/^SUP([25])$/i.exec(switches.get('p') ?? '')?.[1] ?? 0);
  const own = text.slice(0, text.length - supplement);
  const mended = switches.has('x') && own.length === digits + 1 ? own.slice(0, digits) : own;
  return supplement === 0 ? mended : `${mended} ${text.slice(-supplement)}`;
}

/** @returns the default where an argument is not a number in this range. */
function number(argument: string | undefined, least: number, most: number, usual: number): number {
  const value = Number(argument || Number.NaN);
  return Number.isInteger(value) && value >= least && value <= most ? value : usual;
}

function colour(argument: string | undefined): string | undefined {
  return /^(?:0x)?([0-9a-f]{6})$/i.exec(argument ?? '')?.[1]?.toUpperCase();
}

function shapeMarkup(svg: string, unit: number, { text, switches }: Barcode, w: string): string | undefined {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const turns = number(switches.get('r'), 0, 3, 0);
  const [wide, high] = turns % 2 === 0 ? [width, height] : [height, width];
  const [cx, cy] = [wide, high].map((each) => Math.round(each * unit * EMU_PER_POINT));
  const position = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>`;
  const shape = (geometry: string, fill: string) =>
    `<wps:wsp xmlns:wps="${SHAPE}"><wps:cNvPr id="0" name=""/><wps:cNvSpPr/><wps:spPr>${position}${geometry}<a:solidFill><a:srgbClr val="${fill}"/></a:solidFill><a:ln><a:noFill/></a:ln></wps:spPr><wps:bodyPr/></wps:wsp>`;
  const path = `<a:path w="${Math.round(wide * PARTS)}" h="${Math.round(high * PARTS)}">${pathOf(svg, turned(width, height, turns))}</a:path>`;
  const bars = shape(
    `<a:custGeom><a:rect l="0" t="0" r="r" b="b"/><a:pathLst>${path}</a:pathLst></a:custGeom>`,
    colour(switches.get('f')) ?? '000000',
  );
  const ground = colour(switches.get('b'));
  const graphic =
    ground === undefined
      ? `<a:graphicData uri="${SHAPE}">${bars}</a:graphicData>`
      : `<a:graphicData uri="${GROUP}"><wpg:wgp xmlns:wpg="${GROUP}"><wpg:cNvGrpSpPr/><wpg:grpSpPr>${position}</wpg:grpSpPr>${shape('<a:prstGeom prst="rect"/>', ground)}${bars}</wpg:wgp></a:graphicData>`;
  return (
    `<${w}drawing><wp:inline xmlns:wp="${DRAWING}/wordprocessingDrawing" distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/>` +
    `<wp:docPr id="1" name="" descr="${writtenText(text)}"/><a:graphic xmlns:a="${DRAWING}/main">${graphic}</a:graphic></wp:inline></${w}drawing>`
  );
}

type Point = readonly [x: number, y: number];

/** Turns a point clockwise with the drawing around it. */
function turned(width: number, height: number, turns: number): (point: Point) => Point {
  if (turns === 1) return ([x, y]) => [height - y, x];
  if (turns === 2) return ([x, y]) => [width - x, height - y];
  return turns === 3 ? ([x, y]) => [y, width - x] : (point) => point;
}

const segments: Readonly<Record<string, string>> = {
  M: 'moveTo',
  L: 'lnTo',
  Q: 'quadBezTo',
  C: 'cubicBezTo',
};

/** The paths of the library's drawing as one: lines are upright, and become rectangles. */
function pathOf(svg: string, turn: (point: Point) => Point): string {
  const pieces: string[] = [];
  const add = (name: string, points: readonly Point[]) => {
    const written = points.map((point) => {
      const [x, y] = turn(point).map((each) => Math.round(each * PARTS));
      return `<a:pt x="${x}" y="${y}"/>`;
    });
    pieces.push(`<a:${name}>${written.join('')}</a:${name}>`);
  };
  for (const [, attributes = ''] of svg.matchAll(/<path ([^>]*)\/>/g)) {
    const half = Number(attributeOf(attributes, 'stroke-width') ?? 0) / 2;
    const [, path = ''] = /\bd="([^"]*)"/.exec(attributes) ?? [];
    let from: Point = [0, 0];
    for (const [, command = '', numbers = ''] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
      const values = (numbers.match(/-?[\d.]+/g) ?? []).map(Number);
      const points = values.flatMap((x, at): Point[] => (at % 2 === 0 ? [[x, values[at + 1] ?? 0]] : []));
      const [to = from] = points;
      if (half > 0 && command === 'L') {
        add('moveTo', [[from[0] - half, from[1]]]);
        for (const point of [
          [from[0] + half, from[1]],
          [from[0] + half, to[1]],
          [from[0] - half, to[1]],
        ] as const)
          add('lnTo', [point]);
        pieces.push('<a:close/>');
      } else if (command === 'Z') pieces.push('<a:close/>');
      else if (half === 0) add(segments[command] ?? 'lnTo', points);
      from = to;
    }
  }
  return pieces.join('');
}
