/** Whether a document says for certain how Word divided it into pages, and whose pages its PDF has. */
import type { SavedBy } from '../document/saved-by.ts';
import { hasMarks, namedPages, type PageStarts } from './page-starts.ts';

/** Why a PDF has the pages of the engine's own layout, or why it has Word's. */
export const paginationReasons = {
  engine: [
    ...['requested', 'not-word', 'not-saved-by-word', 'no-marks', 'stale-marks'],
    ...['same-pages', 'does-not-fit', 'failed'],
  ],
  word: ['marks', 'page-count'],
} as const;

export type EngineReason = (typeof paginationReasons.engine)[number];
type WordReason = (typeof paginationReasons.word)[number];

/** Whose layout decides where the pages of a PDF begin. */
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

/** What the service knows of a document's pages in Word. */
export interface NotedPages extends Pick<WordPages, 'pages'> {
  /** Whether Word noted where pages begin. */
  readonly hasMarks: boolean;
  /** How many pages the marks and the document's own breaks name. */
  readonly named: number;
  /** The {@link WordPages} for processes that read, as a structured clone in bytes. */
  readonly clone: Buffer;
}

/** The same, or why nobody knows them. */
export type NotedPagination = NotedPages | EngineReason;

/**
 * Marks of a document as Word saved it are believed if they name no more pages than Word counted, and Word showed no tracked
 * changes (nobody knows how it showed them). They may name fewer, as pages that begin with an empty paragraph or a picture have no
 * mark; with fewer than half, Word had not laid out the whole document. Many documents with marks claim to have one page, whatever
 * they hold: then the marks alone count.
 *
 * Without marks, Word's page count is believed under the same conditions if Word also counted the text.
 *
 * @param starts undefined where there are too many.
 */
export function believedPages(
  starts: PageStarts | undefined,
  { pages, characters = 0 }: Pick<SavedBy, 'pages' | 'characters'>,
  hasTrackedChanges: boolean,
): WordPagination {
  if (!starts) return 'no-marks';
  const named = namedPages(starts);
  const isNoted = pages !== undefined && pages >= named && pages <= named * 2;
  if (!hasMarks(starts))
    return isNoted && characters > 0 && !hasTrackedChanges ? { starts, pages } : 'no-marks';
  if (hasTrackedChanges) return 'stale-marks';
  if (pages === undefined || pages === 1) return { starts, pages: undefined };
  return isNoted ? { starts, pages } : 'stale-marks';
}
