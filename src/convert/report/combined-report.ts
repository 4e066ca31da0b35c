/** What is said of a PDF of several documents. */
import { levelOf, warningLevels } from '../../shared/warning-levels.ts';
import { type ConversionReport, type Warning, warningsOf } from './warnings.ts';

/** Most fonts, warnings, and findings about accessibility, of all documents together. */
const [MAX_FONTS, MAX_WARNINGS, MAX_FINDINGS] = [50, 200, 200];

/**
 * The report of a PDF of these documents.
 *
 * @param hasTitle whether the PDF has a title: its documents need none.
 * Its warnings say which file they are about. Losses come first, then they go by file; those beyond {@link MAX_WARNINGS} are left out.
 */
export function combinedReport(
  pages: number,
  reports: readonly ConversionReport[],
  hasTitle: boolean,
): ConversionReport {
  const all = reports.flatMap((report, file) => warningsOf(report).map((warning) => ({ ...warning, file })));
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
    missingGlyphs: null,
    fonts: [...fonts.values()].slice(0, MAX_FONTS),
    accessibility: [...(hasTitle ? [] : [{ problem: 'no-title' } as const]), ...findings].slice(
      0,
      MAX_FINDINGS,
    ),
    warnings: all.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_WARNINGS),
  };
}
