import t from 'tap';
import { readPageMarks, withPageBreaks } from '../../../src/convert/pagination/page-breaks.ts';
import { mainPart } from '../../support/documents.ts';

const MARK = '<w:lastRenderedPageBreak/>';
const PAGE = '<w:r><w:br w:type="page"/></w:r>';
const text = (words: string, before = '') => `<w:r>${before}<w:t>${words}</w:t></w:r>`;
const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
const first = paragraph(text('First page.'));
const BEGINS = '<w:pageBreakBefore/><w:spacing w:before="0"/>';

function marksOf(body: string) {
  return readPageMarks(mainPart(body));
}

/** What is in the body, once it has breaks. */
function paginated(body: string): string {
  const xml = withPageBreaks(mainPart(body));
  return xml.slice(xml.indexOf('<w:body>') + 8, xml.indexOf('</w:body>'));
}

t.test('a mark at the start of a paragraph has the paragraph begin a page', async (t) => {
  const body = first + paragraph(text('Second page.', MARK));
  t.strictSame(marksOf(body), { breaks: 1, pages: 2 });
  t.equal(paginated(body), `${first}<w:p><w:pPr>${BEGINS}</w:pPr>${text('Second page.', MARK)}</w:p>`);
});

t.test('the properties of the paragraph stay, in the order of the schema', async (t) => {
  const own =
    '<w:pStyle w:val="Heading1"/><w:spacing w:before="480" w:beforeAutospacing="1" w:line="276"/><w:jc w:val="center"/>';
  const body = first + paragraph(text('Second page.', MARK), own);
  t.match(
    paginated(body),
    '<w:pPr><w:pStyle w:val="Heading1"/><w:pageBreakBefore/><w:spacing w:before="0" w:line="276"/><w:jc w:val="center"/></w:pPr>',
  );
});

t.test(
  'a mark within a paragraph parts it; what goes on is no first line, what was ends at the margin',
  async (t) => {
    const own = '<w:spacing w:after="200"/><w:ind w:left="720" w:hanging="360"/><w:jc w:val="both"/>';
    const body =
      first +
      paragraph(
        `<w:hyperlink w:anchor="a"><w:r><w:rPr><w:b/></w:rPr><w:t>one</w:t>${MARK}<w:t>two</w:t></w:r></w:hyperlink>`,
        own,
      );
    t.strictSame(marksOf(body), { breaks: 1, pages: 2 });
    t.equal(
      paginated(body),
      `${first}<w:p><w:pPr><w:widowControl w:val="0"/><w:spacing w:after="0"/><w:ind w:left="720" w:hanging="360"/><w:jc w:val="distribute"/></w:pPr>` +
        '<w:hyperlink w:anchor="a"><w:r><w:rPr><w:b/></w:rPr><w:t>one</w:t></w:r></w:hyperlink></w:p>' +
        '<w:p><w:pPr><w:pageBreakBefore/><w:widowControl w:val="0"/><w:spacing w:after="200" w:before="0"/>' +
        '<w:ind w:left="720" w:firstLine="0"/><w:jc w:val="both"/></w:pPr>' +
        '<w:hyperlink w:anchor="a"><w:r><w:rPr><w:b/></w:rPr><w:t>two</w:t></w:r></w:hyperlink></w:p>',
    );
  },
);

t.test('a break of the document and its mark are one', async (t) => {
  const breaks = {
    'in a run': paragraph(text('a') + PAGE + text('b', MARK)),
    'at the end of the paragraph before': paragraph(text('a') + PAGE) + paragraph(text('b', MARK)),
    'before a paragraph': first + paragraph(text('b', MARK), '<w:pageBreakBefore/>'),
    'of a section': `${paragraph(text('a'), '<w:sectPr><w:type w:val="continuous"/></w:sectPr>')}${paragraph(text('b', MARK))}<w:sectPr/>`,
  };
  for (const [where, body] of Object.entries(breaks)) {
    t.strictSame(marksOf(body), { breaks: 0, pages: 2 }, where);
  }
  const continuous = `${paragraph(text('a'), '<w:sectPr></w:sectPr>')}${paragraph(text('b', MARK))}<w:sectPr><w:type w:val="continuous"/></w:sectPr>`;
  t.strictSame(marksOf(continuous), { breaks: 1, pages: 2 }, 'a continuous section begins no page');
});

t.test('marks that stay as they are still count as pages', async (t) => {
  const split = text('a') + text('b', MARK);
  const field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
  const bodies = {
    'in a field': paragraph(text('a') + field + text('b', MARK)),
    'in an item of a list': paragraph(split, '<w:numPr><w:numId w:val="1"/></w:numPr>'),
    'in a control': paragraph(`${text('a')}<w:sdt><w:sdtContent>${text('b', MARK)}</w:sdtContent></w:sdt>`),
  };
  for (const [where, body] of Object.entries(bodies)) {
    t.strictSame(marksOf(body), { breaks: 0, pages: 2 }, where);
    t.equal(paginated(body), body, where);
  }
  const hidden = `<w:del w:id="1">${text('b', MARK)}</w:del><w:r><w:pict>${paragraph(text('b', MARK))}</w:pict></w:r>`;
  t.strictSame(marksOf(paragraph(text('a') + hidden)), { breaks: 0, pages: 1 }, 'deleted, or in a text box');
});

const cell = (content: string) => `<w:tc>${content}</w:tc>`;
const row = (cells: string, properties = '') => `<w:tr>${properties}${cells}</w:tr>`;
const table = (rows: string) =>
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol/></w:tblGrid>${rows}</w:tbl>`;
const header = row(cell(paragraph(text('head'))), '<w:trPr><w:tblHeader/></w:trPr>');
const line = (words: string, before = '') => row(cell(paragraph(text(words, before))));

t.test('a table goes on after a break with its properties and its header rows', async (t) => {
  const body = table(header + line('a') + line('b', MARK) + line('c'));
  t.strictSame(marksOf(body), { breaks: 1, pages: 2 });
  const between = paginated(body).slice(paginated(body).indexOf('</w:tbl>'));
  t.match(
    between,
    /^<\/w:tbl><w:p><w:pPr><w:pageBreakBefore\/><w:spacing [^<>]*w:line="20"[^<>]*\/><\/w:pPr><\/w:p><w:tbl>/,
  );
  t.ok(between.endsWith(table(header + line('b', MARK) + line('c')).slice('<w:tbl>'.length)));
});

t.test('a row that goes on to another page is one page end, with the mark in the row below', async (t) => {
  const going = row(cell(paragraph(text('a'))) + cell(paragraph(text('b') + text('c', MARK))));
  t.strictSame(marksOf(table(going + line('d', MARK))), { breaks: 0, pages: 2 });
  t.strictSame(marksOf(table(going + line('d') + line('e', MARK))), { breaks: 1, pages: 3 });
});

t.test('rows that cannot begin a table stay where they are', async (t) => {
  const merged = row(`<w:tc><w:tcPr><w:vMerge/></w:tcPr>${paragraph(text('b', MARK))}</w:tc>`);
  t.strictSame(marksOf(table(line('a') + merged)), { breaks: 0, pages: 2 }, 'merged with the row above');
  t.strictSame(marksOf(first + table(line('a', MARK))), { breaks: 0, pages: 2 }, 'the first row');
});

t.test('the body grows towards the footer, never into it', async (t) => {
  const section = (bottom: number, footer: number) =>
    `<w:sectPr><w:pgMar w:top="1440" w:bottom="${bottom}" w:footer="${footer}"/></w:sectPr>`;
  const grown = (bottom: number, footer: number) =>
    /w:bottom="(\d+)"/.exec(paginated(first + section(bottom, footer)))?.[1];
  t.equal(grown(1440, 300), '740', 'by three lines');
  t.equal(grown(1440, 708), '1038', 'not into the footer');
  t.equal(grown(800, 708), '800', 'not at all');
});

t.test('whatever the prefix of the namespace is', async (t) => {
  const body = first + paragraph(text('Second page.', MARK));
  const renamed = mainPart(body)
    .replaceAll('<w:', '<x:')
    .replaceAll('</w:', '</x:')
    .replace('xmlns:w=', 'xmlns:x=');
  t.strictSame(readPageMarks(renamed), { breaks: 1, pages: 2 });
  t.match(withPageBreaks(renamed), '<x:pPr><x:pageBreakBefore/><x:spacing x:before="0"/></x:pPr>');
});

t.test('marks of a hostile document are read in linear time', async (t) => {
  const bodies = {
    'sections without an end': '<w:sectPr>'.repeat(200_000),
    'attributes without an end': `<w:sectPr>${'<w:type '.repeat(200_000)}</w:sectPr>`,
    'a large paragraph that is parted often': paragraph(
      `${text('a')}<w:r>${MARK.repeat(20_000)}</w:r>`,
      `<w:tabs>${'<w:tab w:val="left"/>'.repeat(50_000)}</w:tabs>`,
    ),
    'large header rows above many breaks': table(
      row(cell(paragraph(text('head'.repeat(100_000)))), '<w:trPr><w:tblHeader/></w:trPr>') +
        (line('b') + line('c', MARK)).repeat(5_000),
    ),
  };
  const pages = Object.entries(bodies).map(([what, body]) => [what, marksOf(body).pages]);
  t.strictSame(pages, [
    ['sections without an end', 1],
    ['attributes without an end', 1],
    ['a large paragraph that is parted often', 20_001],
    ['large header rows above many breaks', 5_001],
  ]);
});
