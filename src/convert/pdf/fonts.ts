/** The fonts of a PDF (ISO 32000-1, 9.5). */
import { type PdfStructure, readObject, reference } from './structure.ts';

/** Most fonts that are read; with more, missing fonts are unknown. */
const MAX_FONTS = 200;

export interface PdfFont {
  /** Its name in content streams. */
  readonly key: string;
  /** Its PostScript name without the subset prefix. */
  readonly name: string;
  /** Number of the object that maps its codes to characters. */
  readonly toUnicode: number | undefined;
}

/**
 * The keys and object numbers of all fonts. LibreOffice lists a PDF's fonts in one dictionary, which the root of the
 * page tree references.
 *
 * @throws Error saying what is missing or broken.
 */
export function fontReferences(structure: PdfStructure): { readonly key: string; readonly number: number }[] {
  const pages = readObject(structure, reference(structure.catalog, 'Pages'));
  const resources = readObject(structure, reference(pages, 'Resources'));
  // A PDF without text has no fonts.
  if (!/\/Font\b/.test(resources)) return [];
  const fonts = readObject(structure, reference(resources, 'Font'));
  return [...fonts.matchAll(/\/(F\d+) (\d{1,9}) 0 R/g)].map(([, key = '', number]) => ({
    key,
    number: Number(number),
  }));
}

/**
 * The fonts of a PDF.
 *
 * @returns undefined if they are unknown.
 */
export function readFonts(structure: PdfStructure): PdfFont[] | undefined {
  try {
    const references = fontReferences(structure);
    if (references.length > MAX_FONTS) return undefined;
    const fonts: PdfFont[] = [];
    // One after the other: together they may not fit in memory.
    for (const { key, number } of references) fonts.push(fontOf(key, readObject(structure, number)));
    return fonts;
  } catch {
    // Only the report needs it: the PDF itself is sound.
    return undefined;
  }
}

function fontOf(key: string, object: string): PdfFont {
  const name = /\/BaseFont\s*\/([^\s/<>[\]()]{1,512})/.exec(object)?.[1] ?? '';
  const toUnicode = /\/ToUnicode\s+(\d{1,9})\s+0\s+R/.exec(object)?.[1];
  return {
    key,
    name: name
      .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/^[A-Z]{6}\+/, ''),
    toUnicode: toUnicode === undefined ? undefined : Number(toUnicode),
  };
}
