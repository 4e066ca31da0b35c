/** The verification: only a whole PDF with pages is sent to a client. */
import { PlatenError } from '../../errors.ts';
import type { PdfaLevel } from '../../shared/options/pdfa.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { assertPdfa } from './archive.ts';
import { type PdfFont, readFonts } from './fonts.ts';
import { lastSection } from './objects/cross-references.ts';
import { PdfObjects } from './objects/pdf-objects.ts';
import { countPages } from './pages.ts';

/** Facts about a verified PDF. */
export interface VerifiedPdf {
  /** Size in bytes. */
  readonly bytes: number;
  readonly pages: number;
  /** Undefined if they are unknown. */
  readonly fonts: readonly PdfFont[] | undefined;
  readonly objects: PdfObjects;
  /** Reads the file; the bytes that the verification read are in memory. */
  readonly reader: TailReader;
}

/**
 * Checks the engine's output: a regular file, `%PDF-` at its start, `%%EOF` at its end, at least one page, and a
 * declaration of PDF/A if one was requested. The caller closes the file.
 *
 * @param fd of the file, opened without following links.
 * @throws PlatenError CONVERSION_FAILED whose cause says what was wrong.
 */
export function verifyPdf(fd: number, pdfa?: PdfaLevel): VerifiedPdf {
  try {
    return verify(fd, pdfa);
  } catch (cause) {
    throw new PlatenError('CONVERSION_FAILED', { cause });
  }
}

function verify(fd: number, pdfa: PdfaLevel | undefined): VerifiedPdf {
  const reader = TailReader.over(fd);
  const objects = new PdfObjects(reader);
  const pages = countPages(objects);
  if (pdfa !== undefined) assertPdfa(objects, pdfa);
  return { bytes: reader.size, pages, fonts: readFonts(objects), objects, reader };
}

/**
 * Checks a PDF that qpdf made of a verified one: whole, and with as many pages. qpdf itself has read it, see
 * src/kit/qpdf.c; it may be encrypted.
 *
 * @param pages as qpdf counted them.
 * @returns the original's facts, with the file's own size.
 * @throws PlatenError CONVERSION_FAILED whose cause says what was wrong.
 */
export function verifyFinished(fd: number, pages: number | undefined, original: VerifiedPdf): VerifiedPdf {
  const reader = TailReader.over(fd);
  try {
    lastSection(reader);
    if (pages !== original.pages) throw new Error(`qpdf made ${pages} pages of ${original.pages}`);
  } catch (cause) {
    throw new PlatenError('CONVERSION_FAILED', { cause });
  }
  return { ...original, bytes: reader.size, reader };
}
