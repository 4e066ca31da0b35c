/** What a plan of page breaks writes into a document. */
import t from 'tap';
import { withPageBreaks } from '../../../src/convert/pagination/page-breaks.ts';
import type { PagePlan } from '../../../src/convert/pagination/page-plan.ts';
import { readPageStarts } from '../../../src/convert/pagination/page-starts.ts';
import { mainPart } from '../../support/documents.ts';
import {
  bodyOf,
  cell,
  empty,
  first,
  header,
  inList,
  line,
  MARK,
  paragraph,
  renamed,
  row,
  table,
  text,
} from './support/parts.ts';

const BEGINS = '<w:pageBreakBefore/><w:spacing w:before="0"/>';
/** A part that says where pages begin has a mark. */
const last = paragraph(text('Last page.', MARK));

/** The part with the breaks of a plan; all that there may be by default. */
function written(xml: string, plan: Partial<PagePlan> = {}): string {
  const starts = readPageStarts(xml);
  if (!starts) throw new Error('a part without marks');
  return withPageBreaks(xml, starts, { breaks: [...starts.starts.keys()], growth: [], ...plan });
}

/** What is in the body then. */
const paginated = (body: string, plan?: Partial<PagePlan>) => bodyOf(written(mainPart(body), plan));

t.test('a paragraph begins a page', async (t) => {
  const body = first + paragraph(text('Second page.', MARK));
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

t.test('only the breaks of the plan are written', async (t) => {
  const body = first + empty + paragraph(text('b', MARK)) + last;
  t.equal(paginated(body, { breaks: [] }), body);
  const unmarked = `${first}<w:p><w:pPr>${BEGINS}</w:pPr></w:p>${paragraph(text('b', MARK))}${last}`;
  t.equal(paginated(body, { breaks: [0] }), unmarked, 'an empty paragraph');
  t.match(paginated(body, { breaks: [2] }), `<w:p><w:pPr>${BEGINS}</w:pPr>${text('Last page.', MARK)}</w:p>`);
  const fixed = paragraph(text('a') + text('b', MARK), '<w:numPr><w:numId w:val="1"/></w:numPr>');
  t.equal(paginated(fixed), fixed, 'and none where none can be');
});

t.test('a break within a paragraph parts it', async (t) => {
  const own = '<w:spacing w:after="200"/><w:ind w:left="720" w:hanging="360"/><w:jc w:val="both"/>';
  const ended =
    '<w:pPr><w:widowControl w:val="0"/><w:spacing w:after="0"/><w:ind w:left="720" w:hanging="360"/><w:jc w:val="distribute"/></w:pPr>';
  const begun =
    '<w:pPr><w:pageBreakBefore/><w:widowControl w:val="0"/><w:spacing w:after="200" w:before="0"/>' +
    '<w:ind w:left="720" w:firstLine="0"/><w:jc w:val="both"/></w:pPr>';
  const link = (runs: string) => `<w:hyperlink w:anchor="a">${runs}</w:hyperlink>`;
  const bold = (inner: string) => `<w:r><w:rPr><w:b/></w:rPr>${inner}</w:r>`;
  const [one, two] = ['<w:t>one</w:t>', '<w:t>two</w:t>'];
  t.equal(
    paginated(first + paragraph(link(bold(one + MARK + two)), own)),
    `${first}<w:p>${ended}${link(bold(one))}</w:p><w:p>${begun}${link(bold(two))}</w:p>`,
    'what goes on is no first line, what ends does so at the margin',
  );
  t.equal(
    paginated(first + paragraph(link(bold(one) + bold(MARK + two)), own)),
    `${first}<w:p>${ended}${link(bold(one))}</w:p><w:p>${begun}${link(bold(MARK + two))}</w:p>`,
    'a run with nothing before the mark goes on as a whole',
  );
  const twice = paginated(paragraph(text('a') + text('b', MARK) + text('c', MARK)));
  t.match(
    twice,
    /^<w:p>.*a<\/w:t><\/w:r><\/w:p><w:p>.*b<\/w:t><\/w:r><\/w:p><w:p>.*c<\/w:t><\/w:r><\/w:p>$/,
    'more than once',
  );
  t.equal(twice.split('<w:pageBreakBefore/>').length, 3);
});

t.test('a line break above a page break is none any more: it would make an empty line', async (t) => {
  const br = '<w:r><w:br/></w:r>';
  const proof = '<w:proofErr w:type="spellEnd"/>';
  const begun = `<w:p><w:pPr><w:pageBreakBefore/><w:widowControl w:val="0"/><w:spacing w:before="0"/><w:ind w:firstLine="0"/>`;
  const ended = '<w:pPr><w:widowControl w:val="0"/><w:spacing w:after="0"/>';
  for (const [above, kept] of [
    [text('a') + br, `${text('a')}<w:r></w:r>`],
    [text('a') + br + proof, `${text('a')}<w:r></w:r>${proof}`],
    [text('a') + br + br, `${text('a')}${br}<w:r></w:r>`],
    ['<w:r><w:t>a</w:t><w:br /></w:r>', '<w:r><w:t>a</w:t></w:r>'],
  ] as const) {
    t.equal(
      paginated(first + paragraph(above + text('b', MARK))),
      `${first}<w:p>${ended}</w:pPr>${kept}</w:p>${begun}</w:pPr>${text('b', MARK)}</w:p>`,
    );
  }
  t.match(
    paginated(first + paragraph(`<w:r><w:t>a</w:t><w:br/>${MARK}<w:t>b</w:t></w:r>`)),
    `<w:t>a</w:t></w:r></w:p>${begun}</w:pPr><w:r><w:t>b</w:t></w:r></w:p>`,
    'in the run of the mark',
  );
  t.match(
    paginated(paragraph(text('a') + br + text('b', MARK), '<w:jc w:val="both"/>')),
    `${ended}<w:jc w:val="both"/></w:pPr>`,
    'the line that it ended does not reach the right margin',
  );
  const page = paragraph(`<w:r><w:t>a</w:t><w:br w:clear="all"/></w:r>${text('b', MARK)}`);
  t.match(paginated(page), '<w:br w:clear="all"/>', 'one that says more stays');
});

t.test('empty paragraphs at the end of a page take no room', async (t) => {
  const FLAT =
    '<w:snapToGrid w:val="0"/><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>';
  const flat = `<w:p><w:pPr>${FLAT}</w:pPr></w:p>`;
  const second = paragraph(text('b', MARK));
  const begun = `<w:p><w:pPr>${BEGINS}</w:pPr>${text('b', MARK)}</w:p>`;
  const breaks = (body: string) => {
    const { starts = [] } = readPageStarts(mainPart(body)) ?? {};
    return starts.flatMap(({ kind }, i) => (kind === 'mark' ? [i] : []));
  };
  const flattened = (body: string) => paginated(body, { breaks: breaks(body) });
  const own = paragraph('', '<w:spacing w:before="240"/><w:jc w:val="center"/>');
  t.equal(
    flattened(first + empty + own + second),
    `${first}${flat}<w:p><w:pPr>${FLAT}<w:jc w:val="center"/></w:pPr></w:p>${begun}`,
  );
  t.equal(
    flattened(`${first}<w:p w:rsidR="1"/><w:p/>${second}`),
    `${first}<w:p w:rsidR="1"><w:pPr>${FLAT}</w:pPr></w:p>${flat}${begun}`,
    'empty elements',
  );
  const cells = table(row(cell(paragraph(text('c'))) + cell('<w:p/>')));
  t.equal(flattened(`${cells}<w:p/>${second}`), `${cells}${flat}${begun}`, 'none of a table');
  const next = paginated(table(row(cell(paragraph(text('c'))) + cell('<w:p/>')) + line('b', MARK)));
  t.match(next, /<w:p\/><\/w:tc><\/w:tr><\/w:tbl><w:p><w:pPr><w:pageBreakBefore\/>/, 'above a row neither');
  const above = empty + first;
  t.equal(flattened(above + second), above + begun, 'none above the content');
  for (const seen of [inList, '<w:pBdr><w:top w:val="single"/></w:pBdr>', '<w:framePr w:w="100"/>']) {
    const body = first + paragraph('', seen);
    t.equal(flattened(body + second), body + begun, 'none that is seen');
  }
  const page = `${first}<w:p><w:pPr>${BEGINS}</w:pPr></w:p>${begun}`;
  t.equal(paginated(first + empty + second), page, 'none that begins a page');
  t.equal(
    paginated(first + empty + second, { breaks: [] }),
    first + empty + second,
    'where a break is written',
  );
});

t.test('the section of a paragraph ends with its last part', async (t) => {
  const section = '<w:sectPr><w:type w:val="continuous"/></w:sectPr>';
  const body = paginated(paragraph(text('a') + text('b', MARK), section) + paragraph(text('c')));
  t.equal(body.split(section).length, 2);
  t.ok(body.indexOf(section) > body.indexOf('<w:t>a</w:t>'));
});

t.test('a table goes on after a break with its properties and its header rows', async (t) => {
  const body = table(header + line('a') + line('b', MARK) + line('c'));
  const after = paginated(body).slice(paginated(body).indexOf('</w:tbl>'));
  t.match(
    after,
    /^<\/w:tbl><w:p><w:pPr><w:pageBreakBefore\/><w:spacing [^<>]*w:line="20"[^<>]*\/><\/w:pPr><\/w:p><w:tbl>/,
  );
  t.ok(after.endsWith(table(header + line('b', MARK) + line('c')).slice('<w:tbl>'.length)));
});

t.test('the body of a section grows towards its footer', async (t) => {
  const margins = (bottom: number) => `<w:pgMar w:top="1440" w:bottom="${bottom}" w:footer="300"/>`;
  const section = (bottom: number) => `<w:sectPr>${margins(bottom)}</w:sectPr>`;
  const body = (one: number, other: number) =>
    paragraph(text('a'), section(one)) + last + last + section(other);
  const grown = (growth: readonly number[]) => paginated(body(1440, 1134), { breaks: [], growth });
  t.equal(grown([0, 0]), body(1440, 1134));
  t.equal(grown([35, 0]), body(740, 1134), 'by points');
  t.equal(grown([0, 10.01]), body(1440, 933), 'by twentieths of them, not less');
  const bare = `${first}${last}<w:sectPr/>`;
  t.equal(paginated(bare, { breaks: [], growth: [35] }), bare, 'one without margins stays');
});

t.test('whatever the prefix of the namespace is', async (t) => {
  const part = renamed(`${first}${last}<w:sectPr><w:pgMar w:bottom="1440"/></w:sectPr>`);
  const xml = written(part, { growth: [20] });
  t.match(xml, '<x:pPr><x:pageBreakBefore/><x:spacing x:before="0"/></x:pPr>');
  t.match(xml, '<x:pgMar x:bottom="1040"/>');
});
