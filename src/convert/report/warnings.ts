/** What a PDF may have that its author does not expect: the warnings of a conversion, in a fixed order. */
import type { DocumentMetadata } from '../document/metadata.ts';
import type { Omitted, OmittedKind } from '../document/omitted-content.ts';
import type { Pagination } from '../pagination/word-pages.ts';
import type { FontUse } from './font-use.ts';
import type { MissingGlyphs } from './missing-glyphs.ts';

export const warningCodes = [
  'TEXT_MISSING',
  'CONTENT_OMITTED',
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
  /** Of `TEXT_MISSING`: so much of the document's letters, in per cent, at least 1. */
  readonly percent?: number;
  /** Of `CONTENT_OMITTED`. */
  readonly kind?: OmittedKind;
  /** How many contents, different characters, links, changes or comments. */
  readonly count?: number;
  /** Of `GLYPHS_MISSING`: codes of the scripts of the characters (ISO 15924). */
  readonly scripts?: string[];
  /** Of `FONT_SUBSTITUTED`: the font that the document wants, and its stand-in where that is known. */
  readonly font?: string;
  readonly by?: string;
  /** Its stand-in is known to have the same metrics; left out where that is not so. */
  readonly metricsCompatible?: true;
}

/** What is known of a document and its PDF, once both are there. */
export interface ConversionReport
  extends Omit<
    DocumentMetadata,
    'fonts' | 'lastResorts' | 'characters' | 'embedsFonts' | 'text' | 'omitted' | 'pdfPictures' | 'rewrites'
  > {
  /** Pages of the PDF. */
  readonly pages: number;
  /** Undefined in what an earlier version kept. */
  readonly pagination?: Pagination | undefined;
  /** It lacks the tags that other PDFs have. */
  readonly untagged: boolean;
  /** Empty where the fonts of the PDF cannot be told. */
  readonly fonts: readonly FontUse[];
  /** How much of the document's letters the PDF lacks, in per cent; undefined where none is known. */
  readonly missingPercent?: number | undefined;
  /** Undefined in what an earlier version kept. */
  readonly omitted?: readonly Omitted[] | undefined;
  /** Characters that the PDF shows as boxes; null where none is known. */
  readonly missingGlyphs: MissingGlyphs | null;
}

/** Those that somebody is to be told of unasked: a stand-in with the same metrics moves nothing. */
export function notableWarningsOf(report: ConversionReport): Warning[] {
  return warningsOf(report).filter(({ metricsCompatible }) => metricsCompatible !== true);
}

/** All there are. */
export function warningsOf(report: ConversionReport): Warning[] {
  const { pages, wordPages, untagged, external, trackedChanges, comments, fonts, missingGlyphs } = report;
  const { missingPercent, omitted = [] } = report;
  const warnings: Warning[] = [];
  if (missingPercent !== undefined) warnings.push({ code: 'TEXT_MISSING', percent: missingPercent });
  for (const { kind, count } of omitted) warnings.push({ code: 'CONTENT_OMITTED', kind, count });
  if (missingGlyphs) warnings.push({ code: 'GLYPHS_MISSING', ...missingGlyphs });
  if (wordPages !== undefined && wordPages !== pages) {
    warnings.push({ code: 'PAGE_COUNT_DIFFERS', pages, wordPages });
  }
  if (untagged) warnings.push({ code: 'UNTAGGED' });
  if (external > 0) warnings.push({ code: 'EXTERNAL_CONTENT_OMITTED', count: external });
  if (trackedChanges > 0) warnings.push({ code: 'TRACKED_CHANGES_APPLIED', count: trackedChanges });
  if (comments > 0) warnings.push({ code: 'COMMENTS_OMITTED', count: comments });
  for (const { name, used, metricsCompatible } of fonts) {
    if (used === name) continue;
    warnings.push({
      code: 'FONT_SUBSTITUTED',
      font: name,
      ...(used !== null && { by: used }),
      ...(metricsCompatible && { metricsCompatible }),
    });
  }
  return warnings;
}
