/** Lines in tables are on the grid of lines only if the settings say so. */
import t from 'tap';
import { withoutGridInTables } from '../../../src/convert/rules/table-grid.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const document = (inner: string, w = 'w') =>
  `<${w}:document xmlns:${w}="${W}"><${w}:body>${inner}</${w}:body></${w}:document>`;
const TEXT = '<w:r><w:t>text</w:t></w:r>';
const OFF = '<w:snapToGrid w:val="0"/>';
const p = (inner = TEXT, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;
const table = (inner: string) => `<w:tbl><w:tblPr/><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>`;
const CENTRED = '<w:jc w:val="center"/>';

t.test('each paragraph of a table is off the grid', async (t) => {
  for (const [inner, changed] of [
    [p(), p(TEXT, OFF)],
    [p(TEXT, CENTRED), p(TEXT, OFF + CENTRED)],
    ['<w:p w:rsidR="1"/>', `<w:p w:rsidR="1"><w:pPr>${OFF}</w:pPr></w:p>`],
    [`<w:p><w:pPr/>${TEXT}</w:p>`, p(TEXT, OFF)],
    [`<w:p><w:pPr />${TEXT}</w:p>`, p(TEXT, OFF)],
    [`<w:p><w:pPr >${CENTRED}</w:pPr>${TEXT}</w:p>`, p(TEXT, OFF + CENTRED)],
    [p(TEXT, '<w:snapToGrid/>'), p(TEXT, OFF)],
    [`${table(p())}${p('')}`, `${table(p(TEXT, OFF))}${p('', OFF)}`],
  ] as const) {
    const around = (cell: string) => document(p() + table(cell) + p(TEXT, CENTRED));
    t.equal(withoutGridInTables(around(inner)), around(changed));
  }
  const renamed = (xml: string) => xml.replaceAll('w:', 'x:');
  t.equal(
    withoutGridInTables(document(renamed(table(p())), 'x')),
    document(renamed(table(p(TEXT, OFF))), 'x'),
    'with another prefix',
  );
});

t.test('others stay as they are', async (t) => {
  const box = `<w:r><w:pict><w:txbxContent>${p()}</w:txbxContent></w:pict></w:r>`;
  t.equal(withoutGridInTables(document(p() + p(box))), document(p() + p(box)));
  t.equal(withoutGridInTables(document(table(p(box)))), document(table(p(box, OFF))));
  const own = `<w:p><w:pPr xmlns:a="a"><a:b/></w:pPr>${TEXT}</w:p>`;
  t.equal(withoutGridInTables(document(table(own))), document(table(own)));
});
