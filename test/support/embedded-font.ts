/** Documents that bring a font along (ISO/IEC 29500-1, 17.8.1; obfuscated as in 29500-4, 9.2.3 and the key of 17.8.3.3). */
import { readFile } from 'node:fs/promises';
import { adjust } from '../../scripts/fonts/adjust.mjs';
import { type Face, readFaces } from '../../scripts/fonts/sfnt.mjs';
import { docxLeadingTo } from './documents.ts';
import { relationships } from './office-package.ts';

const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf';
const KEY = '{12345678-9ABC-DEF0-1234-56789ABCDEF0}';
const OBFUSCATED_BYTES = 32;
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/**
 * A TrueType font of this family.
 *
 * @param fsType what its licence allows (OpenType, `OS/2`): 0 all, 2 no embedding, 8 embedding to edit.
 */
export async function ownFont(family: string, fsType = 0): Promise<Buffer> {
  const [face] = readFaces(await readFile(FONT));
  if (!face) throw new Error(`${FONT} has no face`);
  const own = adjust(face, { family, style: 'Regular', line: [1, 0.2, 0] });
  const tables = new Map([...own.tables].map(([tag, table]) => [tag, Buffer.from(table)]));
  tables.get('OS/2')?.writeUInt16BE(fsType, 8);
  return written({ ...own, tables });
}

/** A document of one line in a font that it brings along. */
export function docxWithFont(family: string, font: Buffer): Buffer {
  const embedded = `<w:font w:name="${family}"><w:embedRegular r:id="rId1" w:fontKey="${KEY}"/></w:font>`;
  return docxLeadingTo(
    { 'fontTable.xml': 'fontTable', 'settings.xml': 'settings' },
    {
      'word/fontTable.xml': `<w:fonts xmlns:w="${WORD}" xmlns:r="${LINKS}">${embedded}</w:fonts>`,
      'word/_rels/fontTable.xml.rels': relationships([
        `<Relationship Id="rId1" Type="${LINKS}/font" Target="fonts/font1.odttf"/>`,
      ]),
      'word/fonts/font1.odttf': obfuscated(font),
      'word/settings.xml': `<w:settings xmlns:w="${WORD}"><w:embedTrueTypeFonts/></w:settings>`,
    },
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/></w:rPr><w:t>Set in its own font</w:t></w:r></w:p>`,
  );
}

function obfuscated(font: Buffer): Buffer {
  const key = Buffer.from(KEY.replace(/[{}-]/g, ''), 'hex').reverse();
  return Buffer.from(
    font.map((byte, i) => (i < OBFUSCATED_BYTES ? byte ^ (key[i % key.length] ?? 0) : byte)),
  );
}

/** A font file (OpenType, "Organization of an OpenType Font"). */
function written({ version, tables }: Face): Buffer {
  const tags = [...tables.keys()].sort();
  const directory = Buffer.alloc(12 + 16 * tags.length);
  const selector = Math.floor(Math.log2(tags.length));
  directory.writeUInt32BE(version, 0);
  directory.writeUInt16BE(tags.length, 4);
  directory.writeUInt16BE(16 * 2 ** selector, 6);
  directory.writeUInt16BE(selector, 8);
  directory.writeUInt16BE(16 * tags.length - 16 * 2 ** selector, 10);
  const pieces = [directory];
  let offset = directory.length;
  for (const [i, tag] of tags.entries()) {
    const table = tables.get(tag) ?? Buffer.alloc(0);
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    let sum = 0;
    for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
    directory.write(tag, 12 + 16 * i, 'latin1');
    directory.writeUInt32BE(sum, 16 + 16 * i);
    directory.writeUInt32BE(offset, 20 + 16 * i);
    directory.writeUInt32BE(table.length, 24 + 16 * i);
    pieces.push(padded);
    offset += padded.length;
  }
  return Buffer.concat(pieces);
}
