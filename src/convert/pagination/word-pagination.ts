/** Whether a document says for certain how Word divided it into pages, and whose pages its PDF has. */
import type { PageMarks } from './page-breaks.ts';

/** Why a PDF has the pages of the engine's own layout, or why it has Word's. */
export const paginationReasons = {
  engine: ['requested', 'not-word', 'no-marks', 'stale-marks', 'same-pages', 'does-not-fit', 'failed'],
  word: ['marks'],
} as const;

export type EngineReason = (typeof paginationReasons.engine)[number];

/** By whose layout the pages of a PDF begin where they do. */
export type Pagination =
  | { readonly by: 'word'; readonly reason: 'marks' }
  | { readonly by: 'engine'; readonly reason: EngineReason };

/** How many pages a document has in Word. */
export interface PageRange {
  readonly least: number;
  readonly most: number;
}

/** The pages of the document in Word, or why nobody knows. */
export type WordPagination = PageRange | EngineReason;

/** Of the pages, so many may begin with an empty paragraph, which has no mark; one may in any document. */
const UNMARKED_SHARE = 0.05;

/**
 * Marks are believed where Word was the last to save the document, they agree with the number of pages that it noted,
 * and Word did not show tracked changes, of which nobody knows how it showed them.
 *
 * @param marks undefined where the document has none.
 * @param pages those that Word noted. Many documents say 1 whatever they have: then the marks alone count.
 */
export function readWordPagination(
  marks: PageMarks | undefined,
  {
    isWords,
    pages,
    trackedChanges,
  }: { readonly isWords: boolean; readonly pages: number | undefined; readonly trackedChanges: number },
): WordPagination {
  if (!isWords) return 'not-word';
  if (!marks || marks.breaks === 0) return 'no-marks';
  if (trackedChanges > 0) return 'stale-marks';
  const most = marks.pages + Math.max(1, Math.ceil(marks.pages * UNMARKED_SHARE));
  if (pages === undefined || pages === 1) return { least: marks.pages, most };
  return pages >= marks.pages && pages <= most ? { least: pages, most: pages } : 'stale-marks';
}

/** Whether a layout with so many pages may be Word's. */
export function isWithin(pages: number, { least, most }: PageRange): boolean {
  return pages >= least && pages <= most;
}
