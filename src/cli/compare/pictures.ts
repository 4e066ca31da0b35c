/** Compares how the pages of two PDFs look, and draws those that look different. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Difference, DifferentPage } from './finding.ts';
import { countDifferentPixels } from './pixels.ts';
import { differencePng, halve, type Picture, png, rasterise, sameSize } from './raster.ts';

/** Pages that are in memory at a time; A4 has 6 MB. */
const BATCH = 4;
/** Text is as dark as it is meant to be. The pictures of the report have half of it. */
const DOTS_PER_INCH = 144;
/** A point. */
const REACH = DOTS_PER_INCH / 72;
/** Fewer are a speck: four square points. */
const LEAST_PIXELS = 4 * REACH ** 2;
const NO_PAGE: Picture = { width: 0, height: 0, pixels: new Uint8Array(0) };

/** Two PDFs of one document. */
interface Pair {
  /** Paths of the PDFs. */
  readonly from: string;
  readonly to: string;
  /** Their page counts. */
  readonly pages: Difference['pages'];
}

/**
 * Writes `N-from.png`, `N-to.png` and `N-difference.png` of the first pages that look different, `N`, into the folder. A
 * page that only one of the PDFs has is compared with a blank one.
 *
 * @param mostDrawn pages that are drawn at most.
 * @throws Error if a PDF cannot be rasterised; the signal's reason.
 */
export async function comparePictures(
  { from, to, pages }: Pair,
  folder: string,
  mostDrawn: number,
  signal?: AbortSignal,
): Promise<Difference['pictures']> {
  const first: DifferentPage[] = [];
  let count = 0;
  const last = Math.max(pages.from, pages.to);
  for (let start = 1; start <= last; start += BATCH) {
    const end = Math.min(last, start + BATCH - 1);
    const range = (pdf: string, of: number) =>
      start > of
        ? []
        : rasterise(pdf, { first: start, last: Math.min(end, of), dotsPerInch: DOTS_PER_INCH }, signal);
    const [ones, others] = [await range(from, pages.from), await range(to, pages.to)];
    for (let page = start; page <= end; page++) {
      const [one, other] = sameSize(ones[page - start] ?? NO_PAGE, others[page - start] ?? NO_PAGE);
      const pixels = countDifferentPixels(one, other, REACH);
      const isMissing = page > pages.from || page > pages.to;
      if (pixels < LEAST_PIXELS && !isMissing) continue;
      count++;
      if (first.length >= mostDrawn) continue;
      const [small, otherSmall] = [halve(one), halve(other)];
      first.push({ page, pixels, width: small.width, height: small.height });
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${page}-from.png`), png(small));
      await writeFile(join(folder, `${page}-to.png`), png(otherSmall));
      await writeFile(join(folder, `${page}-difference.png`), differencePng(small, otherSmall));
    }
  }
  return count === 0 ? undefined : { pages: count, first };
}
