/** How much of a document's text its PDF lacks. */
import { missingGroups, type TextCounts, type TextSketch } from '../text/sketch.ts';

/** Less is the noise of small documents: lines that a page's end divides, words that stand in another order. */
const MIN_MISSING = 20;
/**
 * Three times the noise of large ones: of 113 documents none that is whole came to more than 0.33 %. Of 101 others, which
 * had no say in it, none came to more than 0.2 %.
 */
const MIN_PERCENT = 1;

/** Whether a document has enough text that some of it can be told to be missing. */
export function mayLackText(document: TextCounts): boolean {
  return document.total >= MIN_MISSING;
}

/**
 * In per cent of the document's letters, at least 1.
 *
 * @returns undefined where nothing is missing, or so little that it cannot be told.
 */
export function missingPercent(document: TextCounts, pdf: TextSketch): number | undefined {
  const missing = missingGroups(document, pdf) - pdf.uncertain;
  const percent = (100 * missing) / document.total;
  return missing >= MIN_MISSING && percent >= MIN_PERCENT ? Math.round(percent) : undefined;
}
