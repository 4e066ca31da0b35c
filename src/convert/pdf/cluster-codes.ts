/**
 * Codes of fonts that mean nothing by themselves. Where several glyphs show a character together, or characters are shown in another
 * order, as in Thai, Hindi, and Arabic or Hebrew with vowels, LibreOffice gives the first glyph their text, and the others none: the
 * marked content around them has their text (`ActualText`), so that none is lost. PDF/UA asks for a character of each code all the
 * same (ISO 14289-1, 7.21.7). So these get one that adds nothing: readers take the text of the marked content anyway.
 */
import { fontReferences } from './fonts.ts';
import type { PdfObjects } from './objects/pdf-objects.ts';
import { Reference } from './objects/values.ts';
import { readToUnicode } from './to-unicode.ts';

/** WORD JOINER, which is invisible and separates nothing (Unicode 16, 23.2), in hexadecimal. */
const NOTHING = '2060';
/** Of a font with 255 codes, each of which stands for the longest text that is read. */
const MAX_CMAP_BYTES = 262_144;
const LAST_CODE = 255;
/** Most codes of a section (Adobe Technical Note 5014, 4.4). */
const MAX_OF_SECTION = 100;

/**
 * The maps to Unicode that lack codes, with them added, for `replaceObjects`.
 *
 * @throws Error if the PDF cannot be read.
 */
export function mapsWithAllCodes(pdf: PdfObjects): Map<number, string> {
  const maps = new Map<number, string>();
  // Without shared resources it is not LibreOffice's.
  if (pdf.dictionary(pdf.catalog['/Pages'])['/Resources'] === undefined) return maps;
  for (const font of fontReferences(pdf).values()) {
    const { '/ToUnicode': reference, '/LastChar': last } = pdf.dictionary(font);
    if (!(reference instanceof Reference) || maps.has(reference.number)) continue;
    const cmap = pdf.streamData(reference, MAX_CMAP_BYTES).toString('latin1');
    const lacking = codesWithout(readToUnicode(cmap), Math.min(pdf.number(last) ?? 0, LAST_CODE));
    if (lacking.length === 0) continue;
    const whole = cmap.replace('endcmap', `${sectionsOf(lacking)}endcmap`);
    const stream = `<</Length ${whole.length}>>\nstream\n${whole}\nendstream`;
    maps.set(reference.number, `${reference.number} 0 obj\n${stream}\n`);
  }
  return maps;
}

/** The codes from 1 on without a text: 0 is that of the glyph for none. */
function codesWithout(texts: ReadonlyMap<number, string>, last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1).filter((code) => !texts.has(code));
}

function sectionsOf(codes: readonly number[]): string {
  let sections = '';
  for (let start = 0; start < codes.length; start += MAX_OF_SECTION) {
    const lines = codes.slice(start, start + MAX_OF_SECTION).map(lineOf);
    sections += `${lines.length} beginbfchar\n${lines.join('')}endbfchar\n`;
  }
  return sections;
}

function lineOf(code: number): string {
  return `<${code.toString(16).toUpperCase().padStart(2, '0')}> <${NOTHING}>\n`;
}
