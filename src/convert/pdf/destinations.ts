/** The named destinations of a PDF as LibreOffice writes it (ISO 32000-1, 12.3.2.3): a dictionary of its own. */

import { writeSync } from 'node:fs';
import type { PdfPage } from './pages.ts';
import { type PdfStructure, readObject, readObjectStart, reference } from './structure.ts';

/** Where a destination leads to. */
export interface Destination {
  /** From 0. */
  readonly page: number;
  /** Points from the lower edge of the page. */
  readonly y: number;
}

const PIECE_BYTES = 65_536;
const DESTINATIONS = /\/Dests\s+(\d{1,9})\s+0\s+R/;
const DESTINATION =
  /\/([^\s/[\]<>()]+)\s*\[\s*(\d{1,9})\s+0\s+R\s*\/XYZ\s+-?[\d.]+\s+(-?[\d.]+)\s+\S+?\s*\]/g;

/** @throws Error where the PDF has another form. */
export async function readDestinations(
  structure: PdfStructure,
  pages: readonly PdfPage[],
): Promise<ReadonlyMap<string, Destination>> {
  const dictionaryNumber = DESTINATIONS.exec(structure.catalog)?.[1];
  if (dictionaryNumber === undefined) return new Map();
  const dictionary = await readObject(structure, Number(dictionaryNumber));
  const indices = new Map(pages.map(({ number }, index) => [number, index]));
  const found = new Map<string, Destination>();
  for (const [, name = '', page, y] of dictionary.matchAll(DESTINATION)) {
    const index = indices.get(Number(page));
    if (index !== undefined) found.set(name, { page: index, y: Number(y) });
  }
  return found;
}

/**
 * Overwrites the names and places of all destinations in the file with blanks: what no longer leads to an object leaves it
 * in the file.
 *
 * @param fd of the file, open for writing.
 * @throws Error where the PDF has another form, or cannot be written.
 */
export async function eraseDestinations(fd: number, structure: PdfStructure): Promise<void> {
  const number = DESTINATIONS.exec(structure.catalog)?.[1];
  if (number === undefined) return;
  const { position, text } = await readObjectStart(structure, Number(number), PIECE_BYTES);
  const begin = text.indexOf('<<') + 2;
  for (let at = position + begin, end = -1; end < 0; ) {
    const piece = await structure.reader.read(at, PIECE_BYTES);
    // In a name it would be written with a number sign.
    end = piece.indexOf('>>');
    const length = end < 0 ? Math.max(0, piece.length - 1) : end;
    if (end < 0 && length === 0) throw new Error('the destinations have no end');
    writeSync(fd, Buffer.alloc(length, ' '), 0, length, at);
    at += length;
  }
}

/** The objects of the PDF that change so that it has no named destinations, as `replaceObjects` takes them. */
export function withoutDestinations({ trailer, catalog }: PdfStructure): [number: number, object: string][] {
  return DESTINATIONS.test(catalog) ? [[reference(trailer, 'Root'), catalog.replace(DESTINATIONS, '')]] : [];
}
