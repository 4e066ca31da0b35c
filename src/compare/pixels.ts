/** Whether two pictures of a page look different to a reader. */
import type { Picture } from './raster.ts';

/** Of 255. Edges that fall into other pixels differ by less, and so do shades that a reader takes for the same. */
const TOLERANCE = 96;

/**
 * The pixels that differ: those with a shade that the other picture has nowhere in their neighbourhood of 3 × 3 pixels. So
 * what moved by a pixel is the same.
 *
 * @throws RangeError if the pictures differ in size.
 */
export function countDifferentPixels(one: Picture, other: Picture): number {
  const { width, height } = one;
  if (other.width !== width || other.height !== height) throw new RangeError('the pictures differ in size');
  let count = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const a = one.pixels[y * width + x] ?? 0;
      const b = other.pixels[y * width + x] ?? 0;
      if (Math.abs(a - b) <= TOLERANCE) continue;
      if (isFarFromAll(a, other, x, y) || isFarFromAll(b, one, x, y)) count++;
    }
  }
  return count;
}

/** Whether a shade is beyond all those around a place. */
function isFarFromAll(shade: number, { width, height, pixels }: Picture, x: number, y: number): boolean {
  let [darkest, lightest] = [255, 0];
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const near = pixels[row * width + column] ?? 0;
      if (near < darkest) darkest = near;
      if (near > lightest) lightest = near;
    }
  }
  return shade < darkest - TOLERANCE || shade > lightest + TOLERANCE;
}
