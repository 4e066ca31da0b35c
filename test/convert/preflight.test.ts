import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { preflight } from '../../src/convert/preflight.ts';
import { type ErrorCode, PlatenError } from '../../src/errors.ts';
import { compoundFile } from '../support/compound.ts';
import * as documents from '../support/documents.ts';
import { noise } from '../support/noise.ts';
import { contentTypes, officePackage, relationships, XML } from '../support/office-package.ts';
import { zip } from '../support/zip.ts';

const never = new AbortController().signal;
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';

/** Puts the bytes into a file, which ends with the test, and returns its path. */
function fileOf(test: Test, bytes: Buffer): string {
  return join(test.testdir({ upload: bytes }), 'upload');
}

const openDescriptors = () => readdirSync('/proc/self/fd').length;

/** A document whose entry `name` has another size than the central directory says. */
function docxDeclaring(name: string, bytes: number): Buffer {
  const archive = documents.docx();
  archive.writeUInt32LE(bytes, archive.lastIndexOf(name) - 22);
  return archive;
}

const accepted: readonly (readonly [string, () => Buffer])[] = [
  ['an ordinary document', () => documents.docx()],
  ['a strict document', () => documents.strictDocx()],
  ['a document with pictures', () => documents.imageDocx(2, 50)],
  ['a document of 25 MB', () => documents.docxOfSize(25 * 1_048_576)],
  ['a document of 2,000 parts', () => documents.docxWithEntries(2_000)],
  ['a document whose main part only the engine can judge', () => documents.malformedDocx()],
  [
    'a document whose main part has another name',
    () => zip(officePackage({ name: 'doc/Main.xml', type: WORD, data: '<x/>' })),
  ],
  [
    'a document whose main part has its type from its extension',
    () => {
      const types = `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="XML" ContentType="${WORD}"/></Types>`;
      return documents.docxWithParts({ '[Content_Types].xml': types });
    },
  ],
  [
    'content types in UTF-16',
    () => {
      const types = contentTypes('word/document.xml', WORD).replace('UTF-8', 'UTF-16');
      const entries = officePackage({ name: 'word/document.xml', type: WORD, data: '<x/>' }).slice(1);
      const utf16 = Buffer.from(`\ufeff${types}`, 'utf16le');
      return zip([{ name: '[Content_Types].xml', data: utf16 }, ...entries]);
    },
  ],
  [
    'a document without compression',
    () => {
      const parts = officePackage({ name: 'word/document.xml', type: WORD, data: '<x/>' });
      return zip(parts.map((part) => ({ ...part, stored: true })));
    },
  ],
  ['a document without package relationships', () => documents.docxWithParts({ '_rels/.rels': undefined })],
];

for (const [what, build] of accepted) {
  t.test(`accepts ${what}`, async (t) => {
    await t.resolves(preflight(fileOf(t, build()), never));
  });
}

const refused: readonly (readonly [string, () => Buffer, ErrorCode, RegExp])[] = [
  ['a PDF', () => documents.pdf(), 'INVALID_FILE_TYPE', /^This is a PDF already\./],
  ['RTF', () => documents.rtf(), 'INVALID_FILE_TYPE', /Rich Text document \(\.rtf\)\. Save it as/],
  ['HTML', () => documents.html(), 'INVALID_FILE_TYPE', /an HTML page/],
  [
    'HTML behind a mark and comments',
    () => Buffer.from('\ufeff <!-- a --> <HTML>'),
    'INVALID_FILE_TYPE',
    /HTML/,
  ],
  [
    'flat OpenDocument',
    () => Buffer.from(`${XML}<office:document xmlns:office="o"/>`),
    'INVALID_FILE_TYPE',
    /\.fodt/,
  ],
  [
    'Word XML',
    () => Buffer.from(`${XML}<?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="p"/>`),
    'INVALID_FILE_TYPE',
    /Word XML document/,
  ],
  [
    'SVG',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'INVALID_FILE_TYPE',
    /an SVG image/,
  ],
  ['plain text', () => documents.plainText(), 'INVALID_FILE_TYPE', /plain text/],
  ['text in UTF-16', () => Buffer.from('\ufeffHello', 'utf16le'), 'INVALID_FILE_TYPE', /plain text/],
  ['an image', () => documents.png(), 'INVALID_FILE_TYPE', /a PNG image\. Only Word documents/],
  ['a program', () => Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), 'INVALID_FILE_TYPE', /a program/],
  [
    'a program with a document behind it',
    () => Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), documents.docx()]),
    'INVALID_FILE_TYPE',
    /a program/,
  ],
  ['unknown binary data', () => documents.binary(), 'INVALID_FILE_TYPE', /^The file is not a DOCX document/],
  ['an empty file', () => documents.empty(), 'INVALID_FILE_TYPE', /^The file is empty\./],
  [
    'a legacy document',
    () => documents.legacyDoc(),
    'INVALID_FILE_TYPE',
    /legacy Word document \(\.doc\)\. Save/,
  ],
  ['a legacy workbook', () => documents.legacyXls(), 'INVALID_FILE_TYPE', /legacy Excel workbook/],
  ['an unknown compound file', () => compoundFile([]), 'INVALID_FILE_TYPE', /legacy Office format/],
  ['a ZIP archive', () => documents.plainZip(), 'INVALID_FILE_TYPE', /a ZIP archive\. Only Word documents/],
  ['an empty ZIP archive', () => zip([]), 'INVALID_FILE_TYPE', /an empty ZIP archive/],
  ['OpenDocument text', () => documents.odt(), 'INVALID_FILE_TYPE', /OpenDocument text \(\.odt\)\. Save/],
  ['an OpenDocument sheet', () => documents.odt('spreadsheet'), 'INVALID_FILE_TYPE', /\(\.ods\)/],
  ['another OpenDocument', () => documents.odt('graphics'), 'INVALID_FILE_TYPE', /an OpenDocument file/],
  [
    'a macro-enabled document',
    () => documents.docm(),
    'INVALID_FILE_TYPE',
    /macro-enabled document \(\.docm\)/,
  ],
  ['a template', () => documents.dotx(), 'INVALID_FILE_TYPE', /a Word template \(\.dotx\)/],
  ['an Excel workbook', () => documents.xlsx(), 'INVALID_FILE_TYPE', /an Excel workbook \(\.xlsx\)/],
  ['a presentation', () => documents.pptx(), 'INVALID_FILE_TYPE', /a PowerPoint presentation \(\.pptx\)/],
  [
    'a package of an unknown type',
    () => zip(officePackage({ name: 'a.xml', type: 'application/x-unknown', data: '<a/>' })),
    'INVALID_FILE_TYPE',
    /package without a Word document/,
  ],
  [
    'a package whose relationship leads away from its document',
    () => {
      const macros = 'application/vnd.ms-word.document.macroEnabled.main+xml';
      const override = `<Override PartName="/real.xml" ContentType="${macros}"/></Types>`;
      return documents.docxWithParts({
        '[Content_Types].xml': contentTypes('word/document.xml', WORD).replace('</Types>', override),
        '_rels/.rels': relationships([`<Relationship Id="r" Type="${RELATIONSHIP}" Target="/real.xml"/>`]),
        'real.xml': '<x/>',
      });
    },
    'INVALID_FILE_TYPE',
    /\.docm/,
  ],
  ['an encrypted document', () => documents.encryptedDocx(), 'PASSWORD_PROTECTED', /password/],
  ['a large encrypted document', () => documents.encryptedDocx(9_000_000), 'PASSWORD_PROTECTED', /password/],
  ['encrypted entries', () => documents.zipEncryptedDocx(), 'PASSWORD_PROTECTED', /password/],
  ['a truncated document', () => documents.truncatedDocx(), 'CORRUPTED_FILE', /damaged/],
  ['a document without main part', () => documents.docxWithoutMainPart(), 'CORRUPTED_FILE', /damaged/],
  [
    'a document with an empty main part',
    () => documents.docxWithEmptyMainPart(),
    'CORRUPTED_FILE',
    /damaged/,
  ],
  ['entries of the same name', () => documents.docxWithDuplicateEntries(), 'CORRUPTED_FILE', /damaged/],
  [
    'entries that differ by case',
    () => documents.docxWithEntry('Word/DOCUMENT.xml'),
    'CORRUPTED_FILE',
    /damaged/,
  ],
  ['an entry outside', () => documents.docxWithEntry('../../etc/passwd'), 'CORRUPTED_FILE', /damaged/],
  ['an entry outside, backslashed', () => documents.docxWithEntry('..\\passwd'), 'CORRUPTED_FILE', /damaged/],
  ['an absolute entry', () => documents.docxWithEntry('/etc/passwd'), 'CORRUPTED_FILE', /damaged/],
  ['too many entries', () => documents.docxWithEntries(2_001), 'CORRUPTED_FILE', /more than 2000 parts/],
  [
    'malformed content types',
    () => documents.docxWithParts({ '[Content_Types].xml': '<Types>' }),
    'CORRUPTED_FILE',
    /damaged/,
  ],
  [
    'a document type in the content types',
    () => {
      const types = contentTypes('word/document.xml', WORD).replace(
        '<Types',
        '<!DOCTYPE Types [<!ENTITY a "b">]><Types',
      );
      return documents.docxWithParts({ '[Content_Types].xml': types });
    },
    'CORRUPTED_FILE',
    /damaged/,
  ],
  [
    'content types that never end',
    () => documents.docxWithParts({ '[Content_Types].xml': ' '.repeat(2_000_000) }),
    'CORRUPTED_FILE',
    /damaged/,
  ],
  [
    'content types longer than they say',
    () => docxDeclaring('[Content_Types].xml', 10),
    'CORRUPTED_FILE',
    /damaged/,
  ],
  [
    'content types shorter than they say',
    () => docxDeclaring('[Content_Types].xml', 100_000),
    'CORRUPTED_FILE',
    /damaged/,
  ],
  [
    'a main part longer than it says',
    () => docxDeclaring('word/document.xml', 1),
    'CORRUPTED_FILE',
    /damaged/,
  ],
  [
    'two types for the main part',
    () => {
      const override = '<Override PartName="/word/document.xml" ContentType="text/xml"/></Types>';
      const types = contentTypes('word/document.xml', WORD).replace('</Types>', override);
      return documents.docxWithParts({ '[Content_Types].xml': types });
    },
    'CORRUPTED_FILE',
    /damaged/,
  ],
  [
    'two main parts',
    () => {
      const to = (target: string) =>
        `<Relationship Id="r${target}" Type="${RELATIONSHIP}" Target="${target}"/>`;
      return documents.docxWithParts({
        '_rels/.rels': relationships([to('word/document.xml'), to('b.xml')]),
      });
    },
    'CORRUPTED_FILE',
    /damaged/,
  ],
];

for (const [what, build, code, message] of refused) {
  t.test(`refuses ${what}`, async (t) => {
    const path = fileOf(t, build());
    const before = openDescriptors();
    await t.rejects(preflight(path, never), { name: 'PlatenError', code, status: 400, message });
    t.equal(openDescriptors(), before, 'no descriptor is left open');
  });
}

t.test('a damaged compound file is still told apart', async (t) => {
  const whole = documents.encryptedDocx();
  const path = fileOf(t, whole);
  for (let length = 8; length < whole.length; length += 500) {
    await writeFile(path, whole.subarray(0, length));
    await t.rejects(preflight(path, never), { code: 'INVALID_FILE_TYPE', message: /legacy Office format/ });
  }
});

t.test('no damage leads to anything but an answer of the catalogue', async (t) => {
  const whole = documents.docx();
  const path = fileOf(t, whole);
  const before = openDescriptors();
  const outcomes = new Set<string>();
  const judge = async (bytes: Buffer) => {
    await writeFile(path, bytes);
    const error = await preflight(path, never).catch((reason: unknown) => reason);
    if (error !== undefined && !(error instanceof PlatenError)) throw error;
    outcomes.add(error?.code ?? 'accepted');
  };
  for (let length = 4; length < whole.length; length += 3) await judge(whole.subarray(0, length));
  const random = noise(whole.length);
  for (let position = 0; position < whole.length; position += 1) {
    const damaged = Buffer.from(whole);
    damaged[position] = random[position] ?? 0;
    await judge(damaged);
  }
  t.ok(outcomes.has('CORRUPTED_FILE'));
  t.ok(outcomes.has('accepted'), 'some damage does not matter');
  t.equal(openDescriptors(), before, 'no descriptor is left open');
});

t.test('an abort ends it with the signal’s reason', async (t) => {
  const path = fileOf(t, documents.docx());
  const before = openDescriptors();
  const reason = new Error('the client left');
  await t.rejects(preflight(path, AbortSignal.abort(reason)), reason);
  const controller = new AbortController();
  const running = preflight(path, controller.signal);
  controller.abort(reason);
  await t.rejects(running, reason);
  t.equal(openDescriptors(), before, 'no descriptor is left open');
});

t.test('a failure of the system is not blamed on the document', async (t) => {
  const path = fileOf(t, documents.docx());
  await t.rejects(preflight(`${path}-missing`, never), { code: 'ENOENT' });
  symlinkSync(path, `${path}-link`);
  await t.rejects(preflight(`${path}-link`, never), { code: 'ELOOP' });
});

const corpus = resolve(import.meta.dirname, '../../../shared/corpus');
if (existsSync(join(corpus, 'index.tsv'))) {
  t.test('every real document that LibreOffice converts passes', async (t) => {
    const [, ...rows] = readFileSync(join(corpus, 'index.tsv'), 'utf8').trim().split('\n');
    for (const row of rows) {
      const fields = row.split('\t');
      const file = fields[0] ?? '';
      const error = await preflight(join(corpus, file), never).catch((reason: unknown) => reason);
      if (fields.at(-1) === 'converts') t.equal(error, undefined, file);
      else t.ok(error === undefined || error instanceof PlatenError, file);
    }
  });
}
