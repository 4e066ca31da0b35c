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
} from '../../src/compare/raster.ts';
import { similarity } from './similarity.ts';

export interface PageLikeness {
  /** From 1. */
  readonly page: number;
  /** From 1 (equal) to about 0; 0 if only one of the PDFs has this page. */
  readonly similarity: number;
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
  folder: string,
): Promise<PageLikeness[]> {
  const likenesses: PageLikeness[] = [];
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
      likenesses.push({
        page,
        similarity: theirs && mine ? similarity(grey(one), grey(other)) : 0,
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

const grey = (picture: Picture) => ({ ...picture, pixels: lightnessOf(picture) });
