import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { type VerifiedPdf, verifyPdf } from '../../../src/convert/pdf/verify.ts';
import type { PdfaLevel } from '../../../src/shared/options/pdfa.ts';
import { docx, imageDocx, pdf, pdfOf } from '../../support/documents.ts';

const run = promisify(execFile);

async function verifyFile(path: string, pdfa?: PdfaLevel): Promise<VerifiedPdf> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return verifyPdf(fd, pdfa);
  } finally {
    closeSync(fd);
  }
}

t.test('the page counts of PDFs by LibreOffice agree with pdfinfo', async (t) => {
  const folder = t.testdir({
    'one.docx': docx(),
    'sixty.docx': docx({ pages: 60 }),
    'images.docx': imageDocx(3, 200),
    out: {},
  });
  const names = ['one', 'sixty', 'images'];
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const inputs = names.map((name) => join(folder, `${name}.docx`));
  await run('soffice', [
    profile,
    '--headless',
    '--convert-to',
    'pdf',
    '--outdir',
    join(folder, 'out'),
    ...inputs,
  ]);
  for (const name of names) {
    const path = join(folder, 'out', `${name}.pdf`);
    const { stdout } = await run('pdfinfo', [path]);
    const told = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(stdout)?.[1]);
    t.match(await verifyFile(path), { bytes: told('File size'), pages: told('Pages') }, name);
  }
  t.equal((await verifyFile(join(folder, 'out', 'sixty.pdf'))).pages, 60);
});

t.test('a page tree of any length is read', async (t) => {
  const path = join(t.testdir(), 'out.pdf');
  for (const pages of [1, 5, 1_000, 50_000]) {
    const bytes = pdf(pages);
    await writeFile(path, bytes);
    t.match(await verifyFile(path), { bytes: bytes.length, pages });
  }
});

/** A valid PDF in which `from` became `to`, which has the same length so that positions hold. */
function changed(from: string, to: string): Buffer {
  if (from.length !== to.length) throw new RangeError('positions would shift');
  const text = pdf().toString('latin1');
  if (!text.includes(from)) throw new RangeError(`there is no ${from}`);
  return Buffer.from(text.replace(from, to), 'latin1');
}

const whole = pdf();
const startXref = whole.lastIndexOf('startxref');
const broken: readonly (readonly [string, Buffer, RegExp])[] = [
  ['no bytes', Buffer.alloc(0), /is empty/],
  ['another start', changed('%PDF-', '%PDX-'), /does not start as a PDF/],
  ['no end', whole.subarray(0, -7), /does not end as a PDF/],
  ['half of it', whole.subarray(0, whole.length / 2), /does not end as a PDF/],
  ['bytes behind its end', Buffer.concat([whole, Buffer.from('more')]), /does not end as a PDF/],
  ['a start and an end alone', Buffer.from('%PDF-1.7\nstartxref\n0\n%%EOF\n'), /where a value should be/],
  [
    'a cross-reference table beyond the end',
    Buffer.concat([whole.subarray(0, startXref), Buffer.from('startxref\n99999999999999\n%%EOF\n')]),
    /beyond the end/,
  ],
  ['more objects than it has', changed('xref\n0 4', 'xref\n0 9'), /cut off/],
  ['encryption', pdfOf([], '/Encrypt 1 0 R'), /is encrypted/],
  ['no root', changed('/Root 1 0 R', '/Boot 1 0 R'), /no catalogue/],
  ['a root that no table lists', changed('/Root 1 0 R', '/Root 9 0 R'), /no catalogue/],
  ['a root that is free', changed('/Root 1 0 R', '/Root 0 0 R'), /no catalogue/],
  ['a root elsewhere', changed('/Root 1 0 R', '/Root 3 0 R'), /no catalogue/],
  ['an object elsewhere', changed('2 0 obj', '3 0 obj'), /object 2 is not at its position/],
  ['a page tree that is its root', changed('/Pages 2 0 R', '/Pages 1 0 R'), /not a page tree node/],
  ['no pages', changed('/Count 1', '/Count 0'), /no pages/],
  ['a negative count', changed('[ 3 0 R ]\n/Count 1', '[ 3 0 R]\n/Count -1'), /no pages/],
  ['no count', changed('/Count 1', '/Mount 1'), /no pages/],
];

for (const [what, bytes, cause] of broken) {
  t.test(`refuses a PDF with ${what}`, async (t) => {
    const path = join(t.testdir({ 'out.pdf': bytes }), 'out.pdf');
    await t.rejects(verifyFile(path), { code: 'CONVERSION_FAILED', status: 500, cause: { message: cause } });
  });
}

t.test('an object without an end is not read for ever', async (t) => {
  const start = '%PDF-1.6\n1 0 obj\n';
  const filler = ' '.repeat(5_000_000);
  const table = `xref\n0 2\n0000000000 65535 f \n0000000009 00000 n \n`;
  const end = `trailer\n<</Root 1 0 R>>\nstartxref\n${start.length + filler.length}\n%%EOF\n`;
  const path = join(t.testdir({ 'out.pdf': start + filler + table + end }), 'out.pdf');
  await t.rejects(verifyFile(path), {
    code: 'CONVERSION_FAILED',
    cause: { message: /no end within/ },
  });
});

t.test('a folder is no PDF', async (t) => {
  await t.rejects(verifyFile(t.testdir()), { code: 'CONVERSION_FAILED', cause: { message: /regular file/ } });
});

/** A PDF that says it is PDF/A. */
function archive(
  part: string,
  conformance: string,
  { intents = '/OutputIntents[5 0 R]', metadata = '/Metadata 4 0 R' } = {},
): Buffer {
  const declaration = `<pdfaid:part>${part}</pdfaid:part>\n<pdfaid:conformance>${conformance}</pdfaid:conformance>`;
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${intents}${metadata}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/Resources<<>>>>',
    `<</Type/Metadata/Subtype/XML/Length ${declaration.length}>>\nstream\n${declaration}\nendstream`,
    '<</Type/OutputIntent/S/GTS_PDFA1>>',
  ];
  return pdfOf(objects);
}

t.test('a requested PDF/A must declare its level', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'out.pdf');
  const cases: readonly (readonly [PdfaLevel, Buffer, RegExp | undefined])[] = [
    ['1b', archive('1', 'B'), undefined],
    ['1b', archive('1', 'A'), /does not declare itself as PDF\/A-1b/],
    ['2b', archive('2', 'B'), undefined],
    ['3b', archive('3', 'B'), undefined],
    ['2b', pdf(), /no output intent/],
    ['2b', archive('2', 'B', { intents: '/OutputIntents[]' }), /no output intent/],
    ['2b', archive('2', 'B', { metadata: '' }), /no stream/],
    ['2b', archive('1', 'B'), /does not declare itself as PDF\/A-2b/],
    ['2b', archive('3', 'B'), /does not declare itself as PDF\/A-2b/],
    ['2b', archive('2', ''), /does not declare itself as PDF\/A-2b/],
    ['1b', archive('2', 'B'), /does not declare itself as PDF\/A-1b/],
  ];
  for (const [index, [level, bytes, cause]] of cases.entries()) {
    await writeFile(path, bytes);
    if (!cause) t.equal((await verifyFile(path, level)).pages, 1, `${index}: ${level}`);
    else {
      const failure = { code: 'CONVERSION_FAILED', status: 500, cause: { message: cause } };
      await t.rejects(verifyFile(path, level), failure, `${index}: ${cause}`);
    }
    t.equal((await verifyFile(path)).pages, 1, 'it is a PDF');
  }
});
