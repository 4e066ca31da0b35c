/** Where blank pages are printed: before sections that begin on an odd or an even page, if LibreOffice adds no others. */
import t from 'tap';
import { hasBlankPages } from '../../../src/convert/document/sections.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const section = (type = '', start = '') =>
  `<w:sectPr>${type && `<w:type w:val="${type}"/>`}${start && `<w:pgNumType w:start="${start}"/>`}</w:sectPr>`;
const has = (...sections: readonly string[]) =>
  hasBlankPages(`<w:document ${W}><w:body>${sections.join('')}</w:body></w:document>`);

t.test('blank pages', async (t) => {
  t.ok(has(section(), section('oddPage')));
  t.ok(has(section(), section('evenPage'), section('nextPage')));
  t.ok(has(section('oddPage', '3'), section('oddPage', '1')), 'numbers that begin anew there');
  t.notOk(has(section(), section('nextPage')));
  t.notOk(has(section('oddPage')), 'nothing is before the first section');
  t.notOk(has());
  t.notOk(has(section(), section('oddPage'), section('nextPage', '1')), 'numbers that begin anew elsewhere');
  t.notOk(has(section('', '2'), section('oddPage')), 'the first page is an even one');
  t.notOk(has(section('evenPage'), section('oddPage')));
});
