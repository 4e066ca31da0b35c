/** Compares the layouts of two PDFs: pages, flow, place. */
import { middleOf, type PdfText, type Word } from '../../src/cli/compare/words.ts';
import { matchingBlocks } from './alignment.ts';

/**
 * Half a line: largest distance of a word from its place in Word's PDF, on each axis, in points, by the left edge and
 * the middle of the height of its box.
 */
export const PLACE_TOLERANCE_POINTS = 6;

export interface Layout {
  readonly pages: { readonly word: number; readonly ours: number; readonly same: boolean };
  /** Words of Word's PDF. */
  readonly words: number;
  /** Words that were found in ours, on any page. */
  readonly found: number;
  /** Share (0 to 1) of Word's words that are on the same page in ours. */
  readonly flow: number;
  /** Share (0 to 1) of Word's words that are on the same page and in the same place in ours. */
  readonly place: number;
  /** Shares of the words on the same page that are too far up or down, or only too far to a side. */
  readonly offUpOrDown: number;
  readonly offSideways: number;
}

/** A word of Word's PDF, and the same of ours. */
export type Match = readonly [word: Word, ours: Word];

/** @throws RangeError if the words repeat too much to be aligned */
export function matchWords(word: PdfText, ours: PdfText): Match[] {
  const texts = (words: readonly Word[]) => words.map(({ text }) => text);
  return matchingBlocks(texts(word.words), texts(ours.words)).flatMap(({ a, b, length }) =>
    word.words.slice(a, a + length).flatMap((one, index): Match[] => {
      const other = ours.words[b + index];
      return other ? [[one, other]] : [];
    }),
  );
}

export function compareLayout(
  word: PdfText,
  ours: PdfText,
  matches: readonly Match[] = matchWords(word, ours),
): Layout {
  let samePage = 0;
  let offUpOrDown = 0;
  let offSideways = 0;
  for (const [one, other] of matches) {
    if (one.page !== other.page) continue;
    samePage++;
    if (isFar(middleOf(one), middleOf(other))) offUpOrDown++;
    else if (isFar(one.xMin, other.xMin)) offSideways++;
  }
  const share = (count: number, ofNone: number) =>
    word.words.length === 0 ? ofNone : count / word.words.length;
  return {
    pages: { word: word.pages, ours: ours.pages, same: word.pages === ours.pages },
    words: word.words.length,
    found: matches.length,
    flow: share(samePage, 1),
    place: share(samePage - offUpOrDown - offSideways, 1),
    offUpOrDown: share(offUpOrDown, 0),
    offSideways: share(offSideways, 0),
  };
}

function isFar(one: number, other: number): boolean {
  return Math.abs(one - other) > PLACE_TOLERANCE_POINTS;
}
