/** Errors of the preflight. */
import type { DocumentType } from '../../document-types.ts';
import { PlatenError, type RefusalReason } from '../../errors.ts';

/** The message about a format, with what to do for the accepted types. */
export type ForeignFormat = (accepted: readonly DocumentType[]) => string;

/** A format that a word processor can save as DOCX. */
export const document =
  (what: string): ForeignFormat =>
  () =>
    `This is ${what}. Save it as a Word document (.docx) and send that.`;

/** A format that word processors do not read. */
export const other =
  (what: string): ForeignFormat =>
  (accepted) =>
    `This is ${what}. Only Word documents (${accepted.map((type) => `.${type}`).join(', ')}) can be converted.`;

/** INVALID_FILE_TYPE, with a message that names the format and says what to do. */
export const invalidType = (message: string, reason: RefusalReason = 'not-a-document'): PlatenError =>
  new PlatenError('INVALID_FILE_TYPE', { message, reason });

export const encrypted = (): PlatenError => new PlatenError('PASSWORD_PROTECTED', { reason: 'encrypted' });

/** CORRUPTED_FILE of a package that violates its format; `cause` is for the log. */
export const damaged = (reason: RefusalReason, cause: unknown): PlatenError =>
  new PlatenError('CORRUPTED_FILE', { reason, cause });

/** CORRUPTED_FILE of a package that exceeds a limit; `what` continues "The document". */
export const beyondLimits = (reason: RefusalReason, what: string): PlatenError =>
  new PlatenError('CORRUPTED_FILE', {
    reason,
    message: `The document ${what}, which breaks the package limits. Simplify it and send it again.`,
  });
