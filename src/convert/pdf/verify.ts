/** The verification: only a whole PDF with pages is sent to a client. */
import type { PdfaLevel } from '../../engine/pdfa.ts';
import { PlatenError } from '../../errors.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { assertPdfa } from './archive.ts';
import { type PdfFont, readFonts } from './fonts.ts';
import { countPages } from './pages.ts';
import { type PdfStructure, readStructure } from './structure.ts';

/** Facts about a verified PDF. */
export interface VerifiedPdf {
  /** Size in bytes. */
  readonly bytes: number;
  readonly pages: number;
  /** Undefined if they are unknown. */
  readonly fonts: readonly PdfFont[] | undefined;
  readonly structure: PdfStructure;
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
