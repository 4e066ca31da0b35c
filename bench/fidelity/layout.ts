/** How near one PDF's layout is to that of another: pages, flow, place. */
import { matchingBlocks } from './alignment.ts';
import type { PdfText, Word } from './words.ts';

/** Half a line: how far a word may stand from where Word put it, on each axis, in points. */
export const PLACE_TOLERANCE_POINTS = 6;

export interface Layout {
  readonly pages: { readonly word: number; readonly ours: number; readonly same: boolean };
  /** Words of Word's PDF. */
  readonly words: number;
  /** Those that were found in ours, on whatever page. */
  readonly found: number;
  /** Share (0 to 1) of Word's words that stand on the same page in ours. */
  readonly flow: number;
  /** Share (0 to 1) of Word's words that stand on the same page and in the same place in ours. */
  readonly place: number;
}

/** @throws RangeError when the words repeat too much to be aligned */
export function compareLayout(word: PdfText, ours: PdfText): Layout {
  const texts = (words: readonly Word[]) => words.map(({ text }) => text);
  let found = 0;
  let samePage = 0;
  let samePlace = 0;
  for (const { a, b, length } of matchingBlocks(texts(word.words), texts(ours.words))) {
    found += length;
    for (let n = 0; n < length; n++) {
      const one = word.words[a + n];
      const other = ours.words[b + n];
      if (!one || !other || one.page !== other.page) continue;
      samePage++;
      if (isNear(one, other)) samePlace++;
    }
  }
  const share = (count: number) => (word.words.length === 0 ? 1 : count / word.words.length);
  return {
    pages: { word: word.pages, ours: ours.pages, same: word.pages === ours.pages },
    words: word.words.length,
    found,
    flow: share(samePage),
    place: share(samePlace),
  };
}

/** By the left edge of the word's box and the middle of its height. */
function isNear(one: Word, other: Word): boolean {
  const middle = ({ yMin, yMax }: Word) => (yMin + yMax) / 2;
  return (
    Math.abs(one.xMin - other.xMin) <= PLACE_TOLERANCE_POINTS &&
    Math.abs(middle(one) - middle(other)) <= PLACE_TOLERANCE_POINTS
  );
}
