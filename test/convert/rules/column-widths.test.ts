/** Columns are as wide as their longest word, and words that just fit get a little more room. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { Settings } from '../../../src/convert/document/settings.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { withWordsColumnWidths } from '../../../src/convert/rules/column-widths.ts';
import { documentStyles } from '../../../src/convert/rules/document-styles.ts';
import { textWidths } from '../../../src/convert/rules/text-widths.ts';
import { relationships } from '../../support/office-package.ts';
import { wordPart } from '../../support/report-documents.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const MARGINS = 216;
const [WORD_2010, WORD_2013] = [14, 15];

const kept = new KeptParts('word/document.xml');
kept.keep('word/_rels/document.xml.rels', [
  Buffer.from(
    relationships([
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>',
    ]),
  ),
]);
kept.keep('word/styles.xml', [
  Buffer.from(
    wordPart(
      'styles',
      `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/><w:sz w:val="20"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:styleId="Überschrift"><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:b/><w:caps/><w:sz w:val="40"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Stärker"><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Kerned"><w:rPr><w:kern w:val="20"/></w:rPr></w:style>
<w:style w:type="table" w:styleId="Grid"><w:tblStylePr w:type="firstRow"><w:pPr><w:spacing w:line="9"/></w:pPr><w:rPr><w:sz w:val="40"/></w:rPr></w:tblStylePr>\
<w:tblStylePr w:type="firstCol"><w:rPr><w:sz w:val="60"/></w:rPr></w:tblStylePr><w:tblStylePr w:type="lastCol"><w:rPr><w:sz w:val="80"/></w:rPr></w:tblStylePr></w:style>
<w:style w:type="table" w:styleId="Own"><w:basedOn w:val="Grid"/></w:style>`,
    ),
  ),
]);
const widths = textWidths(documentStyles(kept, noTheme));
/** A letter of Courier New, 10 points. */
const LETTER = 120;
const letters = (count: number) => Math.ceil(count * LETTER);

const SECTION =
  '<w:sectPr><w:pgSz w:w="12000"/><w:pgMar w:left="3000" w:right="3000" w:gutter="0"/></w:sectPr>';
const change = (table: string, section = SECTION, mode = WORD_2013) => {
  const xml = `<w:document ${W}><w:body>${table}${section}</w:body></w:document>`;
  return Buffer.from(
    withWordsColumnWidths(Buffer.from(xml).toString('latin1'), widths, mode),
    'latin1',
  ).toString();
};
const run = (text: string, properties = '') =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t>${text}</w:t></w:r>`;
const p = (runs: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const table = (
  grid: readonly (number | string)[],
  cells: readonly string[],
  properties = '<w:tblW w:type="auto"/>',
) =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>\
<w:tr>${cells.join('')}</w:tr></w:tbl>`;
const gridOf = (xml: string) =>
  [...xml.matchAll(/<w:gridCol w:w="([^"]*)"\/>/g)].map(([, width]) => Number(width));
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const words = (...each: string[]) => each.map((word) => cell(p(run(word))));
const long = (count: number) => 'x'.repeat(count);

t.test('a column is as wide as its longest word', async (t) => {
  const grid = (cells: readonly string[], ...more: [string?, string?, number?]) => {
    const [properties, section, mode] = more;
    return gridOf(change(table([1000, 1000], cells, properties), section, mode));
  };
  const wide = letters(20) + MARGINS;
  t.strictSame(grid(words(`a ${long(20)} b`, 'a')), [wide, 1000]);
  t.strictSame(grid(words(`${long(10)}-${long(10)}`, 'a')), [letters(11) + MARGINS, 1000], 'up to a hyphen');
  t.strictSame(grid([cell(p(run(long(10)) + run(long(10)))), cell(p(''))]), [wide, 1000], 'in two runs');
  t.strictSame(grid([cell(p(run(long(20)), '<w:ind w:left="300"/>')), cell('')]), [wide + 300, 1000]);
  t.strictSame(
    grid([cell(p(run(long(20))), '<w:tcMar><w:start w:w="8" w:type="dxa"/></w:tcMar>'), cell('')]),
    [wide - 100, 1000],
    'with its margins',
  );
  t.strictSame(grid(words(long(20), 'a'), '<w:tblCellMar><w:right w:w="208"/></w:tblCellMar>'), [
    wide + 100,
    1000,
  ]);
});

t.test('the room is shared', async (t) => {
  const grid = (mode: number, properties?: string) =>
    gridOf(change(table([3000, 1500, 1500], words(long(30), 'a', 'a'), properties), SECTION, mode));
  const wide = letters(30) + MARGINS;
  const others = (room: number) => Array(2).fill(Math.round((room - wide) / 2));
  t.strictSame(grid(WORD_2013), [wide, ...others(6000)]);
  t.strictSame(grid(WORD_2010), [wide, ...others(6000 + MARGINS)], 'and the margins');
  const closed = (width: number) =>
    gridOf(change(table([width, 3000], words(long(20), 'a'), '<w:tblW w:w="5000" w:type="dxa"/>')));
  const [first, second] = [letters(20) + MARGINS, letters(1) + MARGINS];
  t.strictSame(closed(2000), [first, 5000 - first], 'a width of its own');
  t.strictSame(closed(first), [first, 3000]);
  t.ok(second < 5000 - first);
});

t.test('what is left alone', async (t) => {
  const open = '<w:tblW w:type="auto"/>';
  const same = (xml: string, name: string) => t.strictSame(gridOf(change(xml)), gridOf(xml), name);
  const narrow = (cells: readonly string[], properties = open) => table([1000, 1000], cells, properties);
  same(narrow(words(long(20), 'a'), `${open}<w:tblLayout w:type="fixed"/>`), 'fixed columns');
  same(narrow(words(long(20), 'a'), `<w:tblpPr/>${open}`), 'beside the text');
  same(narrow([cell(narrow(words(long(20), 'a'))), cell('')]), 'in a cell');
  same(narrow(words(long(90), 'a')), 'longer than there is room');
  same(narrow([cell(p(run(long(20))), '<w:gridSpan w:val="2"/>')]), 'across columns');
  same(narrow([cell(p(run(long(20))), '<w:textDirection w:val="btLr"/>'), cell('')]), 'upwards');
  same(table(['', 1000], words(long(20), 'a'), `${open}<w:tblLayout w:type="fixed"/>`), 'no widths');
  for (const [properties, name] of [
    ['<w:rFonts w:ascii="Nobody"/>', 'a font that is not known'],
    ['<w:vertAlign w:val="superscript"/>', 'small'],
    ['<w:vanish/>', 'hidden'],
    ['<w:spacing w:val="20"/>', 'spaced'],
  ] as const) {
    same(narrow([cell(p(run(long(20), properties))), cell('')]), name);
  }
  same(narrow([cell(p(`<w:del>${run(long(20))}</w:del>`)), cell('')]), 'deleted');
  same(narrow(words('字'.repeat(20), 'a')), 'what breaks anywhere');
});

const wide = (width: number | string, text = 'a', type = 'dxa') =>
  cell(p(run(text)), `<w:tcW w:w="${width}" w:type="${type}"/>`);
const FIXED = '<w:tblLayout w:type="fixed"/>';
const of = (width: number | string, type = 'dxa') => `<w:tblW w:w="${width}" w:type="${type}"/>`;

t.test('cells prefer other widths than those that are stored', async (t) => {
  const grid = (stored: readonly (number | string)[], cells: readonly string[], properties: string) =>
    gridOf(change(table(stored, cells, properties)));
  const two = [wide(1000), wide(3000)];
  t.strictSame(grid([100, 100], two, of(4000) + FIXED), [1000, 3000], 'a placeholder');
  t.strictSame(grid([2000, 2000], two, of(4000) + FIXED), [1000, 3000]);
  t.strictSame(grid([2000, 2000], two, of(4000)), [1000, 3000]);
  t.strictSame(grid([1010, 2990], two, of(4000)), [1010, 2990], 'as far as they round alike');
  const letter = letters(1) + MARGINS;
  const share = (2000 - 2 * letter) / (4000 - 2 * letter);
  const between = [1000, 3000].map((each) => Math.round(letter + (each - letter) * share));
  t.strictSame(grid([100, 100], two, of(2000)), between, 'in a narrower table');
  t.strictSame(grid([100, 100], two, of(500)), [125, 375], 'without room for a letter');
  t.strictSame(grid([100, 100], two, of('100%', 'pct')), [1500, 4500]);
  const shares = [wide('25%', 'a', 'pct'), wide(3750, 'a', 'pct')];
  t.strictSame(grid([100, 100], shares, of(5000, 'pct')), [1500, 4500], 'shares of the table');
  t.strictSame(grid([100, 100], shares, of(4000)), [1000, 3000]);
  t.strictSame(grid([100, 100], [wide(1000), wide(0, 'a', 'auto')], of(4000) + FIXED), [1000, 3000]);
  const word = wide(1000, long(12));
  t.strictSame(grid([1800, 2200], [word, wide(3000)], of(4000)), [1800, 2200], 'too narrow for a word');
  const open = of(0, 'auto');
  t.strictSame(grid([2000, 3000], [wide(5000), wide(9000)], open), [2000, 3000], 'wider than there is room');
  t.equal(sum(grid([100, 100], [wide(5000), wide(9000)], open)), 6000);
  t.strictSame(grid([3779, 2221], [wide(1000), wide(1000)], of(6000) + FIXED), [3000, 3000]);
  const kept = [1000, letters(12) + MARGINS];
  const wider = kept.map((each) => Math.round((each * 6000) / (1000 + (kept[1] ?? 0))));
  t.strictSame(grid([100, 100], [wide(1000), word], of(6000)), wider, 'in a wider table');
  t.strictSame(grid(wider, [wide(1000), word], of(6000)), wider, "as Word's are");
  t.strictSame(grid([4000, 2000], two, of(2000) + FIXED), [500, 1500], 'as wide as a fixed table is to be');
  t.strictSame(
    grid(
      ['1000.3334350585938', '3000.3334350585938'],
      [wide('1000.3334350585938'), wide(0, 'a', 'auto')],
      open,
    ),
    [1000.3334350585938, 3000.3334350585938],
    'as programs that reckon with fractions write them',
  );
  t.strictSame(
    grid([2000, 2000], [`${wide(1000)}${wide(3000)}</w:tr><w:tr>${wide(3000)}${wide(1000)}`], of(4000)),
    [2000, 2000],
    'each row another one',
  );
  t.strictSame(grid([2000, 2000], two, `${of(4000)}<w:tblCellSpacing w:w="9"/>`), [2000, 2000], 'spaced');
  const outer = table([6000], [cell(table([2000, 2000], two, of(4000)))], of(6000));
  t.strictSame(gridOf(change(outer)), [6000, 1000, 3000], 'in a cell');
  const narrow = table([600], [cell(table([222, 328], [wide(360), wide(360)]))], of(600));
  t.strictSame(gridOf(change(narrow)), [600, 222, 328], 'in a cell that is too narrow');
  const unknown = [wide(1000, '\u0e01'), wide(3000)];
  t.strictSame(grid([2000, 2000], unknown, of(4000)), [2000, 2000], 'letters of unknown widths');
});

t.test('tables without columns are as wide as their text', async (t) => {
  const fit = (text: string) => Math.ceil(text.length * LETTER + MARGINS + 16);
  const without = (cells: readonly string[], properties = '', grid = '') =>
    `<w:tbl>${properties}${grid}<w:tr>${cells.join('')}</w:tr></w:tbl>`;
  const cells = words('a b c', 'd');
  t.strictSame(gridOf(change(without(cells))), [fit('a b c'), fit('d')]);
  t.strictSame(gridOf(change(without(cells, '<w:tblPr/>', '<w:tblGrid/>'))), [fit('a b c'), fit('d')]);
  t.strictSame(gridOf(change(table([0, 0], cells))), [fit('a b c'), fit('d')]);
  t.strictSame(gridOf(change(table([100, 100], cells, of(100, 'auto')))), [fit('a b c'), fit('d')]);
  const filled = gridOf(change(table([100, 100], cells, of(6000))));
  t.equal(
    filled[0] ?? 0,
    Math.round((6000 * fit('a b c')) / (fit('a b c') + fit('d'))),
    'as wide as it says',
  );
  const text = `${long(9)} `.repeat(20);
  const [first = 0, second] = gridOf(change(without(words(text, 'd'))));
  t.ok((second ?? 0) >= letters(1) + MARGINS && (second ?? 0) <= fit('d'), 'long text takes the rest');
  t.equal(first + (second ?? 0), 6000);
  t.strictSame(gridOf(change(without([wide(2000), ...words(text)]))), [2000, 4000], 'beside a width');
  const two = `${p(run('a'))}<w:p>${run('bb')}<w:r><w:tab/><w:br/></w:r>${run('c')}</w:p>`;
  t.strictSame(gridOf(change(without([cell(two)]))), [fit('bb') + 720], 'lines');
  const picture =
    '<w:drawing><wp:inline distT="0"><wp:extent cx="1270000" cy="1"/></wp:inline></w:drawing><w:t>a</w:t>';
  t.strictSame(gridOf(change(without([cell(`<w:p><w:r>${picture}</w:r></w:p>`)]))), [2000 + fit('a')]);
  t.strictSame(gridOf(change(without([cell(without(cells)), ...words('a')]))).length, 2, 'not inside others');
  t.strictSame(gridOf(change(without(cells, `<w:tblPr>${FIXED}</w:tblPr>`))), [], 'nor fixed ones');
});

t.test('columns are as wide as the tables in them, and as cells that span them', async (t) => {
  const without = (...rows: string[]) =>
    `<w:tbl><w:tblPr/>${rows.map((each) => `<w:tr>${each}</w:tr>`).join('')}</w:tbl>`;
  const nest = (depth: number): string =>
    depth === 0 ? p(run('a long text')) : `${without(cell(nest(depth - 1)))}<w:p/>`;
  const text = 11 * LETTER;
  for (const depth of [1, 2, 3]) {
    t.strictSame(
      gridOf(change(without(cell(nest(depth))))),
      [text + (depth + 1) * (MARGINS + 16)],
      `${depth}`,
    );
  }
  const sized = `<w:tbl><w:tblPr>${of(3000)}</w:tblPr><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid><w:tr>${cell('<w:p/>')}</w:tr></w:tbl>`;
  t.strictSame(gridOf(change(without(cell(sized))))[0], 3000 + MARGINS + 16, 'of its own width');
  const spanned = cell(p(run('a long text')), '<w:gridSpan w:val="2"/>');
  const [first = 0, second = 0] = gridOf(change(without(spanned, words('a', 'b').join(''))));
  t.equal(first, second);
  t.equal(first + second, text + MARGINS + 16);
});

t.test('letters by styles', async (t) => {
  const wide = (runs: string, style = '') =>
    (gridOf(change(table([400], [cell(p(runs, style))])))[0] ?? 0) - MARGINS;
  const title = '<w:pStyle w:val="Überschrift"/>';
  t.equal(wide(run('iiii', '<w:rFonts w:ascii="Arial"/><w:sz w:val="40"/>')), 356);
  t.equal(wide(run('iiii'), title), 445, 'bold capitals');
  t.equal(
    wide(run('iiii', '<w:rStyle w:val="Stärker"/>'), title),
    445,
    'bold twice is not bold, but as wide',
  );
  t.equal(wide(run('aaaa', '<w:caps w:val="0"/>'), title), 890);
  t.equal(wide(run('aaaa', '<w:caps w:val="0"/><w:i/><w:b w:val="0"/>'), title), 890);
  t.equal(wide(run('bbbb', '<w:caps w:val="0"/>'), title), 978);
  t.equal(wide(run('bbbb', '<w:caps w:val="0"/><w:rStyle w:val="Stärker"/>'), title), 890, 'bold twice');
  t.equal(wide(run('éé &amp; é', '<w:sz w:val="60"/>')), Math.ceil(2 * 3 * LETTER));
});

t.test('a kerned word may be narrower', async (t) => {
  const needs = letters(20) + MARGINS;
  const grid = (width: number, properties: string) =>
    gridOf(change(table([width], [cell(p(run(long(20), properties)))])))[0];
  const kerned = '<w:rStyle w:val="Kerned"/>';
  t.equal(grid(needs - 30, ''), needs);
  t.equal(grid(needs - 30, kerned), needs - 30);
  t.equal(grid(needs - 100, kerned), needs);
  t.equal(grid(needs - 30, `${kerned}<w:sz w:val="18"/>`), needs - 30, 'small enough');
});

t.test('a word that just fits gets more room', async (t) => {
  const needs = letters(10) + MARGINS;
  const margin = (xml: string) => /<w:right w:w="(\d+)" w:type="dxa"\/>/.exec(change(xml))?.[1];
  t.equal(margin(table([needs], words(long(10)))), '92');
  t.equal(margin(table([needs + 15], words(long(10)))), '92');
  t.equal(margin(table([needs + 16], words(long(10)))), undefined);
  t.equal(margin(table([needs - 5], words(long(10)))), '92', 'as wide as Word rounds it');
  t.equal(margin(table([700, needs - 700], [cell(p(run(long(10))), '<w:gridSpan w:val="2"/>')])), '92');
  t.equal(margin(table([needs], words(long(10)), '<w:tblLayout w:type="fixed"/>')), '92');
  t.equal(margin(table([needs - 5], words(long(10)), '<w:tblLayout w:type="fixed"/>')), undefined);
  t.equal(margin(table([needs], [`<w:tc>${p(run(long(10)))}</w:tc>`])), '92', 'a cell without properties');
  const own =
    '<w:vAlign w:val="top"/><w:tcMar><w:left w:w="208" w:type="dxa"/><w:end w:w="8" w:type="dxa"/></w:tcMar>';
  t.match(
    change(table([needs], [cell(p(run(long(10))), own)])),
    '<w:tcPr><w:tcMar><w:left w:w="208" w:type="dxa"/><w:right w:w="0" w:type="dxa"/></w:tcMar><w:vAlign w:val="top"/></w:tcPr>',
  );
});

t.test('a table is as wide as its columns', async (t) => {
  const needs = letters(10) + MARGINS;
  const width = (says: string, columns: readonly number[], more = '') =>
    /<w:tblW [^<>]*>/.exec(change(table(columns, words(long(10), 'a'), says + more)))?.[0];
  const written = (twips: number) => `<w:tblW w:w="${twips}" w:type="dxa"/>`;
  const same = (says: string, columns: readonly number[], more?: string) =>
    t.equal(width(says, columns, more), says);
  t.equal(width(written(2000), [needs, 1500]), written(needs + 1500), 'Word made one as wide as a word');
  t.equal(width('<w:tblW w:w="0"/>', [needs, 1500]), written(needs + 1500), 'no width');
  same(written(2000), [needs + 100, 1500]);
  same(written(5000), [needs, 1500]);
  same(written(2000), [needs, 1500], '<w:tblLayout w:type="fixed"/>');
  const share = (value: string) => `<w:tblW w:w="${value}" w:type="pct"/>`;
  t.equal(width(share('4375'), [3250, 2000]), written(5250), 'no whole percentage of 6,000');
  t.equal(width(share('5200'), [3240, 3000]), written(6240), 'more than there is room');
  same(share('4350'), [3250, 2000]);
  same(share('4375'), [3250, 1000]);
  same(share('5200'), [3240, 3000], '<w:tblpPr/>');
  same(share('x'), [3240, 3000]);
  same('<w:tblW w:w="0" w:type="nil"/>', [3240, 3000]);
});

t.test('each section has its own room', async (t) => {
  const body = table([1000, 1000], words(long(30), long(10)));
  const two = SECTION.replace('</w:sectPr>', '<w:cols w:num="2" w:space="0"/></w:sectPr>');
  t.strictSame(gridOf(change(`${body}<w:p><w:pPr>${two}</w:pPr></w:p>${body}`)), [
    ...[1000, 1000],
    ...[letters(30) + MARGINS, letters(10) + MARGINS],
  ]);
  for (const num of ['0', '-1', 'x', '']) {
    const one = SECTION.replace('</w:sectPr>', `<w:cols w:num="${num}"/></w:sectPr>`);
    t.strictSame(gridOf(change(body, one)), gridOf(change(body)), `as if it had one column: ${num}`);
  }
  t.strictSame(gridOf(change(body, '')), [letters(30) + MARGINS, letters(10) + MARGINS], 'or the usual');
});

t.test('no more than a document has', async (t) => {
  const needs = letters(10) + MARGINS;
  const count = (xml: string) => change(xml).split('<w:tcMar>').length - 1;
  const row = words(long(10)).join('');
  t.equal(count(table(Array(63).fill(needs), [row])), 1);
  t.equal(count(table(Array(64).fill(needs), [row])), 0);
  const many = table([needs], [Array(200).fill(row).join('</w:tr><w:tr>')]);
  t.equal(count(many.repeat(501)), 100_000);
  const inner = table([1], ['<w:tc></w:tc>'.repeat(100_001)]);
  const outer = table([needs, 1000], [cell(p(run(long(10))) + inner), cell(p(run('x')))]);
  t.ok(change(outer).includes(outer), 'not the cell around too many');
});

t.test('the mode of compatibility', async (t) => {
  const setting = (name: string, value: string) =>
    wordPart(
      'settings',
      `<w:compat><w:compatSetting w:name="${name}" w:uri="x" w:val="${value}"/></w:compat>`,
    );
  t.equal(new Settings(setting('compatibilityMode', '15')).mode, 15);
  t.equal(new Settings(setting('other', '15')).mode, 12);
  t.equal(new Settings(setting('compatibilityMode', 'x')).mode, 12);
  t.equal(new Settings('').mode, 12);
});

t.test('a table style says more of the first row, and of the columns at the edges', async (t) => {
  const rows = (look: string, style = 'Own') => {
    const cells = [1, 2, 3].map(() => cell(p(run('aaaa'))));
    const second = `<w:tr>${[1, 2, 3].map(() => cell(p(run('a')))).join('')}</w:tr></w:tbl>`;
    const properties = `<w:tblStyle w:val="${style}"/><w:tblW w:type="auto"/><w:tblLook ${look}/>`;
    const xml = table([300, 310, 320], cells, properties).replace('</w:tbl>', second);
    return gridOf(change(xml));
  };
  const width = (size: number) => letters(4) * size + MARGINS;
  t.same(rows('w:firstRow="1"'), [width(2), width(2), width(2)]);
  t.same(rows('w:val="0020"'), [width(2), width(2), width(2)], 'as Word 2007 says it');
  t.same(rows('w:val="0020" w:firstRow="0"'), [width(1), width(1), width(1)], 'unless it says otherwise');
  t.same(rows('w:firstRow="1" w:firstColumn="1"'), [width(3), width(2), width(2)], 'a column is stronger');
  t.same(rows('w:firstColumn="1" w:lastColumn="true"'), [width(3), width(1), width(4)]);
  t.same(rows('w:firstRow="1"', 'Other'), [width(1), width(1), width(1)]);
});
