/** Files that are something else than a DOCX, and encrypted ones: by content, and each told what it is. */
import { writeFile } from 'node:fs/promises';
import t from 'tap';
import { compoundFile } from '../../support/compound.ts';
import * as documents from '../../support/documents.ts';
import { contentTypes, officePackage, relationships, XML } from '../../support/office-package.ts';
import { zip } from '../../support/zip.ts';
import { fileOf, openPreflight, type Refused, refuses } from '../support/preflight.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';

const formats: readonly Refused[] = [
  ['a PDF', () => documents.pdf(), 'INVALID_FILE_TYPE', 'not-a-document', /^This is a PDF already\./],
  [
    'RTF',
    () => documents.rtf(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /Rich Text document \(\.rtf\)\. Save it as/,
  ],
  ['HTML', () => documents.html(), 'INVALID_FILE_TYPE', 'not-a-document', /an HTML page/],
  [
    'HTML behind a mark and comments',
    () => Buffer.from('\ufeff <!-- a --> <HTML>'),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /HTML/,
  ],
  [
    'flat OpenDocument',
    () => Buffer.from(`${XML}<office:document xmlns:office="o"/>`),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /\.fodt/,
  ],
  [
    'Word XML',
    () => Buffer.from(`${XML}<?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="p"/>`),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /Word XML document/,
  ],
  [
    'SVG',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /an SVG image/,
  ],
  ['plain text', () => documents.plainText(), 'INVALID_FILE_TYPE', 'not-a-document', /plain text/],
  [
    'text in UTF-16',
    () => Buffer.from('\ufeffHello', 'utf16le'),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /plain text/,
  ],
  [
    'an image',
    () => documents.png(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /a PNG image\. Only Word documents/,
  ],
  [
    'a program',
    () => Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /a program/,
  ],
  [
    'a program with a document behind it',
    () => Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), documents.docx()]),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /a program/,
  ],
  [
    'unknown binary data',
    () => documents.binary(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /^The file is not a DOCX document/,
  ],
  ['an empty file', () => documents.empty(), 'INVALID_FILE_TYPE', 'not-a-document', /^The file is empty\./],
  [
    'a legacy document',
    () => documents.legacyDoc(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /legacy Word document \(\.doc\)\. Save/,
  ],
  [
    'a legacy workbook',
    () => documents.legacyXls(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /legacy Excel workbook/,
  ],
  [
    'an unknown compound file',
    () => compoundFile([]),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /legacy Office format/,
  ],
  [
    'a ZIP archive',
    () => documents.plainZip(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /a ZIP archive\. Only Word documents/,
  ],
  ['an empty ZIP archive', () => zip([]), 'INVALID_FILE_TYPE', 'not-a-document', /an empty ZIP archive/],
  [
    'OpenDocument text',
    () => documents.odt(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /OpenDocument text \(\.odt\)\. Save/,
  ],
  [
    'an OpenDocument sheet',
    () => documents.odt('spreadsheet'),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /\(\.ods\)/,
  ],
  [
    'another OpenDocument',
    () => documents.odt('graphics'),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /an OpenDocument file/,
  ],
  [
    'a macro-enabled document',
    () => documents.docm(),
    'INVALID_FILE_TYPE',
    'macro-enabled',
    /macro-enabled document \(\.docm\)/,
  ],
  ['a template', () => documents.dotx(), 'INVALID_FILE_TYPE', 'template', /a Word template \(\.dotx\)/],
  [
    'an Excel workbook',
    () => documents.xlsx(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /an Excel workbook \(\.xlsx\)/,
  ],
  [
    'a presentation',
    () => documents.pptx(),
    'INVALID_FILE_TYPE',
    'not-a-document',
    /a PowerPoint presentation \(\.pptx\)/,
  ],
  [
    'a package of an unknown type',
    () => zip(officePackage({ name: 'a.xml', type: 'application/x-unknown', data: '<a/>' })),
    'INVALID_FILE_TYPE',
    'not-a-document',
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
    'macro-enabled',
    /\.docm/,
  ],
  ['an encrypted document', () => documents.encryptedDocx(), 'PASSWORD_PROTECTED', 'encrypted', /password/],
  [
    'a large encrypted document',
    () => documents.encryptedDocx(9_000_000),
    'PASSWORD_PROTECTED',
    'encrypted',
    /password/,
  ],
  ['encrypted entries', () => documents.zipEncryptedDocx(), 'PASSWORD_PROTECTED', 'encrypted', /password/],
  [
    'entries with strong encryption',
    () => zip(documents.partsWith().map((part) => ({ ...part, flags: 0x41 }))),
    'PASSWORD_PROTECTED',
    'encrypted',
  ],
];

const preflight = openPreflight();
refuses(preflight, formats);

t.test('what is accepted is decided by the type of the main part', async (t) => {
  const kinds = {
    docx: [WORD, /./],
    docm: ['application/vnd.ms-word.document.macroEnabled.main+xml', /a macro-enabled document \(\.docm\)/],
    dotx: [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
      /a Word template \(\.dotx\)/,
    ],
    dotm: [
      'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
      /a macro-enabled Word template \(\.dotm\)/,
    ],
  } as const;
  for (const accepted of ['docm', 'dotx', 'dotm'] as const) {
    const checking = openPreflight(['docx', accepted]);
    for (const [kind, [type, message]] of Object.entries(kinds)) {
      const document = documents.docxWithParts({
        '[Content_Types].xml': contentTypes('word/document.xml', type),
      });
      const checked = checking.check(fileOf(t, document));
      if (kind === 'docx' || kind === accepted) await t.resolves(checked, `${kind} among ${accepted}`);
      else await t.rejects(checked, { code: 'INVALID_FILE_TYPE', message });
    }
    const other = checking.check(fileOf(t, documents.xlsx()));
    await t.rejects(other, { message: `Only Word documents (.docx, .${accepted}) can be converted.` });
  }
});

t.test('a damaged compound file is still told apart', async (t) => {
  const whole = documents.encryptedDocx();
  const path = fileOf(t, whole);
  for (let length = 8; length < whole.length; length += 500) {
    await writeFile(path, whole.subarray(0, length));
    await t.rejects(preflight.check(path), {
      code: 'INVALID_FILE_TYPE',
      message: /legacy Office format/,
    });
  }
});
