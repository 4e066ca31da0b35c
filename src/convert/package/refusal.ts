/** Errors of the preflight. */
import { PlatenError, type RefusalReason } from '../../errors.ts';
import type { DocumentType } from '../../shared/document-types.ts';

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

/** PASSWORD_PROTECTED of an archive whose entries are encrypted, which no Office does. */
export const encrypted = (): PlatenError => new PlatenError('PASSWORD_PROTECTED', { reason: 'encrypted' });

/** Where a password is sent, in the words of the API. */
export const PASSWORD_FIELD = 'the form field "password" of POST /v1/convert';

/** PASSWORD_PROTECTED of a package that Office has encrypted. */
export const needsPassword = (): PlatenError =>
  new PlatenError('PASSWORD_PROTECTED', {
    reason: 'encrypted',
    message: `The document is protected with a password. Send it in ${PASSWORD_FIELD}, or remove it from the document.`,
  });

export const wrongPassword = (): PlatenError =>
  new PlatenError('PASSWORD_PROTECTED', {
    reason: 'encrypted',
    message: `The password in ${PASSWORD_FIELD} is wrong: it does not open the document. Send the right one.`,
  });

/** PASSWORD_PROTECTED of what a password does not open, or not in bounded time. */
export const unsupportedEncryption = (): PlatenError =>
  new PlatenError('PASSWORD_PROTECTED', {
    reason: 'encrypted',
    message:
      'The document is encrypted in a way that this service cannot open, such as with a certificate or rights ' +
      'management. Remove the protection and send it again.',
  });

/** CORRUPTED_FILE of a package that violates its format; `cause` is for the log. */
export const damaged = (reason: RefusalReason, cause: unknown): PlatenError =>
  new PlatenError('CORRUPTED_FILE', { reason, cause });

/** CORRUPTED_FILE of a package that exceeds a limit; `what` continues "The document". */
export const beyondLimits = (reason: RefusalReason, what: string): PlatenError =>
  new PlatenError('CORRUPTED_FILE', {
    reason,
    message: `The document ${what}, which breaks the package limits. Simplify it and send it again.`,
  });

/** CORRUPTED_FILE of a document that used up its time before it was read. */
export const tooLongToRead = (): PlatenError => beyondLimits('time', 'takes too long to read');
