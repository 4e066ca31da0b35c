/** Malformed pictures and metafiles: one document for each decoder. */
import { gzipSync } from 'node:zlib';
import { noise } from '../../../support/noise.ts';
import { burns, type Case, endsSomehow, refused } from '../case.ts';
import { pictureDocx } from '../docx.ts';
import { emf, emfEnd, emfRecord, halfWords, lyingPng, oneBitPng, wmf, wmfRecord, words } from '../images.ts';

const latin1 = (content: string): Buffer => Buffer.from(content, 'latin1');

/** Beginnings of files whose header promises a large picture, by extension; noise follows. */
const headers: Readonly<Record<string, Buffer>> = {
  jpg: latin1(
    '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xda\0\x0c\x03\x01\0\x02\x11\x03\x11\0\x3f\0',
  ),
  gif: latin1('GIF89a\xff\xff\xff\xff\xf7\0\0'),
  tif: Buffer.concat([
    latin1('II*\0'),
    words(8),
    halfWords(4),
    ...[
      [256, 4, 1, 60_000],
      [257, 4, 1, 60_000],
      [273, 4, 0x7fffffff, 0xfffffff0],
      [279, 4, 0x7fffffff, 0xfffffff0],
    ].map(([tag = 0, type = 0, count = 0, value = 0]) =>
      Buffer.concat([halfWords(tag, type), words(count, value)]),
    ),
    // The next directory is this one.
    words(8),
  ]),
  bmp: Buffer.concat([
    latin1('BM'),
    words(0x7fffffff, 0, 54, 40, 60_000, 60_000),
    halfWords(1, 24),
    words(1, 0x7fffffff, 0, 0, 0xffffffff, 0),
  ]),
  pcx: Buffer.concat([
    Buffer.from([10, 5, 1, 8]),
    halfWords(0, 0, 65_535, 65_535),
    Buffer.alloc(53),
    Buffer.from([3]),
    halfWords(65_535),
  ]),
  psd: latin1(
    '8BPS\0\x01\0\0\0\0\0\0\0\x38\0\0\x75\x30\0\0\x75\x30\0\x08\0\x03\xff\xff\xff\xff\xff\xff\xff\xff',
  ),
  pct: Buffer.concat([Buffer.alloc(512), Buffer.from('00000000000075307530001102ff0c00ffff', 'hex')]),
  pdf: latin1(
    '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R/OpenAction<</S/Launch/F(/bin/sh)>>>>endobj\ntrailer<</Root 1 0 R/Prev 0>>\nstartxref\n0\n%%EOF',
  ),
  ras: latin1('\x59\xa6\x6a\x95\0\0\xff\xff\0\0\xff\xff\0\0\0\x18\xff\xff\xff\xff\0\0\0\x02\0\0\0\0\0\0\0\0'),
  tga: latin1('\xff\x01\x09\0\0\xff\xff\x18\0\0\0\0\xff\xff\xff\xff\x18\0'),
  xpm: latin1('/* XPM */ static char *x[] = { "60000 60000 2 1", ". c red", "x c blue", "'),
  webp: latin1('RIFF\xff\xff\xff\xffWEBPVP8L\xff\xff\xff\xff\x2f\xff\xff\xff\x0f'),
  pbm: latin1('P4 60000 60000\n'),
  ppm: latin1('P6 60000 60000 255\n'),
  met: Buffer.from('0010d3a8a80000005858585858585858', 'hex'),
  dxf: latin1(
    '  0\nSECTION\n  2\nBLOCKS\n  0\nBLOCK\n  2\na\n  0\nINSERT\n  2\na\n 70\n30000\n 71\n30000\n  0\nENDBLK\n  0\nENDSEC\n  0\nSECTION\n  2\nENTITIES\n  0\nINSERT\n  2\na\n  0\nENDSEC\n  0\nEOF\n',
  ),
  // A chunk that is longer than any file.
  png: latin1(
    '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x03\xe8\0\0\x03\xe8\x10\x06\0\0\x01\0\0\0\0\x7f\xff\xff\xffIDAT',
  ),
  xbm: latin1('#define a_width 60000\n#define a_height 60000\nstatic char a_bits[] = {\n 0xff, 0xff, '),
  pcd: Buffer.concat([
    Buffer.alloc(2_048),
    latin1('PCD_IPI'),
    Buffer.alloc(1_531, 0xff),
    Buffer.from([0x08]),
  ]),
  emz: gzipSync(
    emf([emfRecord(70, words(0x7fffffff, 0x2b464d45, 0xffffffff)), emfRecord(81, words(0x7fffffff))]),
  ),
  wmz: gzipSync(
    wmf([wmfRecord(0x0626, halfWords(15, 0xffff)), wmfRecord(0x0324, halfWords(0x7fff), 0x7fffffff)]),
  ),
  // PostScript with a preview in two other formats, which is what is drawn.
  epsi: Buffer.concat([
    latin1('\xc5\xd0\xd3\xc6'),
    words(0xfffffff0, 0x7fffffff, 32, 0x7fffffff, 32, 0x7fffffff),
    halfWords(0xffff, 0),
    latin1('II*\0'),
    words(8),
    halfWords(0xffff),
  ]),
  svm: Buffer.concat([latin1('VCLMTF'), halfWords(1), words(0x7fffffff, 0), Buffer.alloc(40, 0xff)]),
};

/** The formats, by extension. Benign twins show that their decoders are reached, see benign-pictures.ts. */
export const malformedFormats: readonly string[] = Object.keys(headers);

/** The same with a size that the preflight allows: the data after the header is as bad. */
const smallHeaders: Readonly<Record<string, Buffer>> = {
  jpg: replaced('jpg', '\xff\xff\xff\xff\x03', '\x03\xe8\x03\xe8\x03'),
  gif: replaced('gif', '\xff\xff\xff\xff', '\xe8\x03\xe8\x03'),
  tif: replaced('tif', '\x60\xea\0\0', '\xe8\x03\0\0'),
  bmp: replaced('bmp', '\x60\xea\0\0', '\xe8\x03\0\0'),
  webp: replaced('webp', '\x2f\xff\xff\xff\x0f', '\x2f\xe7\xc3\xf9\0'),
};

function replaced(extension: string, from: string, to: string): Buffer {
  return latin1((headers[extension]?.toString('latin1') ?? '').replaceAll(from, to));
}

const malformed: readonly Case[] = [
  ...Object.entries(headers).map(([extension, header]) => ({
    name: `a malformed picture (${extension})`,
    build: () => pictureDocx(`image.${extension}`, Buffer.concat([header, noise(3_000)])),
    ...(extension in smallHeaders && refused),
  })),
  ...Object.entries(smallHeaders).map(([extension, header]) => ({
    name: `a malformed picture of ordinary size (${extension})`,
    build: () => pictureDocx(`image.${extension}`, Buffer.concat([header, noise(3_000)])),
  })),
];

/** PostScript that runs a program, reads a file and writes one, should anything interpret it. */
const postScript = `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 100 100
%%Title: (eps)
(%pipe%touch /tmp/platen-eps-ran) (w) file closefile
(/etc/passwd) (r) file 1000 string readstring pop show
/Helvetica 12 selectfont 9 9 moveto (ran) show showpage
%%EOF`;

const metafiles: readonly Case[] = [
  {
    name: 'an enhanced metafile whose records lie about their size',
    build: () =>
      pictureDocx(
        'image.emf',
        emf([
          emfRecord(3, words(0, 0, 9, 9, 0xffffffff, 0xffffffff)),
          emfRecord(86, words(0, 0, 9, 9, 0x40000000)),
          emfRecord(84, Buffer.alloc(68, 0xff)),
          emfRecord(
            81,
            Buffer.concat([
              words(
                0,
                0,
                9,
                9,
                0,
                0,
                0,
                0,
                60_000,
                60_000,
                80,
                0x7fffffff,
                0x7fffffff,
                0x7fffffff,
                0,
                0x00cc0020,
                60_000,
                60_000,
              ),
              Buffer.alloc(64),
            ]),
          ),
          emfRecord(70, words(0x7fffffff, 0x2b464d45, 0xffffffff)),
          emfRecord(2, Buffer.alloc(8), 0),
          emfEnd,
        ]),
      ),
  },
  {
    name: 'an enhanced metafile of huge bounds and many states',
    build: () =>
      pictureDocx(
        'image.emf',
        emf(
          [
            ...Array.from({ length: 5_000 }, () => emfRecord(33)),
            emfRecord(9, words(0x7fffffff, 1)),
            emfRecord(11, words(0, 0x7fffffff)),
            emfRecord(43, words(0x80000000, 0x80000000, 0x7fffffff, 0x7fffffff)),
            emfRecord(34, words(0x80000000)),
            emfEnd,
          ],
          { bounds: 0x7fffffff, count: 0xffffffff },
        ),
      ),
  },
  {
    name: 'an EMF+ metafile with objects that contain themselves',
    build: () => {
      const plus = (type: number, flags: number, data: Buffer) =>
        Buffer.concat([halfWords(type, flags), words(12 + data.length, data.length), data]);
      const records = [
        plus(0x4001, 1, words(0xdbc01002, 1, 96, 96)),
        plus(0x4008, 0x0500, words(0xdbc01002, 1, 60_000, 60_000, 240_000, 0x26200a, 0)),
        plus(0x4008, 0x0100, words(0xdbc01002, 2, 0, 0, 1, 0xdbc01002)),
        plus(0x4008, 0x0300, words(0xdbc01002, 0x7fffffff, 0)),
        plus(0x401b, 0, words(0, 0x7fffffff)),
        plus(0x4002, 0, Buffer.alloc(0)),
      ];
      const data = Buffer.concat([latin1('EMF+'), ...records]);
      return pictureDocx(
        'image.emf',
        emf([emfRecord(70, Buffer.concat([words(data.length), data])), emfEnd]),
      );
    },
    outcomes: endsSomehow,
  },
  {
    name: 'a Windows metafile with escapes and records that lie',
    build: () =>
      pictureDocx(
        'image.wmf',
        wmf([
          wmfRecord(0x0626, halfWords(9, 0xffff, 0, 0)),
          wmfRecord(
            0x0626,
            Buffer.concat([
              halfWords(15, 40),
              latin1('WMFC'),
              words(1, 0x10000, 0, 0, 0, 0x7fffffff, 0x7fffffff, 0x7fffffff),
            ]),
          ),
          wmfRecord(0x0538, halfWords(0x7fff, 0x7fff, 0x7fff)),
          wmfRecord(
            0x0f43,
            Buffer.concat([
              words(0x00cc0020),
              halfWords(0, 0x7fff, 0x7fff, 0, 0, 0x7fff, 0x7fff, 0, 0),
              words(40, 60_000, 60_000),
              halfWords(1, 24),
              Buffer.alloc(24),
            ]),
          ),
          wmfRecord(0x0324, halfWords(0x7fff), 0x7fffffff),
          wmfRecord(0x0324, halfWords(3), 0),
        ]),
      ),
  },
  {
    name: 'a PostScript picture that runs a program',
    build: () => pictureDocx('image.eps', postScript),
    claims: ['seccomp', 'files'],
  },
  {
    name: 'a PostScript picture that calls itself a PNG',
    build: () => pictureDocx('image.png', postScript),
    claims: ['seccomp', 'files'],
  },
];

/** Pictures within the limits of the preflight that cost seconds and hundreds of megabytes. */
export const pictureBurners: readonly Case[] = [
  {
    name: 'a PNG that promises more than it has',
    build: () => pictureDocx('image.png', lyingPng(9_000, 9_000)),
    outcomes: burns,
  },
  {
    name: 'a PNG of 64 megapixels in one bit',
    build: () => pictureDocx('image.png', oneBitPng(8_000, 8_000)),
    outcomes: burns,
  },
  {
    name: 'a PNG just under the limit for pixels',
    build: () => pictureDocx('image.png', oneBitPng(10_000, 9_999)),
    outcomes: burns,
  },
];

export const pictures: readonly Case[] = [...metafiles, ...malformed];
