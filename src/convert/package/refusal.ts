/** How the preflight says what is wrong with a file. */
import type { DocumentType } from '../../document-types.ts';
import { PlatenError, type RefusalReason } from '../../errors.ts';

/** Says what a file is, and what to do where these types are accepted. */
export type ForeignFormat = (accepted: readonly DocumentType[]) => string;

/** A format that a word processor can turn into a DOCX, which is accepted everywhere. */
export const document =
  (what: string): ForeignFormat =>
  () =>
    `This is ${what}. Save it as a Word document (.docx) and send that.`;

/** A format that no word processor reads. */
export const other =
  (what: string): ForeignFormat =>
  (accepted) =>
    `This is ${what}. Only Word documents (${accepted.map((type) => `.${type}`).join(', ')}) can be converted.`;

/** INVALID_FILE_TYPE with a message that says what the file is and what to do. */
export const invalidType = (message: string, reason: RefusalReason = 'not-a-document'): PlatenError =>
  new PlatenError('INVALID_FILE_TYPE', { message, reason });

export const encrypted = (): PlatenError => new PlatenError('PASSWORD_PROTECTED', { reason: 'encrypted' });

/** CORRUPTED_FILE of a package that is not what its format asks for; `cause` is for the log. */
export const damaged = (reason: RefusalReason, cause: unknown): PlatenError =>
  new PlatenError('CORRUPTED_FILE', { reason, cause });

/** CORRUPTED_FILE of a package that breaks a limit; `what` goes on from "The document". */
export const beyondLimits = (reason: RefusalReason, what: string): PlatenError =>
  new PlatenError('CORRUPTED_FILE', {
    reason,
    message: `The document ${what}, which breaks the package limits. Simplify it and send it again.`,
  });
