/** Whether two pictures of a page look different to a reader. */
import { lightnessOf, type Picture } from './raster.ts';

/** Differences that a reader does not see, of 255. */
const TOLERANCE = { lightness: 4, colour: 8 };
/**
 * A share of the contrast around a pixel that is tolerated, too: how dark an edge is depends on where the grid of pixels cuts
 * it. Of black on white it is 102 of 255.
 */
const CONTRAST_SHARE = 0.4;

/** One property of the pixels, row after row. */
interface Plane {
  readonly values: Int16Array;
  readonly tolerance: number;
}

/**
 * The pixels that differ: those whose lightness, red or blue lies beyond what the other picture has in their neighbourhood.
 * So what moved within it is the same, and a faint shade counts if there is no stronger contrast.
 *
 * @param reach of the neighbourhood: pixels to each side.
 * @throws RangeError if the pictures differ in size.
 */
export function countDifferentPixels(one: Picture, other: Picture, reach: number): number {
  const { width, height } = one;
  if (other.width !== width || other.height !== height) throw new RangeError('the pictures differ in size');
  if (Buffer.compare(one.pixels, other.pixels) === 0) return 0;
  const differs = new Uint8Array(width * height);
  const others = planesOf(other);
  for (const [index, plane] of planesOf(one).entries()) {
    const match = others[index];
    if (match) mark(differs, plane, match, width, reach);
  }
  return differs.reduce((sum, each) => sum + each, 0);
}

/** Lightness and two colours: sums and differences of red, green and blue, so that an edge has nothing beyond its two sides. */
function planesOf(picture: Picture): Plane[] {
  return [
    { values: Int16Array.from(lightnessOf(picture)), tolerance: TOLERANCE.lightness },
    { values: overGreen(picture, 0), tolerance: TOLERANCE.colour },
    { values: overGreen(picture, 2), tolerance: TOLERANCE.colour },
  ];
}

/** How much more a pixel has of red (channel 0) or blue (2) than of green. */
function overGreen({ width, height, pixels }: Picture, channel: number): Int16Array {
  const values = new Int16Array(width * height);
  for (let n = 0; n < values.length; n++)
    values[n] = (pixels[n * 3 + channel] ?? 0) - (pixels[n * 3 + 1] ?? 0);
  return values;
}

/** Sets `differs` to 1 where two planes do. */
function mark(
  differs: Uint8Array,
  { values: ones, tolerance }: Plane,
  { values: others }: Plane,
  width: number,
  reach: number,
) {
  for (let index = 0; index < differs.length; index++) {
    const [a, b] = [ones[index] ?? 0, others[index] ?? 0];
    if (Math.abs(a - b) <= tolerance || differs[index]) continue;
    const [lowA, highA] = rangeAround(ones, index, width, reach);
    const [lowB, highB] = rangeAround(others, index, width, reach);
    const tolerated = tolerance + CONTRAST_SHARE * (Math.max(highA, highB) - Math.min(lowA, lowB));
    const isBeyond = (value: number, low: number, high: number) =>
      value < low - tolerated || value > high + tolerated;
    if (isBeyond(a, lowB, highB) || isBeyond(b, lowA, highA)) differs[index] = 1;
  }
}

/** The least and the greatest value around a pixel. */
function rangeAround(
  values: Int16Array,
  index: number,
  width: number,
  reach: number,
): [low: number, high: number] {
  const [x, y] = [index % width, Math.floor(index / width)];
  const lastRow = Math.min(values.length / width - 1, y + reach);
  const lastColumn = Math.min(width - 1, x + reach);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = Math.max(0, y - reach); row <= lastRow; row++) {
    for (let column = Math.max(0, x - reach); column <= lastColumn; column++) {
      const value = values[row * width + column] ?? 0;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return [low, high];
}
