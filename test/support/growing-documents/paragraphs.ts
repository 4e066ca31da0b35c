/** Paragraphs, runs and their text. */
import { wordPart } from '../report-documents.ts';
import {
  type GrowingDocument,
  grouped,
  inBody,
  inParts,
  many,
  paragraph,
  textRun,
} from './growing-document.ts';

const RUNS = 500;
const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const runs = (count: number, unit: string | ((index: number) => string)) => ({
  body: grouped(count, RUNS, (inner) => paragraph(inner), unit),
});
const bidi = '<w:rtl/><w:b/><w:bCs/><w:sz w:val="20"/><w:szCs w:val="24"/><w:rFonts w:ascii="A" w:cs="B"/>';

export const paragraphKinds: readonly GrowingDocument[] = [
  inBody('paragraphs', 8_000, '<w:p/>'),
  inBody(
    'tabs to the margins',
    400,
    `<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:ptab w:alignment="center"/></w:r></w:p><w:p><w:r><w:tab/><w:ptab w:alignment="right"/></w:r></w:p>`,
    ['', '<w:sectPr><w:pgSz w:w="9000"/><w:pgMar w:left="9"/></w:sectPr>'],
    {
      parts: {
        'styles.xml': wordPart(
          'styles',
          '<w:style w:type="paragraph" w:styleId="a"><w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr></w:style>',
        ),
      },
    },
  ),
  inBody('paragraphs with properties', 1_000, (i) =>
    paragraph(
      textRun('text'),
      `<w:pStyle w:val="s${i}"/><w:spacing w:before="${i}"/><w:ind w:left="${i}"/><w:jc w:val="both"/>`,
    ),
  ),
  inBody('properties of a paragraph', 4_000, (i) => `<w:x${i} w:val="1"/>`, [
    '<w:p><w:pPr>',
    `</w:pPr>${textRun('a')}</w:p>`,
  ]),
  inParts('runs', 2_000, (count) => runs(count, textRun('text'))),
  inParts('pieces of text in a run', 4_000, (count) => ({
    body: grouped(count, 5_000, (inner) => paragraph(`<w:r>${inner}</w:r>`), '<w:t>text </w:t>'),
  })),
  inBody('texts outside of paragraphs', 4_000, '<w:t>text </w:t>'),
  inBody('texts in texts', 100, many(200, '<w:t>text</w:t>'), [many(400, '<w:t>'), many(400, '</w:t>')]),
  inParts('styles of runs', 1_500, (count) => runs(count, (i) => textRun('a', `<w:rStyle w:val="s${i}"/>`))),
  inParts('fonts of runs', 1_500, (count) =>
    runs(count, (i) =>
      textRun('a', `<w:rFonts w:ascii="f${i}" w:hAnsi="f${i}" w:eastAsia="f${i}" w:cs="f${i}"/>`),
    ),
  ),
  inParts('properties of runs', 4_000, (count) => ({
    body: grouped(
      count,
      1_000,
      (inner) => paragraph(`<w:r>${inner}</w:r>`),
      '<w:sz w:val="20"/><w:t>a</w:t>',
    ),
  })),
  inParts('characters beyond ASCII', 4_000, (count) =>
    runs(count, (i) => textRun(String.fromCodePoint(0x4e00 + (i % 20_000)))),
  ),
  inParts('character references', 4_000, (count) => ({
    body: grouped(
      count,
      5_000,
      (inner) => paragraph(textRun(inner)),
      (i) => `&#x${(0x1_0000 + i).toString(16)};`,
    ),
  })),
  inParts('symbols', 2_000, (count) => ({
    body: grouped(
      count,
      500,
      (inner) => paragraph(`<w:r>${inner}</w:r>`),
      (i) => `<w:sym w:font="f${i}" w:char="F0B7"/>`,
    ),
  })),
  inParts('signs of symbol fonts', 1_500, (count) =>
    runs(count, textRun('\uf0b7&#xf0b7;', '<w:rFonts w:ascii="A" w:hAnsi="Symbol"/>')),
  ),
  inParts('signs of symbol fonts in one text', 10_000, (count) => ({
    body: grouped(
      count,
      10_000,
      (inner) => paragraph(textRun(inner, '<w:rFonts w:ascii="A" w:hAnsi="B"/>')),
      '&#xf0b7;',
    ),
  })),
  inParts('numbers in right-to-left text', 2_000, (count) => ({
    body: many(count, paragraph(textRun('4-') + textRun('א', '<w:rtl/>'), '<w:pStyle w:val="a"/><w:bidi/>')),
    parts: {
      'styles.xml': wordPart('styles', '<w:style w:styleId="a"><w:rPr><w:rtl w:val="0"/></w:rPr></w:style>'),
    },
  })),
  inParts('marks of empty right-to-left paragraphs', 2_000, (count) => ({
    body: many(count, '<w:p><w:pPr><w:pStyle w:val="a"/><w:rPr><w:rtl/></w:rPr></w:pPr></w:p>'),
    parts: {
      'styles.xml': wordPart(
        'styles',
        '<w:style w:styleId="a"><w:rPr><w:rFonts w:cs="Arial"/><w:szCs w:val="44"/></w:rPr></w:style>',
      ),
    },
  })),
  inParts('text with ends of lines', 2_000, (count) =>
    runs(count, textRun('(a , b?c ) ', '<w:sz w:val="20"/>') + textRun(' ')),
  ),
  inParts('hidden runs', 2_000, (count) => runs(count, textRun('a', '<w:vanish/><w:webHidden/>'))),
  inParts('right-to-left runs', 1_000, (count) => runs(count, textRun('12 א', bidi))),
  inBody('frames without a place', 2_000, paragraph(textRun('a'), '<w:framePr w:wrap="auto"/>')),
  inBody(
    'drop caps above empty paragraphs',
    1_000,
    paragraph(textRun('J'), '<w:framePr w:dropCap="drop" w:lines="3"/>') + paragraph(''),
  ),
  inParts('items with written spacing', 2_000, (count) => ({
    body: many(count, (i) =>
      paragraph(
        '',
        `<w:pStyle w:val="a"/><w:numPr><w:numId w:val="1"/></w:numPr><w:spacing w:before="${i}" w:beforeAutospacing="0"/>`,
      ),
    ),
    parts: {
      'styles.xml': wordPart(
        'styles',
        '<w:style w:styleId="a"><w:pPr><w:spacing w:afterAutospacing="0"/></w:pPr></w:style>',
      ),
    },
  })),
  inBody('inherited lines', 2_000, paragraph('', '<w:spacing w:before="240" w:lineRule="auto"/>')),
  inBody(
    'low empty lines',
    2_000,
    '<w:p><w:pPr><w:spacing w:line="180"/><w:rPr><w:sz w:val="40"/></w:rPr></w:pPr></w:p>',
  ),
  inParts('ruby', 1_500, (count) =>
    runs(count, '<w:r><w:ruby><w:rt><w:r><w:t>a</w:t></w:r></w:rt></w:ruby></w:r>'),
  ),
  inBody('equations', 1_500, `<m:oMathPara><m:oMath><m:r><m:t>a</m:t></m:r></m:oMath></m:oMathPara>`, [
    `<w:p ${MATH}>`,
    '</w:p>',
  ]),
  inBody(
    'comments, instructions and sections',
    2_000,
    '<!-- a --><?a b?><w:p><w:webHidden/><![CDATA[a&<]]></w:p>',
    ['<w:p/>', ''],
  ),
  inBody('headings', 1_500, (i) =>
    paragraph(textRun('a'), `<w:outlineLvl w:val="${(i * 3) % 9}"/><w:pStyle w:val="h${i % 9}"/>`),
  ),
  inParts('hyperlinks and bookmarks', 1_500, (count) =>
    runs(
      count,
      (i) =>
        `<w:bookmarkStart w:id="${i}" w:name="b${i}"/><w:hyperlink r:id="l${i}">${textRun('a')}</w:hyperlink><w:bookmarkEnd w:id="${i}"/>`,
    ),
  ),
  {
    ...inParts('East Asian text', 800, (count) => ({
      body: many(
        count,
        paragraph(textRun('日本語の文章、と句読点。'), '<w:jc w:val="left"/>') + paragraph(textRun('日本語')),
      ),
      parts: {
        'settings.xml': wordPart(
          'settings',
          '<w:characterSpacingControl w:val="compressPunctuation"/><w:compat><w:compatSetting w:name="compatibilityMode" w:val="15"/></w:compat><w:themeFontLang w:eastAsia="ja-JP"/>',
        ),
        'styles.xml': wordPart('styles', '<w:docDefaults/>'),
      },
    })),
  },
];
