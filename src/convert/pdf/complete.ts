/** Last changes to what the engine wrote. */
import type { PdfaLevel } from '../../engine/pdfa.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { completedPdfa } from './archive.ts';
import { eraseDestinations, withoutDestinations } from './destinations.ts';
import { readStructure, replaceObjects } from './structure.ts';

export interface Completion {
  /** It is to be a PDF/A. */
  readonly pdfa: PdfaLevel | undefined;
  /** It has the destinations by which Word's pages are found. */
  readonly isAnchored: boolean;
}

/**
 * Mends what LibreOffice leaves out of a PDF/A or gets wrong, and takes the anchors out.
 *
 * @param fd of the PDF, open for reading and writing.
 * @throws Error saying what is missing or broken.
 */
export async function completePdf(fd: number, { pdfa, isAnchored }: Completion): Promise<void> {
  const structure = await readStructure(TailReader.over(fd));
  const changed = new Map([
    ...(pdfa === undefined ? [] : await completedPdfa(structure, pdfa)),
    ...(isAnchored ? withoutDestinations(structure) : []),
  ]);
  if (isAnchored) await eraseDestinations(fd, structure);
  if (changed.size > 0) await replaceObjects(fd, structure, changed);
}
