/** What a PDF shows of stored results, hidden text, changes and comments: what Word prints. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { attackDocx, NAMESPACES, paragraph, picture, text } from '../../attack/support/docx.ts';
import { facingDocx } from '../../support/counted-document.ts';
import { docx, docxWithParts, mainPart } from '../../support/documents.ts';
import { noisePng } from '../../support/noise.ts';
import { relationships } from '../../support/office-package.ts';
import { reportedDocx, wordPart } from '../../support/report-documents.ts';
import { form } from '../../support/server.ts';
import { pdfText, pdfTops, pdfWords } from '../support/pdf.ts';
import { send } from '../support/requests.ts';
import { key, server } from './server.ts';

const run = promisify(execFile);

/** Converts it, and gives the PDF's bytes as text and its words. */
async function print(t: Test, document: Buffer, query = '') {
  const answer = await send(server, `/v1/convert${query}`, { key, body: form(document) });
  t.equal(answer.status, 200, answer.body.toString('latin1', 0, 200));
  return { pdf: answer.body, latin1: answer.body.toString('latin1'), words: await pdfText(answer.body) };
}

const by = 'w:author="A" w:date="2020-01-01T00:00:00Z"';
const character = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const field = (instruction: string, result: string) =>
  `${character('begin')}<w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>\
${character('separate')}${text(result)}${character('end')}`;

t.test('fields show their stored results, page numbers the real ones', async (t) => {
  const stored = {
    'DATE \\@ "d MMMM yyyy"': '1 January 2001',
    'TIME \\@ "HH:mm"': '03:04',
    'SAVEDATE \\@ "d MMMM yyyy"': '2 February 2002',
    'PRINTDATE \\@ "d MMMM yyyy"': '4 April 2004',
    'FILENAME \\p': 'C:\\reports\\stored.docx',
    AUTHOR: 'Stored Author',
    TITLE: 'Stored Title',
    NUMWORDS: '4242',
    'IF 1 = 1 "yes" "no"': 'stored condition',
    'DOCPROPERTY Project': 'stored property',
  };
  const lines = Object.entries(stored).map(([instruction, result]) => paragraph(field(instruction, result)));
  lines.push(paragraph(`<w:fldSimple w:instr=" DATE ">${text('6 June 2006')}</w:fldSimple>`));
  lines.push(paragraph(text('pages: ') + field('NUMPAGES', '77')));
  lines.push(paragraph(text('path: ') + field('FILENAME \\p', '')));
  const { words, latin1 } = await print(t, attackDocx({ body: lines.join('') }));
  t.same(words.split(/\s*\n\s*/), [...Object.values(stored), '6 June 2006', 'pages: 1', 'path:']);
  t.notMatch(latin1, /input\.docx/, 'no path of the service');
});

t.test('a table of contents keeps its heading whole, its dots and its page numbers', async (t) => {
  const web = (inner: string) => inner.replaceAll('<w:r>', '<w:r><w:rPr><w:webHidden/></w:rPr>');
  const entry = (words: string, page: string) =>
    text(words) + web(`<w:r><w:tab/></w:r>${field('PAGEREF one', page)}`);
  const heading = `${text('Contents')}${character('begin')}<w:r><w:instrText> TOC \\o </w:instrText></w:r>${character('separate')}`;
  const tabs = '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs>';
  const dots = `<w:pPr>${tabs}</w:pPr>`;
  const styled = '<w:pPr><w:pStyle w:val="Entry"/></w:pPr>';
  const style = (id: string, inner: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/>${inner}</w:style>`;
  const styles = style('Dots', dots) + style('Entry', '<w:basedOn w:val="Dots"/>');
  const { words, latin1 } = await print(
    t,
    reportedDocx({
      parts: { 'styles.xml': wordPart('styles', styles) },
      body: `${paragraph(heading)}${paragraph(dots + entry('First', 'iv'))}${paragraph(styled + entry('Second', '7'))}\
${paragraph(character('end'))}${paragraph(`<w:bookmarkStart w:id="1" w:name="one"/>${text('page ')}${field('PAGEREF one', '7')}<w:bookmarkEnd w:id="1"/>`)}`,
    }),
  );
  // Numbers are those of the PDF, but roman ones: LibreOffice would write them in another format.
  t.same(words.trim().split(/[\s.]+/), ['Contents', 'First', 'iv', 'Second', '1', 'page', '1']);
  t.match(words, /First \.+ iv\s+Second \.+ 1\s/, 'dots are no part of the words beside them');
  t.notMatch(latin1, /\/S\s*\/TOC/, 'no section of its own');
});

t.test('links look as their runs say, and not at all in a table of contents', async (t) => {
  const blue = '<w:color w:val="0000FF"/><w:u w:val="single"/>';
  const linkStyle = wordPart(
    'styles',
    `<w:style w:type="character" w:styleId="Link"><w:name w:val="Hyperlink"/><w:rPr>${blue}</w:rPr></w:style>`,
  );
  const isBlue = async (entry: string) => {
    const body = `${entry}<w:p><w:bookmarkStart w:id="0" w:name="one"/><w:bookmarkEnd w:id="0"/></w:p>`;
    const { pdf, latin1 } = await print(t, reportedDocx({ body, parts: { 'styles.xml': linkStyle } }));
    t.match(latin1, /\/Subtype\s*\/Link/, 'it is a link');
    const path = join(t.testdir(), 'a.pdf');
    writeFileSync(path, pdf);
    const { stdout } = await run('pdftoppm', ['-r', '50', path], { encoding: 'latin1' });
    const pixels = stdout.slice(stdout.indexOf('\n255\n') + 5);
    return [...pixels.matchAll(/(.).(.)/gs)].some(([, red = '', blue = '']) => blue > red);
  };
  const link = (style: string) =>
    `<w:hyperlink w:anchor="one"><w:r><w:rPr>${style}</w:rPr><w:t>Entry</w:t></w:r></w:hyperlink>`;
  const styled = link('<w:rStyle w:val="Link"/>');
  const begin = `${character('begin')}<w:r><w:instrText> TOC \\h </w:instrText></w:r>${character('separate')}`;
  t.ok(await isBlue(paragraph(styled)));
  t.notOk(await isBlue(paragraph(`${begin}${styled}${character('end')}`)));
  t.notOk(await isBlue(paragraph(link('<w:b/>'))));
});

t.test('a cover stays on its page', async (t) => {
  const extent = '<a:off x="0" y="0"/><a:ext cx="5000000" cy="900000"/>';
  /** A group of shapes anchored in its paragraph, at this distance from the top of the page. */
  const group = (
    word: string,
    top: number,
  ) => `<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" \
simplePos="0" relativeHeight="1" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>\
<wp:positionH relativeFrom="page"><wp:posOffset>900000</wp:posOffset></wp:positionH>\
<wp:positionV relativeFrom="page"><wp:posOffset>${top}</wp:posOffset></wp:positionV><wp:extent cx="5000000" cy="900000"/>\
<wp:wrapNone/><wp:docPr id="1" name="a"/><wp:cNvGraphicFramePr/><a:graphic>\
<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup">\
<wpg:wgp xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"><wpg:cNvGrpSpPr/>\
<wpg:grpSpPr><a:xfrm>${extent}<a:chOff x="0" y="0"/><a:chExt cx="5000000" cy="900000"/></a:xfrm></wpg:grpSpPr>\
<wps:wsp><wps:cNvPr id="2" name="b"/><wps:cNvSpPr/><wps:spPr><a:xfrm>${extent}</a:xfrm>\
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>${paragraph(text(word))}</w:txbxContent></wps:txbx>\
<wps:bodyPr/></wps:wsp></wpg:wgp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>`;
  const wordsByPage = async (inner: string) => {
    const { words } = await print(t, attackDocx({ body: paragraph(inner) + paragraph(text('later')) }));
    return words.split('\f').map((page) => page.trim().split(/\s+/).sort());
  };
  const pageBreak = '<w:r><w:br w:type="page"/></w:r>';
  const cover = group('cover', 3_000_000);
  t.strictSame(await wordsByPage(cover + pageBreak + text('behind')), [['cover'], ['behind', 'later']]);
  const second = group('second', 6_000_000);
  t.strictSame(await wordsByPage(cover + pageBreak + second), [['cover', 'second'], ['later']]);
});

t.test('list items have the spacing that the document sets', async (t) => {
  const numbering = wordPart(
    'numbering',
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
  );
  const item = (word: string, more: string) =>
    paragraph(
      text(word),
      `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:spacing w:before="400" w:after="0"${more}/>`,
    );
  const apart = async (more: string) => {
    const body = item('first', more) + item('second', more);
    const { pdf } = await print(t, reportedDocx({ body, parts: { 'numbering.xml': numbering } }));
    const tops = await pdfTops(pdf);
    return (tops.get('second') ?? 0) - (tops.get('first') ?? 0);
  };
  const written = await apart('');
  t.ok(written > 30, `${written}`);
  t.equal(await apart(' w:beforeAutospacing="0" w:afterAutospacing="0"'), written);
});

t.test('tables are as high as in Word', async (t) => {
  const line = (word: string, after = 0) =>
    paragraph(
      text(word),
      `<w:spacing w:after="${after}" w:line="300" w:lineRule="exact"/><w:contextualSpacing/>`,
    );
  const row = (content: string, { properties = '', borders = '' } = {}) =>
    `<w:tr><w:trPr>${properties}</w:trPr><w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/><w:tcBorders>${borders}</w:tcBorders></w:tcPr>\
${content}</w:tc></w:tr>`;
  const table = (rows: readonly string[], properties = '') =>
    `<w:tbl><w:tblPr><w:tblW w:w="2000" w:type="dxa"/>${properties}</w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>\
${rows.join('')}</w:tbl>`;
  const spacing = '<w:tblCellSpacing w:w="40" w:type="dxa"/>';
  const high = {
    properties: '<w:trHeight w:val="600"/>',
    borders: '<w:top w:val="nil"/><w:bottom w:val="single" w:sz="24" w:space="0"/>',
  };
  const large = (word: string) =>
    paragraph(
      text(word).replace('<w:r>', '<w:r><w:rPr><w:sz w:val="48"/></w:rPr>'),
      '<w:spacing w:after="0" w:line="480" w:lineRule="auto"/>',
    );
  const body = [
    line('a0') + table([row(line('a1')), row(line('a2')), row(line('a3'))], spacing) + line('a4'),
    table([row(line('b1'), high), row(line('b2'), high), row(line('b3'), high)]),
    line('c1', 400) + table([row(line('c2'))]) + paragraph(''),
    table([row(large('d1') + large('d2')), row(large('d3'))]) + paragraph(''),
  ].join('');
  const document = attackDocx({
    body,
    relationships: [{ id: 'rId1', type: 'styles', target: 'styles.xml' }],
    parts: [
      {
        name: 'word/styles.xml',
        type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml',
        data: `<w:styles ${NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial"/><w:sz w:val="22"/></w:rPr></w:rPrDefault>\
</w:docDefaults></w:styles>`,
      },
    ],
  });
  const heights = await pdfTops((await print(t, document)).pdf);
  const distance = (from: string, to: string) => (heights.get(to) ?? 0) - (heights.get(from) ?? 0);
  for (const [from, to, points] of [
    ['a0', 'a1', 15 + 4],
    ['a1', 'a2', 15 + 4],
    ['a2', 'a3', 15 + 4],
    ['a3', 'a4', 15 + 4],
    ['b1', 'b2', 30 + 3],
    ['b2', 'b3', 30 + 3],
    ['c1', 'c2', 15],
    ['d2', 'd3', distance('d1', 'd2')],
  ] as const) {
    const measured = distance(from, to);
    t.ok(Math.abs(measured - points) < 0.3, `from ${from} to ${to}: ${measured}, Word has ${points}`);
  }
});

t.test('columns are as wide as in Word', async (t) => {
  const font = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="20"/>';
  const cell = (word: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>\
${paragraph(text(word).replace('<w:r>', `<w:r><w:rPr>${font}</w:rPr>`))}</w:tc>`;
  const table = (
    grid: readonly number[],
    words: readonly string[],
    width = '<w:tblW w:w="0" w:type="auto"/>',
  ) =>
    `<w:tbl><w:tblPr>${width}</w:tblPr><w:tblGrid>${grid.map((each) => `<w:gridCol w:w="${each}"/>`).join('')}</w:tblGrid>\
<w:tr>${words.map(cell).join('')}</w:tr></w:tbl>${paragraph('')}`;
  const fitting = ['0.9189997507684631', '0.9027997009221562', '0.8807011713882193'];
  const long = 'NarrowColumnsHaveNoWordsLikeThis';
  const wide = '0.8347547974413646';
  const body = [
    table([1698, 1682, 1990, 1990, 1990], ['one', 'two', ...fitting]),
    table([1700, 1700], [long, 'three']),
    table([1990, 1990], [wide, 'four'], '<w:tblW w:w="2000" w:type="dxa"/>'),
  ].join('');
  const words = await pdfWords((await print(t, reportedDocx({ body }))).pdf);
  const at = new Map(words.map(({ word, x }) => [word, x]));
  t.strictSame(
    [...fitting, long, wide].filter((word) => !at.has(word)),
    [],
    'words are whole',
  );
  const column = (at.get('four') ?? 0) - (at.get(wide) ?? 0);
  t.ok(Math.abs(column - 1990 / 20) < 0.3, `columns are as wide as they say, not their table: ${column}`);
});

t.test('styles without a name count, too', async (t) => {
  const row = (word: string) => `<w:tr><w:tc><w:tcPr/>${paragraph(text(word))}</w:tc></w:tr>`;
  const body = `<w:tbl><w:tblPr><w:tblStyle w:val="a0"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>\
${row('first')}${row('second')}</w:tbl>${paragraph('')}`;
  const apart = async (name: string) => {
    const margins = '<w:tblPr><w:tblCellMar><w:top w:w="400" w:type="dxa"/></w:tblCellMar></w:tblPr>';
    const style = `<w:style w:type="table" w:customStyle="1" w:styleId="a0">${name}${margins}</w:style>`;
    const tops = await pdfTops(
      (await print(t, reportedDocx({ body, parts: { 'styles.xml': wordPart('styles', style) } }))).pdf,
    );
    return (tops.get('second') ?? 0) - (tops.get('first') ?? 0);
  };
  const named = await apart('<w:name w:val="Grid"/>');
  t.ok(named > 30, `${named}`);
  t.equal(await apart(''), named);
});

t.test('the first page has room for its header, whatever page its section asks to begin on', async (t) => {
  const tops = async (type: string) => {
    const { pdf } = await print(
      t,
      attackDocx({
        body: `${paragraph(text('first'))}<w:sectPr><w:headerReference w:type="default" r:id="rId1"/>${type}\
<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1418" w:right="1000" w:bottom="1000" w:left="1000" w:header="500" w:footer="500" w:gutter="0"/></w:sectPr>`,
        relationships: [{ id: 'rId1', type: 'header', target: 'header1.xml' }],
        parts: [
          {
            name: 'word/header1.xml',
            type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml',
            data: `<w:hdr ${NAMESPACES}>${paragraph(text('head'))}</w:hdr>`,
          },
        ],
      }),
    );
    return pdfTops(pdf);
  };
  const usual = await tops('');
  for (const side of ['evenPage', 'oddPage'])
    t.strictSame(await tops(`<w:type w:val="${side}"/>`), usual, side);
});

t.test('headers and margins of odd and even pages go by the numbers of pages', async (t) => {
  const shown = async (properties: string) =>
    (await pdfWords((await print(t, facingDocx(properties))).pdf))
      .filter(({ word }) => word !== 'end')
      .map(({ word, x }) => `${word} at ${Math.round(x / 28.35)} cm`);
  const first = (number: number) => `<w:pgNumType w:start="${number}"/>`;
  t.strictSame(await shown(''), ['odd1 at 5 cm', 'even2 at 2 cm', 'odd3 at 5 cm']);
  t.strictSame(await shown(first(0)), ['even0 at 2 cm', 'odd1 at 5 cm', 'even2 at 2 cm']);
  for (const even of [first(2), '<w:type w:val="evenPage"/>'])
    t.strictSame(await shown(even), ['even2 at 2 cm', 'odd3 at 5 cm', 'even4 at 2 cm']);
});

t.test('a date that nobody has chosen shows its placeholder text', async (t) => {
  const store = '{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}';
  const data = 'http://schemas.microsoft.com/office/2006/coverPageProps';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006';
  const control = `<w:sdt><w:sdtPr><w:id w:val="7"/><w:dataBinding w:prefixMappings="xmlns:n='${data}'" \
w:xpath="/n:CoverPageProperties[1]/n:PublishDate[1]" w:storeItemID="${store}"/><w:date><w:dateFormat w:val="dd/MM/yyyy"/>\
<w:lid w:val="fr-FR"/></w:date></w:sdtPr><w:sdtContent>${text('2016-2017')}</w:sdtContent></w:sdt>`;
  const { words } = await print(
    t,
    attackDocx({
      body: paragraph(text('year ') + control),
      relationships: [{ id: 'rId1', type: 'customXml', target: '../customXml/item1.xml' }],
      parts: [
        {
          name: 'customXml/item1.xml',
          data: `<CoverPageProperties xmlns="${data}"><PublishDate>2016-2017</PublishDate></CoverPageProperties>`,
        },
        {
          name: 'customXml/itemProps1.xml',
          type: 'application/vnd.openxmlformats-officedocument.customXmlProperties+xml',
          data: `<ds:datastoreItem ds:itemID="${store}" xmlns:ds="${office}/customXml"/>`,
        },
        {
          name: 'customXml/_rels/item1.xml.rels',
          data: relationships([
            `<Relationship Id="rId1" Type="${office}/relationships/customXmlProps" Target="itemProps1.xml"/>`,
          ]),
        },
      ],
    }),
  );
  t.equal(words.trim(), 'year 2016-2017');
});

t.test('tracked changes are accepted; comments and hidden text are left out', async (t) => {
  const { words, latin1 } = await print(
    t,
    attackDocx({
      body:
        paragraph(
          `${text('The contract ')}<w:ins w:id="1" ${by}>${text('begins')}</w:ins>\
<w:del w:id="2" ${by}><w:r><w:delText>ended</w:delText></w:r></w:del>${text(' today.')}`,
        ) +
        paragraph(
          `<w:commentRangeStart w:id="0"/>${text('Remarked.')}<w:commentRangeEnd w:id="0"/>\
<w:r><w:commentReference w:id="0"/></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>`,
        ),
      settings: { content: '<w:trackRevisions/>' },
      relationships: [{ id: 'rId1', type: 'comments', target: 'comments.xml' }],
      parts: [
        {
          name: 'word/comments.xml',
          type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml',
          data: `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0" ${by}>${paragraph(text('a remark'))}</w:comment></w:comments>`,
        },
      ],
    }),
  );
  t.same(words.split(/\s*\n\s*/), ['The contract begins today.', 'Remarked.']);
  t.notMatch(latin1, '/Subtype/Text', 'no comment as a note either');
});

t.test('pictures lose nothing, and JPEG stays as it is', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'a.pdf');
  writeFileSync(path, (await print(t, docx())).pdf);
  await run('pdftoppm', ['-jpeg', '-r', '20', '-singlefile', path, join(folder, 'page')]);
  const jpeg = readFileSync(join(folder, 'page.jpg'));
  // US Letter at 20 pixels per inch.
  const jpegSize = ['170', '220'];
  const document = attackDocx({
    body: paragraph(picture('r:embed="rId1"/>') + picture('r:embed="rId2"/>', 2)),
    relationships: [
      { id: 'rId1', type: 'image', target: 'media/a.jpg' },
      { id: 'rId2', type: 'image', target: 'media/b.png' },
    ],
    parts: [
      { name: 'word/media/a.jpg', data: jpeg },
      // More than 300 pixels per inch, which LibreOffice would reduce.
      { name: 'word/media/b.png', data: noisePng(600) },
    ],
  });
  const { pdf } = await print(t, document);
  t.ok(pdf.includes(jpeg), 'the bytes of the JPEG');
  writeFileSync(path, pdf);
  const { stdout } = await run('pdfimages', ['-list', path]);
  const [, , ...rows] = stdout.trim().split('\n');
  const shapes = rows
    .map((row) => row.trim().split(/ +/))
    .map(([, , , width, height, , , , kind]) => [width, height, kind]);
  t.same(
    shapes.toSorted(),
    [
      ['600', '600', 'image'],
      [...jpegSize, 'jpeg'],
    ].toSorted(),
  );
  for (const [query, isSame] of [
    ['images=jpeg', true],
    ['images=jpeg&imageQuality=76', true],
    ['images=jpeg&imageQuality=75', false],
    ['imageDpi=600', false],
  ] as const) {
    const { pdf } = await print(t, document, `?${query}`);
    t.equal(pdf.includes(jpeg), isSame, `${query}: as the guide says`);
  }
});

t.test('structure, outline, links, title and language', async (t) => {
  const core = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Annual report</dc:title></cp:coreProperties>`;
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const { latin1 } = await print(
    t,
    docxWithParts({
      '_rels/.rels': relationships([
        `<Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/>`,
        '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>',
      ]),
      'docProps/core.xml': core,
      'word/document.xml': mainPart(
        `<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr>${text('Results')}</w:p><w:p><w:hyperlink r:id="rId2"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>site</w:t></w:r></w:hyperlink></w:p>`,
      ),
      'word/_rels/document.xml.rels': relationships([
        `<Relationship Id="rId1" Type="${office}/styles" Target="styles.xml"/>`,
        `<Relationship Id="rId2" Type="${office}/hyperlink" Target="https://example.com/a" TargetMode="External"/>`,
      ]),
      'word/styles.xml': `<w:styles ${w}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="fr-FR"/></w:rPr></w:rPrDefault></w:docDefaults>\
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>\
<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/></w:style></w:styles>`,
    }),
  );
  t.match(latin1, /\/MarkInfo<<\/Marked true>>/, 'tagged');
  t.match(latin1, /\/StructTreeRoot \d+ 0 R/, 'its structure');
  t.match(latin1, /\/Outlines \d+ 0 R/, 'its headings');
  t.match(latin1, /\/URI\(https:\/\/example\.com\/a\)/, 'a link');
  t.match(latin1, /\/Lang\(fr-FR\)/, 'its language');
  t.match(latin1, /\/Title<FEFF0041006E006E00750061006C/, 'its title');
});

/** How far the third line of a list is below the first, and the words of the PDF: items of 20 points, bullets of this font. */
async function listed(t: Test, [sign, bullet, font]: readonly [string, string, string], line = 240) {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const named = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}"/>`;
  const items = ['One', 'Two', 'Three'].map(
    (word) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:spacing w:before="0" w:after="0" w:line="${line}" w:lineRule="auto"/></w:pPr>\
<w:r><w:rPr>${named(font)}<w:sz w:val="40"/></w:rPr><w:t>${word}</w:t></w:r></w:p>`,
  );
  const { pdf, words } = await print(
    t,
    docxWithParts({
      'word/document.xml': mainPart(items.join('')),
      'word/_rels/document.xml.rels': relationships([
        `<Relationship Id="rId1" Type="${office}/numbering" Target="numbering.xml"/>`,
      ]),
      'word/numbering.xml': `<w:numbering ${w}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>\
<w:lvlText w:val="${sign}"/><w:rPr>${named(bullet)}<w:sz w:val="40"/></w:rPr></w:lvl></w:abstractNum>\
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    }),
  );
  const tops = await pdfTops(pdf);
  return { lines: ((tops.get('Three') ?? 0) - (tops.get('One') ?? 0)) / 2 / 20, words };
}

t.test('a bullet has the line height and the character that it has in Word', async (t) => {
  const cases = [
    ['\uf0b7', 'Symbol', 'Times New Roman', 1.221, '\u2022'],
    ['\uf0b7', 'Symbol', 'Calibri', 1.274, '\u2022'],
    ['\uf0b7', 'Symbol', 'Aptos', 1.287, '\u2022'],
    ['\uf0a7', 'Wingdings', 'Times New Roman', 1.149, '\u25aa'],
    ['o', 'Courier New', 'Times New Roman', 1.149, 'o'],
    ['o', 'Courier New', 'Calibri', 1.221, 'o'],
  ] as const;
  for (const [sign, bullet, font, height, shown] of cases) {
    const { lines, words } = await listed(t, [sign, bullet, font]);
    t.ok(
      Math.abs(lines - height) < 0.011,
      `${bullet} in ${font}: a line of ${lines.toFixed(3)} and ${height}`,
    );
    t.match(words, new RegExp(`^${shown}\\s+One`), 'the text has the sign');
  }
  const { lines } = await listed(t, ['\uf0b7', 'Symbol', 'Times New Roman'], 360);
  t.ok(
    Math.abs(lines - (1.5 * 1.149 + 0.076)) < 0.01,
    `a line and a half, and once what Symbol adds: ${lines.toFixed(3)}`,
  );
});

t.test('a blank page before a section that begins on an odd page', async (t) => {
  const page = '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:bottom="1440"/>';
  const first = `<w:p><w:pPr><w:sectPr>${page}</w:sectPr></w:pPr>${text('first')}</w:p>`;
  const last = (type: string, number = '') =>
    `${paragraph(text('last'))}<w:sectPr><w:type w:val="${type}"/>${page}${number}</w:sectPr>`;
  const pagesOf = async (body: string) =>
    (await print(t, reportedDocx({ body }))).words.split('\f').map((words) => words.trim());
  t.strictSame(await pagesOf(first + last('oddPage')), ['first', '', 'last']);
  const one = '<w:pgNumType w:start="1"/>';
  t.strictSame(
    await pagesOf(first + last('oddPage', one)),
    ['first', '', 'last'],
    'with a number of its own',
  );
  t.strictSame(await pagesOf(first + last('nextPage', one)), ['first', 'last']);
});

t.test('a cover in the middle of its page', async (t) => {
  const page = '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:bottom="1440" w:left="1440"/>';
  const section = (alignment: string) => `<w:sectPr>${page}<w:vAlign w:val="${alignment}"/></w:sectPr>`;
  const ending = (alignment: string) => `<w:p><w:pPr>${section(alignment)}</w:pPr></w:p>`;
  const cover = (word: string) => paragraph(text(word)) + ending('center');
  const body = `${cover('first')}${cover('second')}${paragraph(text('third'))}${section('bottom')}`;
  const words = await pdfWords((await print(t, reportedDocx({ body }))).pdf);
  t.strictSame(
    words.map(({ word, page: number }) => [word, number]),
    [
      ['first', 1],
      ['second', 2],
      ['third', 3],
    ],
  );
  const [first = 0, second = 0, third = 0] = words.map(({ y }) => y);
  t.ok(first > 395 && first < 421, `with an empty line below: ${first}`);
  t.equal(first, second);
  t.ok(third > 740 && third < 770, `at the bottom: ${third}`);
});

t.test('numbers of a level that never begins anew, in a format that LibreOffice lacks', async (t) => {
  const level = (index: number, format: string, written: string, restart = '') =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${restart}<w:lvlText w:val="${written}"/></w:lvl>`;
  const lists = `<w:abstractNum w:abstractNumId="0">${level(0, 'hindiNumbers', '%1.')}${level(1, 'decimal', '%1.%2)', '<w:lvlRestart w:val="0"/>')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
  const item = (index: number, word: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${index}"/><w:numId w:val="1"/></w:numPr></w:pPr>${text(word)}</w:p>`;
  const body = ['A', 'a', 'b', 'B', 'c', 'd', 'C', 'e']
    .map((word) => item(Number(word > 'Z'), word))
    .join('');
  const { words } = await print(
    t,
    reportedDocx({ body, parts: { 'numbering.xml': wordPart('numbering', lists) } }),
  );
  t.strictSame(
    words
      .trim()
      .split(/\s*\n\s*/)
      .map((line) => line.replace(/\s+/, ' ')),
    ['१. A', '१.1) a', '१.2) b', '२. B', '२.3) c', '२.4) d', '३. C', '३.5) e'],
  );
});

t.test('a document keeps its page where another is inserted', async (t) => {
  const link =
    '<Relationship Id="c" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="c.docx"/>';
  const small = '<w:sectPr><w:pgSz w:w="8000" w:h="9000"/><w:pgMar w:top="720" w:left="720"/></w:sectPr>';
  const document = docxWithParts({
    'word/document.xml': mainPart(
      `${paragraph(text('before'))}<w:altChunk xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="c"/>${paragraph(text('after'))}${small}`,
    ),
    'word/_rels/document.xml.rels': relationships([link]),
    'word/c.docx': docx(),
  });
  const { pdf, words } = await print(t, document);
  t.strictSame(words.split(/\s*\n\s*/), ['before', 'Hello from Platen.', 'after']);
  const lefts = (await pdfWords(pdf)).filter(({ word }) => word !== 'from' && word !== 'Platen.');
  for (const { x, word } of lefts) t.equal(Math.round(x), 36, word);
});
