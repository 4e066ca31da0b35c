/** What is said of a PDF of several documents. */
import { levelOf, warningLevels } from '../../shared/warning-levels.ts';
import type { Conformance } from '../pdf/conformance/verdict.ts';
import { type ConversionReport, type Warning, warningsOf, warningsOfStandards } from './warnings.ts';

/** Most fonts, warnings, and findings about accessibility, of all documents together. */
const [MAX_FONTS, MAX_WARNINGS, MAX_FINDINGS] = [50, 200, 200];

/** What is known of the PDF itself. */
interface Whole {
  readonly pages: number;
  /** Its documents need none then. */
  readonly hasTitle: boolean;
  readonly conformance: readonly Conformance[];
}

/**
 * The report of a PDF of these documents.
 *
 * Its warnings say which file they are about. Losses come first, then they go by file; those beyond {@link MAX_WARNINGS} are only counted.
 */
export function combinedReport(
  { pages, hasTitle, conformance }: Whole,
  reports: readonly ConversionReport[],
): ConversionReport {
  const ofFiles = reports.flatMap((report, file) =>
    warningsOf(report).map((warning) => ({ ...warning, file })),
  );
  const all: Warning[] = [...warningsOfStandards(conformance), ...ofFiles];
  const rank = ({ code }: Warning) => warningLevels.indexOf(levelOf(code));
  const fonts = new Map(
    reports.flatMap((report) => report.fonts).map((font) => [`${font.name}\0${font.used}`, font]),
  );
  const findings = reports.flatMap(({ accessibility = [] }, file) =>
    accessibility.filter(({ problem }) => problem !== 'no-title').map((finding) => ({ ...finding, file })),
  );
  return {
    pages,
    wordPages: undefined,
    untagged: reports.some(({ untagged }) => untagged),
    external: 0,
    trackedChanges: 0,
    comments: 0,
    conformance,
    missingGlyphs: null,
    fonts: [...fonts.values()].slice(0, MAX_FONTS),
    accessibility: [...(hasTitle ? [] : [{ problem: 'no-title' } as const]), ...findings].slice(
      0,
      MAX_FINDINGS,
    ),
    warnings: all.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_WARNINGS),
    ...(all.length > MAX_WARNINGS && { moreWarnings: all.length - MAX_WARNINGS }),
  };
}
