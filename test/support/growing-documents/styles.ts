/** Styles, defaults and settings. */
import { savedByWord, wordPart } from '../report-documents.ts';
import { type GrowingDocument, inParts, many, paragraph, textRun } from './growing-document.ts';

const body = paragraph(textRun('a字'));
/** No document has more styles. */
const MOST = 4_000;
const korean = wordPart('settings', '<w:themeFontLang w:eastAsia="ko-KR"/><w:linkStyles/>');
const ofStyles = (
  name: string,
  size: number,
  inner: (count: number) => string,
  most?: number,
): GrowingDocument =>
  inParts(
    name,
    size,
    (count) => ({ body, parts: { 'styles.xml': wordPart('styles', inner(count)), 'settings.xml': korean } }),
    most,
  );
const style = (id: number, inner: string, more = '') =>
  `<w:style w:type="paragraph" w:styleId="s${id}"${more}>${inner}</w:style>`;
const properties =
  '<w:pBdr/><w:shd/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr><w:bidi/><w:ind w:left="9"/><w:pageBreakBefore/><w:outlineLvl w:val="1"/><w:tabs><w:tab w:leader="dot"/></w:tabs><w:spacing w:before="1" w:line="240" w:lineRule="auto"/><w:wordWrap w:val="0"/>';

export const styleKinds: readonly GrowingDocument[] = [
  ofStyles('styles', 400, (count) => many(count, (i) => style(i, `<w:name w:val="n${i}"/>`)), MOST),
  ofStyles('styles without a name', 400, (count) => many(count, (i) => style(i, '<w:pPr/>')), MOST),
  ofStyles(
    'styles that are based on others',
    400,
    (count) =>
      many(count, (i) => style(i, `<w:basedOn w:val="s${Math.max(0, i - (i % 50 === 0 ? 0 : 1))}"/>`)),
    MOST,
  ),
  ofStyles(
    'styles with properties',
    150,
    (count) =>
      many(count, (i) =>
        style(
          i,
          `<w:pPr>${properties}</w:pPr><w:rPr><w:rFonts w:ascii="f${i}"/><w:lang w:val="en-US" w:eastAsia="ja-JP"/><w:vanish/><w:sz w:val="1"/></w:rPr>`,
          ' w:default="1"',
        ),
      ),
    MOST,
  ),
  ofStyles(
    'styles with wordWrap alone',
    400,
    (count) => many(count, (i) => style(i, '<w:pPr><w:wordWrap/></w:pPr>')),
    MOST,
  ),
  inParts('conditions of a table style', 1_000, (count) => ({
    body: `<w:tbl><w:tblPr><w:tblStyle w:val="s1"/><w:tblLook w:firstRow="1"/></w:tblPr><w:tblGrid><w:gridCol w:w="9"/></w:tblGrid><w:tr><w:tc>${body}</w:tc></w:tr></w:tbl>${body}`,
    parts: {
      'styles.xml': wordPart(
        'styles',
        style(
          1,
          many(count, (i) => `<w:tblStylePr w:type="t${i}"><w:rPr><w:b/></w:rPr></w:tblStylePr>`),
        ),
      ),
    },
  })),
  ofStyles('elements of a style', 2_000, (count) =>
    style(1, `<w:pPr>${many(count, '<w:wordWrap/><w:tab/>')}</w:pPr>`),
  ),
  ofStyles(
    'elements of the defaults',
    2_000,
    (count) =>
      `<w:docDefaults><w:pPrDefault>${many(count, '<w:pPr><w:overflowPunct/></w:pPr>')}</w:pPrDefault></w:docDefaults>`,
  ),
  inParts('defaults of a Japanese document', 2_000, (count) => ({
    body,
    parts: {
      'styles.xml': wordPart('styles', many(count, '<w:docDefaults><w:pPrDefault/></w:docDefaults>')),
      'settings.xml': wordPart('settings', '<w:themeFontLang w:eastAsia="ja-JP"/>'),
    },
    properties: `${savedByWord(3)}<AppVersion>16.0000</AppVersion>`,
  })),
  ofStyles('formats of parts of tables', 1_000, (count) =>
    style(1, many(count, '<w:tblStylePr><w:rPr><w:b/></w:rPr></w:tblStylePr>')),
  ),
  ofStyles(
    'latent styles',
    1_500,
    (count) => `<w:latentStyles>${many(count, (i) => `<w:lsdException w:name="n${i}"/>`)}</w:latentStyles>`,
  ),
  ofStyles(
    'names of a link style',
    1_500,
    (count) =>
      `<w:style w:type="character" w:styleId="Link">${many(count, '<w:name w:val="Hyperlink"/>')}</w:style>`,
  ),
  inParts('paragraphs of styles', 1_500, (count) => ({
    body: many(count, (i) => paragraph(textRun('a'), `<w:pStyle w:val="s${i % 100}"/>`)),
    parts: {
      'styles.xml': wordPart(
        'styles',
        many(100, (i) => style(i, `<w:basedOn w:val="s${i + 1}"/>`)),
      ),
    },
  })),
  inParts(
    'empty paragraphs of a style',
    800,
    (count) => ({
      body: `<w:p>${textRun('a')}</w:p>${many(count, `${paragraph('', '<w:pStyle w:val="s"/>')}<w:p><w:r><w:lastRenderedPageBreak/><w:t>a</w:t></w:r></w:p>`)}<w:p><w:pPr><w:pStyle w:val="t"/></w:pPr><w:r><w:tab/><w:instrText> PAGEREF a </w:instrText></w:r></w:p>`,
      parts: {
        'styles.xml': wordPart(
          'styles',
          style(1, '').replace('s1', 's').replace('></w:style', '><w:pPr><w:pBdr/></w:pPr></w:style') +
            style(2, '<w:basedOn w:val="s"/><w:pPr><w:tabs><w:tab w:leader="dot"/></w:tabs></w:pPr>').replace(
              's2',
              't',
            ),
        ),
      },
      properties: `${savedByWord(1)}<AppVersion>16.0000</AppVersion>`,
    }),
    4_000,
  ),
  inParts('settings', 4_000, (count) => ({
    body,
    parts: {
      'settings.xml': wordPart(
        'settings',
        many(count, (i) => `<w:x${i} w:val="1"/>`),
      ),
    },
  })),
  inParts('settings of compatibility', 1_500, (count) => ({
    body,
    parts: {
      'settings.xml': wordPart(
        'settings',
        many(count, (i) => `<w:compatSetting w:name="n${i}" w:val="15"/><w:revisionView/>`),
      ),
    },
  })),
  inParts('properties of a document', 3_000, (count) => ({
    body,
    properties: savedByWord(3) + many(count, (i) => `<P${i}>text</P${i}>`),
  })),
  inParts('text of a property of a document', 3_000, (count) => ({
    body,
    properties: `${savedByWord(3)}<P>${many(count, 'text<x/>')}</P>`,
  })),
];
