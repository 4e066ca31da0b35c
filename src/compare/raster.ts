/** Pages as pictures: rasterised by `pdftoppm` (poppler-utils), written as PNG. */
import { PNG } from 'pngjs';
import { runToolForBytes } from './tools.ts';

/** A grey picture: a byte a pixel, row after row, 0 black, 255 white. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Enough to see which word is which; a page is half a megabyte. */
const DOTS_PER_INCH = 72;
const WHITE = 255;
/** PNG colour types (ISO/IEC 15948, 11.2.2): one byte per pixel, and three. */
const GREY = 0;
const COLOUR = 2;
type PNGColour = typeof GREY | typeof COLOUR;

/**
 * Pages `first` to `last`, from 1; fewer if the PDF ends before.
 *
 * @throws Error if the PDF cannot be rasterised
 */
export async function rasterise(
  pdf: string,
  first: number,
  last: number,
  signal?: AbortSignal,
): Promise<Picture[]> {
  const args = ['-gray', '-r', String(DOTS_PER_INCH), '-f', String(first), '-l', String(last), pdf];
  return parsePgm(await runToolForBytes('pdftoppm', args, signal));
}

/**
 * Reads consecutive pictures in the binary PGM format.
 *
 * @throws Error if they are malformed
 */
export function parsePgm(bytes: Buffer): Picture[] {
  const pictures: Picture[] = [];
  for (let position = 0; position < bytes.length; ) {
    const match = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', position, position + 64));
    if (!match) throw new Error('pdftoppm: no picture');
    const [header, width, height] = [match[0].length, Number(match[1]), Number(match[2])];
    const start = position + header;
    position = start + width * height;
    if (position > bytes.length) throw new Error('pdftoppm: a picture that is cut off');
    pictures.push({ width, height, pixels: bytes.subarray(start, position) });
  }
  return pictures;
}

/** The picture on white paper of at least this size, at its top left. */
export function enlarge(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const pixels = new Uint8Array(width * height).fill(WHITE);
  for (let y = 0; y < picture.height; y++) {
    pixels.set(picture.pixels.subarray(y * picture.width, (y + 1) * picture.width), y * width);
  }
  return { width, height, pixels };
}

/** Both on white paper of the same size. */
export function sameSize(one: Picture, other: Picture): [Picture, Picture] {
  const width = Math.max(one.width, other.width);
  const height = Math.max(one.height, other.height);
  return [enlarge(one, width, height), enlarge(other, width, height)];
}

/** As PNG (ISO/IEC 15948), grey. */
export function greyPng({ width, height, pixels }: Picture): Buffer {
  return png(width, height, GREY, pixels);
}

/**
 * Both pictures in one PNG: black is in both, blue only in `one`, orange only in `other`.
 *
 * @throws RangeError if their sizes differ
 */
export function differencePng(one: Picture, other: Picture): Buffer {
  const { width, height } = one;
  if (other.width !== width || other.height !== height) throw new RangeError('the pictures differ in size');
  const pixels = new Uint8Array(width * height * 3);
  for (const [index, a] of one.pixels.entries()) {
    const b = other.pixels[index] ?? WHITE;
    pixels.set([a, (a + b) / 2, b], index * 3);
  }
  return png(width, height, COLOUR, pixels);
}

function png(width: number, height: number, colorType: PNGColour, pixels: Uint8Array): Buffer {
  const picture = new PNG({ width, height });
  picture.data = Buffer.from(pixels);
  return PNG.sync.write(picture, { colorType, inputColorType: colorType, inputHasAlpha: false });
}
