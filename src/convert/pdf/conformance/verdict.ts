/** The verdict about a PDF that is delivered: does it keep the standards that were asked for? */
import type { ConversionOptions } from '../../../shared/options/conversion-options.ts';
import type { TailReader } from '../../../system/tail-reader.ts';
import { examine, type Violation } from './check.ts';
import type { Profile } from './rule.ts';

/** `unchecked`: the PDF is encrypted, or the check would take too long. */
export const verdicts = ['pass', 'fail', 'unchecked'] as const;

/** A rule that a PDF breaks. Nothing of the document's text is in it. */
export interface ConformanceFailure {
  /** Of the standard, such as `6.2.11.5`. */
  readonly clause: string;
  /** What it demands. */
  readonly rule: string;
  /** Where it is broken, such as `font /F1 (5 0 R)`. */
  readonly object: string;
  /** From 1; undefined if it is on none, or unknown. */
  readonly page?: number;
}

/** Whether a PDF keeps a standard. */
export interface Conformance {
  /** Such as `PDF/A-2b`, or `PDF/UA-1`. */
  readonly level: string;
  readonly verdict: (typeof verdicts)[number];
  /** The first ones. */
  readonly failures: readonly ConformanceFailure[];
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/** Checks a PDF against the standards that the options ask for; no verdict if they ask for none. */
export function verdictsOf(
  reader: TailReader,
  { pdfa, pdfua }: Pick<ConversionOptions, 'pdfa' | 'pdfua'>,
): Conformance[] {
  const levels: [string, Profile][] = [];
  if (pdfa !== undefined) levels.push([`PDF/A-${pdfa}`, pdfa]);
  if (pdfua) levels.push(['PDF/UA-1', 'ua']);
  if (levels.length === 0) return [];
  const examinations = examine(
    reader,
    levels.map(([, profile]) => profile),
  );
  return examinations.map(({ violations, hasMore, unchecked }, index) => {
    const level = levels[index]?.[0] ?? '';
    const verdict = violations.length > 0 ? 'fail' : unchecked === undefined ? 'pass' : 'unchecked';
    return { level, verdict, failures: violations.map(failureOf), hasMore };
  });
}

function failureOf({ clause, demand, where }: Violation): ConformanceFailure {
  const page = /^page (\d+)\b/.exec(where)?.[1];
  return { clause, rule: demand, object: where, ...(page !== undefined && { page: Number(page) }) };
}
