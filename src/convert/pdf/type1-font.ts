/**
 * Reads Type 1 font programs (Adobe Type 1 Font Format, chapter 7) that LibreOffice makes of fonts with CFF outlines.
 */

const EEXEC_KEY = 55_665;
const KEY_FACTOR = 52_845;
const KEY_SUMMAND = 22_719;
/** Number of random bytes before encrypted data. */
const RANDOM_BYTES = 4;

/**
 * The names of the program's glyphs, except `.notdef`, which every program has.
 *
 * @param encrypted the part after `eexec`, in binary form.
 * @throws Error if it is not such a program.
 */
export function glyphNames(encrypted: Uint8Array): string[] {
  const text = decrypt(encrypted).toString('latin1');
  const start = /\/CharStrings (\d{1,5}) dict dup begin\s/.exec(text);
  if (!start) throw new Error('a font program has no glyphs');
  const glyph = /(?: ND\n)?\/(\S+) (\d{1,5}) RD /y;
  const names: string[] = [];
  glyph.lastIndex = start.index + start[0].length;
  for (let count = Number(start[1]); count > 0; count--) {
    const [, name = '', bytes] = glyph.exec(text) ?? [];
    if (name === '') throw new Error('a font program has fewer glyphs than it says');
    names.push(name);
    glyph.lastIndex += Number(bytes);
  }
  return names.filter((name) => name !== '.notdef');
}

function decrypt(encrypted: Uint8Array): Buffer {
  const plain = Buffer.alloc(encrypted.length);
  let key = EEXEC_KEY;
  // An iterator takes several times as long.
  for (let index = 0; index < encrypted.length; index += 1) {
    const byte = encrypted[index] as number;
    plain[index] = byte ^ (key >> 8);
    key = ((byte + key) * KEY_FACTOR + KEY_SUMMAND) & 0xffff;
  }
  return plain.subarray(RANDOM_BYTES);
}
