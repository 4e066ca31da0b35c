/** Maps the codes of a font to characters (ISO 32000-1, 9.10.3). */

/** The text of each code. */
export type ToUnicode = ReadonlyMap<number, string>;

const SECTION = /beginbf(char|range)/;
/** More codes than fonts of one byte have. */
const MAX_CODES = 4_096;
/** Largest range; no font that LibreOffice embeds has larger ones. */
const MAX_RANGE = 65_536;

/**
 * Reads a CMap with codes of one byte, as all fonts that LibreOffice embeds have.
 *
 * @throws Error if its codes are longer.
 */
export function readToUnicode(cmap: string): ToUnicode {
  const width = /begincodespacerange\s*<([0-9a-f]*)>/i.exec(cmap)?.[1]?.length;
  if (width !== 2) throw new Error('the codes of a font are not of one byte');
  const texts = new Map<number, string>();
  for (const section of cmap.split('endbf').slice(0, -1)) {
    const [begin, kind] = SECTION.exec(section) ?? [];
    if (begin === undefined) continue;
    const lines = section.slice(section.indexOf(begin) + begin.length);
    if (kind === 'char') readCharacters(lines, texts);
    else readRanges(lines, texts);
  }
  return texts;
}

/** Decodes hexadecimal UTF-16BE. */
export function utf16(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  return bytes.length % 2 === 0 ? bytes.swap16().toString('utf16le') : '';
}

function readCharacters(lines: string, texts: Map<number, string>): void {
  for (const [, code = '', text = ''] of lines.matchAll(/<([0-9a-f]{2})>\s*<([0-9a-f]{4,512})>/gi)) {
    texts.set(Number.parseInt(code, 16), utf16(text));
  }
}

function readRanges(lines: string, texts: Map<number, string>): void {
  let codes = 0;
  const range = /<([0-9a-f]{2})>\s*<([0-9a-f]{2})>\s*<([0-9a-f]{4})>/gi;
  for (const [, first = '', last = '', text = ''] of lines.matchAll(range)) {
    const start = Number.parseInt(first, 16);
    for (let code = start; code <= Number.parseInt(last, 16); code += 1) {
      texts.set(code, String.fromCharCode((Number.parseInt(text, 16) + code - start) % MAX_RANGE));
      codes += 1;
    }
    if (codes > MAX_CODES) throw new Error('a font has too many codes');
  }
}
