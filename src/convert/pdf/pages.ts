/** The pages of a PDF (ISO 32000-1, 7.7.3). */
import { type PdfStructure, readObject, reference } from './structure.ts';

/**
 * The page count that the root of the page tree declares.
 *
 * @throws Error saying what is missing or broken.
 */
export function countPages(structure: PdfStructure): number {
  const pages = readObject(structure, reference(structure.catalog, 'Pages'));
  if (!/\/Type\s*\/Pages\b/.test(pages)) throw new Error('the root of the page tree is not a page tree node');
  const count = Number(/\/Count\s+(\d{1,9})\b/.exec(pages)?.[1] ?? 0);
  if (count === 0) throw new Error('the document has no pages');
  return count;
}

/** Most nodes of a page tree that are read to compare pages with Word's. */
export const MAX_PAGES = 10_000;

/** A page and the text of its object. */
export interface PdfPage {
  /** Number of its object. */
  readonly number: number;
  readonly text: string;
}

/**
 * The pages in order.
 *
 * @throws Error saying what is missing or broken, or if there are more nodes than allowed.
 */
export function readPages(structure: PdfStructure, maxNodes: number): PdfPage[] {
  const nodes = [reference(structure.catalog, 'Pages')];
  const pages: PdfPage[] = [];
  for (let read = 0, number = nodes.pop(); number !== undefined; read += 1, number = nodes.pop()) {
    const text = readObject(structure, number);
    const kids = arrayIn(text, /\/Kids\s*\[/);
    if (kids === undefined) pages.push({ number, text });
    else for (const kid of references(kids).reverse()) nodes.push(kid);
    if (read + nodes.length > maxNodes) throw new Error('there are too many pages');
  }
  return pages;
}

/**
 * The text between the brackets of an array; undefined if there is none. Takes linear time.
 *
 * @param start matches the array's key and first bracket.
 */
export function arrayIn(text: string, start: RegExp): string | undefined {
  const match = start.exec(text);
  if (!match) return undefined;
  const begin = match.index + match[0].length;
  const end = text.indexOf(']', begin);
  return end < 0 ? undefined : text.slice(begin, end);
}

/** The object numbers that a text references. */
export function references(text: string): number[] {
  return [...text.matchAll(/(\d{1,9})\s+0\s+R/g)].map(([, number]) => Number(number));
}
