/** Which defaults and styles decide where lines of Korean text end. */
import t from 'tap';
import { withWordsLineEnds } from '../../../src/convert/rules/east-asian-lines.ts';

const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const lang = (language: string) => `<w:lang w:val="en-US" w:eastAsia="${language}"/>`;
const runs = (language: string) => `<w:rPrDefault><w:rPr>${lang(language)}</w:rPr></w:rPrDefault>`;
const paragraphs = (properties: string) => `<w:pPrDefault><w:pPr>${properties}</w:pPr></w:pPrDefault>`;
const part = (defaults: string, styles = '') =>
  `<w:styles ${NAMESPACE}><w:docDefaults>${defaults}</w:docDefaults>${styles}</w:styles>`;
const style = (properties: string) => `<w:style w:type="paragraph">${properties}</w:style>`;
const wrap = (value: string) => `<w:pPr><w:wordWrap${value}/></w:pPr>`;
const JAPANESE = runs('ja-JP');
const KOREAN = runs('ko-KR');

t.test('the language is that of the defaults, or of the settings', async (t) => {
  const style = '<w:style><w:pPr><w:wordWrap w:val="0"/></w:pPr></w:style>';
  for (const [defaults, settings, isKorean] of [
    ['ko-KR', undefined, true],
    ['en-US', 'ko-KR', true],
    ['en-US', 'ja-JP', false],
    ['en-US', undefined, false],
  ] as const) {
    const xml = part(runs(defaults), style);
    t.equal(withWordsLineEnds(xml, settings) !== xml, isKorean, `${defaults} ${settings}`);
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
    expected(runs('ko-KR-x-chars') + paragraphs('<w:wordWrap w:val="0"/>')),
  );
  const ends = (xml: string) => xml.replace(/<w:lang([^>]*)\/>/g, '<w:lang$1></w:lang>');
  t.equal(
    changed(ends(runs('ko-KR')) + paragraphs('<w:wordWrap w:val="0"/>')),
    expected(ends(runs('ko-KR-x-chars')) + paragraphs('<w:wordWrap w:val="0"/>')),
    'with an end tag',
  );
  t.equal(changed(runs('ja-JP'), off), expected(JAPANESE, off), 'and no others');
  t.equal(
    changed(runs('ko-KR'), '<w:tblStylePr><w:pPr><w:wordWrap w:val="0"/></w:pPr></w:tblStylePr>'),
    expected(KOREAN, '<w:tblStylePr><w:pPr><w:wordWrap w:val="0"/></w:pPr></w:tblStylePr>'),
  );
});

t.test('what looks like tags without end is read in linear time', async (t) => {
  for (const piece of ['<w:docDefaults>', '<w:style><w:pPr>', '<w:wordWrap ', '<w:rPr><w:lang ']) {
    const xml = part('') + piece.repeat(1_048_576 / piece.length);
    t.equal(
      withWordsLineEnds(xml, 'ko-KR').length,
      withWordsLineEnds(part(''), 'ko-KR').length + xml.length - part('').length,
      piece,
    );
  }
});
