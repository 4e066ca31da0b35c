/** Space between cells, the height of rows, the space above a table and below the text of a cell, as Word lays them out. */
import t from 'tap';
import { sizedStyle } from '../../../src/convert/document/sized-styles.ts';
import { LayoutStyles } from '../../../src/convert/rules/layout-styles.ts';
import { withWordsTables } from '../../../src/convert/rules/tables.ts';
import { fromBytes } from '../../../src/convert/text/bytes.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const styles = new LayoutStyles(
  `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:styleId="List"><w:pPr><w:contextualSpacing/></w:pPr></w:style>
<w:style w:styleId="Tight"><w:basedOn w:val="List"/><w:pPr><w:spacing w:after="0"/></w:pPr></w:style>
<w:style w:styleId="Web"><w:basedOn w:val="Tight"/><w:pPr><w:spacing w:afterAutospacing="1"/></w:pPr></w:style>
<w:style w:styleId="Groß"><w:rPr><w:sz w:val="28"/></w:rPr></w:style>
<w:style w:styleId="Gerüst"><w:pPr><w:spacing w:after="40" w:line="360" w:lineRule="auto"/></w:pPr></w:style></w:styles>`,
);
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const change = (body: string, mode = 15) =>
  fromBytes(
    withWordsTables(
      Buffer.from(main(body)).toString('latin1'),
      {
        styles,
        paragraphStyle: (id) => (id === '' ? 'N' : fromBytes(id)),
        sized: (id, size) => (id === 'Tight' ? undefined : sizedStyle(id, size)),
      },
      mode,
    ),
  );

const paragraph = (properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:rPr><w:b/></w:rPr><w:t>x</w:t></w:r></w:p>`;
const cell = (properties: string, content = paragraph()) =>
  `<w:tc>${properties === '' ? '' : `<w:tcPr>${properties}</w:tcPr>`}${content}</w:tc>`;
const row = (cells: string, properties = '') =>
  `<w:tr>${properties === '' ? '' : `<w:trPr>${properties}</w:trPr>`}${cells}</w:tr>`;
const table = (rows: string, properties = '') =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid><w:gridCol/></w:tblGrid>${rows}</w:tbl>`;
const tracked = (name: string, inner: string) =>
  `<w:${name}Change><w:${name}>${inner}</w:${name}></w:${name}Change>`;

/** Top, left, bottom and right. */
const margins = (...widths: readonly number[]) => {
  const written = ['top', 'left', 'bottom', 'right'].map(
    (side, index) => `<w:${side} w:w="${widths[index]}" w:type="dxa"/>`,
  );
  return `<w:tcMar>${written.join('')}</w:tcMar>`;
};

t.test('the margins of a table whose rows leave out columns are those of its cells', async (t) => {
  const cellMargins = (top: number, bottom: number) =>
    `<w:tblCellMar><w:top w:w="${top}" w:type="dxa"/><w:left w:w="50" w:type="dxa"/><w:bottom w:w="${bottom}" w:type="dxa"/></w:tblCellMar>`;
  const own = '<w:tcMar><w:top w:w="0" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/></w:tcMar>';
  for (const gap of ['<w:gridAfter w:val="1"/>', '<w:gridBefore w:val="1"/>']) {
    const rows = (first: string, second: string) => row(cell(first), gap) + row(cell(second));
    t.equal(
      change(table(rows(own, ''), cellMargins(400, 300))),
      main(table(rows(margins(0, 50, 0, 108), margins(400, 50, 300, 108)), cellMargins(0, 0))),
    );
    const none = table(rows(own, ''), cellMargins(0, 0));
    t.equal(change(none), main(none), 'no margins above and below');
  }
  const whole = table(row(cell(own)), cellMargins(400, 300));
  t.equal(change(whole), main(whole), 'no columns left out');
});

t.test('space between cells is margins, twice as wide where there is no other cell', async (t) => {
  const spacing = '<w:tblCellSpacing w:w="15" w:type="dxa"/>';
  const rows = (a: string, b: string, c: string, d: string) =>
    row(cell(a) + cell(b)) + row(cell(c) + cell(d));
  t.equal(
    change(table(rows('', '', '', ''), spacing)),
    main(
      table(
        rows(
          margins(30, 138, 15, 123),
          margins(30, 123, 15, 138),
          margins(15, 138, 30, 123),
          margins(15, 123, 30, 138),
        ),
        spacing,
      ),
    ),
  );
  const all = `${spacing}<w:tblCellMar><w:top w:w="40" w:type="dxa"/><w:start w:w="7" w:type="dxa"/></w:tblCellMar>`;
  const own = '<w:tcMar><w:bottom w:w="100" w:type="dxa"/><w:right w:w="9" w:type="pct"/></w:tcMar>';
  const [width, align] = ['<w:tcW w:w="0" w:type="auto"/>', '<w:vAlign w:val="center"/><w:hideMark/>'];
  t.equal(
    change(table(row(cell(width + own + align)), all)),
    main(table(row(cell(width + margins(70, 37, 130, 138) + align)), all)),
    'on top of those of the cell, or else of the table, in the order of the schema',
  );
  const nested = (inner: string) => cell(margins(30, 138, 30, 138), table(row(cell(inner))) + paragraph());
  t.equal(
    change(table(row(cell('', table(row(cell(''))) + paragraph())), spacing)),
    main(table(row(nested('')), spacing)),
    'not in a table inside a cell, which has none of its own',
  );
});

t.test('the line above a row comes on top of its least height', async (t) => {
  const line = (side: string, size: number) => `<w:${side} w:val="single" w:sz="${size}"/>`;
  const borders = (...lines: string[]) => cell(`<w:tcBorders>${lines.join('')}</w:tcBorders>`);
  const none = '<w:top w:val="nil"/>';
  const height = (value: number, rule = '') => `<w:trHeight w:val="${value}"${rule}/>`;
  const atLeast = ' w:hRule="atLeast"';
  const first = row(borders(line('top', 4), line('bottom', 4)) + borders(line('bottom', 12)), height(300));
  const rows = (second: string) => table(first + second);
  const lower = borders(none, line('bottom', 4)) + borders('<w:top w:val="none"/>');
  for (const rule of ['', atLeast]) {
    t.equal(
      change(rows(row(lower, height(300, rule)))),
      main(rows(row(lower, height(330, atLeast)))),
      'that of the widest of the lines above',
    );
  }
  const ends = (xml: string) => xml.replace(/<w:trHeight([^>]*)\/>/g, '<w:trHeight$1></w:trHeight>');
  t.equal(
    change(ends(rows(row(lower, height(300))))),
    main(ends(rows(row(lower, height(330, atLeast))))),
    'with an end tag',
  );
  for (const second of [
    row(lower, height(300, ' w:hRule="exact"')),
    row(lower),
    row(lower, '<w:trHeight/>'),
    row(lower, '<w:trHeight w:val="Infinity"/>'),
    row(lower, tracked('trPr', height(300))),
    row(borders(none) + borders(line('top', 4)), height(300)),
    row(borders(none) + borders(line('bottom', 4)), height(300)),
    row(borders(none) + cell(''), height(300)),
  ]) {
    t.equal(change(rows(second)), main(rows(second)), second);
  }
  const open = table(row(borders(line('top', 4))) + row(lower, height(300)));
  t.equal(change(open), main(open), 'no line above');
});

const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
const noSpace = '<w:spacing w:after="0" w:afterAutospacing="0"/>';
const context = '<w:contextualSpacing/>';

t.test('a paragraph keeps no contextual space above a table that begins with its style', async (t) => {
  const below = table(row(cell('', paragraph(style('List')) + paragraph())));
  const plain = table(row(cell('')));
  for (const [before, after, rest] of [
    [style('List'), style('List') + noSpace, below],
    [`${style('List')}<w:spacing w:before="80" w:afterLines="50"/>`, undefined, below],
    [context, noSpace + context, plain],
    [style('Web'), style('Web') + noSpace, table(row(cell('', paragraph(style('Web')))))],
  ] as const) {
    const expected = after ?? `${style('List')}<w:spacing w:before="80" w:after="0" w:afterAutospacing="0"/>`;
    t.equal(change(paragraph(before) + rest), main(paragraph(expected) + rest), before);
  }
  const inCell = (properties: string) =>
    table(row(cell('') + cell('', paragraph(properties) + below + paragraph())));
  t.equal(change(inCell(style('List'))), main(inCell(style('List') + noSpace)), 'in a cell');
});

t.test('the space above a table that stays', async (t) => {
  const below = table(row(cell('', paragraph(style('List')))));
  const list = paragraph(style('List'));
  for (const body of [
    paragraph() + table(row(cell(''))),
    paragraph(context) + below,
    paragraph(`${style('List')}<w:contextualSpacing w:val="0"/>`) + below,
    paragraph(style('Tight')) + table(row(cell('', paragraph(style('Tight'))))),
    paragraph(`${style('List')}<w:sectPr/>`) + below,
    `<w:p><w:pPr xmlns:a="b">${style('List')}</w:pPr></w:p>${below}`,
    paragraph(style('List') + tracked('pPr', context)) + table(row(cell(''))),
    list + table(row(cell('', list)), '<w:tblpPr w:tblpY="9"/><w:tblOverlap w:val="never"/>'),
    list + table(row(cell('', paragraph() + list))),
    list + table(row(cell('', below + list))),
    `${list}<w:p/>${below}`,
    `${list}${paragraph()}${below}`,
    table(row(cell('', list) + cell('', below + paragraph()))),
    table(row(cell('', list))) + below,
    `<w:p><w:pPr>${style('List')}</w:pPr><w:r><w:drawing>${below}</w:drawing></w:r></w:p>`,
  ]) {
    t.equal(change(body), main(body), body);
  }
});

t.test('the last paragraph of a cell with multiple lines has a style of the size of its text', async (t) => {
  const multiple = (more = '', line = 360) => `<w:spacing w:before="9" w:line="${line}"${more}/>`;
  const sized = (...sizes: readonly (number | undefined)[]) =>
    sizes
      .map((size) => {
        const properties = size === undefined ? '<w:b/>' : `<w:sz w:val="${size}"/>`;
        return `<w:r><w:rPr>${properties}</w:rPr><w:t>x</w:t></w:r>`;
      })
      .join('');
  const last = (properties: string, runs: string) => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
  const one = (content: string, properties = '') => table(row(cell('', content)), properties);
  const mark = '<w:rPr><w:sz w:val="48"/></w:rPr>';
  const [sized28, sized14] = [String(sizedStyle('N', 28)), String(sizedStyle('N', 14))];
  const inStyle = `${style('Gerüst')}`.replace('pStyle', 'tblStyle');
  for (const [properties, runs, id, tableStyle = ''] of [
    [multiple(), sized(28), sized28],
    [multiple(), `<w:moveFrom>${sized(28)}</w:moveFrom>`, sized28],
    [multiple(' w:after="20"') + mark, sized(28, 28), sized28],
    [multiple(' w:after="0"', 480), sized(14), sized14],
    [multiple(' w:afterAutospacing="1"'), sized(14), sized14],
    [multiple(), sized(28).replace('sz w:val="28"', 'rStyle w:val="Groß"'), sized28],
    ['', sized(28), sized28, inStyle],
  ] as const) {
    const expected = one(last(style(id) + properties, runs), tableStyle);
    t.equal(change(one(last(properties, runs), tableStyle)), main(expected), properties + runs);
  }
  const named = one(last(style('Groß') + multiple(), sized(22)));
  t.equal(change(named), main(one(last(style(String(sizedStyle('Groß', 22))) + multiple(), sized(22)))));
  const bare = one(`<w:p>${sized(28)}</w:p>`, inStyle);
  t.equal(change(bare), main(one(last(style(sized28), sized(28)), inStyle)));
  for (const [properties, runs] of [
    [multiple(), sized(undefined)],
    [multiple(), sized(28, 20)],
    [multiple(), sized(28, undefined)],
    [multiple(), sized(22)],
    [multiple(), ''],
    [multiple('', 240), sized(28)],
    [multiple('', 242), sized(23)],
    [multiple(' w:lineRule="exact"'), sized(28)],
    [multiple() + context, sized(28)],
    [`${style('Tight')}<w:contextualSpacing w:val="0"/>${multiple()}`, sized(28)],
  ] as const) {
    const body = one(last(properties, runs));
    t.equal(change(body), main(body), properties + runs);
  }
  const more = one(last(multiple(), sized(28)) + paragraph());
  t.equal(change(more), main(more), 'not the last of its cell');
  t.equal(change(last(multiple(), sized(28))), main(last(multiple(), sized(28))), 'in no cell');
});

t.test('what is not whole is left alone', async (t) => {
  const spacing = '<w:tblCellSpacing w:w="15" w:type="dxa"/>';
  for (const body of [
    table(row(cell('')), '<w:tblCellSpacing w:w="15" w:type="pct"/>'),
    table(row(cell('')), '<w:tblCellSpacing w:w="123456" w:type="dxa"/>'),
    table(row(`<w:tc><w:tcPr xmlns:a="b"><a:x/></w:tcPr>${paragraph()}</w:tc>`), spacing),
    table(row('<w:tc/>'), spacing),
    `<w:tr>${cell('')}</w:tr><w:tcPr/><w:trHeight w:val="3"/></w:tbl></w:tr></w:p>`,
  ]) {
    t.equal(change(body), main(body), body);
  }
  const empty = `<w:tc><w:tcPr/>${paragraph()}</w:tc>`;
  t.equal(change(table(row(empty), spacing)), main(table(row(cell(margins(30, 138, 30, 138))), spacing)));
});

t.test('a hostile part costs linear time', async (t) => {
  const deep = '<w:tbl><w:tblPr/><w:tr><w:tc>'.repeat(50_000);
  t.equal(change(deep), main(deep));
  const cells = '<w:tc></w:tc>'.repeat(200_000);
  const high = table(
    row(cells) + row(cell('<w:tcBorders><w:top w:val="nil"/></w:tcBorders>'), '<w:trHeight w:val="9"/>'),
  );
  t.equal(change(high), main(high));
  const wide = paragraph(style('List')).repeat(50_000);
  t.equal(change(wide), main(wide));
});

t.test('more cells than any document has get no space around them', async (t) => {
  const spacing = '<w:tblCellSpacing w:w="15" w:type="dxa"/>';
  const spaced = (cells: number) => table(row('<w:tc></w:tc>'.repeat(cells)), spacing);
  const count = (xml: string) => xml.split('<w:tcMar>').length - 1;
  t.equal(count(change(spaced(50_000))), 50_000);
  t.equal(count(change(spaced(50_001))), 0);
  t.equal(count(change(spaced(30_000) + spaced(30_000) + spaced(20_000))), 50_000, 'those of all tables');
});

t.test('tables in a row', async (t) => {
  const simple = (properties: string) =>
    `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>`;
  const [plain, centred] = [simple(''), simple('<w:jc w:val="center"/>')];
  const flat =
    '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="2" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr></w:p>';
  t.equal(change(plain + centred + plain), main(plain + flat + centred + flat + plain));
  t.equal(change(`${plain}<w:sdt><w:sdtContent>${centred}</w:sdtContent></w:sdt>`).split(flat).length, 2);
  const inCell = `<w:tbl><w:tr><w:tc>${plain}${centred}<w:p/></w:tc><w:tc>${plain}<w:p/></w:tc></w:tr></w:tbl>`;
  t.equal(change(inCell).split(flat).length, 2, 'in a cell');
  const wide = simple('<w:tblW w:w="5000" w:type="pct"/>');
  t.equal(change(plain + wide).split(flat).length, 2, 'shares of the room');
  for (const same of [
    plain + plain,
    plain + simple('<w:tblW w:w="900" w:type="dxa"/>'),
    `${plain}<w:p/>${centred}`,
    plain.replace('<w:p/>', centred),
  ])
    t.equal(change(same), main(same));
});

t.test('floating tables do not overlap from mode 15 on', async (t) => {
  const never = '<w:tblOverlap w:val="never"/>';
  for (const position of [
    '<w:tblpPr w:vertAnchor="page" w:tblpY="1306"/>',
    '<w:tblpPr w:vertAnchor="text"></w:tblpPr>',
  ]) {
    const floating = (more = '') =>
      table(row(cell('')), `<w:tblStyle w:val="A"/>${position}${more}<w:jc w:val="left"/>`);
    t.equal(change(floating()), main(floating(never)));
    t.equal(change(floating(), 14), main(floating()), 'an older mode');
    for (const said of [never, '<w:tblOverlap w:val="overlap"/>'])
      t.equal(change(floating(said)), main(floating(said)), said);
  }
  const gaps = (cellMargins: string, own: string, more = '') =>
    table(row(cell(own), '<w:gridAfter w:val="1"/>'), `<w:tblpPr/>${more}${cellMargins}`);
  const top = (width: number) => `<w:tblCellMar><w:top w:w="${width}" w:type="dxa"/></w:tblCellMar>`;
  t.equal(change(gaps(top(400), '')), main(gaps(top(0), margins(400, 108, 0, 108), never)), 'with gaps');
});
