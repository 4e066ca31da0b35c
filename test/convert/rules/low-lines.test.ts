/** Empty paragraphs that are lower than a line. */
import t from 'tap';
import { LayoutStyles } from '../../../src/convert/rules/layout-styles.ts';
import { withLowLines } from '../../../src/convert/rules/low-lines.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const document = (inner: string) => `<w:document ${W}><w:body>${inner}</w:body></w:document>`;
const p = (properties: string, content = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const LOW = '<w:spacing w:after="0" w:line="180" w:lineRule="auto"/>';
const ONE = '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>';
const size = (halfPoints: number) => `<w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/>`;

function styled(xml = '') {
  return { styles: new LayoutStyles(`<w:styles ${W}>${xml}</w:styles>`), paragraphStyle: (id: string) => id };
}
const lowered = (inner: string, styles?: string) => withLowLines(document(inner), styled(styles));

t.test('the font of the mark becomes as high', async (t) => {
  t.equal(lowered(p(LOW)), document(p(`${ONE}<w:rPr>${size(15)}</w:rPr>`)), 'of ten points');
  const mark = '<w:rPr><w:b/><w:sz w:val="40"/><w:szCs w:val="40"/></w:rPr>';
  const marks = '<w:bookmarkStart w:id="1" w:name="a"/><w:bookmarkEnd w:id="1"/>';
  t.equal(lowered(p(LOW + mark, marks)), document(p(`${ONE}<w:rPr><w:b/>${size(30)}</w:rPr>`, marks)));
});

t.test('the size of the mark has an end tag, and was another one before a tracked change', async (t) => {
  const others = '<w:b></w:b>';
  const change = '<w:rPrChange w:id="1"><w:rPr><w:sz w:val="80"></w:sz></w:rPr></w:rPrChange>';
  const mark = `<w:rPr>${others}<w:sz w:val="40"></w:sz>${change}</w:rPr>`;
  t.equal(lowered(p(LOW + mark)), document(p(`${ONE}<w:rPr>${others}${size(30)}${change}</w:rPr>`)));
  t.equal(
    lowered(p(`${LOW}<w:rPr>${change}</w:rPr>`)),
    document(p(`${ONE}<w:rPr>${size(15)}${change}</w:rPr>`)),
  );
});

t.test('the style says so', async (t) => {
  const style = `<w:style w:styleId="Low"><w:pPr><w:spacing w:line="120"/></w:pPr><w:rPr><w:sz w:val="26"/></w:rPr></w:style>`;
  const named = '<w:pStyle w:val="Low"/>';
  const own = '<w:spacing w:line="240" w:lineRule="auto"/>';
  t.equal(lowered(p(named), style), document(p(`${named}${own}<w:rPr>${size(13)}</w:rPr>`)));
  t.equal(lowered(p(named + own), style), document(p(named + own)), 'unless the paragraph says otherwise');
});

t.test('others stay as they are', async (t) => {
  for (const [why, inner] of Object.entries({
    text: p(LOW, '<w:r><w:t>a</w:t></w:r>'),
    'an item of a list': p(`<w:numPr><w:numId w:val="1"/></w:numPr>${LOW}`),
    'a fixed height': p('<w:spacing w:line="180" w:lineRule="exact"/>') + p(ONE),
    'without properties': '<w:p/><w:p></w:p>',
  }))
    t.equal(lowered(inner), document(inner), why);
});
