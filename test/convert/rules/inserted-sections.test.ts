/** An inserted document is one section, which ends with its last paragraph. */
import t from 'tap';
import { withOneSection } from '../../../src/convert/rules/inserted-sections.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const change = (body: string) => withOneSection(main(body));
const p = (inner: string, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;
const section = (inner = '') => `<w:sectPr>${inner}<w:pgSz w:w="9"/></w:sectPr>`;
const type = (name: string) => `<w:type w:val="${name}"/>`;
const LAST = `<w:sectPr>${type('continuous')}</w:sectPr>`;
const BREAK = '<w:r><w:br w:type="page"/></w:r>';

t.test('the last section', async (t) => {
  t.equal(change(p('a') + p('b') + section()), main(p('a') + p('b', LAST)));
  t.equal(change(p('a', '<w:jc/>') + section()), main(p('a', `<w:jc/>${LAST}`)));
  t.equal(change(p('a')), main(p('a', LAST)), 'without properties');
  t.equal(change(`<w:p><w:pPr/>a</w:p>${section()}`), main(p('a', LAST)));
  t.equal(change(`<w:p w:rsidR="1"/>${section()}`), main(`<w:p w:rsidR="1"><w:pPr>${LAST}</w:pPr></w:p>`));
  t.equal(change(`${p('a')}<w:tbl/>`), main(`${p('a')}<w:tbl/>${p('', LAST)}`), 'behind a table');
  t.equal(change(''), main(p('', LAST)));
  const old = '<w:pPrChange><w:pPr/></w:pPrChange>';
  t.equal(change(p('a', `<w:jc/>${old}`)), main(p('a', `<w:jc/>${LAST}${old}`)));
  t.equal(change(p('a', section())), main(p('a', LAST)), 'of a paragraph');
  const nested = `<w:tbl><w:tc>${p('a', '<w:jc/>')}</w:tc></w:tbl>`;
  t.equal(change(nested), main(nested + p('', LAST)));
  const styles = `<w:styles ${W}><w:p/></w:styles>`;
  t.equal(withOneSection(styles), styles);
});

t.test('other sections', async (t) => {
  t.equal(
    change(p('a', section()) + p('b') + section()),
    main(p('a', ' ').replace(' ', '').replace('a', `a${BREAK}`) + p('b', LAST)),
  );
  t.equal(
    change(p('a', `<w:jc/>${section()}`) + p('b') + section(type('continuous'))),
    main(p('a', '<w:jc/>') + p('b', LAST)),
    'on the same page',
  );
  const changed = `<w:sectPr><w:pgSz/><w:sectPrChange><w:sectPr/></w:sectPrChange></w:sectPr>`;
  t.equal(change(p('a', `<w:jc/>${changed}`) + p('b')), main(p('a', '<w:jc/>') + p('b', LAST)));
});
