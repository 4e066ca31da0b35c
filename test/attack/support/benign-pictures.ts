/** A valid small picture of each format of cases/pictures.ts, of one colour: what shows that its decoder is reached. */
import { gzipSync } from 'node:zlib';
import { attackDocx, paragraph, picture } from './docx.ts';
import { emf, emfEnd, emfRecord, halfWords, png, wmf, wmfRecord, words } from './images.ts';

type Colour = readonly [number, number, number];

/** What most of them are filled with. */
const FILL: Colour = [200, 60, 20];
const BLACK: Colour = [0, 0, 0];
const RED: Colour = [255, 0, 0];
const GREY: Colour = [64, 64, 64];
/** What LibreOffice makes of the middle of each channel of a Photo CD. */
const PHOTO_CD_MIDDLE: Colour = [156, 194, 111];
/** Width and height, in dots. */
const SIDE = 8;

interface BenignPicture {
  readonly data: Buffer;
  readonly colour: Colour;
}

const latin1 = (content: string): Buffer => Buffer.from(content, 'latin1');
const filled = (data: Buffer): BenignPicture => ({ data, colour: FILL });

/** Big-endian numbers of 16 bits. */
const bigHalfWords = (...values: readonly number[]): Buffer => halfWords(...values).swap16();
/** Big-endian numbers of 32 bits. */
const bigWords = (...values: readonly number[]): Buffer => words(...values).swap32();

const [RED_PART, GREEN_PART, BLUE_PART] = FILL;
const dots = SIDE * SIDE;
const rgb = Buffer.concat(Array.from({ length: dots }, () => Buffer.from(FILL)));
const bgr = Buffer.concat(Array.from({ length: dots }, () => Buffer.from(FILL).reverse()));
/** All red, then all green, then all blue. */
const planes = Buffer.concat(FILL.map((part) => Buffer.alloc(dots, part)));
/** As Windows has it, 0x00BBGGRR. */
const colorRef = RED_PART | (GREEN_PART << 8) | (BLUE_PART << 16);

function gif(): Buffer {
  // Codes of eight bits that compress nothing: clear, the dots, end.
  const codes = Buffer.concat([Buffer.from([128]), Buffer.alloc(dots, 1), Buffer.from([129])]);
  const palette = Buffer.alloc(128 * 3);
  palette.set(FILL, 3);
  return Buffer.concat([
    latin1('GIF89a'),
    halfWords(SIDE, SIDE),
    Buffer.from([0xf6, 0, 0]),
    palette,
    latin1(','),
    halfWords(0, 0, SIDE, SIDE),
    Buffer.from([0, 7, codes.length]),
    codes,
    latin1('\0;'),
  ]);
}

/** Grey: one component, tables of one code each, one block of which only the mean counts ([T.81]). */
const jpeg: Buffer = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300', 'hex'),
  Buffer.alloc(64, 1),
  Buffer.from('ffc0000b080008000801011100', 'hex'),
  // The mean's difference has ten bits; the one other code ends a block.
  Buffer.from('ffc4001400010000000000000000000000000000000a', 'hex'),
  Buffer.from('ffc40014100100000000000000000000000000000000', 'hex'),
  Buffer.from('ffda0008010100003f00', 'hex'),
  // 0, then -512 in ten bits, then 0, then ones.
  Buffer.from('3fefffd9', 'hex'),
]);

function tiff(): Buffer {
  const fields = [
    [256, 4, 1, SIDE],
    [257, 4, 1, SIDE],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, 8],
    [277, 3, 1, 3],
    [278, 4, 1, SIDE],
    [279, 4, 1, rgb.length],
  ].map(([tag = 0, type = 0, count = 0, value = 0]) =>
    Buffer.concat([halfWords(tag, type), words(count, value)]),
  );
  return Buffer.concat([
    latin1('II*\0'),
    words(8 + rgb.length),
    rgb,
    halfWords(fields.length),
    ...fields,
    words(0),
  ]);
}

const bmp: Buffer = Buffer.concat([
  latin1('BM'),
  words(54 + bgr.length, 0, 54, 40, SIDE, SIDE),
  halfWords(1, 24),
  words(0, bgr.length, 2_835, 2_835, 0, 0),
  bgr,
]);

function pcx(): Buffer {
  // A run of eight of each plane.
  const row = Buffer.concat(FILL.map((part) => Buffer.from([0xc0 + SIDE, part])));
  return Buffer.concat([
    Buffer.from([10, 5, 1, 8]),
    halfWords(0, 0, SIDE - 1, SIDE - 1, 72, 72),
    Buffer.alloc(49),
    Buffer.from([3]),
    halfWords(SIDE, 1, SIDE, SIDE),
    Buffer.alloc(54),
    ...Array.from({ length: SIDE }, () => row),
  ]);
}

const psd: Buffer = Buffer.concat([
  latin1('8BPS\0\x01\0\0\0\0\0\0'),
  bigHalfWords(3),
  bigWords(SIDE, SIDE),
  bigHalfWords(8, 3),
  bigWords(0, 0, 0),
  bigHalfWords(0),
  planes,
]);

const pict: Buffer = Buffer.concat([
  Buffer.alloc(512),
  bigHalfWords(0, 0, 0, SIDE, SIDE, 0x0011, 0x02ff, 0x0c00, 0xfffe, 0),
  bigWords(72 << 16, 72 << 16),
  bigHalfWords(0, 0, SIDE, SIDE, 0, 0),
  // The colour to paint with, a painted rectangle, the end.
  bigHalfWords(0x001a, ...FILL.map((part) => part * 257), 0x0031, 0, 0, SIDE, SIDE, 0x00ff),
]);

function pdf(): Buffer {
  const paint = `${FILL.map((part) => part / 255).join(' ')} rg 0 0 72 72 re f`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<<>>>>',
    `<</Length ${paint.length}>>stream\n${paint}\nendstream`,
  ];
  let content = '%PDF-1.7\n';
  const starts = objects.map((object, i) => {
    const start = content.length;
    content += `${i + 1} 0 obj${object}endobj\n`;
    return `${String(start).padStart(10, '0')} 00000 n \n`;
  });
  return latin1(
    `${content}xref\n0 5\n0000000000 65535 f \n${starts.join('')}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${content.length}\n%%EOF`,
  );
}

const sunRaster: Buffer = Buffer.concat([bigWords(0x59a66a95, SIDE, SIDE, 24, bgr.length, 1, 0, 0), bgr]);

const hex = `#${Buffer.from(FILL).toString('hex')}`;
const xpm: Buffer = latin1(
  `/* XPM */\nstatic char *x[] = {\n"${SIDE} ${SIDE} 1 1",\n"x c ${hex}",\n${Array.from({ length: SIDE }, () => `"${'x'.repeat(SIDE)}"`).join(',\n')}\n};\n`,
);

/** Lossless: five trees of one symbol, so that the dots themselves take no bits. */
function webp(): Buffer {
  let bits = 0n;
  let length = 0n;
  const put = (value: number, count: number): void => {
    bits |= BigInt(value) << length;
    length += BigInt(count);
  };
  put(SIDE - 1, 14);
  put(SIDE - 1, 14);
  // No alpha, version, transform, colour cache or further trees.
  put(0, 1 + 3 + 1 + 1 + 1);
  for (const symbol of [GREEN_PART, RED_PART, BLUE_PART, 255, 0]) {
    // Simple, one symbol, of eight bits.
    put(0b101, 3);
    put(symbol, 8);
  }
  const stream = Buffer.from(bits.toString(16).padStart(24, '0'), 'hex').reverse();
  const data = Buffer.concat([latin1('\x2f'), stream, latin1('\0')]);
  return Buffer.concat([
    latin1('RIFF'),
    words(12 + data.length),
    latin1('WEBPVP8L'),
    words(data.length),
    data,
  ]);
}

/** [Group codes and values] of a solid, in red: colour 1 of 256. */
const dxf: Buffer = latin1(
  `  0\nSECTION\n  2\nENTITIES\n  0\nSOLID\n  8\n0\n 62\n1\n${[
    [0, 0],
    [9, 0],
    [0, 9],
    [9, 9],
  ]
    .map(([x, y], i) => ` 1${i}\n${x}.0\n 2${i}\n${y}.0\n 3${i}\n0.0\n`)
    .join('')}  0\nENDSEC\n  0\nEOF\n`,
);

const xbm: Buffer = latin1(
  `#define a_width ${SIDE}\n#define a_height ${SIDE}\nstatic char a_bits[] = {\n${Array.from({ length: SIDE }, () => '0xff').join(', ')} };\n`,
);

/** A brush of that colour, and a rectangle over all. */
const enhanced: Buffer = emf([
  emfRecord(39, words(1, 0, colorRef, 0)),
  emfRecord(37, words(1)),
  emfRecord(43, words(0, 0, 1_000, 1_000)),
  emfEnd,
]);

const windows: Buffer = wmf([
  wmfRecord(0x020b, halfWords(0, 0)),
  wmfRecord(0x020c, halfWords(1_000, 1_000)),
  wmfRecord(0x02fc, Buffer.concat([halfWords(0), words(colorRef), halfWords(0)])),
  wmfRecord(0x012d, halfWords(0)),
  wmfRecord(0x041b, halfWords(1_000, 1_000, 0, 0)),
]);

/** PostScript that nothing here interprets; its preview is what is drawn. */
function epsi(): Buffer {
  const script = latin1('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 72 72\n%%EOF\n');
  const preview = windows;
  return Buffer.concat([
    latin1('\xc5\xd0\xd3\xc6'),
    words(32, script.length, 32 + script.length, preview.length, 0, 0),
    halfWords(0xffff, 0),
    script,
    preview,
  ]);
}

/** LibreOffice's own metafile: a fill colour, and a rectangle. */
function svm(): Buffer {
  const action = (type: number, version: number, data: Buffer) =>
    Buffer.concat([halfWords(type, version), words(data.length), data]);
  const mapMode = Buffer.concat([
    halfWords(1),
    words(27),
    halfWords(0),
    words(0, 0, 1, 1, 1, 1),
    Buffer.from([1]),
  ]);
  const header = Buffer.concat([words(0), mapMode, words(1_000, 1_000, 2)]);
  return Buffer.concat([
    latin1('VCLMTF'),
    halfWords(1),
    words(header.length),
    header,
    action(
      133,
      1,
      Buffer.concat([words((RED_PART << 16) | (GREEN_PART << 8) | BLUE_PART), Buffer.from([1])]),
    ),
    action(103, 1, words(0, 0, 999, 999)),
  ]);
}

const svg: Buffer = latin1(
  `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><rect width="48" height="48" fill="rgb(${FILL})"/></svg>`,
);

/** Photo CD: 768 by 512 dots of luminance and chrominance behind its smaller copies. */
function photoCd(): Buffer {
  const file = Buffer.alloc(196_608 + 768 * 512 * 1.5, 128);
  file.fill(0, 0, 4_096);
  file.write('PCD_IPI', 2_048);
  return file;
}

/**
 * By extension. Of the formats of cases/pictures.ts, two have none, and nothing is claimed for their decoders: `tga`,
 * which LibreOffice knows by the name of a file only, and a picture of a DOCX has none when it is read; `met`, which
 * nothing here writes.
 */
export const benignPictures: Readonly<Record<string, BenignPicture>> = {
  jpg: { data: jpeg, colour: GREY },
  gif: filled(gif()),
  tif: filled(tiff()),
  bmp: filled(bmp),
  pcx: filled(pcx()),
  psd: filled(psd),
  pct: filled(pict),
  pdf: filled(pdf()),
  ras: filled(sunRaster),
  xpm: filled(xpm),
  webp: filled(webp()),
  pbm: { data: Buffer.concat([latin1(`P4\n${SIDE} ${SIDE}\n`), Buffer.alloc(SIDE, 0xff)]), colour: BLACK },
  ppm: filled(Buffer.concat([latin1(`P6\n${SIDE} ${SIDE}\n255\n`), rgb])),
  dxf: { data: dxf, colour: RED },
  png: filled(png(SIDE, SIDE, FILL)),
  xbm: { data: xbm, colour: BLACK },
  emz: filled(gzipSync(enhanced)),
  wmz: filled(gzipSync(windows)),
  emf: filled(enhanced),
  wmf: filled(windows),
  epsi: filled(epsi()),
  svm: filled(svm()),
  svg: filled(svg),
  pcd: { data: photoCd(), colour: PHOTO_CD_MIDDLE },
  svgz: filled(gzipSync(svg)),
};

/** A document with each of them in the middle of a page of its own, in their order. */
export function benignDocx(): Buffer {
  const all = Object.entries(benignPictures).map(([extension, { data }], i) => ({
    id: `rId${i + 1}`,
    number: i + 1,
    name: `media/image.${extension}`,
    data,
  }));
  const pages = all.map(({ id, number }) =>
    paragraph(picture(`r:embed="${id}"/>`, number), '<w:pageBreakBefore/><w:jc w:val="center"/>'),
  );
  // Little larger than a picture of 75 points.
  const section =
    '<w:sectPr><w:pgSz w:w="1600" w:h="1600"/><w:pgMar w:top="0" w:right="0" w:bottom="0" w:left="0" w:header="0" w:footer="0" w:gutter="0"/></w:sectPr>';
  return attackDocx({
    body: pages.join('') + section,
    relationships: all.map(({ id, name }) => ({ id, type: 'image', target: name })),
    parts: all.map(({ name, data }) => ({ name: `word/${name}`, data })),
  });
}
