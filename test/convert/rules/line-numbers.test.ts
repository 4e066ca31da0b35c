/** Numbers of lines in some sections of a document. */
import t from 'tap';
import { withOwnLineNumbers } from '../../../src/convert/rules/line-numbers.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const change = (body: string) => withOwnLineNumbers(main(body));
const p = (properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t>x</w:t></w:r></w:p>`;
const NUMBERS = '<w:lnNumType w:countBy="1"/>';
const section = (inner: string) => `<w:sectPr>${inner}</w:sectPr>`;
const NONE = '<w:suppressLineNumbers/>';

t.test('paragraphs of sections without numbers have none', async (t) => {
  const table = `<w:tbl><w:tr><w:tc>${p()}</w:tc></w:tr></w:tbl>`;
  const style = '<w:pStyle w:val="A"/>';
  const body = (none: string) =>
    p(none) +
    table +
    p(style + none) +
    p(`${none}<w:jc w:val="left"/>${section('')}`) +
    p() +
    p(section(NUMBERS));
  t.equal(change(body('') + section(NUMBERS)), main(body(NONE) + section(NUMBERS)));
  t.equal(change(body('') + p() + section('')), main(body(NONE) + p(NONE) + section('')), 'the last section');
  t.equal(change(`${body('')}${p()}<w:sectPr/>`), main(`${body(NONE)}${p(NONE)}<w:sectPr/>`), 'an empty one');
});

t.test('a paragraph that has numbers of its own has none in such a section', async (t) => {
  const own = p('<w:suppressLineNumbers w:val="0"/>');
  const rest = p(section(NUMBERS));
  t.equal(change(rest + own + section('')), main(rest + p(NONE) + section('')));
});

t.test('empty paragraphs', async (t) => {
  const rest = p(section(NUMBERS));
  const body = (inner: string) => `<w:p/>${rest}<w:p w:rsidR="1"${inner}${section('')}`;
  t.equal(change(body('/>')), main(body(`><w:pPr>${NONE}</w:pPr></w:p>`)));
});

t.test('a section that counts by nothing has no numbers', async (t) => {
  for (const none of ['<w:lnNumType/>', '<w:lnNumType w:countBy="0"/>']) {
    t.equal(change(p(section(none)) + p() + section('')), main(p(section(none)) + p() + section('')));
    const rest = p() + section(NUMBERS);
    t.equal(change(p(section(none)) + rest), main(p(NONE + section(none)) + rest));
  }
});

t.test('what stays', async (t) => {
  const left = [
    p() + section(NUMBERS),
    p(section(NUMBERS)) + p() + section(NUMBERS),
    p(section('')) +
      p() +
      section(`<w:cols/><w:sectPrChange><w:sectPr>${NUMBERS}</w:sectPr></w:sectPrChange>`),
    `<w:p><w:pPr xmlns:x="urn:x">${section('')}</w:pPr></w:p>${p()}${section(NUMBERS)}`,
  ];
  for (const body of left) t.equal(change(body), main(body), body);
});
