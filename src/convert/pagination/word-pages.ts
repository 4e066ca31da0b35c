/** Whether a document says for certain how Word divided it into pages, and whose pages its PDF has. */
import type { SavedBy } from '../document/saved-by.ts';
import { hasMarks, namedPages, type PageStarts } from './page-starts.ts';

/** Why a PDF has the pages of the engine's own layout, or why it has Word's. */
export const paginationReasons = {
  engine: ['requested', 'not-word', 'no-marks', 'stale-marks', 'same-pages', 'does-not-fit', 'failed'],
  word: ['marks', 'page-count'],
} as const;

export type EngineReason = (typeof paginationReasons.engine)[number];
export type WordReason = (typeof paginationReasons.word)[number];

/** By whose layout the pages of a PDF begin where they do. */
export type Pagination =
  | { readonly by: 'word'; readonly reason: WordReason }
  | { readonly by: 'engine'; readonly reason: EngineReason };

/** The pages of a document in Word, as far as it says. */
export interface WordPages {
  readonly starts: PageStarts;
  /** How many there are; undefined where Word did not note that. */
  readonly pages: number | undefined;
}

/** The pages of a document in Word, or why nobody knows them. */
export type WordPagination = WordPages | EngineReason;

/**
 * A document may have so many more characters than Word counted. One with more was changed by another program, such as one that
 * fills in a template.
 */
const MORE_CHARACTERS = 1.1;

/**
 * Marks are believed where Word was the last to save the document, they name no more pages than Word noted, and Word did not
 * show tracked changes, of which nobody knows how it showed them. Fewer they may name, as pages that begin with an empty
 * paragraph or with a picture have no mark; where it is fewer than half, Word had not laid the document out whole. Many documents
 * with marks say that they have one page whatever they have: then the marks alone count.
 *
 * Without a mark, the number of pages alone is believed, under the same conditions, where Word counted the text. Word counts it
 * when it lays it out; so does not what other programs write into a template of Word's.
 *
 * @param starts undefined where they were not read.
 */
export function believedPages(
  starts: PageStarts | undefined,
  { isWord, pages, characters = 0 }: SavedBy,
  hasTrackedChanges: boolean,
): WordPagination {
  if (!isWord) return 'not-word';
  if (!starts) return 'no-marks';
  const named = namedPages(starts);
  const isNoted = pages !== undefined && pages >= named && pages <= named * 2;
  if (!hasMarks(starts)) {
    const isCounted = characters > 0 && starts.characters <= characters * MORE_CHARACTERS;
    return isNoted && isCounted && !hasTrackedChanges ? { starts, pages } : 'no-marks';
  }
  if (hasTrackedChanges) return 'stale-marks';
  if (pages === undefined || pages === 1) return { starts, pages: undefined };
  return isNoted ? { starts, pages } : 'stale-marks';
}

/** Of the pages, so many may begin without a mark; one may in any document. */
const UNMARKED_SHARE = 0.05;

/**
 * How many pages a layout has more or less than Word's, as far as that is known: 1 where Word noted no number and it may not be
 * this one.
 *
 * @param expected how many there are in the engine's own layout, and how many there would be with the breaks: either may be
 *   right for a document of which Word noted no number.
 */
export function excessPages(
  { starts, pages }: WordPages,
  layoutPages: number,
  expected: readonly number[],
): number {
  if (pages !== undefined) return Math.abs(layoutPages - pages);
  const named = namedPages(starts);
  const most = named + Math.max(1, Math.ceil(named * UNMARKED_SHARE));
  return expected.includes(layoutPages) || (layoutPages >= named && layoutPages <= most) ? 0 : 1;
}
