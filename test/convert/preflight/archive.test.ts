/** The archive itself: one way to read it, and all that it says of its entries is so. */
import { crc32 } from 'node:zlib';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { type ZipEntry, type ZipOptions, zip } from '../../support/zip.ts';
import { type Accepted, accepts, openPreflight, type Refused, refuses } from '../support/preflight.ts';

const MAIN = 'word/document.xml';

/** A document of which this entry is the last. */
const withEntry = (entry: Partial<ZipEntry>): Buffer =>
  zip([...documents.partsWith(), { name: 'word/media/a.bin', data: noise(100), ...entry }]);

/** A document whose main part is written in another way. */
const withMain = (change: Partial<ZipEntry>, options: ZipOptions = {}): Buffer =>
  zip(
    documents.partsWith().map((part) => (part.name === MAIN ? { ...part, ...change } : part)),
    options,
  );

/** An Info-ZIP Unicode Path for the entry of `withEntry`. */
function unicodePath(name: string): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt16LE(0x7075, 0);
  head.writeUInt16LE(5 + Buffer.byteLength(name), 2);
  head[4] = 1;
  head.writeUInt32LE(crc32('word/media/a.bin'), 5);
  return Buffer.concat([head, Buffer.from(name)]);
}

/** An archive with a file before it or behind it, its positions as they were. */
const inFront = (file: Buffer): Buffer => Buffer.concat([file, documents.docx()]);
const behind = (file: Buffer): Buffer => Buffer.concat([documents.docx(), file]);

const padding = (bytes: number): Buffer => Buffer.alloc(bytes, '\0\t\n\r ');

const accepted: readonly Accepted[] = [
  ['data descriptors', () => withMain({ descriptor: 'signed' })],
  ['data descriptors without signature', () => withMain({ descriptor: 'bare' })],
  ['a 64-bit end', () => withMain({}, { zip64: true })],
  ['a comment', () => withMain({}, { comment: Buffer.from('made by hand') })],
  ['a line feed behind the archive', () => behind(Buffer.from('\n'))],
  ['much white space and many NULs behind the archive', () => behind(padding(65_535))],
  ['a NUL behind a comment', () => Buffer.concat([withMain({}, { comment: Buffer.from('a') }), padding(1)])],
  [
    'a 64-bit end with white space behind it',
    () => Buffer.concat([withMain({}, { zip64: true }), padding(9)]),
  ],
  ['a folder as an entry', () => withEntry({ name: 'word/media/', data: '' })],
  ['an entry without content', () => withEntry({ data: '' })],
  [
    'a name in Unicode beside one in another encoding',
    () => withEntry({ extra: unicodePath('word/media/ä.bin') }),
  ],
  ['room between entries', () => withEntry({ gap: Buffer.alloc(300) })],
  ['many small entries', () => documents.docxWithEntries(120)],
];

const damage: readonly Refused[] = [
  ['a truncated document', () => documents.truncatedDocx(), 'CORRUPTED_FILE', 'damaged', /damaged.*save it/],
  [
    'entries of the same name',
    () => documents.docxWithDuplicateEntries(),
    'CORRUPTED_FILE',
    'duplicate-name',
  ],
  [
    'names that differ by case',
    () => documents.docxWithEntry('Word/DOCUMENT.xml'),
    'CORRUPTED_FILE',
    'duplicate-name',
  ],
  [
    'names that differ by the slash',
    () => documents.docxWithEntry('word\\document.xml'),
    'CORRUPTED_FILE',
    'duplicate-name',
  ],
  [
    'an entry that is a folder of another',
    () => documents.docxWithEntry('word/document.xml/a'),
    'CORRUPTED_FILE',
    'duplicate-name',
  ],
  [
    'a name with an empty segment',
    () => documents.docxWithEntry('word//document.xml'),
    'CORRUPTED_FILE',
    'bad-name',
  ],
  [
    'a name with a dot segment',
    () => documents.docxWithEntry('word/./document.xml'),
    'CORRUPTED_FILE',
    'bad-name',
  ],
  ['a name with NUL', () => documents.docxWithEntry('word/document.xml\0.png'), 'CORRUPTED_FILE', 'bad-name'],
  [
    'a second name of another entry',
    () => withEntry({ extra: unicodePath(MAIN) }),
    'CORRUPTED_FILE',
    'duplicate-name',
  ],
  [
    'a symbolic link',
    () => withEntry({ data: '/etc/passwd', unixMode: 0o120777 }),
    'CORRUPTED_FILE',
    'bad-name',
  ],
  ['a CRC that does not hold', () => withMain({ claims: { crc: 1 } }), 'CORRUPTED_FILE', 'bad-crc'],
  [
    'a CRC that does not hold, stored',
    () => withEntry({ stored: true, claims: { crc: 1 } }),
    'CORRUPTED_FILE',
    'bad-crc',
  ],
  ['a size that is too small', () => withMain({ claims: { size: 20 } }), 'CORRUPTED_FILE', 'bad-size'],
  ['a size that is too large', () => withMain({ claims: { size: 20_000 } }), 'CORRUPTED_FILE', 'bad-size'],
  ['a size of zero', () => withMain({ claims: { size: 0 } }), 'CORRUPTED_FILE', 'main-part'],
  [
    'something behind the compressed content',
    () => withMain({ padding: noise(40) }),
    'CORRUPTED_FILE',
    'bad-size',
  ],
  ['another method', () => withMain({ claims: { method: 12 } }), 'CORRUPTED_FILE', 'bad-method'],
  [
    'a local header of another name',
    () => withMain({ localName: 'word/dokument.xml' }),
    'CORRUPTED_FILE',
    'header-mismatch',
  ],
  [
    'a local header of another method',
    () => withMain({ localClaims: { method: 0 } }),
    'CORRUPTED_FILE',
    'header-mismatch',
  ],
  [
    'a local header of another size',
    () => withMain({ localClaims: { size: 7 } }),
    'CORRUPTED_FILE',
    'header-mismatch',
  ],
  [
    'a local header of another stored size',
    () => withMain({ localClaims: { compressedSize: 7 } }),
    'CORRUPTED_FILE',
    'header-mismatch',
  ],
  [
    'a local header of another CRC',
    () => withMain({ localClaims: { crc: 7 } }),
    'CORRUPTED_FILE',
    'header-mismatch',
  ],
  [
    'entries that share their data',
    () => {
      const name = 'word/media/b.bin';
      const shared = { name, data: noise(100), sharesDataOf: 'word/media/a.bin' };
      return zip([...documents.partsWith(), { name: 'word/media/a.bin', data: noise(100) }, shared]);
    },
    'CORRUPTED_FILE',
    'overlap',
  ],
  ['records between entries', () => withEntry({ gap: documents.plainZip() }), 'CORRUPTED_FILE', 'polyglot'],
  ['a file between entries', () => withEntry({ gap: noise(70_000) }), 'CORRUPTED_FILE', 'polyglot'],
  ['an entry before the first', () => inFront(documents.plainZip()), 'CORRUPTED_FILE', 'polyglot'],
  [
    'an entry before the first that the directory leaves out',
    () => {
      const whole = zip([{ name: 'a', data: '' }, ...documents.partsWith()]);
      const directory = whole.indexOf('PK\x01\x02', 0, 'latin1');
      const second = whole.indexOf('PK\x01\x02', directory + 4, 'latin1');
      const end = Buffer.from(whole.subarray(-22));
      for (const at of [8, 10]) end.writeUInt16LE(end.readUInt16LE(at) - 1, at);
      end.writeUInt32LE(end.readUInt32LE(12) - (second - directory), 12);
      return Buffer.concat([whole.subarray(0, directory), whole.subarray(second, -22), end]);
    },
    'CORRUPTED_FILE',
    'polyglot',
  ],
  ['bytes behind the archive', () => behind(Buffer.from('\n.\n')), 'CORRUPTED_FILE', 'polyglot'],
  ['more white space than that', () => behind(padding(65_536)), 'CORRUPTED_FILE', 'polyglot'],
  [
    'an archive in the comment, with white space behind it',
    () => Buffer.concat([withMain({}, { comment: documents.plainZip() }), padding(3)]),
    'CORRUPTED_FILE',
    'polyglot',
  ],
  [
    'a comment that is cut off',
    () => withMain({}, { comment: Buffer.from('made by hand') }).subarray(0, -1),
    'CORRUPTED_FILE',
    'damaged',
  ],
  ['a PDF behind the archive', () => behind(documents.pdf()), 'CORRUPTED_FILE', 'polyglot'],
  ['an archive behind the archive', () => behind(documents.plainZip()), 'CORRUPTED_FILE', 'polyglot'],
  [
    'an archive in the comment',
    () => withMain({}, { comment: documents.plainZip() }),
    'CORRUPTED_FILE',
    'polyglot',
  ],
  [
    'something between the directory and its end',
    () => withMain({}, { beforeEnd: Buffer.alloc(4) }),
    'CORRUPTED_FILE',
    'polyglot',
  ],
  [
    'an entry that the directory has but does not count',
    () => {
      const archive = documents.docx();
      for (const at of [8, 10]) archive.writeUInt16LE(2, archive.length - 22 + at);
      return archive;
    },
    'CORRUPTED_FILE',
    'polyglot',
  ],
  [
    'several volumes',
    () => {
      const archive = documents.docx();
      archive.writeUInt16LE(1, archive.length - 22 + 8);
      return archive;
    },
    'CORRUPTED_FILE',
    'damaged',
  ],
  [
    'two ends that disagree',
    () => {
      const archive = withMain({}, { zip64: true });
      archive.writeUInt16LE(1, archive.length - 22 + 8);
      archive.writeUInt16LE(1, archive.length - 22 + 10);
      return archive;
    },
    'CORRUPTED_FILE',
    'header-mismatch',
  ],
  [
    'too many entries',
    () => documents.docxWithEntries(2_001),
    'CORRUPTED_FILE',
    'too-many-entries',
    /more than 2000 parts.*limits\. Simplify/,
  ],
];
const outside = ['../../etc/passwd', '..\\passwd', '/etc/passwd', 'C:\\passwd', 'word/../../a'].map(
  (name): Refused => [`the name ${name}`, () => documents.docxWithEntry(name), 'CORRUPTED_FILE', 'bad-name'],
);

const preflight = openPreflight();
accepts(preflight, accepted);
refuses(preflight, [...damage, ...outside]);
