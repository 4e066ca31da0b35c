/** Which fonts get the names of those with another blank, and when. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { eastAsianSettings } from '../../../src/convert/rules/east-asian-settings.ts';
import { withWordsBlanks } from '../../../src/convert/rules/korean-blanks.ts';
import { rewritten } from '../support/rewritten.ts';

const HALVING = '<w:compat><w:balanceSingleByteDoubleByteWidth/></w:compat>';
const KOREAN = '<w:themeFontLang w:val="en-US" w:eastAsia="ko-KR"/>';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const THEME =
  '<a:theme><a:fontScheme><a:minorFont><a:latin typeface="Calibri"/><a:ea typeface=""/>' +
  '<a:font script="Hang" typeface="맑은 고딕"/></a:minorFont></a:fontScheme></a:theme>';

function settingsOf(settings: string) {
  const parts = new KeptParts('word/document.xml');
  const links = ['settings', 'theme'].map(
    (type) => `<Relationship Id="${type}" Type="http://x/${type}" Target="${type}.xml"/>`,
  );
  parts.keep('word/_rels/document.xml.rels', [
    Buffer.from(`<Relationships>${links.join('')}</Relationships>`),
  ]);
  parts.keep('word/settings.xml', [Buffer.from(`<w:settings>${settings}</w:settings>`)]);
  parts.keep('word/theme.xml', [Buffer.from(THEME)]);
  return eastAsianSettings(parts);
}
const changed = (part: string, settings: string) =>
  rewritten((xml) => withWordsBlanks(xml, settingsOf(settings)), part);

t.test('half an em, where the settings say so', async (t) => {
  for (const [before, after] of [
    ['<w:rFonts w:eastAsia="맑은 고딕"/>', '<w:rFonts w:eastAsia="맑은 고딕 Half"/>'],
    [
      "<w:rFonts w:eastAsia='batang' w:cs='Arial'></w:rFonts>",
      '<w:rFonts w:cs=\'Arial\' w:eastAsia="batang Half"></w:rFonts>',
    ],
    [
      '<w:rFonts w:asciiTheme="minorEastAsia" w:eastAsiaTheme="minorEastAsia"/>',
      '<w:rFonts w:asciiTheme="minorEastAsia" w:eastAsia="맑은 고딕 Half"/>',
    ],
    [
      `<r xmlns="${WORD}"><rFonts eastAsia="굴림"/></r>`,
      `<r xmlns="${WORD}"><rFonts eastAsia="굴림 Half"/></r>`,
    ],
  ] as const) {
    t.equal(changed(before, KOREAN + HALVING), after, before);
  }
});

t.test('that of a Latin font', async (t) => {
  t.equal(
    changed('<w:rFonts w:asciiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia"/>', KOREAN),
    '<w:rFonts w:asciiTheme="minorHAnsi" w:eastAsia="맑은 고딕 Quarter"/>',
  );
  for (const same of ['w:ascii="맑은 고딕" ', ''])
    t.equal(changed(`<w:rFonts ${same}w:eastAsia="맑은 고딕"/>`, KOREAN), undefined, same);
});

t.test('what stays as it is', async (t) => {
  for (const part of [
    '<w:rFonts w:ascii="맑은 고딕" w:hAnsi="맑은 고딕" w:cs="맑은 고딕"/>',
    '<w:rFonts w:eastAsia="ＭＳ 明朝"/>',
    '<a:ea typeface="맑은 고딕"/>',
    '<w:rFonts '.repeat(100_000),
  ]) {
    t.equal(changed(part, KOREAN + HALVING), undefined, part.slice(0, 100));
  }
});

t.test('what the settings say', async (t) => {
  t.match(settingsOf(''), { language: undefined, halvesBlanks: false, hasGridInTables: false });
  t.match(settingsOf('<w:compat><w:adjustLineHeightInTable/></w:compat>'), { hasGridInTables: true });
  t.equal(settingsOf(KOREAN).language, 'ko-KR');
  const halves = (value: string) => settingsOf(HALVING.replace('/><', `${value}/><`)).halvesBlanks;
  for (const value of ['', ' w:val="1"', ' w:val="true"', ' w:val="on" ']) t.ok(halves(value), value);
  for (const value of ['0', 'false', 'off']) t.notOk(halves(` w:val="${value}"`), value);
  for (const [value, compresses] of [
    ['doNotCompress', false],
    ['compressPunctuation', true],
    ['compressPunctuationAndJapaneseKana', true],
  ] as const) {
    const { compressesPunctuation } = settingsOf(`<w:characterSpacingControl w:val="${value}"/>`);
    t.equal(compressesPunctuation, compresses, value);
  }
  t.match(eastAsianSettings(new KeptParts('word/document.xml')), {
    compressesPunctuation: false,
    language: undefined,
    halvesBlanks: false,
  });
});
