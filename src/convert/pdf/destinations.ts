/** The named destinations of a PDF by LibreOffice (ISO 32000-1, 12.3.2.3), which have their own dictionary. */
import { writeSync } from 'node:fs';
import type { PageObject, PdfObjects } from './objects/pdf-objects.ts';
import { Reference } from './objects/values.ts';

/** Target of a destination. */
export interface Destination {
  /** Counted from 0. */
  readonly page: number;
  /** Points above the lower edge of the page. */
  readonly y: number;
}

/** @throws Error if the PDF has another form. */
export function readDestinations(
  pdf: PdfObjects,
  pages: readonly PageObject[],
): ReadonlyMap<string, Destination> {
  const indices = new Map(pages.map(({ number }, index) => [number, index]));
  const found = new Map<string, Destination>();
  for (const [name, destination] of Object.entries(pdf.dictionary(pdf.catalog['/Dests']))) {
    const [page, kind, , y] = pdf.array(destination);
    const index = page instanceof Reference ? indices.get(page.number) : undefined;
    if (index === undefined || kind !== '/XYZ' || typeof y !== 'number') continue;
    found.set(name.slice(1), { page: index, y });
  }
  return found;
}

/**
 * Overwrites all destinations in the file with blanks, so that nothing of them is left in unreferenced bytes.
 *
 * @param fd of the file, open for writing.
 * @throws Error if the PDF has another form, or cannot be written.
 */
export function eraseDestinations(fd: number, pdf: PdfObjects): void {
  const destinations = pdf.catalog['/Dests'];
  if (!(destinations instanceof Reference)) return;
  const { position, text } = pdf.source(destinations.number);
  const [start, end] = [text.indexOf('<<') + 2, text.lastIndexOf('>>')];
  writeSync(fd, Buffer.alloc(Math.max(0, end - start), ' '), 0, undefined, position + start);
}

/** The catalogue without named destinations. @param catalog its text. */
export function withoutDestinations(catalog: string): string {
  return catalog.replace(/\/Dests\s+\d+\s+\d+\s+R/, '');
}
