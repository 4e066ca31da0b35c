/** Final changes to the engine's PDF. */
import type { PdfaLevel } from '../../shared/options/pdfa.ts';
import { TailReader } from '../../system/tail-reader.ts';
import type { MarkedCells } from '../document/marked-cells.ts';
import { xmlText } from '../text/xml-text.ts';
import { completedPdfa } from './archive.ts';
import { type Attached, withAttachments } from './attachments.ts';
import { withCellLines } from './cell-lines.ts';
import { mapsWithAllCodes } from './cluster-codes.ts';
import { eraseDestinations, withoutDestinations } from './destinations.ts';
import { matchingMetadata, withKeywords } from './metadata.ts';
import { PdfObjects } from './objects/pdf-objects.ts';
import { Reference } from './objects/values.ts';
import { adoptedTags } from './orphans.ts';
import { freeLostObjects, type NewObject, replaceObjects } from './replace-objects.ts';

interface Completion {
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
 * Repairs PDF/A, XMP, keywords, the structure, what codes mean and the table of objects, removes the destinations and attaches files.
 *
 * @param fd of the PDF, open for reading and writing.
 * @returns how many lines of cells are missing.
 * @throws Error saying what is missing or broken.
 */
export function completePdf(
  fd: number,
  { pdfa, pdfua, isAnchored, markedCells = [], keywords: given, attached }: Completion,
): number {
  freeLostObjects(fd);
  const pdf = new PdfObjects(TailReader.over(fd));
  const root = pdf.trailer['/Root'];
  if (!(root instanceof Reference)) throw new Error('the catalogue is no object');
  // As the document's properties have them, from which XMP is made.
  const keywords = given === undefined ? undefined : xmlText(given);
  const additions = { keywords, facturx: attached?.facturx };
  const lines = markedCells.length > 0 ? withCellLines(pdf, markedCells) : { changed: [], missing: 0 };
  const { text } = pdf.source(root.number);
  const bare = isAnchored ? withoutDestinations(text) : text;
  const { catalog, objects } = attached
    ? withAttachments(pdf, bare, attached)
    : { catalog: bare, objects: [] };
  const changed = new Map<number, NewObject>([
    ...(keywords === undefined ? [] : withKeywords(pdf, keywords)),
    ...(pdfa === undefined ? [] : completedPdfa(pdf, pdfa, additions)),
    ...(pdfa === undefined && pdfua ? matchingMetadata(pdf, additions) : []),
    ...(pdfua ? [...adoptedTags(pdf), ...mapsWithAllCodes(pdf)] : []),
    ...(catalog === text ? [] : [[root.number, catalog] as const]),
    ...lines.changed,
    ...objects,
  ]);
  if (isAnchored) eraseDestinations(fd, pdf);
  if (changed.size > 0) replaceObjects(fd, changed);
  return lines.missing;
}
