/** How alike the letters of a word are in two PDFs, wherever it stands: their shapes, weight and slant. */
import type { Word } from '../../src/cli/compare/words.ts';
import { type GreyPicture, ofWindow, type Sums } from './similarity.ts';

const POINTS_PER_INCH = 72;
/** Fonts with other ascents have other boxes, so our word is moved over Word's, by up to so many points. */
const [MAX_ACROSS, MAX_UP] = [1, 2];
const WHITE = 255;

/** A word on the picture of its page. */
interface WordOnPage {
  readonly word: Word;
  readonly page: GreyPicture;
}

/**
 * The structural similarity of the pictures of both, taken as one window of ink, where our word is moved to where it is largest.
 *
 * @returns 1 for equal pictures, about 0 for unrelated ones
 */
export function letterLikeness(one: WordOnPage, other: WordOnPage, dotsPerInch: number): number {
  const scale = dotsPerInch / POINTS_PER_INCH;
  const size = (low: 'xMin' | 'yMin', high: 'xMax' | 'yMax') =>
    Math.ceil(scale * Math.max(...[one, other].map(({ word }) => word[high] - word[low]))) + 2;
  const [width, height] = [size('xMin', 'xMax'), size('yMin', 'yMax')];
  const corner = ({ word }: WordOnPage) => [
    Math.round(scale * word.xMin) - 1,
    Math.round((scale * (word.yMin + word.yMax) - height) / 2),
  ];
  const [[x = 0, y = 0], [left = 0, top = 0]] = [corner(one), corner(other)];
  const [across, up] = [Math.round(scale * MAX_ACROSS), Math.round(scale * MAX_UP)];
  let best = 0;
  for (let dy = -up; dy <= up; dy++) {
    for (let dx = -across; dx <= across; dx++) {
      const sums: Sums = [0, 0, 0, 0, 0];
      for (let row = 0; row < height; row++) {
        for (let column = 0; column < width; column++) {
          const a = ink(one.page, x + column, y + row);
          const b = ink(other.page, left + dx + column, top + dy + row);
          sums[0] += a;
          sums[1] += b;
          sums[2] += a * a;
          sums[3] += b * b;
          sums[4] += a * b;
        }
      }
      best = Math.max(best, ofWindow(sums, width * height));
    }
  }
  return best;
}

/** 0 where it is white, and beside the page. */
function ink({ width, height, pixels }: GreyPicture, x: number, y: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? 0 : WHITE - (pixels[y * width + x] ?? WHITE);
}
