/** What the end of a child means: a conversion, or an error of the catalogue. */
import { PlatenError } from '../errors.ts';
import type { Conversion } from './engine.ts';
import type { Finished } from './protocol.ts';

/** Exit code of a child that could not set itself up for its job: SETUP_FAILED in src/kit/child.h. */
const SETUP_FAILED = 5;

/** Nobody's document is at fault; `retryAfter` is in seconds. */
export function unavailable(cause: unknown, retryAfter = 1): PlatenError {
  return new PlatenError('SERVICE_UNAVAILABLE', { retryAfter, cause });
}

/**
 * @param attempts that it took.
 * @throws PlatenError `CORRUPTED_FILE`, `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE`
 */
export function readOutcome(finished: Finished, attempts: number): Conversion {
  const { outcome, detail, peakBytes, cpuMs } = finished;
  switch (outcome) {
    case 'converted':
      return { peakBytes, cpuMs, attempts };
    case 'unloadable':
      throw new PlatenError('CORRUPTED_FILE', { cause: 'LibreOffice cannot load the document' });
    case 'memory':
    case 'cpu':
    case 'file':
      throw new PlatenError('CONVERSION_FAILED', {
        message: 'The document needs more resources than a conversion may use. Split or simplify it.',
        cause: `the document used up its ${outcome} budget`,
        reason: outcome,
      });
    case 'disk':
      throw unavailable('the disk is full');
    case 'crashed':
      throw new PlatenError('CONVERSION_FAILED', { cause: `the child crashed (${detail})`, reason: 'crash' });
    default:
      if (outcome === 'failed' && detail === SETUP_FAILED) {
        throw unavailable('the child could not set itself up');
      }
      throw new PlatenError('CONVERSION_FAILED', { cause: `the child ${outcome} (${detail})` });
  }
}
