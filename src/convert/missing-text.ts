/** How much of a document's text its PDF lacks. */
import { missingGroups, type TextCounts } from './text-sketch.ts';

/** Less is the noise of small documents: lines that a page's end divides, words that stand in another order. */
const MIN_MISSING = 20;
/** Less is the noise of large ones: of 187 documents none that is whole came to more than 0.6 %. */
const MIN_PERCENT = 2;

/** Whether a document has enough text that some of it can be told to be missing. */
export function mayLackText(document: TextCounts): boolean {
  return document.total >= MIN_MISSING;
}

/**
 * In per cent of the document's letters, at least 1.
 *
 * @returns undefined where nothing is missing, or so little that it cannot be told.
 */
export function missingPercent(document: TextCounts, pdf: TextCounts): number | undefined {
  const missing = missingGroups(document, pdf);
  const percent = (100 * missing) / document.total;
  return missing >= MIN_MISSING && percent >= MIN_PERCENT ? Math.round(percent) : undefined;
}
