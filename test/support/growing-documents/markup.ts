/** Markup by itself: depth, attributes, values and names, and what is not well-formed. */
import { docxWithParts, mainPart } from '../documents.ts';
import { savedByWord, wordPart } from '../report-documents.ts';
import { everyRuleReads } from './elements.ts';
import {
  cell,
  type GrowingDocument,
  grouped,
  inBody,
  inParts,
  many,
  paragraph,
  row,
  table,
  textRun,
} from './growing-document.ts';

/** An element has at most 2,000 attributes, with those around it. */
const attributes = (count: number) => many(count, (i) => ` a${i}="${i}"`);
const around = (levels: number): [string, string] => [many(levels, '<x>'), many(levels, '</x>')];
const inTable = (inner: string): string => table(row(cell(inner)), [300]);
const long = (size: number, character = 'a') => character.repeat(40 * size);
/** A long attribute, and as many things that could ask for it again and again. */
const beside = (
  name: string,
  unit: string,
  around: (attribute: string, inner: string) => string,
  character?: string,
): GrowingDocument =>
  inParts(name, 2_000, (count) => ({ body: around(long(count, character), many(count, unit)) }), 30_000);
const text = '<w:t>a</w:t>';
const fonts = (value: string) => `<w:rPr><w:rFonts w:ascii="${value}" w:hAnsi="A"/></w:rPr>`;

export const markupKinds: readonly GrowingDocument[] = [
  inBody('elements inside many others', 8_000, '<y/>', around(450)),
  inBody(
    'content inside many elements of a paragraph',
    4_000,
    '<w:tab/>',
    [`<w:p>${around(450)[0]}`, `${around(450)[1]}</w:p>`],
    { most: 20_000 },
  ),
  inBody('elements that begin and end many others', 20, many(200, '<y>') + many(200, '</y>')),
  ...[
    ['end tags of other elements', '<x></y><w:tab/>', '<w:p>'],
    ['end tags of no element', '</w:drawing>', '<w:p><w:r><w:drawing></w:drawing>'],
    ['tables that end as other elements', '<w:tbl></x><w:p><w:r><w:t>a</w:t></w:r></w:p>', ''],
    ['paragraphs that end as other elements', '<w:p><w:pPr></x><w:rPr></x><w:ins>', ''],
  ].map(([name = '', unit = '', before = '']) =>
    inBody(name, 4_000, unit, [everyRuleReads + before, ''], { properties: savedByWord(1) }),
  ),
  inBody('elements without an end', 450, '<w:p>', ['', ''], { most: 450 }),
  inBody('attributes', 20, `<w:x${attributes(1_500)}/>`),
  inBody(
    'attributes of properties',
    20,
    paragraph(textRun('a'), `<w:spacing${attributes(1_500)} w:before="1"/><w:ind${attributes(400)}/>`),
  ),
  inBody('long names of elements', 20, `<w:${'x'.repeat(5_000)}/>`),
  inBody('long values', 20, (i) =>
    paragraph(
      textRun('a', `<w:rStyle w:val="${i}${'a'.repeat(5_000)}"/>`),
      `<w:pStyle w:val="${i}${'b'.repeat(5_000)}"/>`,
    ),
  ),
  inBody('references in values', 200, `<w:pStyle w:val="${'&#65;&amp;'.repeat(50)}"/>`, [
    '<w:p><w:pPr>',
    '</w:pPr></w:p>',
  ]),
  inBody('references with many zeros', 20, paragraph(textRun(`&#x${'0'.repeat(5_000)}`, '<w:b/>'))),
  inBody('quotation marks and signs in values', 400, `<w:x a='${'"'.repeat(100)}' b="${"='>".repeat(50)}"/>`),
  beside('texts behind a long font', text, (value, inner) => paragraph(`<w:r>${fonts(value)}${inner}</w:r>`)),
  beside('texts behind a long font, in a table', text, (value, inner) =>
    inTable(paragraph(`<w:r>${fonts(value)}${inner}</w:r>`)),
  ),
  beside('runs behind a long mark of a paragraph', `<w:r>${text}</w:r>`, (value, inner) =>
    paragraph(inner, fonts(value)),
  ),
  beside('rows behind long properties of a table', row(cell('<w:p/>')), (value, inner) =>
    table(inner, [1], `<w:tblStyle w:val="${value}"/><w:tblW w:w="${value}" w:type="dxa"/>`),
  ),
  beside('cells behind long properties of a cell', cell('<w:p/>'), (value, inner) =>
    table(row(cell('<w:p/>', `<w:x w:val="${value}"/>`) + inner)),
  ),
  beside(
    'paragraphs behind long properties of a section',
    paragraph(text),
    (value, inner) =>
      `${paragraph('', `<w:sectPr x="${value}"><w:docGrid w:type="lines" w:linePitch="${value}"/></w:sectPr>`)}${inner}`,
  ),
  beside(
    'paragraphs behind a long instruction',
    paragraph(text),
    (value, inner) =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>${value}</w:instrText></w:r></w:p>${inner}`,
  ),
  beside(
    'paragraphs in a long control',
    paragraph(text),
    (value, inner) =>
      `<w:sdt><w:sdtPr><w:tag w:val="${value}"/></w:sdtPr><w:sdtContent>${inner}</w:sdtContent></w:sdt>`,
  ),
  beside('marks of pages behind long tags', '<w:lastRenderedPageBreak/><w:t>a</w:t>', (value, inner) =>
    paragraph(
      `<w:r>${text}</w:r><w:hyperlink r:id="${value}"><w:r>${fonts(value)}${inner}</w:r></w:hyperlink>`,
    ),
  ),
  beside('drawings in a drawing with a long style', '<v:shape style="a"/>', (value, inner) =>
    paragraph(`<w:r><w:pict><v:shape style="${value}position:absolute">${inner}</v:shape></w:pict></w:r>`),
  ),
  ...[' ', '&#32;', '/', '.', '-', 'num=', 'author ', '%'].map((character) =>
    beside(
      `texts behind ${JSON.stringify(character)} many times`,
      text,
      (value, inner) => paragraph(`<w:r>${fonts(value)}${inner}</w:r>`),
      character,
    ),
  ),
  ...['author ', 'num  ', '<w:cols ', 'rFonts ', '  ', '-', '&#x0', '&#0'].map((words) =>
    inParts(`${JSON.stringify(words)} in text`, 10_000, (count) => ({
      body: grouped(count, 9_000, (inner) => paragraph(textRun(inner.replaceAll('<', '&lt;'))), words),
      parts: { 'settings.xml': wordPart('settings', '<w:trackRevisions/>') },
    })),
  ),
  {
    name: 'paragraphs in UTF-16',
    size: 2_000,
    of: (count) =>
      docxWithParts({
        'word/document.xml': Buffer.from(
          `\ufeff${mainPart(many(count, paragraph(textRun('a字'))))}`,
          'utf16le',
        ),
      }),
  },
  inBody('long elements', 200, (i) =>
    paragraph(
      textRun('word '.repeat(300), `<w:rStyle w:val="${i}"/>`),
      `<w:x w:val="${'a'.repeat(500)}"/><!-- a -->`,
    ),
  ),
  inBody('namespaces', 2_000, (i) => `<w:p xmlns:n${i}="urn:${i}"/>`),
  inBody('attributes beyond the limit', 200, ' a="1"', [`<w:x${attributes(2_001)}`, '/>']),
];
