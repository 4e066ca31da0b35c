/** What a plan of page breaks writes into a document. */
import t from 'tap';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { ListItems } from '../../../src/convert/pagination/list-items.ts';
import { withPageBreaks } from '../../../src/convert/pagination/page-breaks.ts';
import type { PagePlan } from '../../../src/convert/pagination/page-plan.ts';
import { mainPart } from '../../support/documents.ts';
import { wordPart } from '../../support/report-documents.ts';
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
  readStarts,
  renamed,
  row,
  table,
  text,
} from './support/parts.ts';

/** Properties of a paragraph that is no item of a list, whatever its style is, and no line that is counted. */
const UNCOUNTED = '<w:numPr><w:numId w:val="0"/></w:numPr><w:suppressLineNumbers/>';
const BEGINS = '<w:pageBreakBefore/><w:spacing w:before="0"/>';
/** A part that says where pages begin has a mark. */
const last = paragraph(text('Last page.', MARK));

const numbering =
  '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>' +
  '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>';
const listsWith = (styles: Styles) => new ListItems(wordPart('numbering', numbering), styles);

/** The part with the breaks of a plan; all that there may be by default. */
function written(xml: string, plan: Partial<Pick<PagePlan, 'breaks' | 'flat'>> = {}, styles = ''): string {
  const starts = readStarts(xml, styles);
  const read = new Styles(styles, noTheme);
  if (!starts) throw new Error('a part without marks');
  return withPageBreaks(
    xml,
    starts,
    { breaks: [...starts.starts.keys()], flat: [], ...plan },
    listsWith(read),
    read,
  );
}

/** What is in the body then. */
const paginated = (body: string, plan?: Partial<Pick<PagePlan, 'breaks' | 'flat'>>, styles?: string) =>
  bodyOf(written(mainPart(body), plan, styles));

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
  const control = `<w:sdt><w:sdtContent>${text('b', MARK)}</w:sdtContent></w:sdt>`;
  const fixed = paragraph(text('a') + control);
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
    `${first}<w:p>${ended}${link(bold(one))}</w:p><w:p>${begun}${link(bold(MARK + two))}</w:p>`,
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

t.test('a mark that is no empty element stays whole', async (t) => {
  for (const mark of [
    `${MARK.slice(0, -2)}></w:lastRenderedPageBreak>`,
    MARK.replace('/>', `>${MARK}</w:lastRenderedPageBreak>`),
  ]) {
    const body = paginated(paragraph(`<w:r><w:t>a</w:t>${mark}<w:t>b</w:t></w:r>`));
    t.match(body, /<w:t>a<\/w:t><\/w:r><\/w:p><w:p>/);
    t.ok(body.endsWith(`<w:r>${mark}<w:t>b</w:t></w:r></w:p>`), mark);
  }
});

t.test('an equation above a break stays there', async (t) => {
  const equation = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>';
  const body = paginated(first + paragraph(equation + text('b', MARK)));
  t.match(body, `${equation}</w:p><w:p><w:pPr><w:pageBreakBefore/>`);
});

t.test('what goes on of a list item has no number, and its left edge', async (t) => {
  const rest = (properties: string) => {
    const body = paginated(first + paragraph(text('a') + text('b', MARK), properties));
    return body.slice(body.lastIndexOf('<w:pPr>'), body.lastIndexOf('</w:pPr>'));
  };
  const begun = (indentation: string) =>
    '<w:pPr><w:pageBreakBefore/><w:widowControl w:val="0"/><w:numPr><w:numId w:val="0"/></w:numPr>' +
    `<w:spacing w:before="0"/><w:ind ${indentation}/>`;
  t.equal(rest(inList), begun('w:left="720" w:firstLine="0"'));
  t.equal(rest(`${inList}<w:ind w:hanging="360"/>`), begun('w:left="720" w:firstLine="0"'));
  t.equal(rest(`${inList}<w:ind w:left="300"/>`), begun('w:left="300" w:firstLine="0"'), 'that of its own');
  const item = paginated(paragraph(text('a') + text('b', MARK), inList));
  t.ok(item.startsWith(`<w:p><w:pPr><w:widowControl w:val="0"/>${inList}`), 'it stays an item up to there');
});

t.test('a line break above a page break is none any more: it would make an empty line', async (t) => {
  const br = '<w:r><w:br/></w:r>';
  const proof = '<w:proofErr w:type="spellEnd"/>';
  const begun = `<w:p><w:pPr><w:pageBreakBefore/><w:widowControl w:val="0"/><w:spacing w:before="0"/><w:ind w:firstLine="0"/>`;
  const ended = '<w:pPr><w:widowControl w:val="0"/><w:spacing w:after="0"/>';
  for (const [above, kept] of [
    [text('a') + br, `${text('a')}<w:r></w:r>`],
    [text('a') + br + proof, `${text('a')}<w:r></w:r>${proof}`],
    [
      text('a') + br + proof.replace('/>', ' w:x=">"/>'),
      `${text('a')}<w:r></w:r>${proof.replace('/>', ' w:x=">"/>')}`,
    ],
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
    `<w:t>a</w:t></w:r></w:p>${begun}</w:pPr><w:r>${MARK}<w:t>b</w:t></w:r></w:p>`,
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
    const { starts = [] } = readStarts(mainPart(body)) ?? {};
    return starts.flatMap(({ kind }, i) => (kind === 'mark' ? [i] : []));
  };
  const flattened = (body: string, styles?: string) => paginated(body, { breaks: breaks(body) }, styles);
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
  const border = '<w:pBdr><w:top w:val="single"/></w:pBdr>';
  const shading = '<w:shd w:val="clear" w:fill="FF0000"/>';
  for (const seen of [inList, border, shading, '<w:framePr w:w="100"/>']) {
    const body = first + paragraph('', seen);
    t.equal(flattened(body + second), body + begun, 'none that is seen');
  }
  const style = (properties: string, more = '') =>
    `<w:style w:type="paragraph" w:styleId="A"${more}><w:pPr>${properties}</w:pPr></w:style>` +
    '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>';
  const named = '<w:pStyle w:val="B"/>';
  const ofStyle = first + paragraph('', named);
  const spaced = wordPart('styles', style('<w:spacing w:before="240"/>'));
  t.equal(
    flattened(ofStyle + second, spaced),
    `${first}<w:p><w:pPr>${named}${FLAT}</w:pPr></w:p>${begun}`,
    'of a style',
  );
  for (const seen of [inList, border, shading]) {
    const styles = wordPart('styles', style(seen));
    t.equal(flattened(ofStyle + second, styles), ofStyle + begun, 'unless it makes something seen of them');
    const byDefault = wordPart('styles', style(seen, ' w:default="1"'));
    const body = `${first + empty}<w:p/>`;
    t.equal(flattened(body + second, byDefault), body + begun, 'or that of all paragraphs does');
  }
  const bare = paragraph(`<w:r>${MARK}</w:r>`);
  t.equal(
    flattened(`${first}<w:p/>${bare}<w:p/>${second}`).split(flat).length,
    3,
    'each once, also below a mark without content',
  );
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
    /^<\/w:tbl><w:p><w:pPr><w:pageBreakBefore\/>.*?<w:spacing [^<>]*w:line="20"[^<>]*\/><\/w:pPr><\/w:p><w:tbl>/,
  );
  t.ok(after.includes(UNCOUNTED), 'the paragraph between them has no number, and no number of a line');
  t.ok(after.endsWith(table(header + line('b', MARK) + line('c')).slice('<w:tbl>'.length)));
});

t.test('a table begins a page with its first paragraph, whose space above stays', async (t) => {
  const marked = (properties: string) => row(cell(paragraph(text('a', MARK), properties)));
  const spacing = '<w:spacing w:before="120"/>';
  t.equal(paginated(first + table(marked(spacing))), first + table(marked(`<w:pageBreakBefore/>${spacing}`)));
});

t.test('the first row of what goes on of a table is none of its style', async (t) => {
  const look = (attributes: string) => `<w:tblLook ${attributes}/>`;
  const begun = (attributes: string, rows = line('a')) => {
    const body = table(rows + line('b', MARK)).replace('</w:tblPr>', `${look(attributes)}</w:tblPr>`);
    const after = paginated(body);
    t.match(after.slice(0, after.indexOf('</w:tbl>')), look(attributes), 'it stays in what ends');
    return /<w:tblLook ([^<]*)\/>/.exec(after.slice(after.indexOf('</w:tbl>')))?.[1];
  };
  t.equal(begun('w:val="04A0" w:firstRow="1" w:lastRow="0"'), 'w:val="0480" w:firstRow="0" w:lastRow="0"');
  t.equal(begun('w:val="00a0"'), 'w:val="0080"', 'as old versions write it');
  t.equal(begun('w:firstRow="true"'), 'w:firstRow="0"', 'as strict documents have it');
  t.equal(
    begun(`w:x="> w:firstRow='1'" w:firstRow="1"`),
    `w:x="> w:firstRow='1'" w:firstRow="0"`,
    'not what a value says',
  );
  t.equal(begun('w:val="0480" w:firstRow="0"'), 'w:val="0480" w:firstRow="0"');
  t.equal(
    begun('w:val="04A0" w:firstRow="1"', header + line('a')),
    'w:val="04A0" w:firstRow="1"',
    'a header',
  );
});

t.test('a row that goes on is parted in two', async (t) => {
  const properties = '<w:trPr><w:trHeight w:x=">" w:val="500"/><w:jc w:val="center"/></w:trPr>';
  const width = '<w:tcPr><w:tcW w:w="1"/></w:tcPr>';
  const bookmark = '<w:bookmarkStart w:id="1" w:name="a"/><w:bookmarkEnd w:id="1"/>';
  const going =
    cell(width + paragraph(text('a'))) +
    bookmark +
    cell(width + paragraph(text('b')) + paragraph(text('c') + text('d', MARK), inList));
  const body = paginated(table(header + row(going, properties) + line('e', MARK)));
  const kept = '<w:trPr><w:jc w:val="center"/></w:trPr>';
  const ended = `<w:widowControl w:val="0"/>${inList}<w:spacing w:after="0"/>`;
  const begun =
    '<w:widowControl w:val="0"/><w:numPr><w:numId w:val="0"/></w:numPr><w:spacing w:before="0"/>' +
    '<w:ind w:left="720" w:firstLine="0"/>';
  const [above = '', below = ''] = body.split(/<w:p><w:pPr><w:pageBreakBefore\/>.*?<\/w:p>/);
  const one =
    cell(width + paragraph(text('a'))) +
    bookmark +
    cell(width + paragraph(text('b')) + paragraph(text('c'), ended));
  const other = cell(width + paragraph('', UNCOUNTED)) + cell(width + paragraph(text('d', MARK), begun));
  t.equal(above, table(header + row(one, kept)));
  t.equal(below, table(header + row(other, kept) + line('e', MARK)), 'below its header');
});

t.test('a row that goes over several pages, with cells that end before', async (t) => {
  const cells =
    cell(paragraph(text('a') + text('b', MARK)) + paragraph(text('c', MARK))) +
    cell(paragraph(text('d')) + paragraph(text('e', MARK))) +
    cell(table(line('f')));
  const words = (plan: Partial<PagePlan>) =>
    paginated(table(row(cells)) + last, plan)
      .split('<w:pageBreakBefore/>')
      .map((page) => [...page.matchAll(/<w:t>([^<]*)/g)].map(([, word]) => word).join(' '));
  t.strictSame(words({ breaks: [0, 1] }), ['a d f', 'b e', 'c Last page.']);
  t.strictSame(words({ breaks: [1] }), ['a b d e f', 'c Last page.'], 'only those of the plan');
  const parted = paginated(table(row(cells)) + last, { breaks: [0, 1] });
  for (const [content] of parted.matchAll(/<w:tc>.*?<\/w:tc>/g)) {
    t.match(content, /(?:<\/w:p>|<w:p\/>)<\/w:tc>$/, 'each cell ends with a paragraph');
  }
});

t.test('a cell goes on with the row of a table in it', async (t) => {
  const flat = `<w:p><w:pPr>${UNCOUNTED}<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>`;
  const above = paragraph(text('a'));
  const halves = (inner: string) =>
    paginated(table(row(cell(inner)))).split(/<w:p><w:pPr><w:pageBreakBefore\/>.*?<w:tbl>/);
  const [one, other] = halves(above + table(line('b') + line('c', MARK)) + empty);
  t.equal(one, table(row(cell(above + table(line('b')) + flat))));
  t.equal(`<w:tbl>${other}`, table(row(cell(table(line('c', MARK)) + empty))));
  const begun = halves(above + table(line('b', MARK)) + empty);
  t.strictSame(
    [begun[0], `<w:tbl>${begun[1]}`],
    [table(row(cell(above))), table(row(cell(table(line('b', MARK)) + empty)))],
  );
});

t.test('the paragraph of a floating table begins the page', async (t) => {
  const floating = table(line('b', MARK)).replace('<w:tblPr>', '<w:tblPr><w:tblpPr w:tblpY="1"/>');
  t.equal(
    paginated(first + floating + paragraph(text('c'))),
    `${first}${floating}<w:p><w:pPr>${BEGINS}</w:pPr>${text('c')}</w:p>`,
  );
});

t.test('a table that begins a page with a row that goes on', async (t) => {
  const cut = (inner: string) => paginated(first + table(row(cell(inner))));
  const whole = cut(paragraph(text('a', MARK) + text('b', MARK)));
  t.equal(whole.split('<w:pageBreakBefore/>').length, 3);
  t.match(whole, `<w:tc><w:p><w:pPr><w:pageBreakBefore/><w:widowControl w:val="0"/>`);
  const apart = cut(paragraph(text('a', MARK)) + paragraph(text('b', MARK)));
  t.equal(apart.split('<w:pageBreakBefore/>').length, 3);
});

t.test('breaks that would write more than a part may have', async (t) => {
  const large = `<w:tabs>${'<w:tab w:val="left"/>'.repeat(5_000)}</w:tabs>`;
  const body = paragraph(text('a') + text('b', MARK).repeat(5_000), large);
  t.throws(() => paginated(body), { code: 'CORRUPTED_FILE' });
});

t.test('whatever the prefix of the namespace is', async (t) => {
  const xml = written(renamed(`${first}${last}`));
  t.match(xml, '<x:pPr><x:pageBreakBefore/><x:spacing x:before="0"/></x:pPr>');
});

t.test('an empty paragraph of the plan becomes flat, wherever it stands', async (t) => {
  const bare = paragraph('', '<w:jc w:val="center"/>');
  const flat =
    '<w:p><w:pPr><w:snapToGrid w:val="0"/><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/><w:jc w:val="center"/></w:pPr></w:p>';
  const body = first + bare + bare + paragraph(text('b')) + paragraph(text('c', MARK));
  t.equal(paginated(body, { breaks: [], flat: [1] }), body.replace(bare + bare, bare + flat));
  const above = first + bare + paragraph(text('c', MARK));
  t.match(
    paginated(above, { breaks: [1], flat: [0] }),
    `${first}${flat}<w:p>`,
    'once, where it is above a break',
  );
});
