/** Final changes to the engine's PDF. */
import type { PdfaLevel } from '../../shared/options/pdfa.ts';
import { TailReader } from '../../system/tail-reader.ts';
import type { MarkedCells } from '../document/marked-cells.ts';
import { xmlText } from '../text/xml-text.ts';
import { completedPdfa } from './archive.ts';
import { type Attached, withAttachments } from './attachments.ts';
import { withCellLines } from './cell-lines.ts';
import { eraseDestinations, withoutDestinations } from './destinations.ts';
import { matchingMetadata, withKeywords } from './metadata.ts';
import { adoptedTags } from './orphans.ts';
import { freeLostObjects, type NewObject, readStructure, reference, replaceObjects } from './structure.ts';

export interface Completion {
  /** Level of PDF/A that it must have. */
  readonly pdfa: PdfaLevel | undefined;
  /** Whether it must be PDF/UA, which has XMP, too. */
  readonly pdfua?: boolean | undefined;
  /** It has the destinations that mark Word's pages. */
  readonly isAnchored: boolean;
  /** Cells whose lines are to be drawn; none by default. */
  readonly markedCells?: readonly MarkedCells[] | undefined;
  /** Keywords that were asked for; undefined if the document's are right. */
  readonly keywords?: string | undefined;
  /** What is to be attached to it. */
  readonly attached?: Attached | undefined;
}

/**
 * Repairs PDF/A, XMP, keywords, the structure and the table of objects, removes the destinations and attaches files.
 *
 * @param fd of the PDF, open for reading and writing.
 * @returns how many lines of cells are missing.
 * @throws Error saying what is missing or broken.
 */
export function completePdf(
  fd: number,
  { pdfa, pdfua, isAnchored, markedCells = [], keywords: given, attached }: Completion,
): number {
  freeLostObjects(fd, readStructure(TailReader.over(fd)));
  const structure = readStructure(TailReader.over(fd));
  // As the document's properties have them, from which XMP is made.
  const keywords = given === undefined ? undefined : xmlText(given);
  const additions = { keywords, facturx: attached?.facturx };
  const lines = markedCells.length > 0 ? withCellLines(structure, markedCells) : { changed: [], missing: 0 };
  const changed = new Map<number, NewObject>([
    ...(keywords === undefined ? [] : withKeywords(structure, keywords)),
    ...(pdfa === undefined ? [] : completedPdfa(structure, pdfa, additions)),
    ...(pdfa === undefined && pdfua ? matchingMetadata(structure, additions) : []),
    ...(pdfua ? adoptedTags(structure) : []),
    ...(isAnchored ? withoutDestinations(structure) : []),
    ...lines.changed,
  ]);
  if (attached) {
    const catalog = changed.get(reference(structure.trailer, 'Root')) ?? structure.catalog;
    for (const [number, object] of withAttachments(structure, String(catalog), attached)) {
      changed.set(number, object);
    }
  }
  if (isAnchored) eraseDestinations(fd, structure);
  if (changed.size > 0) replaceObjects(fd, structure, changed);
  return lines.missing;
}
