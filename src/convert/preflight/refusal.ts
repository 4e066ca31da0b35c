/** How the preflight says that a file is something else than a DOCX. */
import { PlatenError } from '../../errors.ts';

const SAVE_AS_DOCX = 'Save it as a Word document (.docx) and send that.';
const ONLY_DOCX = 'Only Word documents (.docx) can be converted.';

/** A format that a word processor can turn into a DOCX. */
export const document = (what: string): string => `This is ${what}. ${SAVE_AS_DOCX}`;

/** A format that no word processor reads. */
export const other = (what: string): string => `This is ${what}. ${ONLY_DOCX}`;

/** INVALID_FILE_TYPE with a message that says what the file is and what to do. */
export const invalidType = (message: string): PlatenError =>
  new PlatenError('INVALID_FILE_TYPE', { message });
