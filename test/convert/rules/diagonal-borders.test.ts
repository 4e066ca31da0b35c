/** Cells with diagonal lines, and the colours that mark them. */
import t from 'tap';
import { CellMarks, withMarkedCells } from '../../../src/convert/rules/diagonal-borders.ts';
import { wordPart } from '../../support/report-documents.ts';

const FALLING = '<w:tl2br w:val="single" w:sz="8" w:color="ff0000"/>';
const RISING = '<w:tr2bl w:val="single" w:sz="4" w:color="auto"/>';
const borders = (inner: string) => `<w:tcBorders>${inner}</w:tcBorders>`;
const cell = (properties: string, inner = '<w:p/>') => `<w:tc><w:tcPr>${properties}</w:tcPr>${inner}</w:tc>`;
const table = (cells: string, style = '') =>
  `<w:tbl><w:tblPr>${style && `<w:tblStyle w:val="${style}"/>`}</w:tblPr><w:tr>${cells}</w:tr></w:tbl>`;
const shading = (fill: string, value = 'clear') =>
  `<w:shd w:val="${value}" w:color="auto" w:fill="${fill}"/>`;

/** The content of a part, and the marks in it. */
function marked(inner: string, marks = new CellMarks(inner)) {
  const part = wordPart('document', '|');
  const [before = '', behind = ''] = part.split('|');
  const changed = withMarkedCells(before + inner + behind, marks, (style) => style === 'Shaded');
  return { inner: changed.slice(before.length, changed.length - behind.length), marks };
}

t.test('a colour marks each kind of cell', async (t) => {
  const falling = { colour: 'FF0000', width: 1 };
  const rising = { colour: '000000', width: 0.5 };
  const body = table(
    cell(borders(FALLING)) + cell(borders(RISING) + shading('0a0a0a')) + cell(borders(FALLING)) + cell(''),
  );
  const { inner, marks } = marked(body);
  t.equal(
    inner,
    table(
      cell(borders(FALLING) + shading('FEFFFF')) +
        cell(borders(RISING) + shading('0B0A0A')) +
        cell(borders(FALLING) + shading('FEFFFF')) +
        cell(''),
    ),
  );
  t.strictSame(marks.cells, [
    { mark: 'FEFFFF', fill: undefined, falling, rising: undefined, count: 2 },
    { mark: '0B0A0A', fill: '0A0A0A', falling: undefined, rising, count: 1 },
  ]);
  t.equal(marks.missing, 0);
});

t.test('no mark is used elsewhere', async (t) => {
  const marks = new CellMarks('w:fill="fefFff" w:color="FDFFFF"');
  const fills = Array.from({ length: 70 }, (_, width) =>
    marks.markOf({ fill: undefined, falling: { colour: '000000', width }, rising: undefined }),
  );
  const used = fills.filter((each) => each !== undefined);
  t.equal(used[0], 'FCFFFF');
  t.equal(new Set(used).size, 61, 'as many as there are beside those');
  t.equal(used.length, 61);
  t.equal(marks.cells.length, 61);
});

t.test('what is not marked', async (t) => {
  const missing = (body: string) => {
    const { inner, marks } = marked(body);
    t.equal(inner, body);
    return marks.missing;
  };
  const both = borders(FALLING + RISING);
  t.equal(missing(table(cell(both + shading('FFFFFF', 'pct10')))), 2, 'a pattern');
  t.equal(missing(table(cell(both), 'Shaded')), 2, 'a style may shade it');
  t.equal(missing(table(cell(borders('<w:tl2br w:val="nil"/><w:tr2bl w:val="none"/><w:tl2br/>')))), 0);
  t.equal(missing(table(cell(`<w:tcPrChange><w:tcPr>${both}</w:tcPr></w:tcPrChange>`))), 0, 'former ones');
  const nested = table(cell('', table(cell(both), 'Shaded') + table('', 'Plain')), 'Plain');
  t.equal(missing(nested), 2, 'the style is that of the inner table');
  t.notSame(marked(table(cell(both + shading('FFFFFF')), 'Shaded')).inner, table(''), 'its own counts');
});
