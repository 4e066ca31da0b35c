/** What the kit mends in PDF/UA by LibreOffice (src/kit/accessible.h). */
import { execFile } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { completePdf } from '../../src/convert/pdf/complete.ts';
import type { PdfaLevel } from '../../src/shared/options/pdfa.ts';
import { Sample } from '../pdf-rules/sample.ts';
import { accessibleDocx } from '../support/accessible-document.ts';
import { type Profile, type Violation, violations } from '../support/conformance.ts';
import { temporaryFolder } from '../support/kit.ts';

const run = promisify(execFile);
const sources = ['src/kit/accessible.c', 'src/kit/artifacts.c', 'test/support/accessible-probe.c'];
const root = join(import.meta.dirname, '../..');

const home = await temporaryFolder(t);
const probe = join(home, 'probe');
const flags = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
await run('gcc', [...flags, '-o', probe, ...sources.map((path) => join(root, path)), '-lqpdf']);

/** What is wrong in a PDF before and after. */
async function mended(t: Test, pdf: Buffer, profile: Profile = 'ua'): Promise<[Violation[], Violation[]]> {
  const folder = t.testdir();
  const [before, after] = [join(folder, 'before.pdf'), join(folder, 'after.pdf')];
  await writeFile(before, pdf);
  // A child exits if a PDF cannot be mended, without freeing memory.
  const env = { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' };
  const { stderr } = await run(probe, [before, after], { env });
  t.equal(stderr, '', 'qpdf has nothing to say');
  return [await violations(before, profile), await violations(after, profile)];
}

const cases: readonly (readonly [string, (sample: Sample) => void])[] = [
  [
    'lines between elements',
    (sample) =>
      sample.changeData(
        'content',
        '/Artifact BMC q 1 0 0 RG 0 0 m 9 9 l S Q EMC',
        'q 1 0 0 RG 0 0 m 9 9 l S Q',
      ),
  ],
  [
    'lines at the end, and strings that look like marks',
    (sample) => {
      sample.changeData('content', '<01> Tj', '(\\001) Tj % EMC (\n');
      sample.part('content').data += ' /G1 gs 0 0 m 9 9 l S % BT';
    },
  ],
  [
    'an inline image',
    (sample) => {
      sample.part('content').data += ' BI /W 1 /H 1 /IM true ID \x01EMC EI Q';
    },
  ],
  [
    'a standard type with another role',
    (sample) => sample.change('structure', '/Standard/P', '/Standard/P/H6/H'),
  ],
  ['circles of standard types', (sample) => sample.change('structure', '/Standard/P', '/Standard/P/H1/H1')],
  ['a title that is not shown', (sample) => sample.change('catalog', '/DisplayDocTitle true', '')],
  ['no preferences', (sample) => sample.change('catalog', '/ViewerPreferences<</DisplayDocTitle true>>', '')],
  [
    'a note without identifier',
    (sample) => {
      sample.change('note', '/S/Note2', '/S/Note');
      sample.change('note', '/ID(n1)', '');
    },
  ],
  [
    'a link in no element',
    (sample) => {
      sample.change('linkElement', '<</Type/OBJR/Obj{link}>>', '');
      sample.change('structure', '1{linkElement}', '');
      sample.change('link', '/StructParent 1', '');
    },
  ],
  ['a link that says nothing', (sample) => sample.change('link', '/Contents(B)', '/Contents()')],
  [
    'a field in no element',
    (sample) => {
      sample.change('document', '{formElement}', '');
      sample.change('structure', '2{formElement}', '');
      sample.change('field', '/StructParent 2', '');
    },
  ],
  ['a field without description', (sample) => sample.change('field', '/TU(Name)', '')],
  [
    'items outside lists',
    (sample) => {
      sample.change('document', '{list}', '{item}{item2}');
      sample.change('item', '{list}', '{document}');
      sample.parts.item2 = { text: '<</Type/StructElem/S/LI/P{document}/K[]>>' };
    },
  ],
];

for (const [name, change] of cases) {
  t.test(name, async (t) => {
    const sample = new Sample('ua');
    change(sample);
    const [before, after] = await mended(t, sample.bytes());
    t.not(before.length, 0, 'something is wrong');
    t.strictSame(after, []);
  });
}

t.test('text outside elements stays visible to screen readers', async (t) => {
  const sample = new Sample('ua');
  sample.changeData('content', '/H1<</MCID 0>>BDC', '/H1 BMC');
  sample.change('h1', '[0]', '[]');
  const [, after] = await mended(t, sample.bytes());
  t.match(after, [{ demand: /^All that pages draw/, what: 'text' }]);
});

t.test('a PDF without structure is none', async (t) => {
  const sample = new Sample('ua');
  sample.change('catalog', '/StructTreeRoot{structure}', '');
  await t.rejects(mended(t, sample.bytes()), { code: 4 });
});

/** The documents as LibreOffice exports them, completed for PDF/UA and a level of PDF/A. */
async function exported(
  t: Test,
  documents: readonly Buffer[],
  version: number,
  pdfa?: PdfaLevel,
): Promise<Buffer[]> {
  const folder = await temporaryFolder(t);
  const names = documents.map((_, i) => join(folder, `${i}`));
  for (const [i, name] of names.entries()) await writeFile(`${name}.docx`, documents[i] ?? '');
  const option = (type: string, value: string | number) => ({ type, value: String(value) });
  const options = {
    PDFUACompliance: option('boolean', 'true'),
    SelectPdfVersion: option('long', version),
    UseLosslessCompression: option('boolean', 'true'),
  };
  const filter = `pdf:writer_pdf_Export:${JSON.stringify(options)}`;
  const profile = `-env:UserInstallation=file://${home}/profile`;
  await run('soffice', [
    profile,
    '--headless',
    '--convert-to',
    filter,
    '--outdir',
    folder,
    ...names.map((name) => `${name}.docx`),
  ]);
  const paths = names.map((name) => `${name}.pdf`);
  for (const path of paths) {
    const file = await open(path, 'r+');
    completePdf(file.fd, { pdfa, pdfua: true, isAnchored: false });
    await file.close();
  }
  return Promise.all(paths.map((path) => readFile(path)));
}

t.test('LibreOffice makes valid PDF/UA of a document, but for what only its author can add', async (t) => {
  const lacking = accessibleDocx({ alternative: '', title: '', hasHeaderRow: false });
  const [whole = Buffer.of(), other = Buffer.of()] = await exported(t, [accessibleDocx(), lacking], 0);
  t.strictSame((await mended(t, whole))[1], []);
  t.strictSame(
    (await mended(t, other))[1].map(({ demand }) => demand.split(' ').slice(0, 3).join(' ')),
    ['The metadata have', 'Tables have header', 'Figures have an'],
  );
});

t.test('which is also PDF/A', async (t) => {
  for (const part of [2, 3]) {
    const level = part === 2 ? '2b' : '3b';
    const [pdf = Buffer.of()] = await exported(t, [accessibleDocx({ hasStrays: true })], part, level);
    t.strictSame((await mended(t, pdf, level))[1], [], `part ${part}`);
    // The line in the header has no alternative text.
    const lacking = (await mended(t, pdf))[1].map(({ demand }) => demand.split(' ').slice(0, 3).join(' '));
    t.strictSame(lacking, ['Figures have an'], `PDF/UA in part ${part}`);
  }
});
