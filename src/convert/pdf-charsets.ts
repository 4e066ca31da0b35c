/**
 * The names of the glyphs in the Type 1 fonts of a PDF. PDF/A-1 wants them listed for each font of which the PDF has a
 * part (ISO 19005-1, 6.3.5), and LibreOffice does not list them; the later parts leave it open. It makes such fonts of
 * all that have CFF outlines: most with the suffix `.otf`, and Noto CJK.
 */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { fontReferences } from './pdf-fonts.ts';
import { type PdfStructure, readObject, reference } from './pdf-structure.ts';
import { glyphNames } from './type1-font.ts';

const inflated = promisify(inflate);

/** A program has at most 256 glyphs. */
const MAX_PROGRAM_BYTES = 8_388_608;

/**
 * The font descriptors that lack the list, with it.
 *
 * @returns by number, as {@link readObject} gives them.
 * @throws Error saying what is missing or broken.
 */
export async function descriptorsWithCharSet(structure: PdfStructure): Promise<Map<number, string>> {
  const descriptors = new Map<number, string>();
  for (const { number } of await fontReferences(structure)) {
    const font = await readObject(structure, number);
    if (!/\/Subtype\s*\/Type1\b/.test(font)) continue;
    const at = reference(font, 'FontDescriptor');
    const descriptor = await readObject(structure, at);
    if (/\/CharSet\b/.test(descriptor)) continue;
    const names = glyphNames(await readProgram(structure, reference(descriptor, 'FontFile')));
    descriptors.set(
      at,
      descriptor.replace(/>>\s*$/, () => `/CharSet(${charSet(names)})\n>>\n`),
    );
  }
  return descriptors;
}

/** The encrypted part of an embedded Type 1 font program (ISO 32000-1, 9.9). */
async function readProgram(structure: PdfStructure, number: number): Promise<Buffer> {
  const object = await readObject(structure, number);
  const [start, dictionary = ''] = /^\d+ 0 obj\s*<<([^>]*)>>\s*stream\r?\n/.exec(object) ?? [];
  if (start === undefined || !/\/FlateDecode\b/.test(dictionary)) {
    throw new Error('a font program is no compressed stream');
  }
  const length = Number(
    /(\d{1,9})\s*$/.exec(await readObject(structure, reference(dictionary, 'Length')))?.[1],
  );
  const content = Buffer.from(object.slice(start.length, start.length + length), 'latin1');
  const program = await inflated(content, { maxOutputLength: MAX_PROGRAM_BYTES });
  const clear = size(dictionary, 'Length1');
  return program.subarray(clear, clear + size(dictionary, 'Length2'));
}

function size(dictionary: string, key: string): number {
  const match = new RegExp(`/${key}\\s+(\\d{1,9})(?=[/>\\s]|$)`).exec(dictionary);
  if (!match) throw new Error(`a font program has no /${key}`);
  return Number(match[1]);
}

/** The names as the content of a string of PDF. */
function charSet(names: readonly string[]): string {
  return names
    .map((name) => `/${name}`)
    .join('')
    .replace(/[\\()]/g, '\\$&');
}
