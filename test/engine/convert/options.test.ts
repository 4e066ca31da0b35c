/** The effects of options on the PDF, with the real engine, and checked by other programs. */
import { execFile } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { Converter } from '../../../src/convert/converter.ts';
import { warningsOf } from '../../../src/convert/report/warnings.ts';
import { Workspaces } from '../../../src/convert/workspace.ts';
import { isSince } from '../../../src/engine/libreoffice-version.ts';
import { Queue } from '../../../src/queue/queue.ts';
import { brokenRule } from '../../../src/shared/options/combinations.ts';
import type { ConversionOptions } from '../../../src/shared/options/conversion-options.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import { revisedDocument } from '../../convert/support/revised-documents.ts';
import { violations } from '../../support/conformance.ts';
import { docx, imageDocx } from '../../support/documents.ts';
import { never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
import { convertIn } from '../../support/queue.ts';
import { inFont, reportedDocx, run, savedByWord, wordPart } from '../../support/report-documents.ts';

const exec = promisify(execFile);
const LONG_MS = 60_000;

const readers = openReaders();
const { engine } = await startKit(t);
const workspaces = await Workspaces.open(await temporaryFolder(t), 10, new RecordingLog().log);
t.teardown(() => workspaces.close());
const converter = new Converter({
  readers,
  engine,
  queue: new Queue({ workers: 1, limit: 1, timeoutMs: LONG_MS }),
  timeoutMs: LONG_MS,
});

/** The PDF of a document: its path, its bytes, its text, and the codes of its warnings but for fonts. */
async function convert(t: Test, document: Buffer, options: ConversionOptions = {}) {
  const workspace = workspaces.create();
  await writeFile(workspace.input, document);
  const { fd, report } = await convertIn(converter, workspace, never(), { options });
  const bytes = readFileSync(fd);
  closeSync(fd);
  await workspace.dispose();
  const path = join(await temporaryFolder(t), 'output.pdf');
  await writeFile(path, bytes);
  await exec('qpdf', ['--check', path]);
  const { stdout } = await exec('pdftotext', ['-layout', path, '-']);
  const warnings = warningsOf(report).filter(({ code }) => code !== 'FONT_SUBSTITUTED');
  return { path, bytes, text: stdout, report, warnings: warnings.map(({ code }) => code) };
}

const words = ({ text }: { text: string }) => text.split(/\s+/).filter(Boolean).join(' ');

const by = 'w:id="1" w:author="Ada" w:date="2020-01-01T00:00:00Z"';
const inserted = (text: string) => `<w:ins ${by}><w:r><w:t xml:space="preserve">${text} </w:t></w:r></w:ins>`;
const deleted = (text: string) =>
  `<w:del ${by}><w:r><w:delText xml:space="preserve">${text} </w:delText></w:r></w:del>`;
const changed = (where: string) => `<w:p>${inserted(`new-${where}`)}${deleted(`old-${where}`)}</w:p>`;
const row = (change: string, text: string) =>
  `<w:tr><w:trPr><w:${change} ${by}/></w:trPr><w:tc><w:tcPr/>${run(text)}</w:tc></w:tr>`;
const remark =
  '<w:comment w:id="0" w:author="Ada"><w:p><w:r><w:t>a remark on it</w:t></w:r></w:p></w:comment>';

/** Tracked changes in the body, a table, a header and a footnote, of two paragraphs that were one; and a comment. */
const reviewed = reportedDocx({
  body: `${changed('body')}<w:p><w:pPr><w:rPr><w:ins ${by}/></w:rPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>${run('line')}\
<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="5000"/></w:tblGrid>${row('ins', 'new-row')}${row('del', 'old-row')}</w:tbl>\
<w:p><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>\
<w:sectPr><w:headerReference w:type="default" r:id="rId1"/></w:sectPr>`,
  parts: {
    'header1.xml': wordPart('hdr', changed('header')),
    'footnotes.xml': wordPart('footnotes', `<w:footnote w:id="2">${changed('note')}</w:footnote>`),
    'comments.xml': wordPart('comments', remark),
  },
});

t.test('tracked changes', async (t) => {
  const places = ['body', 'header', 'note', 'row'];
  const final = await convert(t, reviewed);
  for (const place of places) t.match(final.text, `new-${place}`, `final: ${place}`);
  t.notMatch(final.text, 'old-body');
  t.strictSame(final.warnings, ['TRACKED_CHANGES_APPLIED', 'COMMENTS_OMITTED']);

  const original = await convert(t, reviewed, { changes: 'original' });
  for (const place of places) t.match(original.text, `old-${place}`, `original: ${place}`);
  t.notMatch(original.text, 'new-');
  t.match(words(original), 'oneline', 'a mark that was inserted');
  t.strictSame(original.warnings, ['TRACKED_CHANGES_OMITTED', 'COMMENTS_OMITTED']);

  const marked = await convert(t, reviewed, { changes: 'marked' });
  for (const place of places) t.match(marked.text, `new-${place}`, `marked: ${place}`);
  for (const place of ['body', 'header', 'note']) t.match(marked.text, `old-${place}`, `marked: ${place}`);
  t.strictSame(marked.warnings, ['COMMENTS_OMITTED'], 'as all are shown');
});

t.test('changes of all kinds: the PDF has the text of the document that never had them', async (t) => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const { body, as } = revisedDocument(seed);
    const inner = (element: string) => element.slice('<w:body>'.length, -'</w:body>'.length);
    for (const changes of ['final', 'original'] as const) {
      const made = await convert(t, reportedDocx({ body: inner(body) }), { changes });
      const plain = await convert(t, reportedDocx({ body: inner(as(changes)) }));
      t.equal(made.text, plain.text, `${changes}, ${seed}`);
    }
  }
});

t.test('notes stand below the numbers of their references, also where others are deleted', async (t) => {
  const reference = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
  const document = reportedDocx({
    body: `<w:p><w:del ${by}>${reference(1)}</w:del>${shown('one')}${reference(2)}${shown('two')}${reference(4)}${shown('three')}${reference(3)}</w:p>`,
    parts: {
      'footnotes.xml': wordPart(
        'footnotes',
        [1, 2, 3, 4].map((id) => `<w:footnote w:id="${id}">${run(`note-${id}`)}</w:footnote>`).join(''),
      ),
    },
  });
  const { text } = await convert(t, document);
  t.match(text, /one1 *two2 *three3/);
  t.strictSame(text.match(/note-\d/g), ['note-2', 'note-4', 'note-3']);
});

t.test('comments as annotations', async (t) => {
  const { path, warnings } = await convert(t, reviewed, { comments: 'annotations' });
  const { stdout } = await exec('qpdf', ['--json', '--json-key=qpdf', path]);
  t.match(stdout, '"/Contents": "u:a remark on it"');
  t.notMatch(warnings, ['COMMENTS_OMITTED']);
  const without = await convert(t, reviewed);
  t.notMatch((await exec('qpdf', ['--json', '--json-key=qpdf', without.path])).stdout, 'a remark on it');
});

const field = (instruction: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>\
<w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const shown = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const heading = (number: number, more = '') =>
  `<w:p><w:pPr><w:pStyle w:val="Heading1"/>${more === '' ? '<w:pageBreakBefore/>' : ''}</w:pPr><w:bookmarkStart w:id="${number}" w:name="h${number}"/>\
<w:r>${more}<w:t>Heading ${number}</w:t></w:r><w:bookmarkEnd w:id="${number}"/></w:p>`;
const style = (id: string, name: string, properties: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr>${properties}</w:pPr></w:style>`;

/** Headings, one per page, after an outdated table of contents, page reference and date. A mark, if given, begins each page. */
function outdatedDocx(headings: number, mark = ''): Buffer {
  const numbers = Array.from({ length: headings }, (_, i) => i + 1);
  const lines = mark === '' ? '' : run('A line.').repeat(12);
  return reportedDocx({
    body: [
      `<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr>${field('TOC \\o "1-3" \\h', `${shown('No more')}<w:r><w:tab/></w:r>${shown('77')}`)}</w:p>`,
      `<w:p>${shown('See page ')}${field(`PAGEREF h${headings}`, shown('55'))}${shown('.')}</w:p>`,
      `<w:p>${shown('Day ')}${field('DATE \\@ "yyyy-MM-dd"', shown('1999-01-01'))}${shown('.')}</w:p>`,
      `<w:p>${shown('By ')}${field('USERNAME', shown('Ada'))}${shown(' in ')}${field('FILENAME \\p', shown('C:\\own.docx'))}${shown('.')}</w:p>`,
      ...numbers.map((number) => lines + heading(number, mark)),
    ].join(''),
    parts: {
      'styles.xml': wordPart(
        'styles',
        style('Heading1', 'heading 1', '<w:outlineLvl w:val="0"/>') +
          style(
            'TOC1',
            'toc 1',
            '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs><w:spacing w:before="100"/>',
          ),
      ),
    },
    properties: savedByWord(headings + 1),
  });
}

const today = () => new Date().toISOString().slice(0, 10);

t.test('fields as they are stored, and updated', async (t) => {
  const stored = await convert(t, outdatedDocx(3));
  t.match(stored.text, /No more.*77/);
  t.match(stored.text, 'Day 1999-01-01.');

  const before = today();
  const updated = await convert(t, outdatedDocx(3), { fields: 'updated' });
  t.match(updated.text, /Heading 1 *\.+ *2\n/);
  t.match(updated.text, /Heading 3 *\.+ *4\n/);
  t.notMatch(updated.text, 'No more');
  t.match(updated.text, 'See page 4.');
  t.ok(
    [before, today()].some((day) => updated.text.includes(`Day ${day}.`)),
    'the day of the conversion',
  );
  t.match(updated.text, 'By Ada in C:\\own.docx.', 'what only Word knows');
  t.notMatch(updated.warnings, ['TEXT_MISSING']);

  const long = await convert(t, outdatedDocx(60), { fields: 'updated' });
  t.match(long.text, /Heading 1 *\.+ *3\n/, 'behind a table that grew by a page');
  t.match(long.text, 'See page 62.');

  const paginated = await convert(t, outdatedDocx(3, '<w:lastRenderedPageBreak/>'), {
    fields: 'updated',
  });
  t.strictSame(paginated.report.pagination, { by: 'word', reason: 'marks' });
  t.match(paginated.text, /Heading 3 *\.+ *4\n/);
});

t.test('images', async (t) => {
  const document = imageDocx(1, 600);
  const image = async (options: ConversionOptions) => {
    const { path, bytes } = await convert(t, document, options);
    const row = (await exec('pdfimages', ['-list', path])).stdout.split('\n')[2]?.trim().split(/\s+/) ?? [];
    return { width: Number(row[3]), encoding: row[8], size: bytes.length, bytes };
  };
  const lossless = await image({});
  t.match(lossless, { width: 600, encoding: 'image' });
  const jpeg = await image({ images: 'jpeg' });
  t.match(jpeg, { width: 600, encoding: 'jpeg' });
  t.match(jpeg.bytes.toString('latin1'), '/DCTDecode');
  const small = await image({ images: 'jpeg', imageQuality: 10 });
  t.ok(small.size < jpeg.size / 2 && jpeg.size < lossless.size, 'the lower the quality, the smaller');
  const reduced = await image({ imageDpi: 75 });
  t.ok(reduced.width > 0 && reduced.width <= 6 * 75 + 1, 'at most so many dots an inch');
});

const control = (properties: string, text: string) =>
  `<w:p><w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${shown(text)}</w:sdtContent></w:sdt></w:p>`;
const checkBox =
  '<w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="0"/></w14:checkbox>';
/** A heading, content controls, an insertion and a remark. */
const formDocx = reportedDocx({
  body: [
    heading(1),
    control('<w:alias w:val="Name"/><w:text/>', 'somebody'),
    control(checkBox, '☐'),
    control(
      '<w:dropDownList><w:listItem w:value="red"/><w:listItem w:value="blue"/></w:dropDownList>',
      'red',
    ),
    `<w:p>${inserted('inserted')}<w:r><w:rPr>${inFont('Arial')}</w:rPr><w:commentReference w:id="0"/></w:r></w:p>`,
  ].join(''),
  parts: {
    'styles.xml': wordPart('styles', style('Heading1', 'heading 1', '<w:outlineLvl w:val="0"/>')),
    'comments.xml': wordPart('comments', remark),
  },
});

t.test('bookmarks and tags', async (t) => {
  const catalog = async (options: ConversionOptions) => {
    const { path, warnings } = await convert(t, formDocx, options);
    const { stdout } = await exec('qpdf', ['--json', '--json-key=qpdf', path]);
    return {
      hasOutlines: stdout.includes('"/Outlines"'),
      isTagged: stdout.includes('"/StructTreeRoot"'),
      warnings,
    };
  };
  t.match(await catalog({}), { hasOutlines: true, isTagged: true });
  t.match(await catalog({ bookmarks: false }), { hasOutlines: false, isTagged: true });
  const untagged = await catalog({ tagged: false });
  t.match(untagged, { hasOutlines: true, isTagged: false });
  t.notOk(untagged.warnings.includes('UNTAGGED'), 'as asked');
});

interface Field {
  readonly object: string;
  readonly fieldtype: string;
  readonly value: unknown;
}

async function fieldsOf(path: string): Promise<Field[]> {
  const { stdout } = await exec('qpdf', ['--json', '--json-key=acroform', path]);
  return JSON.parse(stdout).acroform.fields;
}

t.test('form fields', async (t) => {
  for (const options of [{}, { formFields: false }, { pdfa: '2b' }] as const) {
    const { path, text } = await convert(t, formDocx, options);
    t.strictSame(await fieldsOf(path), [], JSON.stringify(options));
    t.match(text, 'somebody');
  }
  const { path, warnings } = await convert(t, formDocx, { formFields: true });
  const fields = await fieldsOf(path);
  t.strictSame(
    fields.map(({ fieldtype, value }) => [fieldtype, value]),
    [
      ['/Tx', 'u:somebody'],
      ['/Btn', '/Off'],
      ['/Ch', 'u:red'],
    ],
  );
  t.notMatch(warnings, ['TEXT_MISSING']);
  const filled = join(await temporaryFolder(t), 'filled.pdf');
  await fill(path, String(fields[0]?.object), 'Grace Hopper', filled);
  t.match((await exec('pdftotext', [filled, '-'])).stdout, /Grace\s+Hopper/, 'a field can be filled');
});

/** Fills a text field. */
async function fill(path: string, object: string, value: string, output: string): Promise<void> {
  const { qpdf } = JSON.parse((await exec('qpdf', ['--json', '--json-key=qpdf', path])).stdout);
  const name = `obj:${object}`;
  const changed = { [name]: { value: { ...qpdf[1][name].value, '/V': `u:${value}` } } };
  const update = `${output}.json`;
  await writeFile(update, JSON.stringify({ qpdf: [qpdf[0], changed] }));
  await exec('qpdf', [path, `--update-from-json=${update}`, output]);
}

t.test('PDF/A-4, where LibreOffice writes it', async (t) => {
  if (!isSince(engine.status().libreOffice, 26.8)) {
    t.throws(() => converter.assertPossible({ pdfa: '4' }), {
      code: 'INVALID_PARAMETER',
      message: /pdfa=4 needs LibreOffice 26\.8 or later; the server has \d.*Use pdfa=2b/,
    });
    return;
  }
  t.doesNotThrow(() => converter.assertPossible({ pdfa: '4' }));
  const properties = { title: 'R&D <1>', author: 'A & B', keywords: 'one, two', watermark: 'Draft' };
  const { path, text } = await convert(t, docx({ paragraphs: ['for the archive'] }), {
    pdfa: '4',
    ...properties,
  });
  t.match(text, 'for the archive');
  t.strictSame(await violations(path, '4'), []);
  const { stdout: metadata } = await exec('pdfinfo', ['-meta', path]);
  for (const part of [
    '>R&amp;D &lt;1&gt;<',
    '>A &amp; B<',
    '<pdf:Keywords>one, two<',
    '>2000-01-01T00:00:00Z<',
  ]) {
    t.match(metadata, part);
  }
});

/** A value of each option that the engine or qpdf carries out; those of PDF/A share their rules. */
const values: ConversionOptions[] = [
  { layout: 'engine' },
  { pages: '1-' },
  { pdfa: '2b' },
  { pdfua: true },
  { changes: 'original' },
  { changes: 'marked' },
  { comments: 'annotations' },
  { fields: 'updated' },
  { images: 'jpeg' },
  { imageDpi: 75 },
  { bookmarks: false },
  { formFields: true },
  { tagged: false },
  { watermark: 'Draft' },
  { linearize: true },
];

const areAllowed = (options: ConversionOptions, more: ConversionOptions) =>
  Object.keys(more).every((name) => !(name in options)) &&
  brokenRule({ ...options, ...more }, () => true) === undefined;

t.test('every pair of them converts, unless it is refused', async (t) => {
  const pairs = values.flatMap((one, i) => values.slice(i + 1).map((other) => [one, other] as const));
  let left = pairs.filter(([one, other]) => areAllowed(one, other));
  t.ok(left.length < pairs.length, 'some are refused');
  for (let [pair] = left; pair; [pair] = left) {
    // Together with all that is allowed beside them, so that a few documents have every pair.
    const chosen = [...pair];
    let options: ConversionOptions = { ...pair[0], ...pair[1] };
    for (const value of values.filter((value) => !pair.includes(value))) {
      if (!areAllowed(options, value)) continue;
      chosen.push(value);
      options = { ...options, ...value };
    }
    const { text } = await convert(t, formDocx, options);
    t.match(text, 'Heading 1', JSON.stringify(options));
    left = left.filter((other) => !other.every((value) => chosen.includes(value)));
  }
});
