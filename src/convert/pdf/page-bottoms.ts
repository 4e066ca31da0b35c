/** Where text and pictures are on pages, in a PDF by LibreOffice (ISO 32000-1, 8.3 and 9.4). */
import type { PageObject, PdfObjects } from './objects/pdf-objects.ts';
import { contentOf } from './pages.ts';

/** Most bytes read of a page, and of all pages: some thousand pages of text. */
const MAX_STREAM_BYTES = 4_194_304;
const MAX_BYTES = 16_777_216;
/** Every part of the pattern is bounded, so matching takes linear time. */
const NUMBER = String.raw`-?[\d.]{1,16}`;
/**
 * Matches the begin or end of marked content, the position of a text, and that of a picture; nothing else has a
 * position.
 */
const OPERATION = new RegExp(
  String.raw`(\/Artifact\b[^\n]{0,200}B[MD]C)|(B[MD]C)|(EMC)|${NUMBER} (${NUMBER}) T[dm]\b|${NUMBER} (${NUMBER}) cm\n\/Im`,
  'g',
);

/** A text or picture. */
export interface PageLine {
  /** Of a text's baseline or a picture's lower edge, in points above the page's lower edge. */
  readonly y: number;
  /** Whether it belongs to a header, footer or border (14.8.2.2). */
  readonly isArtifact: boolean;
}

/**
 * Reads what is on a page, in the order of the PDF.
 *
 * @returns a function of the page, which throws Error if the PDF has another form, or the pages read are too large.
 */
export function pageLineReader(pdf: PdfObjects): (page: PageObject) => Iterable<PageLine> {
  let left = MAX_BYTES;
  return (page) => {
    const content = contentOf(pdf, page, Math.min(left, MAX_STREAM_BYTES));
    if (!content) return [];
    left -= content.length;
    return linesIn(content.toString('latin1'));
  };
}

/**
 * The lowest line of text or picture in the body of each page, in points above the page's lower edge; undefined for a
 * page without any. Headers, footers and borders are not content (14.8.2.2).
 *
 * @param floor content below this height, such as a text box, is ignored.
 * @throws Error if the PDF has another form, or is too large.
 */
export function readPageBottoms(
  pdf: PdfObjects,
  pages: readonly PageObject[],
  floor: number,
): (number | undefined)[] {
  const read = pageLineReader(pdf);
  return pages.map((page) => {
    let lowest: number | undefined;
    for (const { y, isArtifact } of read(page))
      if (!isArtifact && y >= floor) lowest = Math.min(lowest ?? y, y);
    return lowest;
  });
}

function* linesIn(content: string): Iterable<PageLine> {
  let [open, artifact] = [0, 0];
  for (const [, artifactBegins, begins, ends, text, picture] of content.matchAll(OPERATION)) {
    if (artifactBegins !== undefined || begins !== undefined) {
      open += 1;
      if (artifactBegins !== undefined && artifact === 0) artifact = open;
    } else if (ends !== undefined) {
      if (artifact === open) artifact = 0;
      open = Math.max(0, open - 1);
    } else yield { y: Number(text ?? picture), isArtifact: artifact > 0 };
  }
}
