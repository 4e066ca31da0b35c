/** Text of headers and footers beside floating objects. */
import t from 'tap';
import { SectionWidth } from '../../../src/convert/document/section-widths.ts';
import { withHeaderObjects } from '../../../src/convert/rules/header-objects.ts';
import { LayoutStyles } from '../../../src/convert/rules/layout-styles.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
/** Lines are 12 points high. */
const styles = new LayoutStyles(
  `<w:styles ${W}><w:style w:styleId="N"><w:rPr><w:sz w:val="20"/></w:rPr></w:style></w:styles>`,
);
/** The text is 450 points wide and begins 50 points from the edge; the header begins 35 points from the top, the body 70. */
const section = new SectionWidth('w:');
section.read('w:pgSz', ' w:w="11000"');
section.read('w:cols', ' w:num="2"');
section.read('w:pgMar', ' w:left="1000" w:right="1000" w:top="1400" w:header="700"');
const part = (inner: string, root: string) => `<w:${root} ${W}>${inner}</w:${root}>`;
const change = (inner: string, root = 'hdr') =>
  withHeaderObjects(part(inner, root), section, { styles, paragraphStyle: (id) => (id === '' ? 'N' : id) });
const emu = (points: number) => String(points * 12_700);
const square = (sides = 'bothSides') => `<wp:wrapSquare wrapText="${sides}"/>`;

interface Place {
  readonly wrap?: string;
  readonly x?: number;
  readonly width?: number;
  readonly height?: number;
  readonly from?: string;
  readonly y?: number;
}

const object = ({ wrap = square(), x = 0, width = 91, height = 30, from = 'paragraph', y = 0 }: Place) =>
  `<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="${emu(9)}" distR="${emu(9)}"><wp:positionH relativeFrom="column"><wp:posOffset>${emu(x)}</wp:posOffset></wp:positionH><wp:positionV relativeFrom="${from}"><wp:posOffset>${emu(y)}</wp:posOffset></wp:positionV><wp:extent cx="${emu(width)}" cy="${emu(height)}"/>${wrap}</wp:anchor></w:drawing></w:r>`;
const TEXT = '<w:r><w:t>text</w:t></w:r>';
const p = (inner: string, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;
const left = '<w:ind w:left="2000" w:right="0"/>';

t.test('paragraphs beside an object are indented, as far down as it reaches', async (t) => {
  const logo = object({});
  t.equal(
    change(p(logo + TEXT) + p(TEXT) + p(TEXT) + p(TEXT)),
    part(p(logo + TEXT, left) + p(TEXT, left) + p(TEXT, left) + p(TEXT), 'hdr'),
  );
  const right = object({ x: 359 });
  t.equal(
    change(p(right + TEXT), 'ftr'),
    part(p(right + TEXT, '<w:ind w:left="0" w:right="2000"/>'), 'ftr'),
    'an object at the right of a footer',
  );
  const both = object({}) + object({ x: 359 });
  t.equal(change(p(both + TEXT)), part(p(both + TEXT, '<w:ind w:left="2000" w:right="2000"/>'), 'hdr'));
});

t.test('text is indented beside an object as high as the page', async (t) => {
  t.equal(change(p(object({ height: 700 }) + TEXT)), part(p(object({ height: 700 }) + TEXT, left), 'hdr'));
});

t.test('an object finds its paragraphs by the page', async (t) => {
  for (const [from, y] of [
    ['page', 35 + 12],
    ['topMargin', 35 + 12],
    ['margin', -35 + 12],
  ] as const) {
    const logo = object({ from, y, height: 12 });
    t.equal(
      change(p(logo + TEXT) + p(TEXT) + p(TEXT)),
      part(p(logo + TEXT) + p(TEXT, left) + p(TEXT), 'hdr'),
      from,
    );
    t.equal(change(p(logo + TEXT) + p(TEXT), 'ftr'), part(p(logo + TEXT) + p(TEXT), 'ftr'), 'not in footers');
  }
});

t.test('an object whose place is in percent stands where its alternative says', async (t) => {
  const position = (from: string, place: string) =>
    `<wp:positionH relativeFrom="${from}">${place}</wp:positionH>`;
  const choice = position('margin', '<wp14:pctPosHOffset>2000</wp14:pctPosHOffset>');
  const fallback = position('page', `<wp:posOffset>${emu(50)}</wp:posOffset>`);
  const both = `<mc:AlternateContent><mc:Choice>${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
  for (const [place, properties] of [
    [both, left],
    [choice, ''],
  ] as const) {
    const logo = object({}).replace(/<wp:positionH.*<\/wp:positionH>/, place);
    t.equal(change(p(logo + TEXT)), part(p(logo + TEXT, properties), 'hdr'));
  }
});

t.test('indents are those of Word', async (t) => {
  const logo = object({});
  const cases: readonly (readonly [string, string])[] = [
    ['<w:ind w:left="-500" w:right="300"/>', '<w:ind w:left="2000" w:right="300"/>'],
    ['<w:ind w:left="2500" w:hanging="300"/>', '<w:ind w:left="2500" w:right="0" w:hanging="300"/>'],
    ['<w:ind w:left="2500" w:hanging="900"/>', '<w:ind w:left="2500" w:right="0" w:hanging="500"/>'],
    ['<w:ind w:start="1500" w:firstLine="700"/>', '<w:ind w:left="2000" w:right="0" w:firstLine="200"/>'],
    ['<w:ind w:leftChars="100"/>', left],
  ];
  for (const [before, after] of cases)
    t.equal(change(p(logo + TEXT, before)), part(p(logo + TEXT, after), 'hdr'), before);
});

t.test('text without room beside an object comes below it', async (t) => {
  const lower = '<w:spacing w:before="600"/>';
  for (const place of [{ wrap: '<wp:wrapTopAndBottom/>' }, { width: 450 }, { width: 400 }]) {
    const logo = object(place);
    t.equal(change(p(logo + TEXT) + p(TEXT)), part(p(logo + TEXT, lower) + p(TEXT), 'hdr'));
  }
  const full = object({ width: 450 });
  t.equal(change(p(full)), part(p(full, lower), 'hdr'), 'an empty paragraph');
  const spaced = '<w:spacing w:before="100" w:after="40"/>';
  t.equal(
    change(p(full + TEXT, spaced)),
    part(p(full + TEXT, '<w:spacing w:before="700" w:after="40"/>'), 'hdr'),
    'as much as it has anyway',
  );
});

t.test('what stays', async (t) => {
  const kept = [
    p(object({ wrap: '<wp:wrapNone/>' }) + TEXT),
    p(object({ x: 150 }) + TEXT),
    p(object({ x: -150 }) + TEXT),
    p(object({ from: 'bottomMargin' }) + TEXT),
    p(object({ y: 100 }) + TEXT),
    p(object({ height: 0 }) + TEXT),
    p(object({ width: 550, height: 700 }) + TEXT),
    p(object({})),
    p(object({ width: 400 })),
    p(`${object({ width: 450 })}<w:r><w:drawing><wp:inline/></w:drawing></w:r>`),
    p(object({}) + TEXT, '<w:bidi/>'),
    `<w:tbl><w:tr><w:tc>${p(object({}) + TEXT)}</w:tc></w:tr></w:tbl>${p(object({}) + TEXT)}`,
    p(`<w:r><w:pict><w:txbxContent>${p(object({}) + TEXT)}</w:txbxContent></w:pict></w:r>`),
    p(object({}) + TEXT).repeat(51),
    p(object({}) + TEXT) + p(TEXT).repeat(200),
  ];
  for (const inner of kept) t.equal(change(inner), part(inner, 'hdr'), inner.slice(0, 400));
});
