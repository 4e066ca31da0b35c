/** Gives a PDF by LibreOffice, whose clock could not be stopped, the time that it is to have. */
import { createHash } from 'node:crypto';

/** LibreOffice writes the values after these texts, at the end of a PDF. */
const DATE = '/CreationDate(D:';
const ID = '/ID [ <';
const CHECKSUM = '/DocChecksum /';
/** Around the metadata, which 26.8 writes into every PDF. */
const XMP = ['<x:xmpmeta', '</x:xmpmeta>'] as const;
const XMP_DATES =
  /(<xmp:(?:Create|Modify|Metadata)Date>|<dc:date>\s*<rdf:Seq>\s*<rdf:li>)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
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
  const time = `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
  overwrite(pdf, DATE, time.replace(/\D/g, ''), 0);
  setMetadataTime(pdf, time);
  const places = [[ID, 0] as const, [ID, DIGITS + BETWEEN.length] as const, [CHECKSUM, 0] as const];
  for (const [name, skip] of places) overwrite(pdf, name, '0'.repeat(DIGITS), skip);
  const id = createHash('sha256').update(pdf).digest('hex').slice(0, DIGITS).toUpperCase();
  for (const [name, skip] of places) overwrite(pdf, name, id, skip);
}

/** Writes the time, as RFC 3339 has it, into the metadata, if there are any. */
function setMetadataTime(pdf: Buffer, time: string): void {
  const [first, last] = XMP;
  const start = pdf.lastIndexOf(first, undefined, 'latin1');
  const end = pdf.indexOf(last, start, 'latin1');
  if (start < 0 || end < 0) return;
  const metadata = pdf.toString('latin1', start, end);
  pdf.write(metadata.replace(XMP_DATES, `$1${time}`), start, 'latin1');
}

/** Replaces digits by as many others, after the last occurrence of a name and `skip` more bytes. */
function overwrite(pdf: Buffer, name: string, digits: string, skip: number): void {
  const found = pdf.lastIndexOf(name, undefined, 'latin1');
  const start = found + name.length + skip;
  const end = start + digits.length;
  const former = pdf.toString('latin1', start, end);
  if (found >= 0 && former.length === digits.length && /^[0-9A-F]+$/.test(former))
    pdf.write(digits, start, 'latin1');
}
