/** The main part of a document whose page numbers run on. */
import t from 'tap';
import { withFirstPage } from '../../../src/convert/document/page-numbers.ts';

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const part = (inner: string) => `<w:document ${w}><w:body>${inner}</w:body></w:document>`;
const section = (inner: string) => `<w:p><w:pPr><w:sectPr>${inner}</w:sectPr></w:pPr></w:p>`;
const seven = '<w:pgNumType w:start="7"/>';

for (const [what, before, after] of [
  ['a document without sections', '<w:p/>', `<w:p/><w:sectPr>${seven}</w:sectPr>`],
  ['a section without anything', '<w:sectPr/>', `<w:sectPr>${seven}</w:sectPr>`],
  ['one without numbers', '<w:sectPr><w:pgSz/></w:sectPr>', `<w:sectPr>${seven}<w:pgSz/></w:sectPr>`],
  [
    'a section that has a first page and a format',
    '<w:sectPr><w:pgNumType w:fmt="lowerRoman" w:start="3"/></w:sectPr>',
    '<w:sectPr><w:pgNumType w:start="7" w:fmt="lowerRoman"/></w:sectPr>',
  ],
  [
    'further sections, which do not begin anew',
    `${section('<w:pgSz/>')}<w:sectPr><w:pgNumType w:start="1" w:fmt="decimal"/></w:sectPr>`,
    `${section(`${seven}<w:pgSz/>`)}<w:sectPr><w:pgNumType w:fmt="decimal"/></w:sectPr>`,
  ],
  [
    'the section before a tracked change',
    '<w:sectPr><w:sectPrChange><w:sectPr><w:pgNumType w:start="2"/></w:sectPr></w:sectPrChange></w:sectPr>',
    `<w:sectPr>${seven}<w:sectPrChange><w:sectPr><w:pgNumType w:start="2"/></w:sectPr></w:sectPrChange></w:sectPr>`,
  ],
] as const) {
  t.test(what, (t) => {
    t.equal(withFirstPage(part(before), 7), part(after));
    t.end();
  });
}
