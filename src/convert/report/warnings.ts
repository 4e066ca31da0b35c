/** The warnings of a conversion: where the PDF may differ from what its author expects, in a fixed order, loss first. */
import type { WarningCode } from '../../shared/warning-levels.ts';
import type { DocumentMetadata } from '../document/metadata.ts';
import type { Omitted } from '../document/omitted-content.ts';
import type { OmittedKind } from '../document/omitted-kinds.ts';
import type { Pagination } from '../pagination/word-pages.ts';
import type { Conformance } from '../pdf/conformance/verdict.ts';
import type { FontUse } from './font-use.ts';
import type { MissingGlyphs } from './missing-glyphs.ts';

/** A code and its details. */
export interface Warning {
  readonly code: WarningCode;
  /** Of a PDF of several documents: which of them, counted from 0. */
  readonly file?: number;
  /** Of `PAGE_COUNT_DIFFERS`: page counts of the PDF and of Word; the former of `PAGES_CLAMPED`, too. */
  readonly pages?: number;
  readonly wordPages?: number;
  /** Of `TEXT_MISSING`: share of the document's letters, in per cent, at least 1. */
  readonly percent?: number;
  /** Of `CONTENT_OMITTED`. */
  readonly kind?: OmittedKind;
  /** Of `NONCONFORMING`: the standard, such as `PDF/A-2b`. */
  readonly standard?: string;
  /** Number of contents, different characters, links, failures, changes or comments. */
  readonly count?: number;
  /** Of `GLYPHS_MISSING`: codes of the scripts of the characters (ISO 15924). */
  readonly scripts?: string[];
  /** Of `FONT_SUBSTITUTED`: the document's font, and its stand-in, if known. */
  readonly font?: string;
  readonly by?: string;
  /** Set if its stand-in is known to have the same metrics. */
  readonly metricsCompatible?: true;
}

/** Facts about a document and its PDF. */
export interface ConversionReport
  extends Omit<
    DocumentMetadata,
    | 'title'
    | 'accessibility'
    | 'fonts'
    | 'lastResorts'
    | 'characters'
    | 'embedsFonts'
    | 'text'
    | 'omitted'
    | 'pdfPictures'
    | 'rewrites'
  > {
  /** Changes that were left out. Undefined in what an earlier version kept. */
  readonly rejectedChanges?: number | undefined;
  /** Pages of the PDF. */
  readonly pages: number;
  /** Undefined in what an earlier version kept. */
  readonly pagination?: Pagination | undefined;
  /** Whether it lacks pages that were asked for, as the document does not have them. */
  readonly clamped?: boolean | undefined;
  /** It lacks the usual tags. */
  readonly untagged: boolean;
  /** Empty if the fonts of the PDF are unknown. */
  readonly fonts: readonly FontUse[];
  /** Share of the document's letters that the PDF lacks, in per cent; undefined if none is known. */
  readonly missingPercent?: number | undefined;
  /** Undefined in what an earlier version kept. */
  readonly accessibility?: DocumentMetadata['accessibility'] | undefined;
  /** Undefined in what an earlier version kept. */
  readonly omitted?: readonly Omitted[] | undefined;
  /** Of the standards that were asked for. Undefined in what an earlier version kept. */
  readonly conformance?: readonly Conformance[] | undefined;
  /** Characters that the PDF shows as boxes; null if none is known. */
  readonly missingGlyphs: MissingGlyphs | null;
  /** Of a PDF of several documents: all warnings, each with its file; the other fields give none. */
  readonly warnings?: readonly Warning[] | undefined;
  /** Number of those that are left out; undefined for none. */
  readonly moreWarnings?: number | undefined;
}

/** The warnings of the header: a stand-in with the same metrics changes nothing, so it is left out. */
export function notableWarningsOf(report: ConversionReport): Warning[] {
  return warningsOf(report).filter(({ metricsCompatible }) => metricsCompatible !== true);
}

/** All warnings. */
export function warningsOf(report: ConversionReport): Warning[] {
  if (report.warnings) return [...report.warnings];
  const { pages, wordPages, untagged, external, trackedChanges, comments, fonts, missingGlyphs } = report;
  const { missingPercent, omitted = [], clamped, rejectedChanges = 0, conformance = [] } = report;
  const warnings: Warning[] = [];
  if (missingPercent !== undefined) warnings.push({ code: 'TEXT_MISSING', percent: missingPercent });
  for (const { kind, count } of omitted) warnings.push({ code: 'CONTENT_OMITTED', kind, count });
  if (missingGlyphs) warnings.push({ code: 'GLYPHS_MISSING', ...missingGlyphs });
  if (external > 0) warnings.push({ code: 'EXTERNAL_CONTENT_OMITTED', count: external });
  warnings.push(...warningsOfStandards(conformance));
  if (wordPages !== undefined && wordPages !== pages) {
    warnings.push({ code: 'PAGE_COUNT_DIFFERS', pages, wordPages });
  }
  if (clamped) warnings.push({ code: 'PAGES_CLAMPED', pages });
  if (untagged) warnings.push({ code: 'UNTAGGED' });
  if (trackedChanges > 0) warnings.push({ code: 'TRACKED_CHANGES_APPLIED', count: trackedChanges });
  if (rejectedChanges > 0) warnings.push({ code: 'TRACKED_CHANGES_OMITTED', count: rejectedChanges });
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

/** Of the standards that were asked for and are not kept. */
export function warningsOfStandards(conformance: readonly Conformance[]): Warning[] {
  return conformance
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ level, failures }) => ({ code: 'NONCONFORMING', standard: level, count: failures.length }));
}
