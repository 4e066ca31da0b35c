/** The pages of a PDF (ISO 32000-1, 7.7.3). */
import type { PageObject, PdfObjects } from './objects/pdf-objects.ts';

/**
 * The page count that the root of the page tree declares.
 *
 * @throws Error saying what is missing or broken.
 */
export function countPages(pdf: PdfObjects): number {
  const root = pdf.dictionary(pdf.catalog['/Pages']);
  if (root['/Type'] !== '/Pages') throw new Error('the root of the page tree is not a page tree node');
  const count = pdf.number(root['/Count']) ?? 0;
  if (!(count > 0)) throw new Error('the document has no pages');
  return count;
}

/** Most pages that are read to compare them with Word's. */
export const MAX_PAGES = 10_000;

/** The pages in order. @throws Error as `PdfObjects.pages`, or if there are more than allowed. */
export function readPages(pdf: PdfObjects, most: number): PageObject[] {
  const pages: PageObject[] = [];
  for (const page of pdf.pages()) {
    if (pages.length === most) throw new Error('there are too many pages');
    pages.push(page);
  }
  return pages;
}

/**
 * What is drawn on a page; undefined for nothing.
 *
 * @param limit most bytes.
 * @throws as `PdfObjects.streamData`.
 */
export function contentOf(pdf: PdfObjects, page: PageObject, limit: number): Buffer | undefined {
  const contents = page.dictionary['/Contents'];
  return contents === undefined ? undefined : pdf.streamData(contents, limit);
}

/** Width and height, in points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of what a viewer shows of a page.
 *
 * @param page its number, from 1.
 * @throws Error saying what is missing or broken.
 */
export function readPageSize(pdf: PdfObjects, page: number): PageSize {
  let number = 0;
  for (const { dictionary } of pdf.pages()) {
    number += 1;
    if (number < page) continue;
    const box = pdf.array(dictionary['/CropBox'] ?? dictionary['/MediaBox']);
    const corners = box.map((corner) => pdf.number(corner) ?? Number.NaN);
    const [left = 0, bottom = 0, right = 0, top = 0] = corners;
    const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
    const isSize = corners.length === 4 && width > 0 && height > 0 && Number.isFinite(width + height);
    if (!isSize) throw new Error('the page has no size');
    return { width, height };
  }
  throw new Error('the page tree has fewer pages than it says');
}
