/** The share of a document's text that its PDF lacks. */
import { missingGroups, type TextCounts, type TextSketch } from '../text/sketch.ts';

/** The noise of small documents: lines divided by a page end, words in another order. */
const MIN_MISSING = 20;
/**
 * Three times the noise of large documents: none of 113 whole documents exceeded 0.33 %, and none of 101 others, with
 * which it was not tuned, exceeded 0.2 %.
 */
const MIN_PERCENT = 1;

/** Whether a document has enough text to detect a loss. */
export function mayLackText(document: TextCounts): boolean {
  return document.total >= MIN_MISSING;
}

/**
 * In per cent of the document's letters, at least 1.
 *
 * @returns undefined if nothing is missing, or too little to detect.
 */
export function missingPercent(document: TextCounts, pdf: TextSketch): number | undefined {
  const missing = missingGroups(document, pdf) - pdf.uncertain;
  const percent = (100 * missing) / document.total;
  return missing >= MIN_MISSING && percent >= MIN_PERCENT ? Math.round(percent) : undefined;
}
