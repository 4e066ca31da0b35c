/** Final changes to the engine's PDF. */
import type { PdfaLevel } from '../../options/pdfa.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { completedPdfa } from './archive.ts';
import { eraseDestinations, withoutDestinations } from './destinations.ts';
import { readStructure, replaceObjects } from './structure.ts';

export interface Completion {
  /** Level of PDF/A that it must have. */
  readonly pdfa: PdfaLevel | undefined;
  /** It has the destinations that mark Word's pages. */
  readonly isAnchored: boolean;
}

/**
 * Repairs PDF/A and removes the destinations.
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
