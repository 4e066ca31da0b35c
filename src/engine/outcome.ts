/** Maps the end of a child to a conversion, or to an error of the catalogue. */
import { PlatenError } from '../errors.ts';
import type { Conversion } from './engine.ts';
import type { Finished } from './protocol.ts';

/** In seconds. Mostly a document causes the lack of memory, and it is over when that has ended. */
const RETRY_KILLED_S = 5;

/** Exit code of a child that could not prepare for its job: SETUP_FAILED in src/kit/child.h. */
const SETUP_FAILED = 5;

/** An error for which no document is at fault; `retryAfter` is in seconds. */
export function unavailable(cause: unknown, retryAfter = 1): PlatenError {
  return new PlatenError('SERVICE_UNAVAILABLE', { retryAfter, cause });
}

/** The package has passed the preflight; what LibreOffice does not understand may be fine for Word. */
export function unloadable(cause: unknown): PlatenError {
  return new PlatenError('CORRUPTED_FILE', {
    message:
      'The file is a sound Word package, but the conversion engine could not read the document in it. Open it in a ' +
      'word processor, save it again, and retry.',
    cause,
    reason: 'unloadable',
  });
}

/** The PDF could not be written, or its page could not be drawn. */
export function unexportable(cause: unknown): PlatenError {
  return new PlatenError('CONVERSION_FAILED', { cause, reason: 'unexportable' });
}

/** @param cause names the process. */
export function crashed(cause: unknown): PlatenError {
  return new PlatenError('CONVERSION_FAILED', { cause, reason: 'crash' });
}

/** The error for a process that the OOM killer or an operator killed repeatedly. */
export function killed(cause: unknown): PlatenError {
  return new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_KILLED_S, cause, reason: 'killed' });
}

/**
 * @param attempt the one that ended.
 * @param program what the child became, if it did; its exit codes are its own.
 * @throws PlatenError `CORRUPTED_FILE`, `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE`
 */
export function readOutcome(
  finished: Finished,
  attempt: Pick<Conversion, 'attempts' | 'tagged' | 'isolation'>,
  program?: string,
): Conversion {
  const { outcome, detail, pages, peakBytes, cpuMs } = finished;
  const isOwnExit = ['failed', 'unloadable', 'unexportable'].includes(outcome) && detail !== SETUP_FAILED;
  if (program !== undefined && isOwnExit) throw unexportable(`${program} ended with exit code ${detail}`);
  switch (outcome) {
    case 'converted':
      return { pages, peakBytes, cpuMs, ...attempt };
    case 'unloadable':
      throw unloadable('LibreOffice cannot load the document');
    case 'unexportable':
      throw unexportable('LibreOffice or qpdf could not write the PDF');
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
      throw crashed(`the child crashed (${detail})`);
    case 'killed':
      throw killed('something outside the service killed the child');
    default:
      if (outcome === 'failed' && detail === SETUP_FAILED) {
        throw unavailable('the child could not prepare for its job');
      }
      throw new PlatenError('CONVERSION_FAILED', { cause: `the child ${outcome} (${detail})` });
  }
}
