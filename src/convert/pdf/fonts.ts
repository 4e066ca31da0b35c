/** The fonts of a PDF (ISO 32000-1, 9.5). */
import type { PdfObjects } from './objects/pdf-objects.ts';
import { Reference } from './objects/values.ts';

/** Most fonts that are read; with more, missing fonts are unknown. */
const MAX_FONTS = 200;
/** As LibreOffice names the fonts that it embeds. */
const KEY = /^\/F\d+$/;

export interface PdfFont {
  /** Its name in content streams. */
  readonly key: string;
  /** Its PostScript name without the subset prefix. */
  readonly name: string;
  /** Maps its codes to characters. */
  readonly toUnicode: Reference | undefined;
}

/**
 * All fonts by their names in content streams. LibreOffice lists a PDF's fonts in one dictionary, which the root of the
 * page tree references.
 *
 * @throws Error saying what is missing or broken.
 */
export function fontReferences(pdf: PdfObjects): Map<string, Reference> {
  const { '/Resources': resources } = pdf.dictionary(pdf.catalog['/Pages']);
  if (resources === undefined) throw new Error('the pages share no resources');
  const references = new Map<string, Reference>();
  // A PDF without text has none.
  for (const [key, font] of Object.entries(pdf.dictionary(pdf.dictionary(resources)['/Font']))) {
    if (KEY.test(key) && font instanceof Reference) references.set(key.slice(1), font);
  }
  return references;
}

/**
 * The fonts of a PDF.
 *
 * @returns undefined if they are unknown.
 */
export function readFonts(pdf: PdfObjects): PdfFont[] | undefined {
  try {
    const references = fontReferences(pdf);
    if (references.size > MAX_FONTS) return undefined;
    return Array.from(references, ([key, reference]) => {
      const { '/BaseFont': baseFont, '/ToUnicode': toUnicode } = pdf.dictionary(reference);
      const name = (pdf.name(baseFont) ?? '').replace(/^\/(?:[A-Z]{6}\+)?/, '');
      return { key, name, toUnicode: toUnicode instanceof Reference ? toUnicode : undefined };
    });
  } catch {
    // Only the report needs it: the PDF itself is sound.
    return undefined;
  }
}
