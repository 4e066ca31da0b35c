/** What a main part says of where its pages begin. */
import t from 'tap';
import { namedPages, withoutPlaces } from '../../../src/convert/pagination/page-starts.ts';
import { mainPart } from '../../support/documents.ts';
import { wordPart } from '../../support/report-documents.ts';
import {
  BREAK,
  cell,
  empty,
  first,
  header,
  inList,
  line,
  MARK,
  paragraph,
  readStarts,
  renamed,
  row,
  table,
  text,
} from './support/parts.ts';

/** Each start: its kind, whether a break can be written there, and its section where that is not the first. */
function startsOf(body: string): string[] {
  return (readStarts(mainPart(body))?.starts ?? []).map(({ kind, isBreakable, section }) =>
    [kind, ...(isBreakable ? ['breakable'] : []), ...(section > 0 ? [`of section ${section}`] : [])].join(
      ' ',
    ),
  );
}

/** What follows the places where the starts begin, and where the content before them ends; up to the next tag's end. */
function placesOf(body: string) {
  const xml = mainPart(body);
  const read = readStarts(xml);
  const behind = (at: number | undefined) => at && xml.slice(at, xml.indexOf('</w:p>', at));
  const before = (at: number | undefined) => at && xml.slice(xml.lastIndexOf('<w:t>', at), at);
  const starts = read?.starts.map(({ begin, previousEnd }) => [behind(begin), before(previousEnd)]);
  return { starts, end: before(read?.end) };
}

t.test('a mark begins a page, at the start of a paragraph or within it', async (t) => {
  t.strictSame(startsOf(first + paragraph(text('b', MARK))), ['mark breakable']);
  t.strictSame(startsOf(paragraph(text('a') + text('b', MARK))), ['mark breakable']);
  t.strictSame(startsOf(paragraph(`<w:r><w:t>a</w:t>${MARK}<w:t>b</w:t></w:r>`)), ['mark breakable']);
  const item = paragraph(text('a') + text('b', MARK), inList);
  t.strictSame(startsOf(item), ['mark breakable'], 'in an item of a list as well');
});

t.test('a mark in text that is shown as deleted or moved counts', async (t) => {
  for (const change of ['del', 'moveFrom']) {
    const within = paragraph(`<w:${change}>${text('gone', MARK)}</w:${change}>`);
    t.strictSame(startsOf(first + within), ['mark breakable'], change);
  }
});

t.test("without a mark, there are the document's own breaks and its empty paragraphs", async (t) => {
  t.strictSame(startsOf(first + empty + paragraph(BREAK) + first), ['empty breakable', 'own']);
  t.strictSame(startsOf(''), []);
});

t.test('a break of the document and its mark are one', async (t) => {
  const marked = paragraph(text('c', MARK));
  for (const [where, body] of Object.entries({
    'in a run': paragraph(text('a') + BREAK + text('b', MARK)),
    'at the end of the paragraph before': paragraph(text('a') + BREAK) + paragraph(text('b', MARK)),
    'before a paragraph': first + paragraph(text('b', MARK), '<w:pageBreakBefore/>'),
  })) {
    t.strictSame(startsOf(body + marked), ['own', 'mark breakable'], where);
  }
  const off = first + paragraph(text('b', MARK), '<w:pageBreakBefore w:val="0"/>');
  t.strictSame(startsOf(off), ['mark breakable'], 'a break that is turned off is none');
  const line = paragraph(`${text('a')}<w:r><w:br/></w:r>${text('b', MARK)}`);
  t.strictSame(startsOf(line), ['mark breakable'], 'nor is one of a line');
});

t.test('a style may begin pages', async (t) => {
  const style = (id: string, properties: string, based = '') =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:basedOn w:val="${based}"/><w:pPr>${properties}</w:pPr></w:style>`;
  const styles = wordPart(
    'styles',
    style('Heading1', '<w:pageBreakBefore/>') +
      style('Überschrift', '', 'Heading1') +
      style('Beside', '<w:pageBreakBefore w:val="0"/>', 'Heading1'),
  );
  const kinds = (properties: string) => {
    const body = first + paragraph(text('b', MARK), properties) + paragraph(text('c', MARK));
    const xml = Buffer.from(mainPart(body)).toString('latin1');
    return readStarts(xml, styles)?.starts.map(({ kind }) => kind);
  };
  const named = (id: string) => `<w:pStyle w:val="${id}"/>`;
  t.strictSame(kinds(named('Heading1')), ['own', 'mark']);
  t.strictSame(kinds(named('Überschrift')), ['own', 'mark'], 'or one that it is based on');
  t.strictSame(kinds(named('Beside')), ['mark', 'mark'], 'unless it says otherwise');
  t.strictSame(kinds(`${named('Heading1')}<w:pageBreakBefore w:val="0"/>`), ['mark', 'mark']);
  t.strictSame(kinds(`${named('Beside')}<w:pageBreakBefore/>`), ['own', 'mark'], 'or the paragraph does');
});

t.test('a section begins a page, unless it is continuous', async (t) => {
  const type = (name: string) => `<w:type w:val="${name}"/>`;
  const sections = (one: string, other: string) =>
    paragraph(text('a'), `<w:sectPr>${one}</w:sectPr>`) +
    paragraph(text('b', MARK)) +
    paragraph(text('c', MARK)) +
    `<w:sectPr>${other}</w:sectPr>`;
  const own = ['own of section 1', 'mark breakable of section 1'];
  const none = ['mark breakable of section 1', 'mark breakable of section 1'];
  t.strictSame(startsOf(sections('', '')), own);
  t.strictSame(startsOf(sections(type('continuous'), type('oddPage'))), own, 'its own type counts');
  t.strictSame(startsOf(sections('', type('continuous'))), none);
  t.strictSame(startsOf(sections('', type('nextColumn'))), none);
});

t.test('sections have the lengths of their pages', async (t) => {
  const bareSection = {
    beginsPage: true,
    pageHeight: 792,
    top: 72,
    bottom: 72,
    hasMargins: false,
    footer: 0,
    columns: 1,
    gridStep: 0,
  };
  const inner =
    '<w:footerReference w:type="even" r:id="rId1"/><w:pgSz w:w="11906" w:h="16838"/>' +
    '<w:pgMar w:top="-1134" w:bottom="850" w:footer="400"/>' +
    '<w:cols w:num="2"/><w:docGrid w:type="lines" w:linePitch="312"/>';
  const body = `${paragraph(text('a'), `<w:sectPr>${inner}</w:sectPr>`)}${paragraph(text('b')) + paragraph(text('c', MARK))}<w:sectPr/>`;
  t.strictSame(readStarts(mainPart(body))?.sections, [
    {
      beginsPage: true,
      pageHeight: 841.9,
      top: 56.7,
      bottom: 42.5,
      hasMargins: true,
      footer: 20,
      columns: 2,
      gridStep: 15.6,
    },
    { ...bareSection, footer: 36 },
  ]);
  const before = body
    .replace(/<w:footerReference[^>]*>/, '')
    .replace('<w:sectPr/>', `<w:sectPr>${inner}</w:sectPr>`);
  t.match(
    readStarts(mainPart(before))?.sections,
    [{ footer: 0 }, { footer: 20 }],
    'no footer before the first one',
  );
  const lengths = {
    'in strict documents': 'w:h="841.9pt"',
    'in millimetres': 'w:h="297.004mm"',
    'in centimetres': 'w:h="29.7004cm"',
    'in inches': 'w:h="11.69306in"',
    'in picas': 'w:h="70.15833pc"',
    'in picas, otherwise': 'w:h="70.15833pi"',
  };
  for (const [what, length] of Object.entries(lengths)) {
    const page = `${first}${paragraph(text('c', MARK))}<w:sectPr><w:pgSz ${length}/></w:sectPr>`;
    const [section] = readStarts(mainPart(page))?.sections ?? [];
    t.equal(section?.pageHeight.toFixed(1), '841.9', what);
  }
  for (const length of ['', 'auto', '1e3', '12 pt', '12em']) {
    const page = `${first}${paragraph(text('c', MARK))}<w:sectPr><w:pgSz w:h="${length}"/></w:sectPr>`;
    t.equal(readStarts(mainPart(page))?.sections[0]?.pageHeight, 792, `${length}: Word's own`);
  }
  const bare = readStarts(mainPart(first + paragraph(text('b', MARK))));
  t.strictSame(bare?.sections, [bareSection], 'a document that says nothing has one, without a footer');
  const ungridded = `${first}${paragraph(text('b', MARK))}<w:sectPr><w:docGrid w:linePitch="360"/></w:sectPr>`;
  t.match(readStarts(mainPart(ungridded))?.sections, [{ gridStep: 0 }], 'a pitch without a grid');
});

t.test('marks that no break can take the place of', async (t) => {
  const field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
  const ended = `${field}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const split = text('a') + text('b', MARK);
  const control = `<w:sdt><w:sdtContent>${text('b', MARK)}</w:sdtContent></w:sdt>`;
  t.strictSame(startsOf(paragraph(text('a') + field + text('b', MARK))), ['mark'], 'in a field');
  t.strictSame(startsOf(paragraph(text('a') + ended + text('b', MARK))), ['mark breakable'], 'behind one');
  t.strictSame(startsOf(paragraph(text('a') + control)), ['mark'], 'in a control');
  const link = `<w:hyperlink w:anchor="a">${split}</w:hyperlink>`;
  t.strictSame(startsOf(paragraph(link)), ['mark breakable'], 'in a link');
});

t.test('text that is on no page of its own has no marks', async (t) => {
  const marked = paragraph(text('b', MARK));
  for (const hidden of [
    `<w:r><w:pict>${marked}</w:pict></w:r>`,
    `<w:r><mc:AlternateContent><mc:Choice>${marked}</mc:Choice></mc:AlternateContent></w:r>`,
  ]) {
    t.strictSame(startsOf(paragraph(text('a') + hidden) + marked), ['mark breakable'], hidden);
  }
});

t.test('an empty paragraph may begin a page', async (t) => {
  const end = paragraph(text('b', MARK));
  t.strictSame(startsOf(first + empty + end), ['empty breakable', 'mark breakable']);
  t.strictSame(startsOf(empty + end), [], 'not the first page');
  const begun = paragraph(text('a') + BREAK) + empty + end + end;
  t.strictSame(startsOf(begun), ['own', 'mark breakable'], 'nor one that has begun');
  t.strictSame(
    startsOf(first + table(line('a') + row(cell(empty))) + end),
    ['mark breakable'],
    'nor in a table',
  );
  const tabs = paragraph('<w:r><w:tab/></w:r>');
  t.strictSame(startsOf(first + tabs + end), ['mark breakable'], 'a tab is content');
  const picture = paragraph('<w:r><w:drawing><w:p/></w:drawing></w:r>');
  t.strictSame(startsOf(first + picture + end), ['mark breakable'], 'so is a picture');
  for (const [of, math] of [
    ['', 'm'],
    [' xmlns:q="http://schemas.openxmlformats.org/officeDocument/2006/math"', 'q'],
  ] as const) {
    const equation = `<${math}:oMath><${math}:r><${math}:t>x</${math}:t></${math}:r></${math}:oMath>`;
    for (const content of [equation, `<${math}:oMathPara>${equation}</${math}:oMathPara>`]) {
      const xml = mainPart(first + empty + paragraph(content) + end).replace(
        'xmlns:w=',
        `${of.trim()} xmlns:w=`,
      );
      const { starts = [] } = readStarts(xml) ?? {};
      t.strictSame(
        starts.map(({ kind }) => kind),
        ['empty', 'mark'],
        `so is an equation: ${content}`,
      );
      t.equal(starts[1]?.previousEnd, xml.indexOf(content) + content.length, 'with which the page ends');
    }
  }
  const page = '<w:instrText>PAGE</w:instrText>';
  const field = (type: string, inner = '') => `<w:r><w:fldChar w:fldCharType="${type}"/>${inner}</w:r>`;
  const simple = '<w:fldSimple w:instr="PAGE"/>';
  for (const content of [field('begin', page) + field('end'), simple]) {
    const body = first + empty + paragraph(content) + end;
    t.strictSame(startsOf(body), ['empty breakable', 'mark breakable'], 'so is a field without a result');
    const xml = mainPart(body);
    t.equal(readStarts(xml)?.starts[1]?.previousEnd, xml.indexOf(content) + content.length);
    const begun = paragraph(text('a') + BREAK) + paragraph(content) + end;
    t.strictSame(startsOf(begun), ['own', 'mark breakable']);
    t.equal(placesOf(begun).starts?.[0]?.[0], content, 'with which a page may begin');
  }
  const ended = paragraph(field('end'));
  t.strictSame(
    startsOf(first + ended + end),
    ['empty breakable', 'mark breakable'],
    'the end of one is none',
  );
  const stops = paragraph('', '<w:tabs><w:tab w:val="left"/></w:tabs>');
  t.strictSame(startsOf(first + stops + end), ['empty breakable', 'mark breakable'], 'a tab stop is none');
});

t.test('a page of empty paragraphs ends on itself', async (t) => {
  const marked = (content: string) => `<w:r>${MARK}${content}</w:r>`;
  const begun =
    paragraph(text('a')) + empty + paragraph(marked('<w:br w:type="page"/>')) + paragraph(text('b'));
  const xml = mainPart(begun);
  const starts = readStarts(xml)?.starts ?? [];
  t.strictSame(
    starts.map(({ kind, previousEnd }) => [kind, previousEnd]),
    [
      ['empty', xml.indexOf('</w:t></w:r>') + '</w:t></w:r>'.length],
      ['mark', xml.indexOf('</w:t></w:r>') + '</w:t></w:r>'.length],
      ['own', xml.indexOf(marked('<w:br w:type="page"/>'))],
    ],
    'where its mark is, not with the page above',
  );
  const lower = mainPart(paragraph(text('a')) + paragraph(marked('')) + empty + paragraph(BREAK));
  const mark = lower.indexOf(marked(''));
  t.strictSame(
    readStarts(lower)
      ?.starts.slice(1)
      .map(({ previousEnd }) => previousEnd),
    [mark, mark, mark],
    'also what stands below more of them',
  );
});

t.test('a floating table is not parted', async (t) => {
  const split = paragraph(text('b') + text('c', MARK));
  const floating = (rows: string) => table(rows).replace('<w:tblPr>', '<w:tblPr><w:tblpPr w:tblpY="1"/>');
  t.strictSame(startsOf(first + floating(line('a') + line('b', MARK))), ['mark'], 'between rows');
  t.strictSame(startsOf(first + floating(row(cell(split)))), ['mark'], 'within a row');
  const begun = floating(line('a', MARK) + line('b'));
  t.strictSame(startsOf(first + begun), ['mark'], 'at its start');
  t.strictSame(startsOf(first + begun + first), ['mark breakable'], 'where its paragraph may begin the page');
  t.strictSame(startsOf(first + begun + table(line('c')) + first), ['mark'], 'unless a table comes first');
  t.strictSame(startsOf(`${first + begun}<w:p/>${first}`), ['mark'], 'or one that can have no break');
  const inside = row(cell(table(line('a') + line('b', MARK)) + empty));
  t.strictSame(startsOf(first + floating(inside)), ['mark'], 'nor one in it');
});

t.test('a row of a table begins a page', async (t) => {
  t.strictSame(startsOf(table(header + line('a') + line('b', MARK) + line('c'))), ['mark breakable']);
  const merged = row(`<w:tc><w:tcPr><w:vMerge/></w:tcPr>${paragraph(text('b', MARK))}</w:tc>`);
  t.strictSame(startsOf(table(line('a') + merged)), ['mark'], 'one that is merged with the row above');
  t.strictSame(startsOf(first + table(line('a', MARK))), ['mark breakable'], 'the first row');
  t.strictSame(startsOf(first + table(line('a', MARK) + line('b'))), ['mark breakable']);
  const plain = `<w:p><w:pPr xmlns:a="b"><a:b/></w:pPr>${text('b', MARK)}</w:p>`;
  t.strictSame(startsOf(first + table(row(cell(plain)))), ['mark'], 'unless it declares a namespace');
  const blank = row(cell(empty) + cell(paragraph(text('b', MARK))));
  t.strictSame(startsOf(table(line('a') + blank)), ['mark breakable'], 'one whose first cell is empty');
  t.strictSame(startsOf(first + table(blank)), ['mark'], 'but not the first row by such a cell');
});

t.test('a row that goes on to another page is counted once', async (t) => {
  const split = paragraph(text('b') + text('c', MARK));
  const going = row(cell(paragraph(text('a'))) + cell(split));
  const both = row(cell(split).repeat(2));
  t.strictSame(
    startsOf(table(going + line('d', MARK))),
    ['mark breakable'],
    'with the mark of the row below',
  );
  t.strictSame(startsOf(table(both + line('d', MARK))), ['mark breakable'], 'with marks in two cells');
  t.strictSame(startsOf(table(going + line('d') + line('e', MARK))), ['mark breakable', 'mark breakable']);
  const far = row(cell(paragraph(text('a') + text('b', MARK) + text('c', MARK))));
  t.strictSame(startsOf(table(far)), ['mark breakable', 'mark breakable'], 'each page that it goes over');
  const beside = (words: string) => cell(paragraph(text(words, MARK) + text('more')));
  t.strictSame(
    startsOf(table(row(cell(split) + beside('d')))),
    ['mark breakable'],
    'with the mark of the cell behind it',
  );
  const again = row(cell(split) + cell(paragraph(text('d', MARK) + text('e', MARK))));
  t.strictSame(startsOf(table(again)), ['mark breakable'], 'which may go on as well');
});

t.test('a row goes on where a table in it does', async (t) => {
  const nested = row(cell(paragraph(text('a')) + table(line('b') + line('c', MARK)) + empty));
  t.strictSame(startsOf(table(nested + line('d', MARK))), ['mark breakable']);
  const within = (rows: string, above = paragraph(text('a'))) =>
    startsOf(first + table(row(cell(above + table(rows) + empty))));
  t.strictSame(within(line('b', MARK) + line('c')), ['mark breakable'], 'where it begins as well');
  t.strictSame(within(line('b', MARK), ''), ['mark'], 'but not at the start of the cell');
  t.strictSame(within(header + line('c', MARK)), ['mark'], 'nor where its header would be repeated');
  const going = table(row(cell(paragraph(text('b') + text('c', MARK)))) + line('d', MARK));
  t.strictSame(startsOf(table(row(cell(going + empty)) + line('e', MARK))), ['mark']);
});

t.test('rows that are not parted', async (t) => {
  const split = paragraph(text('b') + text('c', MARK));
  const merged = (value: string) => `<w:tc><w:tcPr><w:vMerge${value}/></w:tcPr>${empty}</w:tc>`;
  const long = `<w:tcPr><w:shd w:fill="${'0'.repeat(70_000)}"/></w:tcPr>`;
  const field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
  for (const [what, going] of Object.entries({
    'one that is merged with the row above': row(cell(split) + merged('')),
    'one that is merged with the row below': row(cell(split) + merged(' w:val="restart"')),
    'a header row': row(cell(split), '<w:trPr><w:tblHeader/></w:trPr>'),
    'one with a content control': row(cell(`<w:sdt><w:sdtContent>${split}</w:sdtContent></w:sdt>`)),
    'one with custom markup': row(cell(`<w:customXml>${split}</w:customXml>`)),
    'one in a content control': `<w:sdt><w:sdtContent>${row(cell(split))}</w:sdtContent></w:sdt>`,
    'one with more cells than Word has': row(cell(split) + cell(empty).repeat(63)),
    'one with large properties': row(cell(long + split)),
    'one that goes on within a field': row(
      cell(split) + cell(paragraph(text('a') + field + text('b', MARK))),
    ),
  })) {
    t.strictSame(startsOf(table(line('a') + going)), ['mark'], what);
  }
});

t.test('places: where the first run of a page begins, and where the content before it ends', async (t) => {
  const a = '<w:t>First page.</w:t></w:r>';
  t.strictSame(placesOf(first + paragraph(text('b', MARK))), {
    starts: [[text('b', MARK), a]],
    end: '<w:t>b</w:t></w:r>',
  });
  t.strictSame(placesOf(paragraph(text('a') + text('b', MARK))).starts, [[text('b', MARK), undefined]]);
  const own = placesOf(first + paragraph(BREAK + text('b', MARK)) + paragraph(text('c', MARK)));
  t.strictSame(own.starts, [
    [text('b', MARK), a],
    [text('c', MARK), '<w:t>b</w:t></w:r>'],
  ]);
  const ofRow = placesOf(table(line('a') + line('b', MARK)));
  t.strictSame(ofRow.starts, [[text('b', MARK), '<w:t>a</w:t></w:r>']]);
  const ofEmpty = placesOf(first + paragraph('', '<w:keepNext/>') + paragraph(text('b', MARK)));
  t.strictSame(ofEmpty.starts, [
    ['', a],
    [text('b', MARK), a],
  ]);
});

t.test('whatever the prefix of the namespace is', async (t) => {
  const body = first + empty + paragraph(text('b', MARK));
  const starts = readStarts(renamed(body))?.starts ?? [];
  t.strictSame(
    starts.map(({ kind }) => kind),
    ['empty', 'mark'],
  );
});

t.test('what is sent to another process has no places', async (t) => {
  const read = readStarts(mainPart(first + empty + paragraph(text('b', MARK))));
  t.ok(read);
  if (!read) return;
  t.strictSame(withoutPlaces(read).starts, [
    { kind: 'empty', section: 0, sectionAbove: 0, isBreakable: true, isBlank: true, clearsDrawing: false },
    { kind: 'mark', section: 0, sectionAbove: 0, isBreakable: true, isBlank: false, clearsDrawing: false },
  ]);
  t.equal(namedPages(read), 2, 'an empty paragraph names no page');
});

t.test('of an empty paragraph, nothing may be seen but its height', async (t) => {
  const drawn =
    '<w:style w:type="paragraph" w:styleId="Box"><w:pPr><w:pBdr/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Plain"/>';
  const isBlank = (properties: string) =>
    readStarts(mainPart(first + paragraph('', properties) + paragraph(text('b', MARK))), drawn)?.starts[0];
  t.match(isBlank('<w:jc w:val="center"/>'), { kind: 'empty', isBlank: true });
  t.match(isBlank('<w:pStyle w:val="Plain"/>'), { kind: 'empty', isBlank: true });
  for (const seen of [inList, '<w:pBdr/>', '<w:shd w:val="clear"/>', '<w:pStyle w:val="Box"/>']) {
    t.match(isBlank(seen), { kind: 'empty', isBlank: false }, seen);
  }
});

t.test('empty paragraphs below a drawing that text is printed over keep it clear', async (t) => {
  const drawing = (wrap: string, anchor = '') =>
    paragraph(`<w:r><w:drawing><wp:anchor ${anchor}><wp:${wrap}/></wp:anchor></w:drawing></w:r>`);
  const vml = (wrap: string) =>
    paragraph(`<w:r><w:pict><v:shape style="position:absolute">${wrap}</v:shape></w:pict></w:r>`);
  const clears = (above: string) =>
    (readStarts(mainPart(above + empty + paragraph(text('b', MARK)) + empty))?.starts ?? []).map(
      ({ clearsDrawing }) => clearsDrawing,
    );
  t.strictSame(clears(drawing('wrapNone')), [true, false, false]);
  t.strictSame(clears(vml('')), [true, false, false]);
  t.strictSame(clears(drawing('wrapNone', 'x=">"')), [true, false, false], 'a > in a value');
  t.strictSame(clears(vml('<!-- <w10:wrap type="square"/> -->')), [true, false, false], 'a tag in a comment');
  for (const other of [
    first,
    vml('position:absolute').replace('position:absolute', 'width:1pt'),
    drawing('wrapSquare'),
    drawing('wrapNone', 'behindDoc="1"'),
    vml('<w10:wrap type="square"/>'),
    empty + paragraph('<w:r><w:drawing><wp:inline/></w:drawing></w:r>'),
  ]) {
    t.strictSame(clears(first + other).slice(-3), [false, false, false], other);
  }
});

t.test('a hostile document is read in linear time, and what has too many starts is not', async (t) => {
  const marked = paragraph(text('b', MARK));
  const bodies = {
    'sections without an end': `${first}${marked}${'<w:sectPr>'.repeat(200_000)}`,
    'attributes without an end': `${first}${marked}<w:sectPr>${'<w:type '.repeat(200_000)}</w:sectPr>`,
    'elements that do not end before a mark': paragraph(
      text('a') + `<w:hyperlink>`.repeat(50_000) + text('b', MARK),
    ),
    'bookmarks without an end': paragraph(text('a') + '<w:bookmarkStart>'.repeat(200_000)) + marked,
  };
  const tooDeep = ['elements that do not end before a mark', 'bookmarks without an end'];
  for (const [what, body] of Object.entries(bodies)) {
    t.equal(startsOf(body).length, tooDeep.includes(what) ? 0 : 1, what);
  }
  const many = (count: number) =>
    readStarts(mainPart(paragraph(`${text('a')}<w:r>${MARK.repeat(count)}</w:r>`)));
  t.equal(many(5_000)?.starts.length, 5_000);
  t.equal(many(5_001), undefined);
  t.equal(many(200_000), undefined);
  const inRow = table(row(cell(paragraph(`${text('a')}<w:r>${MARK.repeat(200_000)}</w:r>`))));
  t.equal(readStarts(mainPart(inRow)), undefined, 'of a row as well');
  const large = `<w:tabs>${'<w:tab w:val="left"/>'.repeat(50_000)}</w:tabs>`;
  const parted = paragraph(`${text('a')}<w:r>${MARK.repeat(5_000)}</w:r>`, large);
  t.equal(startsOf(parted).length, 5_000, 'a large paragraph that is parted often');
  const head = row(cell(paragraph(text('head'.repeat(200_000)))), '<w:trPr><w:tblHeader/></w:trPr>');
  const rows = (line('b') + line('c', MARK)).repeat(5_000);
  t.equal(startsOf(table(head + head + rows)).length, 5_000, 'large header rows above many marks');
});

t.test('no break is written where it would change what is counted, or what is open', async (t) => {
  const rows = (head: string, rest = line('a') + line('b', MARK)) => table(head + rest);
  const head = (inner: string) => row(cell(paragraph(inner)), '<w:trPr><w:tblHeader/></w:trPr>');
  const bodies = {
    'a header row with a footnote': rows(head('<w:r><w:footnoteReference w:id="1"/></w:r>')),
    'a numbered header row': rows(row(cell(paragraph(text('h'), inList)), '<w:trPr><w:tblHeader/></w:trPr>')),
    'a header row with a bookmark': rows(head('<w:bookmarkStart w:id="1" w:name="a"/>')),
    'a header row with a field': rows(
      head('<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>SEQ a</w:instrText></w:r>'),
    ),
    'a header row with a simple field': rows(head(`<w:fldSimple w:instr="SEQ a">${text('1')}</w:fldSimple>`)),
    'a large header row': rows(head(text('x'.repeat(70_000)))),
    'rows in a content control': table(
      `${line('a')}<w:sdt><w:sdtPr/><w:sdtContent>${line('b')}${line('c', MARK)}</w:sdtContent></w:sdt>`,
    ),
    'properties with a namespace of their own': `${first}<w:p><w:pPr xmlns:a="b"><a:b/></w:pPr>${text('b', MARK)}</w:p>`,
  };
  for (const [what, body] of Object.entries(bodies)) t.strictSame(startsOf(first + body), ['mark'], what);
  const styles = wordPart(
    'styles',
    `<w:style w:type="paragraph" w:styleId="Item"><w:pPr>${inList}</w:pPr></w:style>`,
  );
  const ofStyle = (properties: string, rest = '') =>
    row(cell(paragraph(text('h'), properties) + rest), '<w:trPr><w:tblHeader/></w:trPr>');
  const breakable = (head: string, of: string) =>
    readStarts(mainPart(first + rows(head)), of)?.starts.map(({ isBreakable }) => isBreakable);
  const item = ofStyle('<w:pStyle w:val="Item"/>', empty);
  t.strictSame(breakable(item, styles), [false], 'a header row that is numbered by a style');
  t.strictSame(breakable(header, styles), [true]);
  const outside = styles.replace(inList, '<w:numPr><w:numId w:val="0"/></w:numPr>');
  t.strictSame(breakable(item, outside), [true], 'a style that is in no list');
  const byDefault = styles.replace('w:styleId', 'w:default="1" w:styleId');
  t.strictSame(breakable(header, byDefault), [false], 'or by the style of all paragraphs');
  const afterwards = `<w:sdt><w:sdtContent>${line('b')}</w:sdtContent></w:sdt>${line('c', MARK)}`;
  t.strictSame(startsOf(first + table(line('a') + afterwards)), ['mark breakable'], 'behind a control');
});

t.test('hostile sections, prefixes and elements around marks cost little', async (t) => {
  const began = process.cpuUsage();
  const marked = first + paragraph(text('b', MARK));
  t.equal(readStarts(mainPart(marked + '<w:sectPr/>'.repeat(300_000))), undefined, 'too many sections');
  const depth = 480;
  const open = '<w:smartTag>'.repeat(depth) + text('b', MARK).repeat(50_000) + '</w:smartTag>'.repeat(depth);
  t.equal(readStarts(mainPart(first + paragraph(text('a') + open))), undefined, 'too many marks');
  const pattern = `mc:x=' xmlns:(.+)+!="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' xmlns:w`;
  const injected = mainPart(paragraph(text('x'.repeat(60))) + marked).replace('xmlns:w', pattern);
  t.equal(readStarts(injected)?.starts.length, 1);
  const { user } = process.cpuUsage(began);
  t.ok(user < 20_000_000, `${user} µs of CPU time`);
});
