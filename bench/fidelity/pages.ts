/** The pages of two PDFs side by side: their similarity and their pictures. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  differencePng,
  lightnessOf,
  type Picture,
  png,
  rasterise,
  sameSize,
} from '../../src/cli/compare/raster.ts';
import type { Match } from './layout.ts';
import { letterLikeness } from './letters.ts';
import { meanOf } from './results.ts';
import { similarity } from './similarity.ts';

export interface PageLikeness {
  /** From 1. */
  readonly page: number;
  /** From 1 (equal) to about 0; 0 if only one of the PDFs has this page. */
  readonly similarity: number;
  /** Number of words that are on this page in both PDFs, and the mean of how alike their letters are, from 0 to 1. */
  readonly words: number;
  readonly letters: number;
  /** Size of the pictures, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Pages that are in memory at a time. */
const BATCH = 8;
/** Enough to see which word is which. */
const DOTS_PER_INCH = 72;
const NO_PAGE: Picture = { width: 0, height: 0, pixels: new Uint8Array(0) };

/**
 * Writes `N-word.png`, `N-ours.png` and `N-difference.png` of each page `N` into the folder; a missing page is blank.
 *
 * @throws Error if a PDF cannot be rasterised
 */
export async function comparePages(
  word: string,
  ours: string,
  pages: { readonly word: number; readonly ours: number },
  matches: readonly Match[],
  folder: string,
): Promise<PageLikeness[]> {
  const likenesses: PageLikeness[] = [];
  const byPage = new Map<number, Match[]>();
  for (const match of matches) {
    const [{ page }, { page: ourPage }] = match;
    if (page !== ourPage) continue;
    const known = byPage.get(page);
    if (known) known.push(match);
    else byPage.set(page, [match]);
  }
  const last = Math.max(pages.word, pages.ours);
  for (let first = 1; first <= last; first += BATCH) {
    const end = Math.min(last, first + BATCH - 1);
    const range = (pdf: string, of: number) =>
      first > of ? [] : rasterise(pdf, { first, last: Math.min(end, of), dotsPerInch: DOTS_PER_INCH });
    const [theirPictures, ourPictures] = [await range(word, pages.word), await range(ours, pages.ours)];
    for (let page = first; page <= end; page++) {
      const theirs = theirPictures[page - first];
      const mine = ourPictures[page - first];
      const [one, other] = sameSize(theirs ?? NO_PAGE, mine ?? NO_PAGE);
      const { width, height } = one;
      const [greyOne, greyOther] = [grey(one), grey(other)];
      const letters = (byPage.get(page) ?? []).map(([their, our]) =>
        letterLikeness({ word: their, page: greyOne }, { word: our, page: greyOther }, DOTS_PER_INCH),
      );
      likenesses.push({
        page,
        similarity: theirs && mine ? similarity(greyOne, greyOther) : 0,
        words: letters.length,
        letters: meanOf(letters),
        width,
        height,
      });
      await writeFile(join(folder, `${page}-word.png`), png(one));
      await writeFile(join(folder, `${page}-ours.png`), png(other));
      await writeFile(join(folder, `${page}-difference.png`), differencePng(one, other));
    }
  }
  return likenesses;
}

/** The mean of their words' letters; 1 of none. */
export function lettersOf(pages: readonly PageLikeness[]): number {
  const total = (figure: (page: PageLikeness) => number) =>
    pages.reduce((sum, page) => sum + figure(page), 0);
  const words = total((page) => page.words);
  return words === 0 ? 1 : total((page) => page.words * page.letters) / words;
}

const grey = (picture: Picture) => ({ ...picture, pixels: lightnessOf(picture) });
