/** What `platen compare` finds in two PDFs of a document, and says of all documents. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { comparePdfs } from '../../../src/cli/compare/compare.ts';
import { describeFinding } from '../../../src/cli/compare/describe.ts';
import { type Finding, isSame, summarise } from '../../../src/cli/compare/finding.ts';
import { countDifferentPixels } from '../../../src/cli/compare/pixels.ts';
import type { Picture } from '../../../src/cli/compare/raster.ts';
import { htmlReport } from '../../../src/cli/compare/report.ts';
import { Side } from '../../../src/cli/compare/side.ts';
import { compareText } from '../../../src/cli/compare/text.ts';
import type { Word } from '../../../src/cli/compare/words.ts';
import { findDocuments } from '../../../src/cli/local/documents.ts';
import type { Engine } from '../../../src/cli/local/local-engine.ts';
import { plainPdf } from '../../support/plain-pdf.ts';

const names = { from: '25.2', to: '26.8' };
const engine: Engine = { libreOffice: '25.2.3.2', fontSet: 'a', platen: '1.0.0' };
const sha256 = 'f'.repeat(64);

/** Compares two PDFs with these pages, and lists the pictures that it drew. */
async function compared(t: Test, from: Buffer, to: Buffer) {
  const folder = t.testdir({ 'from.pdf': from, 'to.pdf': to, pages: {} });
  const pdfs = { from: join(folder, 'from.pdf'), to: join(folder, 'to.pdf') };
  const difference = await comparePdfs(pdfs, join(folder, 'pages'));
  return { difference, drawn: (await readdir(join(folder, 'pages'))).sort() };
}

t.test('equal PDFs', async (t) => {
  const { difference, drawn } = await compared(
    t,
    plainPdf(['one two', 'three']),
    plainPdf(['one two', 'three']),
  );
  t.strictSame(difference, { pages: { from: 2, to: 2 } });
  t.ok(isSame(difference));
  t.strictSame(drawn, []);
});

t.test('another page count, with a paragraph that moved', async (t) => {
  const { difference, drawn } = await compared(
    t,
    plainPdf(['one two\nthree']),
    plainPdf(['one two', 'three']),
  );
  t.match(difference, {
    pages: { from: 1, to: 2 },
    text: { onlyFrom: 0, onlyTo: 0, moved: 1, examples: { onlyFrom: [], onlyTo: [] } },
    pictures: { pages: 2, first: [{ page: 1 }, { page: 2, width: 595, height: 842 }] },
  });
  t.strictSame(drawn, [
    ...['1-difference.png', '1-from.png', '1-to.png'],
    ...['2-difference.png', '2-from.png', '2-to.png'],
  ]);
});

t.test('other words', async (t) => {
  const { difference } = await compared(t, plainPdf(['one two three']), plainPdf(['one too three']));
  t.match(difference.text, {
    onlyFrom: 1,
    onlyTo: 1,
    moved: 0,
    examples: { onlyFrom: ['two'], onlyTo: ['too'] },
  });
});

t.test('the same words in another place', async (t) => {
  const to = Buffer.from(
    plainPdf(['one two']).toString('latin1').replace('72 700 Td', '72 690 Td'),
    'latin1',
  );
  const { difference } = await compared(t, plainPdf(['one two']), to);
  t.equal(difference.text, undefined);
  t.match(difference.pictures, { pages: 1, first: [{ page: 1, pixels: Number }] });
});

t.test('a PDF that cannot be read is an error', async (t) => {
  await t.rejects(compared(t, plainPdf(['one']), Buffer.from('no PDF')), { message: /^pdftotext: / });
});

t.test('words are compared page by page, whatever their order is', async (t) => {
  const text = (...pages: string[]) => ({
    pages: pages.length,
    words: pages.flatMap((words, index) =>
      words
        .split(' ')
        .map((word): Word => ({ text: word, page: index + 1, xMin: 0, yMin: 0, xMax: 1, yMax: 1 })),
    ),
  });
  t.equal(compareText(text('a b a', 'c'), text('b a a', 'c')), undefined);
  t.match(compareText(text('a a b', 'c'), text('a b', 'c a')), { onlyFrom: 0, onlyTo: 0, moved: 1 });
  t.match(compareText(text('a a', 'b'), text('a', 'c')), { onlyFrom: 2, onlyTo: 1, moved: 0 });
});

t.test('a page looks different if a reader would say so', async (t) => {
  const cases: readonly [operators: string, isDifferent: boolean, text?: string][] = [
    ['', false],
    ['1 0 0 1 0 -1 cm', false],
    ['1 0 0 1 1 0 cm', false],
    ['1 0 0 1 0 -1.5 cm', true],
    ['1 0 0 1 1.5 0 cm', true],
    ['1 1 0 rg 72 697 30 13 re f 0 g', true, 'highlighted'],
    ['.95 g 300 400 100 14 re f 0 g', true, 'a pale cell'],
    ['.99 g 300 400 100 14 re f 0 g', false, 'nearly white'],
    ['1 0 0 rg', true, 'red'],
    ['.5 g', true, 'grey'],
    ['.25 w .75 G 72 500 m 400 500 l S', true, 'a hairline'],
    ['72 500 1 1 re f', false, 'a speck'],
  ];
  const texts = cases.map(() => 'Sphinx of black quartz');
  const mediaBox = [60, 390, 410, 720] as const;
  const { difference } = await compared(
    t,
    plainPdf(texts, { mediaBox }),
    plainPdf(texts, { mediaBox, operators: cases.map(([operators]) => operators) }),
  );
  t.equal(difference.text, undefined);
  const found = (difference.pictures?.first ?? []).map(({ page }) => page);
  for (const [index, [operators, isDifferent, text = operators]] of cases.entries())
    t.equal(found.includes(index + 1), isDifferent, text);
});

t.test('pixels are compared with a neighbourhood', async (t) => {
  const page = (left: number, shade: number): Picture => ({
    width: 40,
    height: 40,
    pixels: Uint8Array.from({ length: 4_800 }, (_, byte) => {
      const n = Math.floor(byte / 3);
      return n % 40 >= left && n % 40 < left + 8 && n >= 400 && n < 720 ? shade : 255;
    }),
  });
  t.equal(countDifferentPixels(page(10, 0), page(10, 0), 1), 0);
  t.equal(countDifferentPixels(page(10, 0), page(11, 0), 1), 0, 'a pixel to the right');
  t.equal(countDifferentPixels(page(10, 0), page(12, 0), 1), 28, 'two pixels to the right');
  t.equal(countDifferentPixels(page(10, 0), page(12, 0), 2), 0, 'within reach');
  t.equal(countDifferentPixels(page(10, 0), page(10, 255), 2), 64, 'it is missing');
  t.throws(() => countDifferentPixels(page(10, 0), { ...page(10, 0), width: 20, height: 80 }, 1), RangeError);
});

const different: Finding = {
  document: 'a <b>.docx',
  result: 'different',
  sha256,
  pages: { from: 3, to: 4 },
  text: { onlyFrom: 2, onlyTo: 0, moved: 40, examples: { onlyFrom: ['<i>', 'x'], onlyTo: [] } },
  pictures: { pages: 12, first: [{ page: 2, pixels: 99, width: 595, height: 842 }] },
};
const failure = { code: 'CONVERSION_FAILED', message: 'The document crashed.' };
const findings: Finding[] = [
  { document: 'same.docx', result: 'same', sha256, pages: { from: 1, to: 1 } },
  different,
  { document: 'one.docx', result: 'failed', to: failure },
  { document: 'both.docx', result: 'failed', from: failure, to: failure },
  { document: 'large.docx', result: 'not-compared', reason: 'it is larger than MAX_FILE_MB, 25 MB' },
  { document: 'new.docx', result: 'waiting' },
  { document: 'new and broken.docx', result: 'waiting', to: failure },
];

t.test('the summary', async (t) => {
  t.strictSame(summarise(findings), {
    ...{ documents: 7, same: 1, different: 2, pages: 1, text: 1, pictures: 1 },
    ...{ failedInOne: 1, failedInBoth: 1, notCompared: 3, rate: 200 / 3 },
  });
  t.equal(summarise(findings.slice(3)).rate, null);
  t.strictSame(
    findings.map((finding) => describeFinding(finding, names)),
    [
      'the same',
      'pages: 3, then 4; words: 2 only in 25.2, 40 on another page; pages that look different: 12',
      'failed with 26.8: CONVERSION_FAILED, The document crashed.',
      'failed with 25.2: CONVERSION_FAILED, The document crashed. And with 26.8: CONVERSION_FAILED, The document crashed.',
      'not compared: it is larger than MAX_FILE_MB, 25 MB',
      'the other engine has not converted it; run it there again',
      'the other engine has not converted it; run it there again; failed with 26.8: CONVERSION_FAILED, The document crashed.',
    ],
  );
});

t.test('the report opens offline, and repeats no markup of names and words', async (t) => {
  const engines = { from: engine, to: { ...engine, libreOffice: '26.8.2.2' } };
  const html = await htmlReport({ names, engines, findings });
  t.notMatch(html, /https?:|<script|<b>|<i>/);
  t.match(html, 'a &#60;b&#62;.docx');
  t.match(html, '&#60;i&#62; · x');
  t.match(html, '25.2: LibreOffice 25.2.3.2, Platen 1.0.0, fonts a');
  t.match(html, '66.7 %');
  t.match(html, '11 more pages look different.');
  for (const path of [`pdfs/25.2/${sha256}.pdf`, `pages/${sha256}/2-difference.png`])
    t.match(html, `"${path}"`);
  t.notMatch(html, 'same.docx', 'what is the same is only counted');
});

t.test('documents are found in folders, and nothing else', async (t) => {
  const folder = t.testdir({
    'b.DOCX': '',
    'a.docx': '',
    'a.docm': '',
    '~$a.docx': '',
    'a.pdf': '',
    in: { ner: { 'c.docx': '' } },
    'folder.docx': {},
    none: {},
  });
  await symlink(folder, join(folder, 'in/loop'));
  t.strictSame(await findDocuments(folder, ['docx']), ['a.docx', 'b.DOCX', 'in/ner/c.docx']);
  t.strictSame(await findDocuments(folder, ['docx', 'docm']), [
    'a.docm',
    'a.docx',
    'b.DOCX',
    'in/ner/c.docx',
  ]);
  await t.rejects(findDocuments(folder, ['docx'], 2), {
    name: 'OperatorError',
    message: /more than 2 documents/,
  });
  await t.rejects(findDocuments(join(folder, 'none'), ['docx']), { message: /has no documents: .* \.docx$/ });
  await t.rejects(findDocuments(join(folder, 'x'), ['docx']), { message: /x cannot be read: ENOENT$/ });
});

t.test('a side keeps what an engine made, and refuses another engine', async (t) => {
  const folder = join(t.testdir({}), 'pdfs/25.2');
  t.equal(await Side.find(folder), undefined);
  const side = await Side.open(folder, engine);
  t.equal(await side.find(sha256), undefined);
  await side.keepPdf(sha256, Readable.from(['%PDF-']));
  await side.keepFailure('0', failure);
  const again = await Side.open(folder, { ...engine, fontSet: null });
  t.strictSame(again.engine, engine, 'what is not known is no other');
  t.equal(await again.find(sha256), 'pdf');
  t.strictSame(await again.find('0'), failure);
  t.strictSame((await readdir(folder)).sort(), ['0.json', 'engine.json', `${sha256}.pdf`], 'no drafts');
  await t.rejects(Side.open(folder, { ...engine, libreOffice: '25.2.5.1' }), {
    name: 'OperatorError',
    message: /made with another LibreOffice: 25\.2\.3\.2, and this is 25\.2\.5\.1/,
  });
  await writeFile(join(folder, 'engine.json'), '{');
  await t.rejects(Side.find(folder), { name: 'OperatorError', message: /engine\.json cannot be read/ });
  await writeFile(join(folder, '../file'), '');
  await t.rejects(Side.open(join(folder, '../file/x'), engine), { name: 'OperatorError' });
  await mkdir(join(folder, `1.pdf`));
  await t.rejects(side.keepPdf('1', Readable.from(['%PDF-'])), {
    name: 'OperatorError',
    message: /1\.pdf cannot/,
  });
});
