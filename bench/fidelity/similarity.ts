/**
 * Structural similarity index of two pictures: Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli, "Image
 * quality assessment: from error visibility to structural similarity", IEEE Transactions on Image Processing 13 (4),
 * 2004, with uniform windows of 8 × 8 pixels.
 */

/** A byte a pixel, row after row: 0 black, 255 white. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Side of a window, in pixels. */
const SIDE = 8;
const COUNT = SIDE * SIDE;
const WHITE = 255;
/** The paper's constants for a range of 255: K1 = 0.01, K2 = 0.03. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Sums over pixels: of each picture, of their squares, of their products. */
export type Sums = [a: number, b: number, aa: number, bb: number, ab: number];

/**
 * The mean over the windows in which at least one picture has content, as common white paper would make any two pages
 * similar.
 *
 * @returns 1 for equal pictures and for two blank ones, about 0 for unrelated ones
 * @throws RangeError if their sizes differ
 */
export function similarity(one: GreyPicture, other: GreyPicture): number {
  const { width, height } = one;
  if (other.width !== width || other.height !== height) throw new RangeError('the pictures differ in size');
  // Sums of each column over the rows of a window.
  const columns = Array.from({ length: width }, (): Sums => [0, 0, 0, 0, 0]);
  let total = 0;
  let windows = 0;
  for (let y = 0; y < height; y++) {
    for (const [x, sums] of columns.entries()) {
      addPixel(sums, one, other, y * width + x, 1);
      if (y >= SIDE) addPixel(sums, one, other, (y - SIDE) * width + x, -1);
    }
    if (y + 1 < SIDE) continue;
    const window: Sums = [0, 0, 0, 0, 0];
    for (const [x, sums] of columns.entries()) {
      addSums(window, sums, 1);
      const left = columns[x - SIDE];
      if (left) addSums(window, left, -1);
      if (x + 1 < SIDE || (window[0] === WHITE * COUNT && window[1] === WHITE * COUNT)) continue;
      total += ofWindow(window, COUNT);
      windows++;
    }
  }
  return windows === 0 ? 1 : total / windows;
}

/** Equation 13 of the paper. @param count of the pixels */
export function ofWindow([a, b, aa, bb, ab]: Sums, count: number): number {
  const meanA = a / count;
  const meanB = b / count;
  const variances = aa / count - meanA ** 2 + bb / count - meanB ** 2;
  const covariance = ab / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (variances + C2))
  );
}

function addPixel(sums: Sums, one: GreyPicture, other: GreyPicture, index: number, sign: 1 | -1): void {
  const a = one.pixels[index] ?? 0;
  const b = other.pixels[index] ?? 0;
  sums[0] += sign * a;
  sums[1] += sign * b;
  sums[2] += sign * a * a;
  sums[3] += sign * b * b;
  sums[4] += sign * a * b;
}

function addSums(sums: Sums, more: Sums, sign: 1 | -1): void {
  sums[0] += sign * more[0];
  sums[1] += sign * more[1];
  sums[2] += sign * more[2];
  sums[3] += sign * more[3];
  sums[4] += sign * more[4];
}
