/** Floating objects with little room beside them. */
import t, { type Test } from 'tap';
import { withoutNarrowGaps } from '../../../src/convert/rules/narrow-gaps.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const part = (inner: string) => `<w:document xmlns:w="${W}"><w:body>${inner}</w:body></w:document>`;
/** Its text is 450 points wide, and begins 50 points from the left edge of the page. */
const section = (columns = '') =>
  `<w:sectPr><w:pgSz w:w="11000"/><w:pgMar w:left="1000" w:right="1000"/>${columns}</w:sectPr>`;
const emu = (points: number) => String(points * 12_700);
const square = (sides = 'bothSides') => `<wp:wrapSquare wrapText="${sides}"/>`;
const below = '<wp:wrapTopAndBottom/>';

interface Place {
  readonly from?: string;
  readonly at?: string;
  readonly width: number;
  readonly down?: number;
}

const object = (wrap: string, { from = 'column', at = '0', width, down = 0 }: Place) => {
  const place = /^-?\d/.test(at) ? `<wp:posOffset>${at}</wp:posOffset>` : `<wp:align>${at}</wp:align>`;
  return `<w:r><w:drawing><wp:anchor distL="${emu(9)}" distR="${emu(9)}"><wp:positionH relativeFrom="${from}">${place}</wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>${emu(down)}</wp:posOffset></wp:positionV><wp:extent cx="${emu(width)}" cy="1"/>${wrap}</wp:anchor></w:drawing></w:r>`;
};
const TEXT = '<w:r><w:t>text</w:t></w:r>';
const p = (inner: string) => `<w:p>${inner}</w:p>`;
const change = (inner: string) => withoutNarrowGaps(part(inner + section()));
const becomes = (t: Test, wrap: string, expected: string, place: Place, what: string) =>
  t.equal(change(p(object(wrap, place) + TEXT)), part(p(object(expected, place) + TEXT) + section()), what);

t.test('text goes on below an object with less than an inch on both sides', async (t) => {
  const cases: readonly Place[] = [
    { width: 380 },
    { width: 310, at: 'center' },
    { width: 380, at: 'right', from: 'margin' },
    { width: 310, at: emu(70) },
    { width: 310, at: 'center', from: 'page' },
    { width: 310, at: emu(120), from: 'page' },
  ];
  for (const place of cases) {
    becomes(t, square(), below, place, JSON.stringify(place));
    const tight = `<wp:wrapTight wrapText="bothSides"><wp:wrapPolygon><wp:start x="0" y="0"/></wp:wrapPolygon></wp:wrapTight>`;
    becomes(t, tight, below, place, `tight, ${JSON.stringify(place)}`);
  }
  becomes(t, square('left'), below, { width: 100 }, 'the side that is meant has no room');
  const narrow = { width: 380 };
  t.equal(
    change(p(object(square(), narrow)) + p(TEXT)),
    part(p(object(below, narrow)) + p(TEXT) + section()),
    'the text of the next paragraph',
  );
});

t.test('empty paragraphs do where there is no room at all', async (t) => {
  const [full, narrow] = [{ width: 445 }, { width: 400 }];
  const empty = (wrap: string, place: Place) => p(object(wrap, place)) + p('') + p(TEXT);
  t.equal(change(empty(square(), full)), part(empty(below, full) + section()));
  t.equal(change(empty(square(), narrow)), part(empty(square(), narrow) + section()));
  const lower = { width: 400, down: 20 };
  const titled = p(object(square(), lower) + TEXT) + p('');
  t.equal(change(titled), part(titled + section()), 'a title above the object');
});

t.test('empty paragraphs stay beside a contour that leaves them room, without a distance', async (t) => {
  const place = { width: 425, at: '0' };
  const tight = (right: string) =>
    `<wp:wrapTight wrapText="bothSides"><wp:wrapPolygon><wp:start x="0" y="0"/><wp:lineTo x="${right}" y="9"/></wp:wrapPolygon></wp:wrapTight>`;
  const body = (right: string, text = '') => p(object(tight(right), place) + text) + p('') + p(TEXT);
  const flat = body('21400').replace(/dist([LR])="[^"]*"/g, 'dist$1="0"');
  t.equal(change(body('21400')), part(flat + section()), 'the contour ends 4 points before its box');
  const closed = (right: string, text = '') => body(right, text).replace(tight(right), below);
  for (const right of ['21600', '', '99999', 'x'])
    t.equal(change(body(right)), part(closed(right) + section()), `as wide as its box: ${right}`);
  t.equal(change(body('21400', TEXT)), part(closed('21400', TEXT) + section()), 'text has no room there');
});

t.test('text stays on the side that has room', async (t) => {
  becomes(t, square(), square('right'), { width: 100, at: emu(50) }, 'right');
  becomes(t, square(), square('left'), { width: 100, at: emu(320) }, 'left');
});

t.test('each object by its own section', async (t) => {
  const place = { width: 380 };
  const body = (wrap: string) =>
    p(`${object(square(), place) + TEXT}<w:pPr>${section('<w:cols w:num="2" w:equalWidth="0"/>')}</w:pPr>`) +
    p(object(wrap, place) + TEXT);
  t.equal(change(body(square())), part(body(below) + section()));
  const wide = p(
    `<w:pPr><w:sectPr><w:pgSz w:w="20000"/></w:sectPr></w:pPr>${object(square(), place)}${TEXT}`,
  );
  t.equal(change(wide), part(wide + section()), 'an object beside the properties of its section');
});

t.test('in columns, beside objects that stand at theirs', async (t) => {
  const two = section('<w:cols w:num="2" w:space="720"/>');
  const body = (wrap: string, from: string) => p(object(wrap, { width: 200, from }) + TEXT) + two;
  t.equal(withoutNarrowGaps(part(body(square(), 'column'))), part(body(below, 'column')));
  t.equal(withoutNarrowGaps(part(body(square(), 'margin'))), part(body(square(), 'margin')));
  const other = body(square(), 'column').replace('w:num', 'w:equalWidth="0" w:num');
  t.equal(withoutNarrowGaps(part(other)), part(other), 'columns that differ');
});

t.test('text beside a table with less than an inch goes on below it', async (t) => {
  const grid = (width: number) =>
    `<w:tblGrid><w:gridCol w:w="${width / 2}"/><w:gridCol w:w="${width / 2}"/></w:tblGrid>`;
  interface Table {
    readonly left: number;
    readonly right: number;
    readonly width: number;
    readonly place?: string;
    readonly content?: string;
  }
  /** In twips: its distances from text, and its width. The text is 9,000 wide. */
  const table = ({
    left,
    right,
    width,
    place = 'w:horzAnchor="margin" w:vertAnchor="text"',
    content,
  }: Table) =>
    `<w:tbl><w:tblPr><w:tblpPr w:leftFromText="${left}" w:rightFromText="${right}" ${place}/></w:tblPr>${content ?? grid(width)}</w:tbl>`;
  const own = { left: 140, right: 140 };
  const moves = (before: Table, after: Pick<Table, 'left' | 'right'>, what: string, next = p(TEXT)) =>
    t.equal(change(table(before) + next), part(table({ ...before, ...after }) + next + section()), what);
  moves({ ...own, width: 8_000 }, { left: 140, right: 1_000 }, 'at the left');
  moves({ ...own, width: 8_700 }, { left: 140, right: 300 }, 'empty paragraphs as well', p('') + p(TEXT));
  const centre = 'w:horzAnchor="margin" w:tblpXSpec="center" w:vertAnchor="text"';
  moves({ ...own, width: 8_000, place: centre }, { left: 500, right: 500 }, 'in the middle');
  const at = 'w:horzAnchor="page" w:tblpX="2500" w:vertAnchor="page"';
  moves({ ...own, width: 4_000, place: at }, { left: 140, right: 140 }, 'enough room on both sides');
  const beside = 'w:horzAnchor="text" w:tblpX="1000" w:vertAnchor="text"';
  moves({ ...own, width: 4_000, place: beside }, { left: 1_000, right: 140 }, 'room on one side');
  const preferred = `<w:tblPr><w:tblW w:w="8000" w:type="dxa"/></w:tblPr>${grid(100)}`;
  moves({ ...own, width: 0, content: preferred }, { left: 140, right: 1_000 }, 'by its preferred width');
  const inner = `${grid(8_000)}<w:tr><w:tc><w:tbl><w:tblPr><w:tblpPr/></w:tblPr>${grid(9_000)}</w:tbl></w:tc></w:tr>`;
  moves({ ...own, width: 0, content: inner }, { left: 140, right: 1_000 }, 'tables in it do not count');
  t.equal(
    change(
      `<w:tbl><w:tblPr><w:tblpPr w:horzAnchor="margin" w:vertAnchor="text"/></w:tblPr>${grid(8_000)}</w:tbl>${p(TEXT)}`,
    ),
    part(
      `<w:tbl><w:tblPr><w:tblpPr w:leftFromText="0" w:rightFromText="1000" w:horzAnchor="margin" w:vertAnchor="text"/></w:tblPr>${grid(8_000)}</w:tbl>${p(TEXT)}${section()}`,
    ),
    'without distances',
  );
  const stays = [
    table({ ...own, width: 8_000 }) + p('') + p(TEXT),
    table({ ...own, width: 8_000, place: 'w:horzAnchor="margin" w:vertAnchor="text" w:tblpY="400"' }) +
      p(TEXT),
    table({ ...own, width: 8_000, place: 'w:horzAnchor="margin" w:vertAnchor="page"' }) + p(TEXT),
    table({ ...own, width: 0, content: '' }) + p(TEXT),
    `<w:tbl><w:tblPr/>${grid(8_000)}</w:tbl>${p(TEXT)}`,
  ];
  for (const body of stays) t.equal(change(body), part(body + section()), body);
});

t.test('a table with one row as high as the page does not float', async (t) => {
  const page =
    '<w:sectPr><w:pgSz w:w="11000" w:h="16000"/><w:pgMar w:top="1000" w:bottom="1000"/></w:sectPr>';
  const position = '<w:tblpPr w:vertAnchor="text"/>';
  const table = (height: number, placed: string, rows = 1) =>
    `<w:tbl><w:tblPr>${placed}<w:tblW w:w="8000" w:type="dxa"/></w:tblPr>${`<w:tr><w:trPr><w:trHeight w:val="${height}"/></w:trPr></w:tr>`.repeat(rows)}</w:tbl>`;
  const changed = (body: string) => withoutNarrowGaps(part(body + page));
  for (const height of [13_640, 14_000, 15_000])
    t.equal(changed(table(height, position)), part(table(13_280, '') + page), String(height));
  for (const body of [table(13_000, position), table(14_000, position, 2), table(14_000, '')])
    t.equal(changed(body), part(body + page), body);
});

t.test('what stays', async (t) => {
  const place = { width: 380 };
  const left = [
    p(object(square(), { width: 100, at: emu(150) }) + TEXT),
    p(object(square('largest'), { width: 100, at: emu(20) }) + TEXT),
    p(object('<wp:wrapNone/>', place) + TEXT),
    p(object(square(), { width: 380, from: 'leftMargin' }) + TEXT),
    p(object(square(), { width: 380, at: 'inside' }) + TEXT),
    `<w:tbl><w:tr><w:tc>${p(object(square(), place) + TEXT)}</w:tc></w:tr></w:tbl>`,
    p(`<w:r><w:pict><w:txbxContent>${p(object(square(), place) + TEXT)}</w:txbxContent></w:pict></w:r>`),
  ];
  for (const body of left) t.equal(change(body), part(body + section()), body);
});
