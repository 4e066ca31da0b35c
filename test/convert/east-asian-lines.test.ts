/** Which defaults and styles decide where lines of East Asian text end. */
import t from 'tap';
import { mayHaveLineEnds, withWordsLineEnds } from '../../src/convert/preflight/east-asian-lines.ts';

const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const lang = (language: string) => `<w:lang w:val="en-US" w:eastAsia="${language}"/>`;
const runs = (language: string) => `<w:rPrDefault><w:rPr>${lang(language)}</w:rPr></w:rPrDefault>`;
const paragraphs = (properties: string) => `<w:pPrDefault><w:pPr>${properties}</w:pPr></w:pPrDefault>`;
const part = (defaults: string, styles = '') =>
  `<w:styles ${NAMESPACE}><w:docDefaults>${defaults}</w:docDefaults>${styles}</w:styles>`;
const style = (properties: string) => `<w:style w:type="paragraph">${properties}</w:style>`;
const wrap = (value: string) => `<w:pPr><w:wordWrap${value}/></w:pPr>`;
const ON = '<w:overflowPunct/>';
const JAPANESE = runs('ja-JP') + paragraphs(ON);
const KOREAN = runs('ko-KR') + paragraphs(ON);

t.test('no punctuation hangs', async (t) => {
  const after = '<w:spacing w:after="160"/>';
  for (const [before, expected] of [
    ['<w:pPrDefault/>', paragraphs(ON)],
    ['<w:pPrDefault></w:pPrDefault>', paragraphs(ON)],
    ['<w:pPrDefault><w:pPr/></w:pPrDefault>', paragraphs(ON)],
    ['', paragraphs(ON)],
    [paragraphs(after), paragraphs(ON + after)],
    [paragraphs('<w:overflowPunct w:val="0"/>'), paragraphs(ON)],
  ] as const) {
    for (const language of ['ja-JP', 'zh-CN', 'ko-KR']) {
      const changed = withWordsLineEnds(part(runs(language) + before), undefined);
      t.equal(changed, part(runs(language) + expected), `${language} ${before}`);
    }
  }
  t.equal(withWordsLineEnds('<w:p><w:overflowPunct w:val="0"/></w:p>', undefined), `<w:p>${ON}</w:p>`);
  t.equal(
    withWordsLineEnds('<overflowPunct val="off"></overflowPunct>', undefined),
    '<overflowPunct></overflowPunct>',
  );
});

t.test('the language is that of the settings, where the defaults name none of East Asia', async (t) => {
  t.equal(withWordsLineEnds(part(runs('en-US')), 'ja-JP'), part(runs('en-US') + paragraphs(ON)));
  t.equal(withWordsLineEnds(part(runs('ja-JP')), 'zh-CN'), part(JAPANESE));
  for (const language of [undefined, 'en-US', 'jam']) {
    t.equal(withWordsLineEnds(part(runs('en-US')), language), part(runs('en-US')), language ?? 'none');
  }
});

t.test('Korean words are broken where they may be', async (t) => {
  const changed = (defaults: string, ...styles: string[]) =>
    withWordsLineEnds(part(defaults, styles.map(style).join('')), undefined);
  const expected = (defaults: string, ...styles: string[]) => part(defaults, styles.map(style).join(''));
  const own = (language: string) => `<w:rPr><w:lang w:eastAsia="${language}"/></w:rPr>`;
  const off = wrap(' w:val="0"');
  t.equal(
    changed(runs('ko-KR'), off, wrap('')),
    expected(KOREAN, off + own('ko-KR-x-chars'), wrap('') + own('ko-KR')),
  );
  t.equal(
    changed(runs('ko-KR'), `${off}<w:rPr><w:b/></w:rPr>`, `${off}<w:rPr/>`),
    expected(
      KOREAN,
      `${off}<w:rPr><w:b/><w:lang w:eastAsia="ko-KR-x-chars"/></w:rPr>`,
      off + own('ko-KR-x-chars'),
    ),
  );
  t.equal(
    changed(runs('ko-KR'), `${off}<w:rPr><w:lang w:eastAsia="ko-KR" w:bidi="ar-SA"/></w:rPr>`),
    expected(KOREAN, `${off}<w:rPr><w:lang w:bidi="ar-SA" w:eastAsia="ko-KR-x-chars"/></w:rPr>`),
  );
  t.equal(
    changed(runs('ko-KR') + paragraphs('<w:wordWrap w:val="0"/>')),
    expected(runs('ko-KR-x-chars') + paragraphs(`<w:wordWrap w:val="0"/>${ON}`)),
  );
  t.equal(changed(runs('ja-JP'), off), expected(JAPANESE, off), 'and no others');
  t.equal(
    changed(runs('ko-KR'), '<w:tblStylePr><w:pPr><w:wordWrap w:val="0"/></w:pPr></w:tblStylePr>'),
    expected(KOREAN, '<w:tblStylePr><w:pPr><w:wordWrap w:val="0"/></w:pPr></w:tblStylePr>'),
  );
});

t.test('which pieces of a part may have them', async (t) => {
  t.ok(mayHaveLineEnds(Buffer.from('<w:docDefaults>')));
  t.ok(mayHaveLineEnds(Buffer.from('<w:overflowPunct/>')));
  t.notOk(mayHaveLineEnds(Buffer.from('<w:styles>')));
});

t.test('what looks like tags without end is read in linear time', async (t) => {
  for (const piece of ['<w:docDefaults>', '<w:style><w:pPr>', '<w:overflowPunct ', '<w:rPr><w:lang ']) {
    const xml = part('') + piece.repeat(1_048_576 / piece.length);
    t.equal(
      withWordsLineEnds(xml, 'ko-KR').length,
      withWordsLineEnds(part(''), 'ko-KR').length + xml.length - part('').length,
      piece,
    );
  }
});
