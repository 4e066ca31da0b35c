/** What LibreOffice prints of fields: what Word stored, and what depends on our pages. */
import { execFile } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { Converter } from '../../../src/convert/converter.ts';
import { warningsOf } from '../../../src/convert/report/warnings.ts';
import { Workspaces } from '../../../src/convert/workspace.ts';
import { Queue } from '../../../src/queue/queue.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import { never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
import { convertIn } from '../../support/queue.ts';
import { type ReportedParts, reportedDocx, wordPart } from '../../support/report-documents.ts';

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

/** The text of each page, its blanks made one, and the kinds of what is missing. */
async function convert(t: Test, parts: ReportedParts) {
  const workspace = workspaces.create();
  await writeFile(
    workspace.input,
    reportedDocx({ ...parts, parts: { 'styles.xml': styles, ...parts.parts } }),
  );
  const { fd, report } = await convertIn(converter, workspace, never(), {});
  const bytes = readFileSync(fd);
  closeSync(fd);
  await workspace.dispose();
  const path = join(await temporaryFolder(t), 'output.pdf');
  await writeFile(path, bytes);
  await exec('qpdf', ['--check', path]);
  const { stdout } = await exec('pdftotext', ['-layout', path, '-']);
  const pages = stdout.split('\f').map((page) => page.split(/\s+/).filter(Boolean).join(' '));
  const kinds = warningsOf(report).flatMap(({ kind }) => kind ?? []);
  return { pages: pages.slice(0, -1), kinds, bytes };
}

const style = (id: string, name: string, more = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr>${more}</w:pPr></w:style>`;
const styles = wordPart('styles', style('Heading1', 'heading 1', '<w:outlineLvl w:val="0"/>'));

const text = (content: string) => `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`;
const character = (type: string, more = '') => `<w:r><w:fldChar w:fldCharType="${type}"${more}/></w:r>`;
const code = (content: string) => `<w:r><w:instrText xml:space="preserve">${content}</w:instrText></w:r>`;
const around = (inner: string, result: string, more = '') =>
  character('begin', more) +
  inner +
  character('separate') +
  (result === '' ? '' : text(result)) +
  character('end');
const field = (instruction: string, result = '', more = '') => around(code(` ${instruction} `), result, more);
const paragraph = (inner: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${inner}</w:p>`;
const BREAK = '<w:r><w:br w:type="page"/></w:r>';
const pages = (...words: string[]) => words.map((word) => paragraph(text(word))).join(paragraph(BREAK));
const reference = (kind: 'header' | 'footer', id: string, type = 'default') =>
  `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;
const SIZE =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/>';
const section = (inner: string) => `<w:sectPr>${inner}${SIZE}</w:sectPr>`;
const margins = (header: string, footer = '') => ({
  'header1.xml': wordPart('hdr', paragraph(header)),
  'footer1.xml': wordPart('ftr', paragraph(footer)),
});
// In the order of the parts.
const both = reference('header', 'rId2') + reference('footer', 'rId3');

const page = field('PAGE', '7');
const minus = around(code(' = ') + page + code(' - 1 '), '6');
const sign = around(code(' IF ') + page + code(' = ') + field('NUMPAGES', '7') + code(' "SIGN" "" '), 'SIGN');

t.test('stored results, empty ones included', async (t) => {
  const { pages: shown, kinds } = await convert(t, {
    body:
      paragraph(text('REF[') + field('REF gone', 'Section 4.2') + field('REF gone2') + text(']')) +
      paragraph(text('IF[') + field('IF 1 = 2 "yes" "no"') + text('] TITLE[') + field('TITLE') + text(']')) +
      paragraph(text('MERGE[') + field('MERGEFIELD Name') + text(']')) +
      paragraph(
        text('UP[') +
          field('REF x \\* Upper', 'STORED') +
          text('] STYLE[') +
          field('STYLEREF Gone', 'kept') +
          text(']'),
      ) +
      paragraph(character('begin') + code(' IF 1 = 2 "') + text('HIDDEN')) +
      paragraph(code('" "" ') + character('separate') + character('end') + text('visible')),
  });
  t.strictSame(shown, ['REF[Section 4.2] IF[] TITLE[] MERGE[] UP[STORED] STYLE[kept] visible']);
  t.strictSame(kinds, []);
});

t.test('formulas and conditions over pages', async (t) => {
  const { pages: shown, kinds } = await convert(t, {
    body: pages('one', 'two', 'three') + section(both),
    parts: margins(text('H') + minus, text('F ') + sign + text(' ') + field('PAGE \\* CardText', 'x')),
  });
  t.strictSame(shown, ['H0 one F one', 'H1 two F two', 'H2 three F SIGN three']);
  t.strictSame(kinds, []);
});

t.test('the pages of sections', async (t) => {
  const first = `<w:sectPr>${both}${SIZE}</w:sectPr>`;
  const counted = `<w:fldSimple w:instr="SECTION"/>${text(': ')}${page}${text(' of ')}${field('SECTIONPAGES', '9')}`;
  const { pages: shown } = await convert(t, {
    body:
      paragraph(text('one')) +
      paragraph(BREAK) +
      paragraph(text('two'), first) +
      pages('three', 'four', 'five') +
      `<w:sectPr>${SIZE}<w:pgNumType w:start="1"/></w:sectPr>`,
    parts: margins(counted),
  });
  t.strictSame(shown, [
    '1: 1 of 2 one',
    '1: 2 of 2 two',
    '2: 1 of 3 three',
    '2: 2 of 3 four',
    '2: 3 of 3 five',
  ]);
});

t.test('sections that end in an empty paragraph', async (t) => {
  const counted = `<w:fldSimple w:instr="SECTION"/>${text(' of ')}${field('SECTIONPAGES', '9')}`;
  const { pages: shown } = await convert(t, {
    body:
      paragraph(text('one')) +
      paragraph('', `<w:sectPr>${both}${SIZE}</w:sectPr>`) +
      pages('two') +
      section(''),
    parts: margins(counted),
  });
  t.strictSame(shown, ['1 of 1 one', '2 of 1 two']);
});

t.test('pages of one paragraph', async (t) => {
  const { pages: shown } = await convert(t, {
    body: paragraph(text('word '.repeat(3_000))) + section(both),
    parts: margins(text('H') + minus, text('F') + minus + sign),
  });
  t.ok(shown.length > 2);
  for (const [i, each] of shown.entries()) {
    t.match(each, new RegExp(`^H${i} `));
    t.match(each, new RegExp(`F${i}${i + 1 === shown.length ? 'SIGN' : ''}$`));
  }
});

t.test('a style in a header, by its name in another Word', async (t) => {
  const heading = (word: string) => paragraph(text(word), '<w:pStyle w:val="Heading1"/>');
  const { pages: shown } = await convert(t, {
    body: heading('One') + paragraph(BREAK) + heading('Two') + section(both),
    parts: margins(text('H ') + field('STYLEREF "Überschrift 1"', 'Zero')),
  });
  t.strictSame(shown, ['H One One', 'H Two Two']);
});

t.test('tables of contents and captions without results', async (t) => {
  const heading = paragraph(text('Chapter'), '<w:pStyle w:val="Heading1"/>');
  const caption = paragraph(text('Table ') + field('SEQ Table'));
  const contents = paragraph(field('TOC \\o "1-3" \\h', '', ' w:dirty="true"'));
  const tables = paragraph(text('Tables')) + paragraph(field('TOC \\h \\z \\c "Table"'));
  const rest = paragraph(BREAK) + heading + caption + caption;
  const { pages: shown, kinds } = await convert(t, { body: tables + contents + rest });
  t.match(shown[0], /^Tables Table 1\.+ ?2 Table 2\.+ ?2 Chapter\.+ ?2$/);
  t.equal(shown[1], 'Chapter Table 1 Table 2');
  t.strictSame(kinds, []);
  const behind = await convert(t, { body: contents + tables + rest });
  t.match(behind.pages[0], /^Chapter\.+ ?2 Tables Table 1\.+ ?2 Table 2\.+ ?2$/);
  const alone = await convert(t, { body: caption + caption });
  t.strictSame(alone.pages, ['Table 1 Table 2'], 'without a list of them');
});

t.test('equations, numbers and barcodes', async (t) => {
  const alone = (instruction: string) => character('begin') + code(` ${instruction} `) + character('end');
  const { pages: shown, kinds } = await convert(t, {
    body:
      paragraph(text('[') + alone('EQ \\x(boxed)') + text('] [') + alone('EQ \\o\\ac(○,1)') + text(']')) +
      paragraph(alone('LISTNUM \\l 1') + text(' item ') + alone('AUTONUM') + text(' auto')) +
      paragraph(text('[') + alone('EQ \\i(1,2,3)') + alone('DISPLAYBARCODE "x" EAN8') + text(']')) +
      paragraph(alone('DISPLAYBARCODE "x" QR')),
  });
  t.strictSame(shown, ['[boxed] [①] 1) item 1. auto []']);
  t.strictSame(kinds, ['field-eq', 'field-barcode']);
});

t.test('cross-references are links', async (t) => {
  const { pages: shown, bytes } = await convert(t, {
    body:
      paragraph(`<w:bookmarkStart w:id="1" w:name="here"/>${text('Target')}<w:bookmarkEnd w:id="1"/>`) +
      paragraph(text('See ') + field('REF here \\h', 'Stored') + text('.')),
  });
  t.strictSame(shown, ['Target See Stored.']);
  t.match(bytes.toString('latin1'), '/Subtype/Link');
});
