/** What a PDF may have that its author does not expect: the warnings of a conversion, in a fixed order. */
import type { DocumentFacts } from './facts/document-facts.ts';
import type { FontUse } from './font-use.ts';
import type { MissingGlyphs } from './missing-glyphs.ts';

export const warningCodes = [
  'GLYPHS_MISSING',
  'PAGE_COUNT_DIFFERS',
  'UNTAGGED',
  'EXTERNAL_CONTENT_OMITTED',
  'TRACKED_CHANGES_APPLIED',
  'COMMENTS_OMITTED',
  'FONT_SUBSTITUTED',
] as const;

export type WarningCode = (typeof warningCodes)[number];

/** A code and what it is about. */
export interface Warning {
  readonly code: WarningCode;
  /** Of `PAGE_COUNT_DIFFERS`: pages of the PDF, and those that Word counted. */
  readonly pages?: number;
  readonly wordPages?: number;
  /** How many different characters, or how many links, changes or comments. */
  readonly count?: number;
  /** Of `GLYPHS_MISSING`: codes of the scripts of the characters (ISO 15924). */
  readonly scripts?: string[];
  /** Of `FONT_SUBSTITUTED`: the font that the document wants, and its stand-in where that is known. */
  readonly font?: string;
  readonly by?: string;
}

/** What is known of a document and its PDF, once both are there. */
export interface ConversionReport extends Omit<DocumentFacts, 'fonts' | 'characters' | 'embedsFonts'> {
  /** Pages of the PDF. */
  readonly pages: number;
  /** It lacks the tags that other PDFs have. */
  readonly untagged: boolean;
  /** Empty where the fonts of the PDF cannot be told. */
  readonly fonts: readonly FontUse[];
  /** Characters that the PDF shows as boxes; null where none is known. */
  readonly missingGlyphs: MissingGlyphs | null;
}

export function warningsOf(report: ConversionReport): Warning[] {
  const { pages, wordPages, untagged, external, trackedChanges, comments, fonts, missingGlyphs } = report;
  const warnings: Warning[] = [];
  if (missingGlyphs) warnings.push({ code: 'GLYPHS_MISSING', ...missingGlyphs });
  if (wordPages !== undefined && wordPages !== pages) {
    warnings.push({ code: 'PAGE_COUNT_DIFFERS', pages, wordPages });
  }
  if (untagged) warnings.push({ code: 'UNTAGGED' });
  if (external > 0) warnings.push({ code: 'EXTERNAL_CONTENT_OMITTED', count: external });
  if (trackedChanges > 0) warnings.push({ code: 'TRACKED_CHANGES_APPLIED', count: trackedChanges });
  if (comments > 0) warnings.push({ code: 'COMMENTS_OMITTED', count: comments });
  for (const { name, used } of fonts) {
    if (used === name) continue;
    warnings.push({ code: 'FONT_SUBSTITUTED', font: name, ...(used !== null && { by: used }) });
  }
  return warnings;
}
