/** What the preflight changes in a document before an engine sees it, and that it changes nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { ShownOptions } from '../../../src/convert/preflight/print-view.ts';
import type { RequestedLayout } from '../../../src/shared/options/conversion-options.ts';
import {
  docx,
  docxLeadingTo,
  docxWithParts,
  imageDocx,
  mainPart,
  partsWith,
} from '../../support/documents.ts';
import { linkedImageDocx } from '../../support/linked-image.ts';
import { noise } from '../../support/noise.ts';
import { XML } from '../../support/office-package.ts';
import { reportedDocx, savedByWord, wordPart } from '../../support/report-documents.ts';
import { zip } from '../../support/zip.ts';
import { fileOf, openPreflight } from '../support/preflight.ts';
import { contentsOf, partOf, WrittenArchives } from '../support/written-archives.ts';

const preflight = openPreflight();
const views = new WrittenArchives();

const field = (kind: string) =>
  `<w:p><w:fldSimple w:instr="${kind}"><w:r><w:t>stored</w:t></w:r></w:fldSimple></w:p>`;
const inserted = '<w:p><w:ins w:id="1" w:author="A"><w:r><w:t>new</w:t></w:r></w:ins></w:p>';
const made = '<w:p><w:r><w:t>new</w:t></w:r></w:p>';
const settings = (inner = '<w:zoom w:percent="100"/>') =>
  `${XML}<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner}</w:settings>`;
const MAIN = 'word/document.xml';

/** The file behind the preflight. */
async function viewOf(t: Parameters<typeof fileOf>[0], document: Buffer, shown: ShownOptions = {}) {
  const path = fileOf(t, document);
  const { metadata } = await preflight.check(path, { shown });
  t.same(readdirSync(dirname(path)), ['upload'], 'nothing is left beside it');
  const bytes = readFileSync(path);
  views.add(bytes);
  return { bytes, part: (name: string) => partOf(bytes, name), metadata };
}

/** Whether no part changes but those that describe the package. */
async function keepsParts(
  t: Parameters<typeof fileOf>[0],
  document: Buffer,
  what: string,
  shown: ShownOptions = {},
) {
  const { bytes } = await viewOf(t, document, shown);
  t.strictSame(await contentsOf(bytes), await contentsOf(document), what);
}

t.test('a document without such things keeps its parts', async (t) => {
  await keepsParts(t, docx(), 'text');
  await keepsParts(t, imageDocx(2, 64), 'pictures');
  await keepsParts(t, docxLeadingTo({}, {}, field('PAGE')), 'a field');
});

t.test('what is behind the archive is cut off', async (t) => {
  const document = docx();
  const { bytes } = await viewOf(t, Buffer.concat([document, Buffer.alloc(600, ' ')]));
  t.ok(bytes.equals((await viewOf(t, document)).bytes));
});

t.test('a PDF that is a picture declares itself as newer', async (t) => {
  const large = Buffer.concat([Buffer.from('%PDF-1.4'), noise(100_000)]);
  const pictures = {
    'old.pdf': Buffer.from('%PDF-1.3\n%%EOF'),
    'odd.pdf': Buffer.from('%PDF-x.y\n%%EOF'),
    'large.bin': large,
    'new.pdf': Buffer.from('%PDF-1.7\n%%EOF'),
    'newest.pdf': Buffer.from('%PDF-2.0\n%%EOF'),
    'short.pdf': Buffer.from('%PDF-1'),
  };
  const versions = { 'old.pdf': '1.7', 'odd.pdf': '1.7', 'large.bin': '1.7' };
  const document = docxLeadingTo(Object.fromEntries(Object.keys(pictures).map((name) => [name, 'image'])), {
    ...Object.fromEntries(Object.entries(pictures).map(([name, bytes]) => [`word/${name}`, bytes])),
    'word/embedded.pdf': pictures['old.pdf'],
  });
  const { part } = await viewOf(t, document);
  for (const [name, bytes] of Object.entries({ ...pictures, 'embedded.pdf': pictures['old.pdf'] })) {
    const expected = Buffer.from(bytes);
    expected.write(versions[name as keyof typeof versions] ?? '', 5);
    t.ok((await part(`word/${name}`)).equals(expected), name);
  }
  const tooLargePdf = Buffer.alloc(52_428_801);
  tooLargePdf.write('%PDF-1.4');
  const tooLarge = docxLeadingTo({ 'a.pdf': 'image' }, { 'word/a.pdf': tooLargePdf });
  await t.rejects(preflight.check(fileOf(t, tooLarge)), {
    reason: 'part-too-large',
    message: /a PDF of more than 50 MB as a picture/,
  });
});

t.test('bindings to data that are too long', async (t) => {
  const control = (prefix: string) =>
    `<w:sdt><w:sdtPr><${prefix}:dataBinding w:xpath="/a"></${prefix}:dataBinding><w:dataBinding/></w:sdtPr><w:sdtContent/></w:sdt>`;
  const controls = control('w') + control('w15');
  const bound = (bytes: number, type: string, count = 1) =>
    docxLeadingTo(
      { 'data.xml': type },
      { 'word/data.xml': `${XML}<a>${'a'.repeat(bytes)}</a>` },
      controls.repeat(count),
    );
  const none = controls.replaceAll(':dataBinding', ':_ataBinding');
  for (const type of ['customXml', 'core-properties', 'extended-properties']) {
    const { part } = await viewOf(t, bound(200_000, type));
    t.match((await part(MAIN)).toString(), none, type);
  }
  t.match((await (await viewOf(t, bound(100_000, 'customXml', 10))).part(MAIN)).toString(), none, 'together');
  await keepsParts(t, bound(100_000, 'customXml'), 'short enough');
  await keepsParts(t, bound(200_000, 'image'), 'no data');
});

t.test('documents inside the document', async (t) => {
  const inner = docxLeadingTo({ 'a.pdf': 'image' }, { 'word/a.pdf': '%PDF-1.4\n%%EOF' }, field('DATE'));
  const around = (document: Buffer) => docxLeadingTo({ 'c.docx': 'aFChunk' }, { 'word/c.docx': document });
  const { metadata } = await preflight.check(fileOf(t, around(around(inner))));
  t.equal(metadata.pdfPictures, 1, 'a PDF in them may be a picture');
  const external = async (document: Buffer) => (await preflight.check(fileOf(t, document))).metadata.external;
  const linked = linkedImageDocx('https://example.com/a.png');
  t.equal(await external(around(linked)), 1, 'a picture in them may be elsewhere');
  t.equal(await external(around(around(linked))), 1);
  t.equal(await external(docxLeadingTo({ 'c.docx': 'package' }, { 'word/c.docx': linked })), 0, 'not shown');
  const { part } = await viewOf(t, around(around(inner)));
  const middle = await viewOf(t, await part('word/c.docx'));
  const innermost = await viewOf(t, await middle.part('word/c.docx'));
  t.match((await innermost.part('word/a.pdf')).toString(), '%PDF-1.7');
  t.match((await innermost.part(MAIN)).toString(), '"_ATE"');
  const outer = await viewOf(t, around(docx()));
  const written = await outer.part('word/c.docx');
  const others = async (document: Buffer) =>
    [...(await contentsOf(document))].filter(([name]) => name !== MAIN);
  t.strictSame(await others(written), await others(docx()), 'without such things');
  t.match((await partOf(written, MAIN)).toString(), '<w:sectPr><w:type w:val="continuous"/></w:sectPr>');
});

const DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

t.test('every XML part is written anew, whatever it is called', async (t) => {
  const large = `<a>${'<b>\u00e4\u65e5</b>'.repeat(200_000)}</a>`;
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const parts = {
    'word/header1.xml': `\ufeff${mainPart('').replace(/^.*\n/, '')}`,
    'word/media/a.png': '<a/>',
    'customXml/item1.xml': Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>\xe4</a>', 'latin1'),
    'customXml/item2.xml': Buffer.from(`<?xml version='1.0'?>${large}`),
    'word/media/a.svgz': gzipSync(`<?xml version='1.0'?>${svg}`),
  };
  const { part } = await viewOf(t, docxWithParts(parts));
  const expected = {
    'word/header1.xml': mainPart('').replace(/^.*\n/, ''),
    'word/media/a.png': '<a/>',
    'customXml/item1.xml': '\n<a>\u00e4</a>',
    'customXml/item2.xml': large,
    'word/media/a.svgz': svg,
  };
  for (const [name, content] of Object.entries(expected))
    t.ok((await part(name)).equals(Buffer.from(DECLARED + content)), name);
});

t.test('a compressed picture names no others', async (t) => {
  const picture = (link: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(16_335)}<image href="${link}"/></svg>`;
  const parts = { 'word/media/a.svgz': gzipSync(picture('file:///a')) };
  const { part, metadata } = await viewOf(t, docxWithParts(parts));
  t.equal((await part('word/media/a.svgz')).toString(), DECLARED + picture(''));
  t.strictSame(metadata.rewrites, ['svg-links']);
});

t.test('relationships and content types are written from what was understood', async (t) => {
  const namespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const link = (id: string, target: string, more = '') =>
    `<Relationship Id="${id}" Type="http://x/y" Target="${target}"${more}/>`;
  const links = `<p:Relationships xmlns:p="${namespace}"><!-- x --><Relationship Id="x" Type="x" Target="x"/>\
<p:Relationship Target="a&#38;&quot;" Type="http://x/y" Id="a" TargetMode="External" x="y"></p:Relationship>\
<p:Relationship Id="b" Type="http://x/y" Target="b" TargetMode="Internal"/><p:Relationship Id="b" Type="z" Target="z"/></p:Relationships>`;
  const { part } = await viewOf(t, docxWithParts({ 'word/_rels/document.xml.rels': links }));
  t.equal(
    String(await part('word/_rels/document.xml.rels')),
    `${DECLARED}<Relationships xmlns="${namespace}">${link('a', 'a&#38;&#34;', ' TargetMode="External"')}${link('b', 'b')}</Relationships>`,
  );
  const type = '<Default Extension="a" ContentType="b"/>';
  const document = partsWith().map((each) =>
    each.name === '[Content_Types].xml'
      ? { ...each, data: String(each.data).replace('</Types>', `${type}<x xmlns="y"/>${type}</Types>`) }
      : each,
  );
  const types = String(await (await viewOf(t, zip(document))).part('[Content_Types].xml'));
  t.match(types, new RegExp(`^${DECLARED.replaceAll('?', '\\?')}<Types xmlns="[^"]*">.*${type}</Types>$`));
  t.notMatch(types, /<x|\n/);
});

t.test('an inserted file that readers could take for another is left out', async (t) => {
  const inserted = (content: Buffer | string) =>
    docxLeadingTo({ 'c.bin': 'aFChunk' }, { 'word/c.bin': content });
  for (const [what, content, kept] of [
    ['HTML', '<!DOCTYPE html><html>\xe4</html>', true],
    ['RTF', '{\\rtf1 a}', true],
    ['HTML with an archive', Buffer.concat([Buffer.from('<html></html>'), docx()]), false],
    ['an archive behind something else', Buffer.concat([Buffer.from('a'), docx()]), false],
    ['an archive that is cut', docx().subarray(0, -40), false],
    ['XML in an unknown encoding', '<?xml version="1.0" encoding="UTF-7"?><a/>', false],
  ] as const) {
    const { part } = await viewOf(t, inserted(content));
    t.strictSame(String(await part('word/c.bin')), kept ? String(content) : '', what);
  }
});

t.test('text that is hidden on web pages only is shown', async (t) => {
  const run = (name: string) =>
    `<w:p><w:r><w:rPr><w:${name}/></w:rPr><w:t>see w:webHidden</w:t></w:r></w:p><w:p><w:r><w:rPr><w:${name} w:val="1"></w:${name}></w:rPr></w:r></w:p>`;
  const { part } = await viewOf(t, docxLeadingTo({}, {}, run('webHidden')));
  t.equal((await part(MAIN)).toString(), mainPart(run('_ebHidden')));
});

t.test('styles are the stored ones where they are to be the template’s', async (t) => {
  const settings = (name: string) =>
    `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:${name}/></w:settings>`;
  const { part } = await viewOf(t, docxLeadingTo({}, { 'word/settings.xml': settings('linkStyles') }));
  t.match((await part('word/settings.xml')).toString(), settings('_inkStyles'));
});

t.test('a frame without a place or a size is none', async (t) => {
  const framed = (name: string, wrap = 'auto', more = '') =>
    `<w:p><w:pPr><w:${name} w:wrap="${wrap}"${more}/></w:pPr><w:r><w:t>framePr</w:t></w:r></w:p>`;
  const placed = framed('framePr', 'around') + framed('framePr', 'auto', ' w:hAnchor="page" w:x="9"');
  const { part } = await viewOf(t, docxLeadingTo({}, {}, framed('framePr') + placed));
  t.equal((await part(MAIN)).toString(), mainPart(framed('_ramePr') + placed));
});

t.test('a control for a date in which none is chosen is one for text', async (t) => {
  const control = (open: string, inside = '<w:lid w:val="fr-FR"/>', close = 'date') =>
    `<w:sdt><w:sdtPr><w:${open}>${inside}</w:${close}></w:sdtPr><w:sdtContent>${made}</w:sdtContent></w:sdt>`;
  const body = (date: string, empty: string) =>
    control(date, undefined, date) +
    control(`${empty} w:fullDate=""`, undefined, empty) +
    control('date w:fullDate="2020-05-12T00:00:00Z"') +
    control('dateFormat w:val="date"', '', 'dateFormat') +
    `<w:sdt><w:sdtPr><w:${empty}/></w:sdtPr></w:sdt><w:p><w:r><w:t>w:date</w:t></w:r></w:p>`;
  const { part } = await viewOf(t, docxLeadingTo({}, {}, body('date', 'date')));
  t.equal((await part(MAIN)).toString(), mainPart(body('_ate', '_ate')));
  const data = `${XML}<root><date>2020</date><w:p/></root>`;
  const bound = docxLeadingTo({ 'data.xml': 'customXml' }, { 'word/data.xml': data }, body('date', 'date'));
  t.equal((await (await viewOf(t, bound)).part('word/data.xml')).toString(), data, 'data have other dates');
});

t.test('only the parts that change are others', async (t) => {
  const parts = {
    [MAIN]: mainPart(field('DATE')),
    'word/footer1.xml': mainPart(field('FILENAME')),
    'word/header1.xml': mainPart(field('PAGE')),
    'word/media/noise.bin': noise(100_000),
  };
  for (const options of [{}, { descriptor: 'signed' }, { descriptor: 'bare' }, { stored: true }] as const) {
    const entries = partsWith(parts).map((entry) => ({ ...entry, ...options }));
    const { part, bytes } = await viewOf(t, zip(entries, { comment: Buffer.from('comment'), zip64: true }));
    const expected = {
      ...parts,
      [MAIN]: mainPart(field('_ATE')),
      'word/footer1.xml': mainPart(field('_ILENAME')),
    };
    for (const [name, content] of Object.entries(expected)) {
      t.ok((await part(name)).equals(Buffer.from(content)), `${name} of ${JSON.stringify(options)}`);
    }
    t.same((await viewOf(t, bytes)).bytes, bytes, 'it passes the preflight again, which changes nothing');
  }
});

t.test('instructions in CDATA sections, and around comments', async (t) => {
  const code = (text: string) =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>${text}</w:instrText><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  for (const text of ['<![CDATA[FILENAME \\p]]>', 'FI<!-- x -->LENAME \\p', '<?x ?>FILENAME \\p']) {
    const { part } = await viewOf(t, docxLeadingTo({}, {}, code(text)));
    t.ok((await part(MAIN)).equals(Buffer.from(mainPart(code('_ILENAME \\p')))), text);
  }
});

t.test('a part in UTF-16', async (t) => {
  const text = `\ufeff<?xml version="1.0" encoding="UTF-16"?>${mainPart(`${field('DATE')}<w:p><w:r><w:t>日本</w:t></w:r></w:p>`).replace(/^<\?xml.*\?>\n/, '')}`;
  const { part } = await viewOf(t, zip(partsWith({ [MAIN]: Buffer.from(text, 'utf16le') })));
  const changed = (await part(MAIN)).toString();
  t.match(changed, /^<\?xml version="1.0" encoding="UTF-8" standalone="yes"\?>/);
  t.match(changed, field('_ATE'));
  t.match(changed, '日本');
});

t.test('a heavy package, in a process of its own', async (t) => {
  const filler = `<w:p><w:r><w:t>${'x'.repeat(1_000)}</w:t></w:r></w:p>`.repeat(2_000);
  const document = docxLeadingTo({}, {}, filler + field('DATE') + filler + inserted);
  const { part } = await viewOf(t, document);
  t.ok((await part(MAIN)).equals(Buffer.from(mainPart(filler + field('_ATE') + filler + made))));
});

t.test('tracked changes are made in every part, and what reads them afterwards sees none', async (t) => {
  const was = '<w:p><w:del w:id="2" w:author="A"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>';
  const document = reportedDocx({
    body: `${inserted}${was}<w:sectPr><w:headerReference w:type="default" r:id="rId1"/></w:sectPr>`,
    parts: { 'header1.xml': wordPart('hdr', inserted), 'footer1.xml': wordPart('ftr', inserted) },
  });
  const { part, metadata } = await viewOf(t, document);
  t.equal(String(await part('word/header1.xml')), wordPart('hdr', made));
  t.equal(String(await part('word/footer1.xml')), wordPart('ftr', made));
  t.match(String(await part(MAIN)), `${made}<w:p></w:p>`);
  t.match(metadata, { trackedChanges: 3, rewrites: ['tracked-changes'] }, 'no section shows the footer');
  const { metadata: other } = await viewOf(t, docxLeadingTo({}, {}, made));
  t.strictSame(metadata.text, other.text);
});

t.test('the metadata names the rules that changed something', async (t) => {
  const pdf = { 'a.pdf': 'image' };
  const old = { 'word/a.pdf': '%PDF-1.3\n%%EOF' };
  const filler = `<w:p><w:r><w:t>${'x'.repeat(1_000)}</w:t></w:r></w:p>`.repeat(4_000);
  for (const [document, rewrites] of [
    [docxLeadingTo({}, {}, field('PAGE')), []],
    [docxLeadingTo({}, {}, field('DATE')), ['stored-fields']],
    [docxLeadingTo({}, {}, inserted), ['tracked-changes']],
    [docxLeadingTo(pdf, old, field('DATE') + filler), ['stored-fields', 'pdf-pictures']],
  ] as const) {
    const { metadata } = await preflight.check(fileOf(t, document));
    t.strictSame(metadata.rewrites, rewrites);
  }
});

t.test('only a document whose pages are asked for and known gets anchors for them', async (t) => {
  const marked = '<w:p><w:r><w:lastRenderedPageBreak/><w:t>b</w:t></w:r></w:p>';
  const body = `<w:p><w:r><w:t>a</w:t></w:r></w:p>${marked}`;
  const empty = '<w:p><w:r><w:t>a</w:t></w:r></w:p><w:p></w:p>';
  const counted = `${savedByWord(2)}<Characters>1</Characters>`;
  const marks = (words: number, layout: RequestedLayout, wordPages: object | string) =>
    [
      `${layout}, changed, ${words}`,
      reportedDocx({ body, properties: `${savedByWord(2)}<Words>${words}</Words>`, isChanged: true }),
      layout,
      wordPages,
    ] as const;
  const changed = [
    // Two letters and two paragraph marks; one more or less may be in Word's count.
    ...[3, 4, 5].map((words) => marks(words, 'auto', { pages: 2 })),
    ...[0, 2, 6].map((words) => marks(words, 'auto', 'not-saved-by-word')),
    marks(6, 'word', { pages: 2 }),
    marks(4, 'engine', 'requested'),
    [
      'without marks, changed',
      reportedDocx({ body: empty, properties: `${counted}<Words>9</Words>`, isChanged: true }),
      'auto',
      'not-saved-by-word',
    ],
    ['word, of no Word', reportedDocx({ body }), 'word', { pages: undefined }],
  ] as const;
  const cases = [
    ['asked for', reportedDocx({ body, properties: savedByWord(2) }), 'auto', { pages: 2 }],
    ['not asked for', reportedDocx({ body, properties: savedByWord(2) }), 'engine', 'requested'],
    ['of another number', reportedDocx({ body, properties: savedByWord(9) }), 'auto', 'stale-marks'],
    [
      'with tracked changes',
      reportedDocx({ body: body + inserted, properties: savedByWord(2) }),
      'auto',
      'stale-marks',
    ],
    ['of no Word', reportedDocx({ body }), 'auto', 'not-word'],
    ['without marks', reportedDocx({ properties: savedByWord(2) }), 'auto', 'no-marks'],
    ['without marks, but counted', reportedDocx({ body: empty, properties: counted }), 'auto', { pages: 2 }],
    ...changed,
  ] as const;
  for (const [what, document, layout, wordPages] of cases) {
    const path = fileOf(t, document);
    const checked = await preflight.check(path, { layout });
    t.match(checked.wordPages, wordPages, what);
    const isAnchored = typeof wordPages !== 'string' && !what.startsWith('without marks');
    t.equal(checked.metadata.rewrites.includes('page-anchors'), isAnchored, what);
    const main = await partOf(readFileSync(path), MAIN);
    t.equal(main.includes('platen-page-0'), isAnchored, what);
  }
});

t.test('the grid of lines is moved for a LibreOffice that begins it lower alone', async (t) => {
  const grid = `<w:sectPr><w:pgSz w:w="11906" w:h="15460"/><w:pgMar w:top="1440" w:bottom="1440" w:header="851" w:footer="992"/>
    <w:docGrid w:type="lines" w:linePitch="312"/></w:sectPr>`;
  const heavy = { 'word/media/noise.bin': noise(1_000_000) };
  for (const [what, document] of [
    ['light', docxLeadingTo({}, {}, grid)],
    ['heavy', docxLeadingTo({}, heavy, grid)],
  ] as const) {
    for (const [libreOffice, rewrites] of [
      [undefined, ['line-grid']],
      ['25.2.3.2', ['line-grid']],
      ['26.8.2.2', []],
    ] as const) {
      const checked = await preflight.check(fileOf(t, document), { libreOffice });
      t.strictSame(checked.metadata.rewrites, rewrites, `${what}, ${libreOffice}`);
    }
  }
});

t.test('a document that inflates a thousandfold takes no more room than before, or little', async (t) => {
  const body = field('DATE') + `<w:p><w:r><w:t>${'x'.repeat(1_000)}</w:t></w:r></w:p>`.repeat(5_000);
  const document = docxLeadingTo({}, { 'word/header1.xml': mainPart(body) }, body);
  const { bytes, part } = await viewOf(t, document);
  t.ok(bytes.length < 600_000, `${document.length} bytes became ${bytes.length}`);
  t.ok((await part(MAIN)).equals(Buffer.from(mainPart(body.replace('DATE', '_ATE')))));
});

t.test('a part that UTF-8 makes larger than a part may be', async (t) => {
  const text = `\ufeff<w:hdr xmlns:w="x">${field('DATE')}${'日'.repeat(18_000_000)}</w:hdr>`;
  const document = docxWithParts({ [MAIN]: mainPart(''), 'word/header1.xml': Buffer.from(text, 'utf16le') });
  await t.rejects(preflight.check(fileOf(t, document)), { code: 'CORRUPTED_FILE' });
});

t.test(
  'the original: changes are rejected in every part, and what reads them afterwards sees none',
  async (t) => {
    const was = '<w:p><w:del w:id="2" w:author="A"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>';
    const document = reportedDocx({
      body: `${inserted}${was}<w:sectPr><w:headerReference w:type="default" r:id="rId1"/></w:sectPr>`,
      parts: { 'header1.xml': wordPart('hdr', inserted) },
    });
    const { part, metadata } = await viewOf(t, document, { changes: 'original' });
    const [body, header] = [String(await part(MAIN)), String(await part('word/header1.xml'))];
    t.match(body, '<w:r><w:t>gone</w:t></w:r>');
    t.notMatch(body + header, /new|author/);
    t.match(metadata, { trackedChanges: 3, rewrites: ['tracked-changes'] });
    const before = await viewOf(t, docxLeadingTo({}, {}, '<w:p><w:r><w:t>gone</w:t></w:r></w:p>'));
    t.strictSame(metadata.text, before.metadata.text);
  },
);

t.test('a document inside the document', async (t) => {
  const inner = docxWithParts({ [MAIN]: mainPart(inserted) });
  const chunk = docxLeadingTo({ 'inner.docx': 'aFChunk' }, { 'word/inner.docx': inner });
  // Its last section has the properties of the document around it; see inserted-sections.ts.
  const section = '<w:pPr><w:sectPr><w:type w:val="continuous"/></w:sectPr></w:pPr>';
  for (const [changes, expected] of [
    ['final', made.replace('<w:p>', `<w:p>${section}`)],
    ['original', `<w:p>${section}</w:p>`],
  ] as const) {
    const view = await (await viewOf(t, chunk, { changes })).part('word/inner.docx');
    views.add(view);
    t.equal(String(await partOf(view, MAIN)), mainPart(expected), changes);
  }
});

t.test('endnotes at the end of their sections', async (t) => {
  const note = '<w:p><w:hyperlink r:id="a"><w:r><w:endnoteRef/></w:r></w:hyperlink></w:p>';
  const links = (id: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="${id}" Type="hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>`;
  const document = docxLeadingTo(
    { 'settings.xml': 'settings', 'endnotes.xml': 'endnotes' },
    {
      'word/settings.xml': settings('<w:endnotePr><w:pos w:val="sectEnd"/></w:endnotePr>'),
      'word/endnotes.xml': wordPart('endnotes', `<w:endnote w:id="1">${note}</w:endnote>`),
      'word/_rels/endnotes.xml.rels': links('a'),
    },
    '<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:endnoteReference w:id="1"/></w:r></w:p><w:p/>',
  );
  const { part, metadata } = await viewOf(t, document);
  t.match(metadata.rewrites, ['section-endnotes']);
  t.match(String(await part(MAIN)), /<w:hyperlink r:id="moved-a"><w:r><w:t>i<\/w:t>/);
  t.match(String(await part('word/_rels/document.xml.rels')), /Id="moved-a" .*TargetMode="External"/);
  t.equal(String(await part('word/endnotes.xml')), wordPart('endnotes', ''), 'the notes are there once');
});

t.test('endnotes that cannot stand at the end of their sections', async (t) => {
  const note = '<w:endnote w:id="1"><w:p><w:r><w:endnoteRef/></w:r></w:p></w:endnote>';
  const document = docxLeadingTo(
    { 'settings.xml': 'settings', 'notes/endnotes.xml': 'endnotes' },
    {
      'word/settings.xml': settings('<w:endnotePr><w:pos w:val="sectEnd"/></w:endnotePr>'),
      'word/notes/endnotes.xml': wordPart('endnotes', note),
      'word/notes/_rels/endnotes.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
    },
    '<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:endnoteReference w:id="1"/></w:r></w:p><w:p/>',
  );
  const { metadata } = await viewOf(t, document);
  t.match(metadata.omitted, [{ kind: 'section-endnote', count: 1 }]);
});

t.test('the original of a document without changes keeps its parts', async (t) =>
  keepsParts(t, docx(), 'text', { changes: 'original', fields: 'updated' }),
);

t.test('paragraphs that become one that is too long', async (t) => {
  for (const [change, changes] of [
    ['del', 'final'],
    ['ins', 'original'],
  ] as const) {
    const mark = `<w:pPr><w:rPr><w:${change} w:id="1" w:author="A"/></w:rPr></w:pPr>`;
    const paragraph = `<w:p>${mark}<w:r><w:t>${'x'.repeat(100_000)}</w:t></w:r></w:p>`;
    const path = fileOf(t, docxWithParts({ [MAIN]: mainPart(paragraph + paragraph) }));
    const refused = { code: 'CORRUPTED_FILE', reason: 'paragraph' };
    await t.rejects(preflight.check(path, { shown: { changes } }), refused, changes);
  }
});

t.test('with marks: settings that hide them are changed', async (t) => {
  const document = docxLeadingTo(
    { 'settings.xml': 'settings' },
    { 'word/settings.xml': settings('<w:revisionView w:markup="0"/>') },
    inserted,
  );
  const { part } = await viewOf(t, document, { changes: 'marked' });
  t.equal(String(await part('word/settings.xml')), settings(''));
  const none = docxLeadingTo({}, {}, inserted);
  await keepsParts(t, none, 'nothing is added', { changes: 'marked' });
});

t.test(
  'updated: dates stay as they are, and what LibreOffice would get wrong keeps its result',
  async (t) => {
    const document = docxLeadingTo({}, {}, field('DATE') + field('AUTHOR'));
    const { part } = await viewOf(t, document, { fields: 'updated' });
    t.equal(String(await part(MAIN)), mainPart(field('DATE') + field('_UTHOR')));
  },
);

t.test('unzip finds nothing wrong with any of them', (t) => views.check(t));
