/** Hostile packages, and how each is to be refused. */
import { gzipSync } from 'node:zlib';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { relationships } from '../../support/office-package.ts';
import { pictures } from '../../support/pictures.ts';
import { type ZipEntry, zip } from '../../support/zip.ts';

const MB = 1_048_576;
const MAIN = 'word/document.xml';
const DAMAGED =
  /^The document is damaged and cannot be read\. Open it in a word processor, save it again, and retry\.$/;
const LIMITS = /, which breaks the package limits\. Simplify it and send it again\.$/;

type Code = 'CORRUPTED_FILE' | 'INVALID_FILE_TYPE' | 'PASSWORD_PROTECTED';

interface Attack {
  readonly what: string;
  readonly build: () => Buffer;
  readonly code: Code;
  /** What the log says of it. */
  readonly reason: string;
  readonly message: RegExp;
}

const attack = (what: string, code: Code, reason: string, message: RegExp, build: () => Buffer): Attack => ({
  what,
  build,
  code,
  reason,
  message,
});
const damaged = (what: string, reason: string, build: () => Buffer): Attack =>
  attack(what, 'CORRUPTED_FILE', reason, DAMAGED, build);
const beyond = (what: string, reason: string, build: () => Buffer): Attack =>
  attack(what, 'CORRUPTED_FILE', reason, LIMITS, build);
const foreign = (what: string, message: RegExp, build: () => Buffer, reason = 'not-a-document'): Attack =>
  attack(what, 'INVALID_FILE_TYPE', reason, message, build);

const withEntries = (...entries: ZipEntry[]): Buffer => zip([...documents.partsWith(), ...entries]);
const withMain = (change: Partial<ZipEntry>): Buffer =>
  zip(documents.partsWith().map((part) => (part.name === MAIN ? { ...part, ...change } : part)));
const withPart = (name: string, data: string | Buffer): Buffer => documents.docxWithParts({ [name]: data });
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const nested = (tag: string, depth: number): string =>
  documents.mainPart(`${`<${tag}>`.repeat(depth)}${`</${tag}>`.repeat(depth)}`);

/** A document that includes another one, whose parts claim 250 MB of zeroes. */
const nestedBomb = (): Buffer => {
  const claims = { size: 50 * MB };
  const innermost = Array.from({ length: 5 }, (_, i) => ({
    name: `word/${i}.bin`,
    data: Buffer.alloc(MB),
    claims,
  }));
  return documents.docxLeadingTo(
    { 'chunk.docx': 'aFChunk' },
    { 'word/chunk.docx': zip([...documents.partsWith(), ...innermost]) },
    '<w:altChunk r:id="rId1"/><w:p/>',
  );
};

/** Many entries that share the same data: all of them together are much, the file is small. */
const overlappingBomb = (): Buffer => {
  const kernel = { name: 'word/0.bin', data: Buffer.alloc(MB) };
  const others = Array.from({ length: 150 }, (_, i) => ({
    ...kernel,
    name: `word/${i + 1}.bin`,
    sharesDataOf: kernel.name,
  }));
  return withEntries(kernel, ...others);
};

/** Styles, and what each is based on. */
const withStyles = (styles: readonly (readonly [string, string])[]): Buffer => {
  const each = styles.map(
    ([id, base]) => `<w:style w:styleId="${id}"><w:basedOn w:val="${base}"/></w:style>`,
  );
  const part = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${each.join('')}</w:styles>`;
  return documents.docxLeadingTo({ 'styles.xml': 'styles' }, { 'word/styles.xml': part });
};

/** Content bound to sixty elements by a path that visits all of them for each, six times. */
const costlyBinding = (): Buffer =>
  documents.docxLeadingTo(
    { 'data.xml': 'customXml' },
    { 'word/data.xml': `<a>${'<b/>'.repeat(60)}</a>` },
    `<w:sdt><w:sdtPr><w:dataBinding w:xpath="count(//b${'[//b'.repeat(6)}${']'.repeat(6)})"/></w:sdtPr></w:sdt>`,
  );

const billionLaughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol0 "lol">${Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i};`.repeat(10)}">`,
).join('')}]>`;
const xxe = '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
const TWO_ENCODINGS = `<?xml version="1.0" encodingx='UTF-7' encoding="UTF-8"?>`;
const remote = '<!DOCTYPE w SYSTEM "http://127.0.0.1/evil.dtd">';

const archives: readonly Attack[] = [
  beyond('a flat bomb of 1 GB', 'package-too-large', () =>
    withEntries({ name: 'word/a.bin', data: Buffer.alloc(MB), claims: { size: 1_024 * MB } }),
  ),
  damaged('a bomb that claims to be small', 'bad-size', () =>
    withEntries({ name: 'word/a.bin', data: Buffer.alloc(20 * MB), claims: { size: 1_000 } }),
  ),
  beyond('a bomb in the main part', 'part-too-large', () =>
    withPart(MAIN, documents.mainPart(' '.repeat(51 * MB))),
  ),
  beyond('a nested bomb', 'package-too-large', nestedBomb),
  beyond('a bomb of extra fields', 'package-too-large', documents.docxOfManyFields),
  damaged('an overlapping bomb', 'overlap', overlappingBomb),
  beyond('a bomb that is compressed twice', 'part-too-large', () =>
    withPart('word/media/a.svgz', gzipSync(`<svg>${' '.repeat(51 * MB)}</svg>`)),
  ),
  damaged('a size that is a lie', 'bad-size', () => withMain({ claims: { size: 10_000 } })),
  damaged('a CRC that is a lie', 'bad-crc', () => withMain({ claims: { crc: 0xdeadbeef } })),
  damaged('two main parts', 'duplicate-name', () => documents.docxWithDuplicateEntries()),
  damaged('two main parts that differ by case', 'duplicate-name', () =>
    documents.docxWithEntry('WORD/Document.XML'),
  ),
  damaged('two main parts that differ by the slash', 'duplicate-name', () =>
    documents.docxWithEntry('word\\document.xml'),
  ),
  damaged('a main part of another name in its header', 'header-mismatch', () =>
    withMain({ localName: 'word/settings.xml' }),
  ),
  damaged('a truncated archive', 'damaged', () => documents.truncatedDocx()),
  damaged('an archive in front', 'polyglot', () => Buffer.concat([documents.plainZip(), documents.docx()])),
  damaged('an archive behind', 'polyglot', () => Buffer.concat([documents.docx(), documents.plainZip()])),
  damaged('an archive in the comment', 'polyglot', () =>
    zip(documents.partsWith(), { comment: documents.plainZip() }),
  ),
  damaged('a way out', 'bad-name', () => documents.docxWithEntry('../../../../tmp/canary')),
  damaged('a way out with backslashes', 'bad-name', () => documents.docxWithEntry('..\\..\\canary')),
  damaged('an absolute name', 'bad-name', () => documents.docxWithEntry('/tmp/canary')),
  damaged('a link', 'bad-name', () =>
    withEntries({ name: 'word/media/a.png', data: '/etc/passwd', unixMode: 0o120777 }),
  ),
  beyond('too many entries', 'too-many-entries', () => documents.docxWithEntries(2_001)),
  damaged('an empty main part', 'main-part', () => documents.docxWithEmptyMainPart()),
  damaged('no main part', 'main-part', () => documents.docxWithoutMainPart()),
  damaged('empty content types', 'damaged', () => withPart('[Content_Types].xml', '')),
  damaged('empty relationships', 'damaged', () => withPart('_rels/.rels', '')),
];

const contents: readonly Attack[] = [
  beyond('a billion laughs', 'doctype', () => withPart(MAIN, `${billionLaughs}<w>&lol9;</w>`)),
  beyond('an external entity', 'doctype', () => withPart(MAIN, `${xxe}<w>&x;</w>`)),
  beyond('an external entity in UTF-16', 'doctype', () =>
    withPart('word/styles.xml', utf16(`${xxe}<w>&x;</w>`)),
  ),
  beyond('a remote document type', 'doctype', () => withPart('word/settings.xml', `${remote}<w/>`)),
  beyond('an external entity in a part called binary', 'doctype', () =>
    withPart('word/vbaData.bin', `${xxe}<w>&x;</w>`),
  ),
  damaged('an external entity in the relationships', 'damaged', () =>
    withPart('_rels/.rels', `${xxe}<w>&x;</w>`),
  ),
  beyond('a document type in UTF-7', 'encoding', () =>
    withPart(MAIN, '<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>'),
  ),
  // LibreOffice reads them as UTF-7.
  beyond('a main part of two encodings', 'encoding', () =>
    withPart(MAIN, documents.mainPart('').replace(/<\?xml.*\?>/, TWO_ENCODINGS)),
  ),
  damaged('relationships of two encodings', 'encoding', () =>
    withPart('_rels/.rels', relationships([]).replace(/<\?xml.*\?>/, TWO_ENCODINGS)),
  ),
  beyond('styles in a circle', 'styles', () =>
    withStyles([
      ['a', 'b'],
      ['b', 'a'],
    ]),
  ),
  beyond('20,000 chained styles', 'styles', () =>
    withStyles(Array.from({ length: 20_000 }, (_, i) => [`s${i}`, `s${i + 1}`])),
  ),
  beyond('200,000 attributes', 'attributes', () =>
    withPart(
      MAIN,
      documents.mainPart(`<w:p${Array.from({ length: 200_000 }, (_, i) => ` a${i}=""`).join('')}/>`),
    ),
  ),
  beyond('a paragraph of 10 MB', 'paragraph', () =>
    withPart(MAIN, documents.mainPart(`<w:p><w:r><w:t>${'word '.repeat(2 * MB)}</w:t></w:r></w:p>`)),
  ),
  beyond('a path that takes minutes', 'data-binding', costlyBinding),
  beyond('deep tables', 'nesting', () => withPart(MAIN, nested('w:tbl', 200))),
  beyond('deep elements', 'nesting', () => withPart(MAIN, nested('w:sdt', 100_000))),
  ...Object.entries(pictures).map(([name, picture]) =>
    beyond(`a picture of 900 megapixels (${name})`, 'pixels', () =>
      withPart('word/media/a.png', picture(30_000, 30_000)),
    ),
  ),
];

const SAVE = /^This is .*\. Save it as a Word document \(\.docx\) and send that\.$/;
const ONLY = /^This is .*\. Only Word documents \(\.docx\) can be converted\.$/;
const PDF = /^This is a PDF already\./;
const program = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), noise(500)]);
const elf = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), noise(500)]);

const formats: readonly Attack[] = [
  foreign('a macro-enabled document', SAVE, () => documents.docm(), 'macro-enabled'),
  foreign('a template', SAVE, () => documents.dotx(), 'template'),
  foreign('a workbook', ONLY, () => documents.xlsx()),
  foreign('a presentation', ONLY, () => documents.pptx()),
  foreign('OpenDocument text', SAVE, () => documents.odt()),
  foreign('an OpenDocument sheet', ONLY, () => documents.odt('spreadsheet')),
  foreign('a legacy document', SAVE, () => documents.legacyDoc()),
  foreign('a legacy workbook', ONLY, () => documents.legacyXls()),
  foreign('Rich Text', SAVE, () => documents.rtf()),
  foreign('HTML', SAVE, () => documents.html()),
  foreign('plain text', SAVE, () => documents.plainText()),
  foreign('flat OpenDocument', SAVE, () =>
    Buffer.from('<?xml version="1.0"?><office:document xmlns:office="o"/>'),
  ),
  foreign('SVG', ONLY, () =>
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
  ),
  foreign('a picture', ONLY, () => documents.png()),
  foreign('a PDF', PDF, () => documents.pdf()),
  foreign('an archive', ONLY, () => documents.plainZip()),
  foreign('noise', /^The file is not a DOCX document/, () => documents.binary()),
  foreign('nothing', /^The file is empty\./, () => documents.empty()),
  foreign('a PDF and a document', PDF, () => Buffer.concat([documents.pdf(), documents.docx()])),
  foreign('a program and a document', ONLY, () => Buffer.concat([program, documents.docx()])),
  foreign('another program and a document', ONLY, () => Buffer.concat([elf, documents.docx()])),
  foreign('HTML and a document', /^The file is not a DOCX document/, () =>
    Buffer.concat([documents.html(), documents.docx()]),
  ),
  attack('a document with a password', 'PASSWORD_PROTECTED', 'encrypted', /form field "password"/, () =>
    documents.encryptedDocx(),
  ),
  attack('encrypted entries', 'PASSWORD_PROTECTED', 'encrypted', /Remove the password/, () =>
    documents.zipEncryptedDocx(),
  ),
];

/** By what is hostile in them. */
export const attacks = { archives, contents, formats };
