/**
 * Glyph lists of the Type 1 fonts of a PDF. PDF/A-1 requires them for font subsets (ISO 19005-1, 6.3.5), later parts
 * do not, and LibreOffice omits them. It writes Type 1 fonts for all fonts with CFF outlines: most `.otf` files, and
 * Noto CJK.
 */
import { inflateSync } from 'node:zlib';
import { fontReferences } from './fonts.ts';
import { type PdfStructure, readObject, reference } from './structure.ts';
import { glyphNames } from './type1-font.ts';

/** Most glyphs of a font program. */
const MAX_PROGRAM_BYTES = 8_388_608;
/** Most bytes read for all fonts of a PDF: a second or two. Hundreds of honest fonts take a quarter of it. */
const MAX_READ_BYTES = 67_108_864;

/**
 * The font descriptors that lack the list, with it added.
 *
 * @returns by number, as {@link readObject} returns objects.
 * @throws Error saying what is missing or broken.
 */
export function descriptorsWithCharSet(structure: PdfStructure): Map<number, string> {
  const descriptors = new Map<number, string>();
  let bytes = 0;
  const take = (count: number) => {
    bytes += count;
    if (bytes > MAX_READ_BYTES) throw new Error(`the fonts have more than ${MAX_READ_BYTES} bytes`);
  };
  const fonts = fontReferences(structure);
  for (const number of new Set(fonts.map(({ number }) => number))) {
    const font = readObject(structure, number);
    take(font.length);
    if (!/\/Subtype\s*\/Type1\b/.test(font)) continue;
    const at = reference(font, 'FontDescriptor');
    if (descriptors.has(at)) continue;
    const descriptor = readObject(structure, at);
    take(descriptor.length);
    if (/\/CharSet\b/.test(descriptor)) continue;
    const program = readProgram(structure, reference(descriptor, 'FontFile'));
    take(program.read);
    const names = glyphNames(program.encrypted);
    descriptors.set(
      at,
      descriptor.replace(/>>\s*$/, () => `/CharSet(${charSet(names)})\n>>\n`),
    );
  }
  return descriptors;
}

/** The encrypted part of an embedded Type 1 font program (ISO 32000-1, 9.9), and the number of bytes read for it. */
function readProgram(structure: PdfStructure, number: number): { encrypted: Buffer; read: number } {
  const object = readObject(structure, number);
  const [start, dictionary = ''] = /^\d+ 0 obj\s*<<([^>]*)>>\s*stream\r?\n/.exec(object) ?? [];
  if (start === undefined || !/\/FlateDecode\b/.test(dictionary)) {
    throw new Error('a font program is no compressed stream');
  }
  const length = Number(/(\d{1,9})\s*$/.exec(readObject(structure, reference(dictionary, 'Length')))?.[1]);
  const content = Buffer.from(object.slice(start.length, start.length + length), 'latin1');
  const program = inflateSync(content, { maxOutputLength: MAX_PROGRAM_BYTES });
  const clear = size(dictionary, 'Length1');
  const encrypted = program.subarray(clear, clear + size(dictionary, 'Length2'));
  return { encrypted, read: object.length + program.length };
}

function size(dictionary: string, key: string): number {
  const match = new RegExp(`/${key}\\s+(\\d{1,9})(?=[/>\\s]|$)`).exec(dictionary);
  if (!match) throw new Error(`a font program has no /${key}`);
  return Number(match[1]);
}

/** The names as a PDF string's content. */
function charSet(names: readonly string[]): string {
  return names
    .map((name) => `/${name}`)
    .join('')
    .replace(/[\\()]/g, '\\$&');
}
