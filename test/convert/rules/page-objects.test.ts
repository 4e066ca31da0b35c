/** Objects whose size or place is known from the page. */
import t from 'tap';
import { sectionsOf } from '../../../src/convert/document/section-widths.ts';
import { withPageObjects } from '../../../src/convert/rules/page-objects.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const part = (inner: string) => `<w:document xmlns:w="${W}"><w:body>${inner}</w:body></w:document>`;
/** In points. */
const section = (width: number, height: number) =>
  `<w:sectPr><w:pgSz w:w="${width * 20}" w:h="${height * 20}"/></w:sectPr>`;
const EMU = 12_700;
const across = (share: number, from = 'page') =>
  `<wp14:sizeRelH relativeFrom="${from}"><wp14:pctWidth>${share}</wp14:pctWidth></wp14:sizeRelH>`;
const down = (share: number, from = 'page') =>
  `<wp14:sizeRelV relativeFrom="${from}"><wp14:pctHeight>${share}</wp14:pctHeight></wp14:sizeRelV>`;

const object = (width: number, height: number, shares: string, inner = '') =>
  `<w:p><w:r><w:drawing><wp:anchor><wp:extent cx="${width}" cy="${height}"/><a:extLst><a:ext uri="x"/></a:extLst><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>${inner}${shares}</wp:anchor></w:drawing></w:r></w:p>`;
const change = (body: string) => {
  const xml = part(body);
  return withPageObjects(xml, sectionsOf(xml));
};

t.test('the size is that share of the page, in lengths', async (t) => {
  const page = section(500, 800);
  const both = across(95_000) + down(25_000);
  t.equal(change(object(9, 9, both) + page), part(object(475 * EMU, 200 * EMU, '') + page));
  t.equal(change(object(9, 7, across(50_000)) + page), part(object(250 * EMU, 7, '') + page), 'width alone');
  t.equal(
    change(object(9, 7, both, '<a:spAutoFit/>') + page),
    part(object(475 * EMU, 7, '', '<a:spAutoFit/>') + page),
    'as high as its text',
  );
  const inner = `<w:txbxContent>${object(9, 9, across(10_000))}</w:txbxContent>`;
  const changed = `<w:txbxContent>${object(50 * EMU, 9, '')}</w:txbxContent>`;
  t.equal(
    change(object(9, 9, across(50_000), inner) + page),
    part(object(250 * EMU, 9, '', changed) + page),
    'one in the text of another',
  );
});

t.test('each by the page of its section', async (t) => {
  const [one, other] = [section(400, 800), section(600, 800)];
  const ends = `<w:p><w:pPr>${one.replace('</w:sectPr>', `<w:sectPrChange>${other}</w:sectPrChange></w:sectPr>`)}</w:pPr>`;
  const body = (...widths: readonly [number, number, number]) => {
    const shares = widths[0] === 9 ? across(50_000) : '';
    const [before, beside, behind] = widths.map((width) => object(width, 9, shares));
    return `${before}${ends}${(beside ?? '').slice('<w:p>'.length)}${behind}${other}`;
  };
  t.equal(change(body(9, 9, 9)), part(body(200 * EMU, 200 * EMU, 300 * EMU)));
});

t.test('a group with text stands where it is aligned', async (t) => {
  const margins = '<w:pgMar w:left="1000" w:right="2000" w:top="1200" w:bottom="1600"/>';
  const page = section(500, 800).replace('</w:sectPr>', `${margins}</w:sectPr>`);
  const group = (positions: string, inner = '<wpg:wgp><w:txbxContent/></wpg:wgp>') =>
    `<wp:anchor>${positions}<wp:extent cx="${100 * EMU}" cy="${40 * EMU}"/>${inner}</wp:anchor>`;
  const aligned = (axis: string, from: string, place: string) =>
    `<wp:position${axis} relativeFrom="${from}"><wp:align>${place}</wp:align></wp:position${axis}>`;
  const at = (axis: string, points: number) =>
    `<wp:position${axis} relativeFrom="page"><wp:posOffset>${points * EMU}</wp:posOffset></wp:position${axis}>`;
  const cases = [
    ['H', 'page', 'center', 200],
    ['H', 'page', 'right', 400],
    ['H', 'margin', 'left', 50],
    ['H', 'margin', 'center', 175],
    ['H', 'leftMargin', 'right', -50],
    ['H', 'rightMargin', 'center', 400],
    ['V', 'page', 'bottom', 760],
    ['V', 'margin', 'top', 60],
    ['V', 'topMargin', 'center', 10],
    ['V', 'bottomMargin', 'center', 740],
  ] as const;
  for (const [axis, from, place, points] of cases)
    t.equal(change(group(aligned(axis, from, place)) + page), part(group(at(axis, points)) + page));
  const both = group(aligned('V', 'page', 'center') + down(50_000));
  const sized = group(at('V', 200)).replace(`cy="${40 * EMU}"`, `cy="${400 * EMU}"`);
  t.equal(change(both + page), part(sized + page), 'by its share of the page');
  const left = [
    group(aligned('H', 'page', 'center'), '<wpg:wgp/>'),
    group(aligned('H', 'page', 'center'), '<w:txbxContent/>'),
    group(aligned('H', 'column', 'center')),
    group(aligned('V', 'paragraph', 'top')),
    group(aligned('H', 'page', 'inside')),
    group(at('H', 5)),
  ];
  for (const body of left) t.equal(change(body + page), part(body + page), body);
});

t.test('a place of VML that is a share of the page', async (t) => {
  const page = section(500, 800);
  const shape = (style: string) => `<w:pict><v:shape id="a" style="${style}"><v:textbox/></v:shape></w:pict>`;
  const size = 'width:100pt;height:40pt';
  const [across, down] = ['mso-position-horizontal-relative:page', 'mso-position-vertical-relative:page'];
  const cases = [
    [
      `margin-top:0;${size};mso-top-percent:850;${down}`,
      `${size};mso-top-percent:850;${down};margin-top:680pt`,
    ],
    [
      `margin-left:5pt; ${size};mso-left-percent:455;${across}`,
      ` ${size};mso-left-percent:455;${across};margin-left:227.5pt`,
    ],
  ] as const;
  for (const [before, after] of cases)
    t.equal(change(shape(before) + page), part(shape(after) + page), before);
  for (const style of [
    `margin-top:0;mso-top-percent:-1000;${down}`,
    'margin-top:0;mso-top-percent:850;mso-position-vertical-relative:margin',
    `margin-top:0;mso-top-percent:850;mso-position-vertical:center;${down}`,
    `margin-top:0;mso-width-percent:400;${down}`,
  ])
    t.equal(change(shape(style) + page), part(shape(style) + page), style);
});

t.test('what stays', async (t) => {
  const page = section(500, 800);
  const left = [
    object(9, 9, across(50_000, 'margin') + down(50_000, 'margin')),
    object(9, 9, across(0)),
    object(9, 9, '<wp14:sizeRelH relativeFrom="page"><wp14:pctWidth>half</wp14:pctWidth></wp14:sizeRelH>'),
    '<wp:anchor/><wp14:sizeRelH relativeFrom="page"/>',
  ];
  for (const body of left) t.equal(change(body + page), part(body + page), body);
  t.equal(change(object(9, 9, across(50_000))), part(object(9, 9, across(50_000))), 'without a section');
});
