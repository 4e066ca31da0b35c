/**
 * Glyph lists of the Type 1 fonts of a PDF. PDF/A-1 requires them for font subsets (ISO 19005-1, 6.3.5), later parts
 * do not, and LibreOffice omits them. It writes Type 1 fonts for all fonts with CFF outlines: most `.otf` files, and
 * Noto CJK.
 */
import { fontReferences } from './fonts.ts';
import type { PdfObjects } from './objects/pdf-objects.ts';
import { Reference, type Value } from './objects/values.ts';
import { glyphNames } from './type1-font.ts';

/** Most glyphs of a font program. */
const MAX_PROGRAM_BYTES = 8_388_608;
/** Most bytes read for all fonts of a PDF: a second or two. Hundreds of honest fonts take a quarter of it. */
const MAX_READ_BYTES = 67_108_864;

/**
 * The font descriptors that lack the list, with it added.
 *
 * @returns their text, by number.
 * @throws Error saying what is missing or broken.
 */
export function descriptorsWithCharSet(pdf: PdfObjects): Map<number, string> {
  const descriptors = new Map<number, string>();
  const fonts = new Set(Array.from(fontReferences(pdf).values(), ({ number }) => number));
  let left = MAX_READ_BYTES;
  for (const font of fonts) {
    const { '/Subtype': type, '/FontDescriptor': descriptor } = pdf.dictionary(new Reference(font));
    if (type !== '/Type1' || !(descriptor instanceof Reference) || descriptors.has(descriptor.number))
      continue;
    const { '/CharSet': list, '/FontFile': file } = pdf.dictionary(descriptor);
    if (list !== undefined) continue;
    const { encrypted, bytes } = readProgram(pdf, file);
    left -= bytes;
    if (left < 0) throw new Error(`the fonts have more than ${MAX_READ_BYTES} bytes`);
    const names = charSet(glyphNames(encrypted));
    const { text } = pdf.source(descriptor.number);
    descriptors.set(
      descriptor.number,
      text.replace(/>>\s*$/, () => `/CharSet(${names})\n>>\n`),
    );
  }
  return descriptors;
}

/** The encrypted part of an embedded Type 1 font program (ISO 32000-1, 9.9), and the number of bytes read for it. */
function readProgram(pdf: PdfObjects, file: Value | undefined): { encrypted: Buffer; bytes: number } {
  const program = pdf.streamData(file, MAX_PROGRAM_BYTES);
  const { '/Length1': clear, '/Length2': length } = pdf.dictionary(file);
  if (typeof clear !== 'number' || typeof length !== 'number') {
    throw new Error('a font program does not say where it is encrypted');
  }
  return { encrypted: program.subarray(clear, clear + length), bytes: program.length };
}

/** The names as a PDF string's content. */
function charSet(names: readonly string[]): string {
  return names
    .map((name) => `/${name}`)
    .join('')
    .replace(/[\\()]/g, '\\$&');
}
