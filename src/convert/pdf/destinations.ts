/** The named destinations of a PDF by LibreOffice (ISO 32000-1, 12.3.2.3), which have their own dictionary. */
import { writeSync } from 'node:fs';
import type { PdfPage } from './pages.ts';
import { type PdfStructure, readObject, readObjectStart, reference } from './structure.ts';

/** Target of a destination. */
export interface Destination {
  /** Counted from 0. */
  readonly page: number;
  /** Points above the lower edge of the page. */
  readonly y: number;
}

const PIECE_BYTES = 65_536;
const DESTINATIONS = /\/Dests\s+(\d{1,9})\s+0\s+R/;
const DESTINATION =
  /\/([^\s/[\]<>()]+)\s*\[\s*(\d{1,9})\s+0\s+R\s*\/XYZ\s+-?[\d.]+\s+(-?[\d.]+)\s+\S+?\s*\]/g;

/** @throws Error if the PDF has another form. */
export function readDestinations(
  structure: PdfStructure,
  pages: readonly PdfPage[],
): ReadonlyMap<string, Destination> {
  const dictionaryNumber = DESTINATIONS.exec(structure.catalog)?.[1];
  if (dictionaryNumber === undefined) return new Map();
  const dictionary = readObject(structure, Number(dictionaryNumber));
  const indices = new Map(pages.map(({ number }, index) => [number, index]));
  const found = new Map<string, Destination>();
  for (const [, name = '', page, y] of dictionary.matchAll(DESTINATION)) {
    const index = indices.get(Number(page));
    if (index !== undefined) found.set(name, { page: index, y: Number(y) });
  }
  return found;
}

/**
 * Overwrites all destinations in the file with blanks, so that nothing of them is left in unreferenced bytes.
 *
 * @param fd of the file, open for writing.
 * @throws Error if the PDF has another form, or cannot be written.
 */
export function eraseDestinations(fd: number, structure: PdfStructure): void {
  const number = DESTINATIONS.exec(structure.catalog)?.[1];
  if (number === undefined) return;
  const { position, text } = readObjectStart(structure, Number(number), PIECE_BYTES);
  const begin = text.indexOf('<<') + 2;
  for (let at = position + begin, end = -1; end < 0; ) {
    const piece = structure.reader.read(at, PIECE_BYTES);
    // In a name it would be escaped with a number sign.
    end = piece.indexOf('>>');
    const length = end < 0 ? Math.max(0, piece.length - 1) : end;
    if (end < 0 && length === 0) throw new Error('the destinations have no end');
    writeSync(fd, Buffer.alloc(length, ' '), 0, length, at);
    at += length;
  }
}

/** The changed objects of a PDF without named destinations, for `replaceObjects`. */
export function withoutDestinations({ trailer, catalog }: PdfStructure): [number: number, object: string][] {
  return DESTINATIONS.test(catalog) ? [[reference(trailer, 'Root'), catalog.replace(DESTINATIONS, '')]] : [];
}
