/** Final changes to the engine's PDF. */
import type { PdfaLevel } from '../../options/pdfa.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { completedPdfa } from './archive.ts';
import { eraseDestinations, withoutDestinations } from './destinations.ts';
import { withKeywords } from './metadata.ts';
import { readStructure, replaceObjects } from './structure.ts';

export interface Completion {
  /** Level of PDF/A that it must have. */
  readonly pdfa: PdfaLevel | undefined;
  /** It has the destinations that mark Word's pages. */
  readonly isAnchored: boolean;
  /** Keywords that were asked for; undefined if the document's are right. */
  readonly keywords?: string | undefined;
}

/**
 * Repairs PDF/A and keywords, and removes the destinations.
 *
 * @param fd of the PDF, open for reading and writing.
 * @throws Error saying what is missing or broken.
 */
export async function completePdf(fd: number, { pdfa, isAnchored, keywords }: Completion): Promise<void> {
  const structure = await readStructure(TailReader.over(fd));
  const changed = new Map([
    ...(keywords === undefined ? [] : await withKeywords(structure, keywords)),
    ...(pdfa === undefined ? [] : await completedPdfa(structure, pdfa, keywords)),
    ...(isAnchored ? withoutDestinations(structure) : []),
  ]);
  if (isAnchored) await eraseDestinations(fd, structure);
  if (changed.size > 0) await replaceObjects(fd, structure, changed);
}
