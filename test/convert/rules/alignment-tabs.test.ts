/** Tabs to the middle and the right of the margins or indents lead to tab stops there. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { headerSections } from '../../../src/convert/document/section-widths.ts';
import { withAlignmentTabs } from '../../../src/convert/rules/alignment-tabs.ts';
import { relationships } from '../../support/office-package.ts';

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const change = (body: string, width?: number) =>
  withAlignmentTabs(main(body), (style) => (style === 'Header' ? ['4680', '9360'] : []), width);
const tab = (alignment: string, more = 'w:relativeTo="margin"') =>
  `<w:r><w:ptab ${more} w:alignment="${alignment}"/></w:r>`;
const paragraph = (inner: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${inner}</w:p>`;
const section = (width: number) =>
  `<w:sectPr><w:pgSz w:w="${width + 2000}"/><w:pgMar w:left="900" w:right="1000" w:gutter="100"/></w:sectPr>`;
const stopsOf = (xml: string) =>
  [...xml.matchAll(/<w:tab w:val="(\w+)" (?:w:leader="(\w+)" )?w:pos="(\d+)"\/>/g)].map((match) =>
    match.slice(1).join(' '),
  );

t.test('stops by the width of the section', async (t) => {
  const three = paragraph(tab('center') + tab('right'));
  const body = `${three}<w:p><w:pPr>${section(6000)}</w:pPr></w:p>${three}${section(8000)}`;
  t.strictSame(stopsOf(change(body)), [
    ...['center none 3000', 'right none 6000'],
    ...['center none 4000', 'right none 8000'],
  ]);
  t.equal(change(body).split('<w:tab/>').length, 5);
  t.strictSame(stopsOf(change(three)), ['center none 4680', 'right none 9360'], "Word's page");
  t.strictSame(stopsOf(change(three, 5000)), ['center none 2500', 'right none 5000'], 'a header');
});

t.test('indents, leaders and other stops', async (t) => {
  const indented = '<w:ind w:left="1000" w:right="400"/>';
  const own = (alignment: string) => tab(alignment, 'w:relativeTo="indent" w:leader="dot"');
  t.strictSame(stopsOf(change(paragraph(own('center') + own('right'), indented), 5000)), [
    'center dot 2800',
    'right dot 4600',
  ]);
  t.strictSame(stopsOf(change(paragraph(tab('right'), indented), 5000)), ['right none 5000']);
  const styled = '<w:pStyle w:val="Header"/>';
  t.strictSame(stopsOf(change(paragraph(tab('right'), styled), 9360)), ['clear  4680', 'right none 9360']);
  const stop = '<w:tabs><w:tab w:val="left" w:pos="700"/></w:tabs>';
  t.strictSame(stopsOf(change(paragraph(tab('right'), stop), 5000)), ['right none 5000']);
  const mixed = paragraph(`<w:r><w:tab/></w:r>${tab('right')}`, styled + stop);
  t.strictSame(stopsOf(change(mixed, 5000)), ['left  700', 'right none 5000'], 'beside usual tabs');
  const bare = `<w:p>${tab('right')}</w:p>`;
  t.match(change(bare, 5000), '<w:p><w:pPr><w:tabs>', 'a paragraph without properties');
});

t.test('what is left alone', async (t) => {
  const right = paragraph(tab('right'));
  for (const same of [
    paragraph(tab('left')),
    `<w:tbl><w:tr><w:tc>${right}</w:tc></w:tr></w:tbl>`,
    paragraph(`<w:r><w:txbxContent>${right}</w:txbxContent></w:r>`),
    paragraph(`<w:del>${tab('right')}</w:del>`),
  ])
    t.equal(change(same), main(same));
});

t.test('the text of headers is as wide as that of their first section', async (t) => {
  const kept = new KeptParts('word/document.xml');
  const refers = (id: string) => `<w:headerReference r:id="${id}"/><w:footerReference r:id="none"/>`;
  const own = (width: number, id: string) => section(width).replace('<w:pgSz', `${refers(id)}<w:pgSz`);
  kept.keep('word/document.xml', [
    Buffer.from(
      main(`<w:p><w:pPr>${own(6000, 'a')}</w:pPr></w:p>${own(8000, 'a')}${own(7000, 'b')}<w:sectPr/>`),
    ),
  ]);
  const link = (id: string) => `<Relationship Id="${id}" Type="x/header" Target="${id}.xml"/>`;
  kept.keep('word/_rels/document.xml.rels', [Buffer.from(relationships([link('a'), link('b')]))]);
  t.strictSame(
    [...headerSections(kept)].map(([part, { twips }]) => [part, twips]),
    [
      ['word/a.xml', 6000],
      ['word/b.xml', 7000],
    ],
  );
});
