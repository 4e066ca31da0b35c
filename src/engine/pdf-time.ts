/** Gives a PDF by LibreOffice, whose clock could not be stopped, the time that it is to have. */
import { createHash } from 'node:crypto';

/** What is behind these texts, as LibreOffice writes them at the end of a PDF. */
const DATE = '/CreationDate(D:';
const ID = '/ID [ <';
const CHECKSUM = '/DocChecksum /';
const DIGITS = 32;
/** Between the two ids. */
const BETWEEN = '>\n<';

/**
 * Writes the time into the PDF, and makes its id, and the checksum that LibreOffice adds, of its content. What the PDF does not
 * have stays as it is. The colour profile of a PDF/A still has the time of the conversion, in compressed form.
 *
 * @param seconds since the epoch.
 */
export function setPdfTime(pdf: Buffer, seconds: number): void {
  const digits = new Date(seconds * 1_000).toISOString().replace(/\D/g, '').slice(0, 14);
  overwrite(pdf, DATE, digits, 0);
  const places = [[ID, 0] as const, [ID, DIGITS + BETWEEN.length] as const, [CHECKSUM, 0] as const];
  for (const [name, skip] of places) overwrite(pdf, name, '0'.repeat(DIGITS), skip);
  const id = createHash('sha256').update(pdf).digest('hex').slice(0, DIGITS).toUpperCase();
  for (const [name, skip] of places) overwrite(pdf, name, id, skip);
}

/** Replaces digits by as many others, behind the last place of a name and some more bytes. */
function overwrite(pdf: Buffer, name: string, digits: string, skip: number): void {
  const found = pdf.lastIndexOf(name, undefined, 'latin1');
  const start = found + name.length + skip;
  const end = start + digits.length;
  const former = pdf.toString('latin1', start, end);
  if (found >= 0 && former.length === digits.length && /^[0-9A-F]+$/.test(former))
    pdf.write(digits, start, 'latin1');
}
