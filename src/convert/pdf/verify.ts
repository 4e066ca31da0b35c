/** The verification: nothing is sent to a client before it is known to be a whole PDF with pages. */
import type { PdfaLevel } from '../../engine/pdfa.ts';
import { PlatenError } from '../../errors.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { assertPdfa } from './archive.ts';
import { type PdfFont, readFonts } from './fonts.ts';
import { countPages } from './pages.ts';
import { type PdfStructure, readStructure } from './structure.ts';

/** What is known of a PDF that may be sent. */
export interface VerifiedPdf {
  /** Size in bytes. */
  readonly bytes: number;
  readonly pages: number;
  /** Undefined where they cannot be told. */
  readonly fonts: readonly PdfFont[] | undefined;
  readonly structure: PdfStructure;
  /** Reads the file; what the verification has read already is in memory. */
  readonly reader: TailReader;
}

/**
 * Checks what an engine wrote: a regular file, `%PDF-` at its start, `%%EOF` at its end, at least one page.
 * What was to be PDF/A must also declare itself so. The file stays the caller's to close.
 *
 * @param fd of the file, opened without following links.
 * @throws PlatenError CONVERSION_FAILED whose cause says what was wrong.
 */
export async function verifyPdf(fd: number, pdfa?: PdfaLevel): Promise<VerifiedPdf> {
  try {
    return await verify(fd, pdfa);
  } catch (cause) {
    throw new PlatenError('CONVERSION_FAILED', { cause });
  }
}

async function verify(fd: number, pdfa: PdfaLevel | undefined): Promise<VerifiedPdf> {
  const reader = TailReader.over(fd);
  const structure = await readStructure(reader);
  const pages = await countPages(structure);
  if (pdfa !== undefined) await assertPdfa(structure, pdfa);
  return { bytes: reader.size, pages, fonts: await readFonts(structure), structure, reader };
}
