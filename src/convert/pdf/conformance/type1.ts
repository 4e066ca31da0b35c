/** Type 1 font programs (Adobe Type 1 Font Format): encoding, names and widths of the glyphs. */
import type { FontProgram } from './font-program.ts';

const EEXEC_KEY = 55_665;
const GLYPH_KEY = 4_330;
const NOTDEF = '.notdef';

/** @throws Error if it cannot be read. */
export function readType1(data: Buffer): FontProgram {
  const text = data.toString('latin1');
  const start = /eexec[\r\n ]+/.exec(text);
  if (!start) throw new Error('the font program has no encrypted part');
  const clear = text.slice(0, start.index);
  const secret = decrypt(data.subarray(start.index + start[0].length), EEXEC_KEY, 4);
  const widths = glyphWidths(secret);
  const [, scale = '0.001'] = /\/FontMatrix\s*\[\s*([\d.eE-]+)/.exec(clear) ?? [];
  const encoding = new Map(
    [...clear.matchAll(/dup\s{1,8}(\d{1,8})\s{0,8}\/([^\s/]{1,128})\s{1,8}put/g)].map(([, code, name]) => [
      Number(code),
      name ?? '',
    ]),
  );
  return {
    glyphNames: [...widths.keys()].filter((name) => name !== NOTDEF),
    codeTables: [],
    glyph(code, name = encoding.get(code)) {
      const width = name === undefined || name === NOTDEF ? undefined : widths.get(name);
      return width === undefined ? undefined : { width: width * Number(scale) * 1000 };
    },
  };
}

/** By glyph name, in units of the program. */
function glyphWidths(secret: Buffer): Map<string, number> {
  const text = secret.toString('latin1');
  const randomBytes = Number(/\/lenIV\s+(\d+)/.exec(text)?.[1] ?? 4);
  const glyphs = /\/CharStrings\s+\d+/.exec(text);
  if (!glyphs) throw new Error('the font program has no glyphs');
  const entry = /\/([^\s/]{1,128})\s{1,8}(\d{1,8})\s{1,8}(?:RD|-\|)\s/g;
  entry.lastIndex = glyphs.index + glyphs[0].length;
  const widths = new Map<string, number>();
  for (let found = entry.exec(text); found; found = entry.exec(text)) {
    const [, name = '', length] = found;
    const code = secret.subarray(entry.lastIndex, entry.lastIndex + Number(length));
    entry.lastIndex += Number(length);
    widths.set(name, widthOf(decrypt(code, GLYPH_KEY, randomBytes)));
  }
  return widths;
}

/** The operand of `hsbw` or `sbw`, which comes first in each glyph (chapter 6). */
function widthOf(code: Buffer): number {
  const stack: number[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const byte = code[at] ?? 0;
    const next = code[at + 1] ?? 0;
    if (byte >= 32 && byte <= 246) stack.push(byte - 139);
    else if (byte >= 247 && byte <= 250) stack.push((byte - 247) * 256 + next + 108);
    else if (byte >= 251 && byte <= 254) stack.push(-(byte - 251) * 256 - next - 108);
    else if (byte === 255) stack.push(code.readInt32BE(at + 1));
    else if (byte === 12 && next === 12) divide(stack);
    else if (byte === 13) return stack[1] ?? 0;
    else if (byte === 12 && next === 7) return stack[2] ?? 0;
    else throw new Error('a glyph of the font program does not start with its width');
    if (byte >= 247 && byte <= 254) at += 1;
    if (byte === 255) at += 4;
    if (byte === 12) at += 1;
  }
  throw new Error('a glyph of the font program has no width');
}

function divide(stack: number[]): void {
  const divisor = stack.pop() ?? 1;
  stack.push((stack.pop() ?? 0) / divisor);
}

function decrypt(encrypted: Buffer, start: number, randomBytes: number): Buffer {
  let key = start;
  const plain = Buffer.alloc(encrypted.length);
  for (const [index, byte] of encrypted.entries()) {
    plain[index] = byte ^ (key >> 8);
    key = ((byte + key) * 52_845 + 22_719) & 0xffff;
  }
  return plain.subarray(randomBytes);
}
