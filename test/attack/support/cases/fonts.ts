/** Fonts that documents bring along. */
import { noise } from '../../../support/noise.ts';
import { type Case, endsSomehow } from '../case.ts';
import { attackDocx, NAMESPACES, paragraph } from '../docx.ts';

/** A document that brings its font along. */
const fontDocx = (font: Buffer, name = 'font1.odttf', external?: string): Buffer =>
  attackDocx({
    body: paragraph(
      `<w:r><w:rPr><w:rFonts w:ascii="Hostile" w:hAnsi="Hostile"/></w:rPr><w:t>set in a font of its own</w:t></w:r>`,
    ),
    relationships: [{ id: 'rIdFonts', type: 'fontTable', target: 'fontTable.xml' }],
    settings: { content: '<w:embedTrueTypeFonts/>' },
    parts: [
      {
        name: 'word/fontTable.xml',
        type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.fontTable+xml',
        data: `<w:fonts ${NAMESPACES}><w:font w:name="Hostile"><w:embedRegular r:id="rId1" w:fontKey="{00000000-0000-0000-0000-000000000000}"/><w:embedBold r:id="rId1" w:fontKey="x"/></w:font></w:fonts>`,
        relationships: [{ id: 'rId1', type: 'font', target: external ?? `fonts/${name}` }],
      },
      { name: `word/fonts/${name}`, data: font },
    ],
  });

/** A TrueType font of these tables; offsets and lengths may lie. */
const trueType = (tables: readonly (readonly [tag: string, offset: number, length: number])[]): Buffer =>
  Buffer.concat([
    Buffer.from('00010000', 'hex'),
    Buffer.from([tables.length >> 8, tables.length & 255, 0, 128, 0, 3, 0, 16]),
    ...tables.map(([tag, offset, length]) => {
      const entry = Buffer.alloc(16);
      entry.write(tag, 'latin1');
      entry.writeUInt32BE(offset, 8);
      entry.writeUInt32BE(length, 12);
      return entry;
    }),
    noise(4_000),
  ]);

const tags = [
  'cmap',
  'glyf',
  'head',
  'hhea',
  'hmtx',
  'loca',
  'maxp',
  'name',
  'post',
  'OS/2',
  'GSUB',
  'GPOS',
  'morx',
  'SVG ',
];

export const fonts: readonly Case[] = [
  { name: 'a font of noise', build: () => fontDocx(noise(5_000)) },
  {
    name: 'a font that was cut off',
    build: () => fontDocx(trueType([['head', 12, 54]]).subarray(0, 20)),
  },
  { name: 'a font of no bytes', build: () => fontDocx(Buffer.alloc(0)) },
  {
    name: 'a font whose tables lie',
    build: () => fontDocx(trueType(tags.map((tag) => [tag, 0xfffffff0, 0x7fffffff] as const))),
  },
  {
    name: 'a font whose tables overlap',
    build: () => fontDocx(trueType(tags.map((tag) => [tag, 64, 3_900] as const))),
  },
  {
    name: 'a font that is somewhere else',
    build: ({ web }) => fontDocx(Buffer.alloc(32), 'font1.odttf', `${web[0]}/canary.ttf`),
    outcomes: endsSomehow,
  },
];
