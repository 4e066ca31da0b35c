/** Documents of the kinds that an operator can let through. */
import { vbaProject } from '../../attack/support/vba.ts';
import { docm, docx, dotm, dotx } from '../../support/documents.ts';

// A macro that ran would use up the document's time: there would be no PDF.
const project = vbaProject(
  ['AutoOpen', 'AutoNew', 'AutoExec', 'Document_Open', 'Document_New']
    .map((name) => `Sub ${name}()\r\nDo\r\nLoop\r\nEnd Sub\r\n`)
    .join(''),
);

/** One of each kind, by its name in ACCEPT; those that can have macros have some that never end. */
export const wordDocuments = { docx: docx(), docm: docm(project), dotx: dotx(), dotm: dotm(project) };
