/** The verification: nothing is sent to a client before it is known to be a whole PDF with pages. */
import type { PdfaLevel } from '../engine/pdfa.ts';
import { PlatenError } from '../errors.ts';
import { assertPdfa } from './pdf-archive.ts';
import { readFontNames } from './pdf-fonts.ts';
import { countPages } from './pdf-pages.ts';
import { readStructure } from './pdf-structure.ts';
import { TailReader } from './tail-reader.ts';

const END_BYTES = 1_024;

/** What is known of a PDF that may be sent. */
export interface VerifiedPdf {
  /** Size in bytes. */
  readonly bytes: number;
  readonly pages: number;
  /** PostScript names of its fonts; undefined where they cannot be told. */
  readonly fonts: readonly string[] | undefined;
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
  if (reader.size === 0) throw new Error('the output is empty');
  const start = (await reader.read(0, 5)).toString('latin1');
  if (start !== '%PDF-') throw new Error('the output does not start as a PDF');
  const end = (await reader.read(Math.max(0, reader.size - END_BYTES), END_BYTES)).toString('latin1');
  const startXref = /startxref\s+(\d{1,15})\s+%%EOF\s*$/.exec(end)?.[1];
  if (startXref === undefined) throw new Error('the output does not end as a PDF');
  const structure = await readStructure(reader, Number(startXref));
  const pages = await countPages(structure);
  if (pdfa !== undefined) await assertPdfa(structure, pdfa);
  return { bytes: reader.size, pages, fonts: await readFontNames(structure), reader };
}
