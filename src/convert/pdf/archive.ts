/** Declarations of PDF/A (ISO 19005). */
import { type PdfaLevel, pdfaPart } from '../../shared/options/pdfa.ts';
import { descriptorsWithCharSet } from './charsets.ts';
import { type Additions, matchingMetadata } from './metadata.ts';
import { type PdfStructure, readObject, reference } from './structure.ts';

/**
 * The changed objects of a PDF/A, with what LibreOffice omits or gets wrong, for `replaceObjects`.
 *
 * @param additions see {@link matchingMetadata}.
 * @throws Error saying what is missing or broken.
 */
export function completedPdfa(
  structure: PdfStructure,
  level: PdfaLevel,
  additions: Additions = {},
): [number: number, object: string][] {
  const metadata = matchingMetadata(structure, additions);
  const descriptors = level === '1b' ? descriptorsWithCharSet(structure) : [];
  return [...metadata, ...descriptors];
}

/**
 * Checks that the PDF declares this part of PDF/A, defines its colours, and is not encrypted. A PDF that breaks another rule is
 * delivered, with a verdict: see conformance/verdict.ts.
 *
 * @throws Error saying what is missing.
 */
export function assertPdfa(structure: PdfStructure, level: PdfaLevel): void {
  const { trailer, catalog } = structure;
  if (/\/Encrypt\b/.test(trailer)) throw new Error('the PDF/A is encrypted');
  if (!/\/OutputIntents\s*\[\s*\d/.test(catalog)) throw new Error('the PDF/A has no output intent');
  const metadata = readObject(structure, reference(catalog, 'Metadata'));
  const [, part] = /<pdfaid:part>(\d)</.exec(metadata) ?? [];
  const isConforming =
    level === '4' ? /<pdfaid:rev>\d{4}</.test(metadata) : /<pdfaid:conformance>B</.test(metadata);
  if (Number(part) !== pdfaPart(level) || !isConforming) {
    throw new Error(`the output does not declare itself as PDF/A-${level}`);
  }
}
