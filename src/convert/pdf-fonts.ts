/** The fonts of a PDF (ISO 32000-1, 9.5). */
import { type PdfStructure, readObject, reference } from './pdf-structure.ts';

/** More are not looked at; then nothing can be said of those that are missing. */
const MAX_FONTS = 200;

/**
 * The numbers of the objects of all fonts. LibreOffice lists a PDF's fonts in one dictionary, to which the root of the
 * page tree refers.
 *
 * @throws Error saying what is missing or broken.
 */
export async function fontNumbers(structure: PdfStructure): Promise<number[]> {
  const pages = await readObject(structure, reference(structure.catalog, 'Pages'));
  const resources = await readObject(structure, reference(pages, 'Resources'));
  // A PDF without text has none.
  if (!/\/Font\b/.test(resources)) return [];
  const fonts = await readObject(structure, reference(resources, 'Font'));
  return [...fonts.matchAll(/\/F\d+ (\d{1,9}) 0 R/g)].map(([, number]) => Number(number));
}

/**
 * The PostScript names of the fonts, without the prefixes of subsets.
 *
 * @returns undefined where they cannot be told.
 */
export async function readFontNames(structure: PdfStructure): Promise<string[] | undefined> {
  try {
    const numbers = await fontNumbers(structure);
    if (numbers.length > MAX_FONTS) return undefined;
    const objects = await Promise.all(numbers.map((number) => readObject(structure, number)));
    return objects.map(baseFont);
  } catch {
    // What it is good for is a report: the PDF is whole.
    return undefined;
  }
}

function baseFont(object: string): string {
  const name = /\/BaseFont\s*\/([^\s/<>[\]()]+)/.exec(object)?.[1] ?? '';
  return name
    .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/^[A-Z]{6}\+/, '');
}
