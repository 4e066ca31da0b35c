/** Counting the pages of a PDF (ISO 32000-1, 7.7.3). */
import { type PdfStructure, readObject, reference } from './pdf-structure.ts';

/**
 * The page count that the root of the page tree declares.
 *
 * @throws Error saying what is missing or broken.
 */
export async function countPages(structure: PdfStructure): Promise<number> {
  const pages = await readObject(structure, reference(structure.catalog, 'Pages'));
  if (!/\/Type\s*\/Pages\b/.test(pages)) throw new Error('the root of the page tree is not a page tree node');
  const count = Number(/\/Count\s+(\d{1,9})\b/.exec(pages)?.[1] ?? 0);
  if (count === 0) throw new Error('the document has no pages');
  return count;
}
