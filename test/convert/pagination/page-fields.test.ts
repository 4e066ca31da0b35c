/** Anchors of paragraphs, and the fields that are filled in by their pages. */
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { Package } from '../../../src/convert/package/package.ts';
import { fillPages } from '../../../src/convert/pagination/page-fields.ts';
import { withParagraphAnchors } from '../../../src/convert/pagination/paragraph-anchors.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { mainPart } from '../../support/documents.ts';
import { reportedDocx, wordPart } from '../../support/report-documents.ts';
import { partOf } from '../support/written-archives.ts';
import { bodyOf } from './support/parts.ts';

const run = (text: string, properties = '') => `<w:r>${properties}<w:t>${text}</w:t></w:r>`;

/** What is in the body then, with `{name}` for each anchor. */
function anchors(body: string): string {
  const pairs = /<w:bookmarkStart w:id="(\d+)" w:name="platen-par-([^"]+)"\/><w:bookmarkEnd w:id="\1"\/>/g;
  return bodyOf(withParagraphAnchors(mainPart(body))).replace(pairs, '{$2}');
}

t.test('anchors stand around the content of paragraphs', async (t) => {
  t.equal(
    anchors(`<w:p><w:pPr><w:jc/></w:pPr>${run('a')}</w:p><w:p/><w:p><w:pPr/></w:p>`),
    `<w:p><w:pPr><w:jc/></w:pPr>{0}${run('a')}{0-end}</w:p><w:p>{1}{1-end}</w:p><w:p><w:pPr/>{2}{2-end}</w:p>`,
  );
  const box = `<w:r><w:txbxContent><w:p>${run('b')}</w:p></w:txbxContent></w:r>`;
  t.equal(anchors(`<w:p>${box}</w:p>`), `<w:p>{0}${box}{0-end}</w:p>`, 'not inside another one');
  const cell = (inner: string) => `<w:tbl><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>`;
  t.equal(anchors(cell(`<w:p>${run('c')}</w:p>`)), cell(`<w:p>{0}${run('c')}{0-end}</w:p>`));
});

t.test('long paragraphs have some within', async (t) => {
  const words = 'word '.repeat(100);
  t.equal(
    anchors(`<w:p>${run(words)}${run(words)}</w:p>`),
    `<w:p>{0}${run(words)}{0-1}${run(words)}{0-2}{0-end}</w:p>`,
    'between runs',
  );
  const bold = '<w:rPr><w:b/></w:rPr>';
  const long = 'word '.repeat(200).trim();
  const [first, rest] = [long.slice(0, 404), long.slice(404)];
  t.equal(
    anchors(`<w:p>${run(long, bold)}</w:p>`),
    `<w:p>{0}${run(first, bold)}{0-1}<w:r>${bold}<w:t xml:space="preserve">${rest}</w:t></w:r>{0-2}{0-end}</w:p>`,
    'before a blank',
  );
  const changed = '<w:rPr><w:b/><w:rPrChange><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr>';
  t.equal(
    anchors(`<w:p>${run(long, changed)}</w:p>`),
    `<w:p>{0}${run(first, changed)}{0-1}<w:r>${changed}<w:t xml:space="preserve">${rest}</w:t></w:r>{0-2}{0-end}</w:p>`,
    'with a tracked change of its properties',
  );
  const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${run(long)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  t.match(anchors(`<w:p>${field}</w:p>`), run(long), 'not in a field');
});

const character = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const field = (inner: string) =>
  character('begin') + inner + character('separate') + run('7') + character('end');

/** The text of the body when the fields of a header are filled in, each setting as `{variable=value}`, and the header. */
async function filled(
  t: Test,
  {
    body,
    header,
    places,
    pages,
  }: { body: string; header: string; places: Record<string, number>; pages: number },
): Promise<{ settings: string; header: string; body: string }> {
  const folder = t.testdir({});
  const [path, view, target] = ['in', 'view', 'out'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(
    path,
    reportedDocx({ body, parts: { 'header1.xml': wordPart('hdr', `<w:p>${header}</w:p>`) } }),
  );
  const inspected = await inspect(path, view, new Allowance(60_000), ['docx'], {});
  t.ok(inspected.fields.hasPageFields);
  const destinations = new Map(
    Object.entries(places).map(([name, page]) => [`platen-par-${name}`, { page, y: 0 }]),
  );
  const filling = { path: view, target, destinations, pages, linesOf: () => [] };
  await fillPages(filling, ['docx'], new Allowance(60_000));
  const fd = openSync(target, 'r');
  t.teardown(() => closeSync(fd));
  const opened = await Package.open(TailReader.over(fd), new Allowance(60_000));
  const part = async (name: string) => {
    const entry = opened.entry(name);
    return entry ? (await opened.read(entry, 1_000_000)).toString() : '';
  };
  const plain = (await part('word/document.xml')).replace(
    /<w:bookmarkStart[^>]*\/><w:bookmarkEnd[^>]*\/>/g,
    '',
  );
  const settings = bodyOf(plain)
    .replaceAll('<w:rPr><w:vanish/></w:rPr>', '')
    .replace(SETTING, '{$1=$2}')
    .replace(/<[^>]*>/g, '');
  return { settings, header: await part('word/header1.xml'), body: bodyOf(plain) };
}

const SETTING = new RegExp(
  [
    character('begin'),
    '<w:r><w:instrText xml:space="preserve"> SET (\\w+) &quot;((?:[^&]|&amp;)*)&quot; </w:instrText></w:r>',
    character('separate') + character('end'),
  ].join(''),
  'g',
);

const page = field(code('PAGE'));
const minus = field(code('= ') + page + code(' - 1'));
const paragraph = (text: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`;

t.test('a variable without a value is not shown: LibreOffice would print an error', async (t) => {
  const { settings, header } = await filled(t, { body: '', header: minus, places: {}, pages: 1 });
  t.notMatch(header, 'REF platen');
  t.notMatch(settings, 'platen');
  t.match(header, '>7</w:t>', 'the stored result');
});

t.test('a field of a note needs anchors as well', async (t) => {
  const folder = t.testdir({});
  const [path, view] = [join(folder, 'in'), join(folder, 'view')];
  const note = `<w:footnote w:id="2"><w:p>${field(code('SECTIONPAGES'))}</w:p></w:footnote>`;
  const body = `<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
  await writeFile(path, reportedDocx({ body, parts: { 'footnotes.xml': wordPart('footnotes', note) } }));
  const { fields } = await inspect(path, view, new Allowance(60_000), ['docx'], {});
  t.ok(fields.hasPageFields);
  t.match((await partOf(await readFile(view), 'word/document.xml')).toString(), 'platen-par-0');
});

t.test('page numbers in a format that LibreOffice lacks', async (t) => {
  const section = (format: string) => `<w:sectPr><w:pgNumType w:fmt="${format}"/></w:sectPr>`;
  const body =
    paragraph('a') + paragraph('b', section('lowerRoman')) + paragraph('c') + section('numberInDash');
  const places = { '0': 0, '0-end': 0, '1': 1, '1-end': 1, '2': 2, '2-end': 2 };
  const { settings, header } = await filled(t, { body, header: page, places, pages: 3 });
  t.equal(settings, '{platen1=i}a{platen1=ii}b{platen1=- 3 -}c');
  t.match(header, '> REF platen1 <');
  const unknown = await filled(t, { body, header: page, places: {}, pages: 0 });
  t.match(unknown.header, '> PAGE <', 'plain ones where it is not known where pages begin');
});

t.test('a paragraph is added before one that is the first and the last of its section', async (t) => {
  const body = `${paragraph('a', '<w:sectPr/>')}${paragraph('b')}<w:sectPr/>`;
  const places = { '0': 0, '0-end': 0, '1': 1, '1-end': 1 };
  const { body: whole } = await filled(t, { body, header: minus, places, pages: 2 });
  t.match(
    whole,
    /^<w:p><w:pPr><w:spacing [^>]*><w:rPr><w:vanish\/>.*SET platen1 &quot;0&quot;.*<\/w:p><w:p><w:pPr><w:sectPr\/>/,
  );
});

t.test('names of variables are not those of the document', async (t) => {
  const body = `<w:p>${code('SET PLATEN1 "x"')}${code('REF platen_1')}</w:p>`;
  const { header } = await filled(t, { body, header: minus, places: { '0': 0, '0-end': 0 }, pages: 1 });
  t.match(header, '> REF platen__1 <');
});

t.test('variables are set where pages begin', async (t) => {
  const body = ['a', 'b', 'c', 'd'].map((each) => paragraph(each)).join('');
  const places = { '0': 0, '0-end': 0, '1': 0, '1-end': 1, '2': 1, '2-end': 1, '3': 2, '3-end': 2 };
  const { settings, header } = await filled(t, { body, header: minus, places, pages: 3 });
  t.equal(settings, '{platen1=0}a{platen1=1}bc{platen1=2}d', 'in a paragraph that goes on there, too');
  t.match(header, '> REF platen1 <');
  t.match(header, '>7</w:t>');
});

t.test('only where their values change', async (t) => {
  const body = ['a', 'b', 'c'].map((each) => paragraph(each)).join('');
  const places = { '0': 0, '0-end': 0, '1': 1, '1-end': 1, '2': 2, '2-end': 2 };
  const last = field(
    `${code('IF ')}${page}${code(' = ')}${field(code('NUMPAGES'))}${code(' "a &amp; \\"b\\"" ""')}`,
  );
  const { settings } = await filled(t, { body, header: last + last, places, pages: 3 });
  t.equal(settings, '{platen1=}ab{platen1=a &amp; ”b”}c');
});

t.test('sections count their pages, and begin anew', async (t) => {
  const section = (more = '') => `<w:sectPr>${more}</w:sectPr>`;
  const body =
    paragraph('a', section()) + paragraph('b') + paragraph('c') + section('<w:pgNumType w:start="5"/>');
  const places = { '0': 0, '0-end': 0, '1': 1, '1-end': 1, '2': 2, '2-end': 2 };
  const all = `<w:fldSimple w:instr="SECTION"/><w:fldSimple w:instr="SECTIONPAGES"/>${minus}`;
  const { settings } = await filled(t, { body, header: all, places, pages: 3 });
  t.equal(settings, '{platen1=1}{platen2=1}{platen3=0}a{platen1=2}{platen2=2}{platen3=4}b{platen3=5}c');
});

t.test('an empty paragraph that ends a section is not on the first page of the next one', async (t) => {
  const section = (type: string) => `<w:sectPr><w:type w:val="${type}"/></w:sectPr>`;
  const counted = '<w:fldSimple w:instr="SECTION"/><w:fldSimple w:instr="SECTIONPAGES"/>';
  const settingsOf = async (type: string) => {
    const body = paragraph('a') + paragraph('', section('nextPage')) + paragraph('b') + section(type);
    const places = { '0': 0, '0-end': 0, '1': 1, '1-end': 1, '2': 1, '2-end': 1 };
    return (await filled(t, { body, header: counted, places, pages: 2 })).settings;
  };
  t.equal(await settingsOf('nextPage'), '{platen1=1}{platen2=1}a{platen1=2}b', 'where LibreOffice moves it');
  t.equal(await settingsOf('continuous'), '{platen1=1}{platen2=2}ab', 'but on its own');
});
