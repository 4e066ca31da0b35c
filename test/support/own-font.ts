/** A font that an operator might install. */
import { readFile } from 'node:fs/promises';
import { adjust } from '../../scripts/fonts/adjust.mjs';
import { readFaces, writeCollection } from '../../scripts/fonts/sfnt.mjs';

const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
/** Tai Xuan Jing symbols, in the font's list of characters. */
const symbols = range(0x1d300, 0x1d356);
const kawi = range(0x11f00, 0x11f56);

/** A font of this family with letters of Kawi, which no Debian font has. */
export async function kawiFont(family: string): Promise<Buffer> {
  const file = await readFile(FONT);
  const at = file.indexOf(symbols);
  if (at < 0) throw new Error(`${FONT} has other characters than it had`);
  kawi.copy(file, at);
  const [face] = readFaces(file);
  if (!face) throw new Error(`${FONT} has no face`);
  return writeCollection([adjust(face, { family, style: 'Regular', line: [1, 0.2, 0] })]);
}

/** The characters as in a font's `cmap` (OpenType, format 12). */
function range(first: number, last: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(first, 0);
  bytes.writeUInt32BE(last, 4);
  return bytes;
}
