/** `failOn`: a sender may refuse a PDF for its warnings. */
import { closeSync } from 'node:fs';
import { PlatenError } from '../../errors.ts';
import type { ConversionOptions } from '../../shared/options/conversion-options.ts';
import { type DescribedWarning, describeWarning } from './warning-messages.ts';
import { type ConversionReport, notableWarningsOf } from './warnings.ts';

/** `CONVERSION_FAILED`: the sender refuses the PDF. */
export class RefusedPdf extends PlatenError {
  /** Those for which it is refused, at least one. */
  readonly warnings: DescribedWarning[];

  constructor(message: string, warnings: DescribedWarning[]) {
    super('CONVERSION_FAILED', { message, reason: 'refused' });
    this.warnings = warnings;
  }
}

/**
 * Asserts that the options do not refuse a PDF for one of its warnings.
 *
 * @param pdf its open file, which is closed if it is refused, and what is known of it.
 * @throws RefusedPdf
 */
export function assertAccepted(
  { fd, report }: { readonly fd: number; readonly report: ConversionReport },
  { failOn }: ConversionOptions = {},
): void {
  if (failOn === undefined) return;
  const named = new Set(failOn.split(','));
  const warnings = notableWarningsOf(report)
    .map(describeWarning)
    .filter(({ code, level }) => named.has(code) || named.has(level));
  const [first] = warnings;
  if (!first) return;
  closeSync(fd);
  const others = warnings.length === 1 ? '' : ` It has ${warnings.length} such warnings.`;
  throw new RefusedPdf(`failOn=${failOn} refuses the PDF. ${first.message}${others}`, warnings);
}
