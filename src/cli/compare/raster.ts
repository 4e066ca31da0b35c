/** Pages as pictures: rasterised by `pdftoppm` (poppler-utils), written as PNG. */
import { PNG } from 'pngjs';
import { runToolForBytes } from './tools.ts';

/** A picture in colour: a byte each of red, green and blue for a pixel, row after row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const CHANNELS = 3;
const WHITE = 255;
/** Red, green and blue in the lightness of a colour: Recommendation ITU-R BT.601, in 256ths. */
const [RED, GREEN, BLUE] = [77, 150, 29];
/** Colour type of PNG with three bytes per pixel (ISO/IEC 15948, 11.2.2). */
const COLOUR = 2;

/**
 * Pages `first` to `last`, from 1; fewer if the PDF ends before.
 *
 * @throws Error if the PDF cannot be rasterised
 */
export async function rasterise(
  pdf: string,
  {
    first,
    last,
    dotsPerInch,
  }: { readonly first: number; readonly last: number; readonly dotsPerInch: number },
  signal?: AbortSignal,
): Promise<Picture[]> {
  const args = ['-r', String(dotsPerInch), '-f', String(first), '-l', String(last), pdf];
  return parsePpm(await runToolForBytes('pdftoppm', args, signal));
}

/**
 * Reads consecutive pictures in the binary PPM format.
 *
 * @throws Error if they are malformed
 */
export function parsePpm(bytes: Buffer): Picture[] {
  const pictures: Picture[] = [];
  for (let position = 0; position < bytes.length; ) {
    const match = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', position, position + 64));
    if (!match) throw new Error('pdftoppm: no picture');
    const [header, width, height] = [match[0].length, Number(match[1]), Number(match[2])];
    const start = position + header;
    position = start + width * height * CHANNELS;
    if (position > bytes.length) throw new Error('pdftoppm: a picture that is cut off');
    pictures.push({ width, height, pixels: bytes.subarray(start, position) });
  }
  return pictures;
}

/** A byte a pixel, row after row: 0 black, 255 white. */
export function lightnessOf({ width, height, pixels }: Picture): Uint8Array {
  const lightness = new Uint8Array(width * height);
  for (let n = 0; n < lightness.length; n++) {
    const at = n * CHANNELS;
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    lightness[n] = (red * RED + green * GREEN + blue * BLUE) >> 8;
  }
  return lightness;
}

/** The picture at half its width and height, rounded down. */
export function halve(picture: Picture): Picture {
  const [width, height] = [Math.floor(picture.width / 2), Math.floor(picture.height / 2)];
  const row = picture.width * CHANNELS;
  const pixels = new Uint8Array(width * height * CHANNELS);
  for (let index = 0; index < pixels.length; index++) {
    const [pixel, channel] = [Math.floor(index / CHANNELS), index % CHANNELS];
    const at = Math.floor(pixel / width) * 2 * row + (pixel % width) * 2 * CHANNELS + channel;
    const shade = (offset: number) => picture.pixels[at + offset] ?? 0;
    pixels[index] = (shade(0) + shade(CHANNELS) + shade(row) + shade(row + CHANNELS)) / 4;
  }
  return { width, height, pixels };
}

/** The picture on white paper of at least this size, at its top left. */
export function enlarge(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const pixels = new Uint8Array(width * height * CHANNELS).fill(WHITE);
  const row = picture.width * CHANNELS;
  for (let y = 0; y < picture.height; y++) {
    pixels.set(picture.pixels.subarray(y * row, (y + 1) * row), y * width * CHANNELS);
  }
  return { width, height, pixels };
}

/** Both on white paper of the same size. */
export function sameSize(one: Picture, other: Picture): [Picture, Picture] {
  const width = Math.max(one.width, other.width);
  const height = Math.max(one.height, other.height);
  return [enlarge(one, width, height), enlarge(other, width, height)];
}

/** As PNG (ISO/IEC 15948). */
export function png({ width, height, pixels }: Picture): Buffer {
  const picture = new PNG({ width, height });
  picture.data = Buffer.from(pixels);
  return PNG.sync.write(picture, { colorType: COLOUR, inputColorType: COLOUR, inputHasAlpha: false });
}

/**
 * Both pictures in one PNG: black is in both, blue only in `one`, orange only in `other`.
 *
 * @throws RangeError if their sizes differ
 */
export function differencePng(one: Picture, other: Picture): Buffer {
  const { width, height } = one;
  if (other.width !== width || other.height !== height) throw new RangeError('the pictures differ in size');
  const pixels = new Uint8Array(width * height * CHANNELS);
  const others = lightnessOf(other);
  for (const [index, a] of lightnessOf(one).entries()) {
    const b = others[index] ?? WHITE;
    pixels.set([a, (a + b) / 2, b], index * CHANNELS);
  }
  return png({ width, height, pixels });
}
