/** Declarations of PDF/A (ISO 19005). */
import { type PdfaLevel, pdfaPart } from '../../shared/options/pdfa.ts';
import { descriptorsWithCharSet } from './charsets.ts';
import { type Additions, matchingMetadata, xmpOf } from './metadata.ts';
import type { PdfObjects } from './objects/pdf-objects.ts';

/**
 * The changed objects of a PDF/A, with what LibreOffice omits or gets wrong, for `replaceObjects`.
 *
 * @param additions see {@link matchingMetadata}.
 * @throws Error saying what is missing or broken.
 */
export function completedPdfa(
  pdf: PdfObjects,
  level: PdfaLevel,
  additions: Additions = {},
): [number: number, object: string][] {
  const metadata = matchingMetadata(pdf, additions);
  const descriptors = level === '1b' ? descriptorsWithCharSet(pdf) : [];
  return [...metadata, ...descriptors];
}

/**
 * Checks that the PDF declares this part of PDF/A, and defines its colours. A PDF that breaks another rule is
 * delivered, with a verdict: see conformance/verdict.ts.
 *
 * @throws Error saying what is missing.
 */
export function assertPdfa(pdf: PdfObjects, level: PdfaLevel): void {
  if (pdf.array(pdf.catalog['/OutputIntents']).length === 0)
    throw new Error('the PDF/A has no output intent');
  const metadata = xmpOf(pdf);
  const [, part] = /<pdfaid:part>(\d)</.exec(metadata) ?? [];
  const isConforming =
    level === '4' ? /<pdfaid:rev>\d{4}</.test(metadata) : /<pdfaid:conformance>B</.test(metadata);
  if (Number(part) !== pdfaPart(level) || !isConforming) {
    throw new Error(`the output does not declare itself as PDF/A-${level}`);
  }
}
