/**
 * PDFs as pictures, which Word for the Mac writes. LibreOffice copies a PDF of version 1.6 or older into its output
 * with its own reader, which crashes, for example, on a wrong `Length` of a stream. PDFium first rewrites newer ones,
 * which mends such faults, so each PDF is declared as newer.
 */
import { MAX_XML_BYTES } from './limits.ts';
import { beyondLimits } from './refusal.ts';

const VERSION_AT = '%PDF-'.length;
const VERSION = '1.7';
const NEWER = /^(?:1\.[7-9]|[2-9]\.)/;

/**
 * Reads a picture whole.
 *
 * @throws PlatenError `CORRUPTED_FILE`
 */
export function assertPdfSize(bytes: number): void {
  if (bytes <= MAX_XML_BYTES) return;
  throw beyondLimits('part-too-large', `has a PDF of more than ${MAX_XML_BYTES / 1_048_576} MB as a picture`);
}

/**
 * Changes the version of a PDF in place.
 *
 * @returns whether it differed.
 */
export function declareNewerPdf(picture: Buffer): boolean {
  const end = VERSION_AT + VERSION.length;
  if (picture.length < end || NEWER.test(picture.toString('latin1', VERSION_AT, end))) return false;
  picture.write(VERSION, VERSION_AT, 'latin1');
  return true;
}
