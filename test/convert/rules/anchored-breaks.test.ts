/** Page breaks beside drawings that are anchored in the same paragraph. */
import t from 'tap';
import { withAnchoredBreaks } from '../../../src/convert/rules/anchored-breaks.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const document = (inner: string) => `<w:document xmlns:w="${W}"><w:body>${inner}</w:body></w:document>`;
const p = (inner: string, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;
const ANCHOR =
  '<w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:anchor><w:p><w:r><w:t>in it</w:t></w:r></w:p></wp:anchor></w:drawing></mc:Choice></mc:AlternateContent></w:r>';
const VML = '<w:r><w:pict><v:shape style="position:absolute"/></w:pict></w:r>';
const INLINE = '<w:r><w:drawing><wp:inline/></w:drawing></w:r>';
const BREAK = '<w:r><w:br w:type="page"/></w:r>';
const TEXT = '<w:r><w:t>text</w:t></w:r>';
const CENTRED = '<w:jc w:val="center"/>';
/** Of what is parted off. */
const APART = '<w:pPr><w:spacing w:before="0"/><w:jc w:val="center"/></w:pPr>';

t.test('a paragraph is parted at the break behind its drawings', async (t) => {
  for (const broken of [BREAK, `<w:sdt><w:sdtPr/><w:sdtContent>${BREAK}</w:sdtContent></w:sdt>`]) {
    for (const anchor of [ANCHOR, VML, ANCHOR + VML]) {
      const part = document(p(anchor + broken + TEXT, CENTRED) + p(TEXT));
      const parted = `${p(anchor, CENTRED)}<w:p>${APART}${broken}${TEXT}</w:p>${p(TEXT)}`;
      t.equal(withAnchoredBreaks(part), document(parted));
    }
  }
  const own = '<w:r><w:br w:type="page"/><w:t>text</w:t></w:r>';
  t.equal(
    withAnchoredBreaks(document(p(ANCHOR + own))),
    document(`${p(ANCHOR)}<w:p><w:pPr><w:spacing w:before="0"/></w:pPr>${own}</w:p>`),
    'the text stands in the run of the break',
  );
});

t.test('text that is shown as deleted or moved is text', async (t) => {
  for (const change of ['del', 'moveFrom']) {
    const part = document(p(`${BREAK}<w:${change}>${TEXT}</w:${change}>${ANCHOR}`));
    t.equal(withAnchoredBreaks(part), part);
  }
});

t.test('a break before drawings that end the paragraph comes behind them', async (t) => {
  for (const before of ['', ANCHOR, TEXT, TEXT + VML]) {
    const part = document(p(before + BREAK + ANCHOR + VML));
    t.equal(withAnchoredBreaks(part), document(p(before + ANCHOR + VML + BREAK)), before);
  }
});

t.test('no text evades the drawings of a cover', async (t) => {
  const boxed = (wraps: string) =>
    `<w:r><w:drawing><wp:anchor behindDoc="0"><wp:extent cx="1"/>${wraps}<w:p><w:r><w:t>in it</w:t></w:r></w:p></wp:anchor></w:drawing></w:r>`;
  const square = boxed('<wp:wrapSquare wrapText="bothSides"/>');
  const tight = boxed('<wp:wrapTight><wp:wrapPolygon/></wp:wrapTight>');
  const none = boxed('<wp:wrapNone/>');
  const inControl = (inner: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`;
  const cover = (drawings: string) => document(inControl(p(drawings) + p(BREAK)) + p(TEXT));
  t.equal(withAnchoredBreaks(cover(square + none + tight)), cover(none + none + none));
  for (const [what, inner] of Object.entries({
    'text beside them': p(square + TEXT) + p(BREAK),
    'a picture in the line': p(square + INLINE) + p(BREAK),
    'text below them': p(square) + p(TEXT + BREAK),
    'an empty paragraph between': p(square) + p('') + p(BREAK),
    'a drawing beside the break': p(square) + p(square + BREAK),
    'another paragraph above': p(TEXT) + p(square) + p(BREAK),
    'no break': p(square) + p(''),
  })) {
    t.equal(withAnchoredBreaks(document(inner)), document(inner), what);
  }
});

t.test('others stay as they are', async (t) => {
  for (const inner of [
    p(ANCHOR + BREAK),
    p(BREAK + TEXT),
    p(ANCHOR + TEXT + BREAK + TEXT),
    p(INLINE + BREAK + TEXT),
    p(BREAK + ANCHOR + TEXT),
    p(ANCHOR + BREAK + TEXT + BREAK),
    p(ANCHOR + BREAK + TEXT, '<w:numPr><w:numId w:val="1"/></w:numPr>'),
    p(`${ANCHOR}<w:r><w:t>above</w:t><w:br w:type="page"/><w:t>text</w:t></w:r>`),
    p(`<w:r>${ANCHOR.slice('<w:r>'.length, -'</w:r>'.length)}<w:br w:type="page"/></w:r>${TEXT}`),
    p(`${ANCHOR}<w:r><w:br/></w:r>${TEXT}`),
    '<w:p/>',
  ]) {
    t.equal(withAnchoredBreaks(document(inner)), document(inner), inner.slice(0, 200));
  }
});
