/** Whether a document says for certain how Word divided it into pages, and whose pages its PDF has. */
import type { SavedBy } from '../facts/saved-by.ts';
import { namedPages, type PageStarts } from './page-starts.ts';

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

/** The pages of a document in Word, as far as it says. */
export interface WordPages extends PageRange {
  readonly starts: PageStarts;
}

/** The pages of a document in Word, or why nobody knows them. */
export type WordPagination = WordPages | EngineReason;

/** Of the pages, so many may begin with an empty paragraph, which has no mark; one may in any document. */
const UNMARKED_SHARE = 0.05;

/**
 * Marks are believed where Word was the last to save the document, they agree with the number of pages that it noted,
 * and Word did not show tracked changes, of which nobody knows how it showed them. Many documents say that they have one
 * page whatever they have: then the marks alone count.
 *
 * @param starts undefined where the document has no marks.
 */
export function believedPages(
  starts: PageStarts | undefined,
  { isWord, pages }: SavedBy,
  hasTrackedChanges: boolean,
): WordPagination {
  if (!isWord) return 'not-word';
  if (!starts) return 'no-marks';
  if (hasTrackedChanges) return 'stale-marks';
  const named = namedPages(starts);
  const most = named + Math.max(1, Math.ceil(named * UNMARKED_SHARE));
  if (pages === undefined || pages === 1) return { starts, least: named, most };
  return pages >= named && pages <= most ? { starts, least: pages, most: pages } : 'stale-marks';
}

/** Whether a layout with so many pages may be Word's. */
export function isWithin(pages: number, { least, most }: PageRange): boolean {
  return pages >= least && pages <= most;
}
