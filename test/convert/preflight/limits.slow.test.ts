/** What a package may hold: bytes, pictures, and packages in it, whatever its parts are called. */
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { ImageScanner } from '../../../src/convert/package/image-size.ts';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { pictures } from '../../support/pictures.ts';
import { zip } from '../../support/zip.ts';
import { type Accepted, accepts, openPreflight, type Refused, refuses } from '../support/preflight.ts';

const MB = 1_048_576;
const SIDE = 10_001;

const xml = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from('<a>'), Buffer.alloc(bytes - 7, 'x'), Buffer.from('</a>')]);
const largeXml = xml(50 * MB + 1);
const withPart = (name: string, data: Buffer | string): Buffer =>
  zip([...documents.partsWith(), { name, data }]);

/** A document with a chunk of another format in it. */
const chunkDocx = (name: string, data: Buffer): Buffer =>
  documents.docxLeadingTo(
    { [name]: 'aFChunk' },
    { [`word/${name}`]: data },
    '<w:p/><w:altChunk r:id="rId1"/>',
  );

/** A document with an embedded one. */
const embeddingDocx = (name: string, data: Buffer): Buffer =>
  documents.docxLeadingTo({ [name]: 'package' }, { [`word/${name}`]: data });

/** A document of documents. */
function chunksInChunks(depth: number): Buffer {
  return depth === 0 ? documents.docx() : chunkDocx('chunk.docx', chunksInChunks(depth - 1));
}

/** A document of 225 MB in all. */
const zeros = Buffer.alloc(45 * MB);
const bomb = zip([
  ...documents.partsWith(),
  ...['a', 'b', 'c', 'd', 'e'].map((name) => ({ name: `${name}.bin`, data: zeros })),
]);

const accepted: readonly Accepted[] = [
  ['an XML part of 50 MB', () => withPart('customXml/item1.xml', xml(50 * MB))],
  ['a larger part that is no XML', () => withPart('word/media/a.bin', Buffer.alloc(60 * MB))],
  [
    'pictures of all formats',
    () =>
      documents.docxWithParts(
        Object.fromEntries(
          Object.entries(pictures).map(([name, picture]) => [`word/media/a.${name}`, picture(100, 100)]),
        ),
      ),
  ],
  ['a picture of 100 megapixels', () => withPart('word/media/a.png', pictures.png(10_000, 10_000))],
  ['embedded packages of other kinds', () => embeddingDocx('a.xlsx', documents.xlsx())],
  ['an embedded document', () => embeddingDocx('a.docx', documents.docx())],
  ['an embedded archive that is broken', () => embeddingDocx('a.xlsx', documents.truncatedDocx())],
  [
    'an embedded workbook that would break the limits',
    () =>
      embeddingDocx(
        'a.xlsx',
        zip([
          { name: 'xl/a.xml', data: largeXml },
          { name: '[Content_Types].xml', data: '<Types/>' },
        ]),
      ),
  ],
  ['an embedded compound file', () => embeddingDocx('oleObject1.bin', documents.legacyDoc())],
  ['a chunk of HTML', () => chunkDocx('chunk.html', documents.html())],
  [
    'a chunk of HTML without end tags',
    () => chunkDocx('chunk.html', Buffer.from(`<html>${'<br>'.repeat(600)}`)),
  ],
  ['a chunk of RTF', () => chunkDocx('chunk.rtf', documents.rtf())],
  ['a chunk of DOCX', () => chunkDocx('chunk.docx', documents.docx())],
  ['a chunk in a chunk', () => chunksInChunks(2)],
  ['a compressed metafile', () => withPart('word/media/a.emz', gzipSync(noise(1_000)))],
  [
    'a part that only begins as gzip',
    () => withPart('word/media/a.bin', Buffer.from('\x1f\x8b\x08 no more', 'latin1')),
  ],
];

const tooMuch: readonly Refused[] = [
  [
    'an XML part of more than 50 MB',
    () => withPart('customXml/item1.xml', largeXml),
    'CORRUPTED_FILE',
    'part-too-large',
    /more than 50 MB of XML, which breaks the package limits\. Simplify/,
  ],
  [
    'an XML part of more than 50 MB that is called a picture',
    () => withPart('word/media/a.png', largeXml),
    'CORRUPTED_FILE',
    'part-too-large',
  ],
  ['more than 200 MB', () => bomb, 'CORRUPTED_FILE', 'package-too-large', /200 MB when it is unpacked/],
  ['more than 200 MB in a chunk', () => chunkDocx('chunk.docx', bomb), 'CORRUPTED_FILE', 'package-too-large'],
  [
    'more than 200 MB in an embedded document',
    () => embeddingDocx('a.bin', bomb),
    'CORRUPTED_FILE',
    'package-too-large',
  ],
  [
    'too many entries in a chunk',
    () => chunkDocx('chunk.docx', documents.docxWithEntries(1_998)),
    'CORRUPTED_FILE',
    'too-many-entries',
  ],
  [
    'a chunk with lies in it',
    () =>
      chunkDocx('chunk.docx', zip(documents.partsWith().map((part) => ({ ...part, claims: { crc: 1 } })))),
    'CORRUPTED_FILE',
    'bad-crc',
  ],
  [
    'a chunk with a document type',
    () =>
      chunkDocx(
        'chunk.docx',
        documents.docxWithParts({ 'word/styles.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a/>' }),
      ),
    'CORRUPTED_FILE',
    'doctype',
  ],
  ['chunks in chunks in chunks', () => chunksInChunks(3), 'CORRUPTED_FILE', 'nesting'],
  [
    'a compressed picture that inflates to more than 200 MB',
    () => withPart('word/media/a.emz', gzipSync(Buffer.alloc(201 * MB), { level: 1 })),
    'CORRUPTED_FILE',
    'package-too-large',
  ],
  [
    'a compressed SVG with a document type',
    () => withPart('word/media/a.svgz', gzipSync('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>')),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a compressed picture of too many pixels',
    () => withPart('word/media/a.emz', gzipSync(pictures.png(SIDE, SIDE))),
    'CORRUPTED_FILE',
    'pixels',
  ],
  [
    'a main part that is no XML',
    () => documents.docxWithParts({ 'word/document.xml': 'Hello' }),
    'CORRUPTED_FILE',
    'main-part',
  ],
  ['a document without main part', () => documents.docxWithoutMainPart(), 'CORRUPTED_FILE', 'main-part'],
  [
    'a document with an empty main part',
    () => documents.docxWithEmptyMainPart(),
    'CORRUPTED_FILE',
    'main-part',
  ],
];

const tooManyPixels = Object.entries(pictures).map(
  ([name, picture]): Refused => [
    `a picture of more than 100 megapixels (${name}) that is called XML`,
    () => withPart('word/media/a.xml', picture(SIDE, SIDE)),
    'CORRUPTED_FILE',
    'pixels',
    /more than 100 megapixels/,
  ],
);

const preflight = openPreflight();
accepts(preflight, accepted);
refuses(preflight, [...tooMuch, ...tooManyPixels]);

t.test('sizes of pictures are found whatever the pieces are', async (t) => {
  for (const [name, picture] of Object.entries(pictures)) {
    for (const step of [1, 3, 7]) {
      const look = (bytes: Buffer) => {
        const scanner = ImageScanner.for(bytes.subarray(0, 30));
        for (let at = 0; at < bytes.length; at += step) scanner?.write(bytes.subarray(at, at + step));
      };
      t.doesNotThrow(() => look(picture(9_999, 9_999)), `${name}, ${step}`);
      t.throws(() => look(picture(SIDE, SIDE)), { message: /megapixels/ }, `${name}, ${step}`);
    }
  }
});
