/** Sections, their columns, grids and headers. */
import { wordPart } from '../report-documents.ts';
import { shared } from './drawings.ts';
import {
  type GrowingDocument,
  inBody,
  inParts,
  many,
  paragraph,
  table,
  textRun,
} from './growing-document.ts';

const page =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:bottom="1440" w:header="700" w:footer="700"/>';
const section = (inner: string) => `<w:sectPr>${page}${inner}</w:sectPr>`;
const grid = '<w:docGrid w:type="lines" w:linePitch="360"/>';
const lines = '<w:spacing w:line="480" w:lineRule="auto"/>';
const high = paragraph(textRun('字', '<w:rFonts w:eastAsia="SimSun"/><w:sz w:val="40"/>'), lines);
/** An object at a distance from the margin, in points, that text evades. */
const beside = (x: number, width: number, from = 'paragraph') =>
  `<w:r><w:drawing><wp:anchor><wp:positionH relativeFrom="column"><wp:posOffset>${x * 12_700}</wp:posOffset></wp:positionH><wp:positionV relativeFrom="${from}"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent cx="${width * 12_700}" cy="900000"/><wp:wrapSquare wrapText="bothSides"/></wp:anchor></w:drawing></w:r>`;

export const sectionKinds: readonly GrowingDocument[] = [
  inBody('sections', 500, paragraph(textRun('a'), section('<w:type w:val="nextPage"/>'))),
  inBody(
    'sections in the middle of their page',
    200,
    paragraph(
      textRun('a'),
      `<w:pStyle w:val="a"/><w:pageBreakBefore/>${section('<w:vAlign w:val="center"/>')}`,
    ),
  ),
  inBody(
    'sections in columns',
    400,
    paragraph(textRun('a'), `<w:spacing w:before="400"/>${section('<w:cols w:num="2"/>')}`),
  ),
  inBody(
    'sections with borders of their first page',
    300,
    `<w:p/><w:p/>${paragraph('', section('<w:pgBorders w:display="notFirstPage"><w:top w:val="double"/></w:pgBorders>'))}<w:p/>${paragraph('', section('<w:pgBorders w:display="firstPage"><w:top w:val="double"/><w:x/></w:pgBorders>'))}`,
  ),
  inBody('borders of a first page', 4_000, '<w:top w:val="double"/>', [
    '<w:p/><w:sectPr><w:pgBorders w:display="firstPage">',
    `</w:pgBorders>${page}</w:sectPr>`,
  ]),
  inBody('sections with a grid of lines', 300, high + paragraph('', section(grid))),
  inBody('paragraphs on a grid of lines', 800, high, ['', section(grid)]),
  inBody(
    'runs of a paragraph on a grid of lines',
    1_000,
    textRun('a', '<w:rFonts w:eastAsia="SimSun"/>'),
    [`<w:p><w:pPr>${lines}</w:pPr>`, `</w:p>${section(grid)}`],
    { most: 8_000 },
  ),
  inBody(
    'text of styles on a grid of lines',
    800,
    paragraph(textRun('字'), `<w:pStyle w:val="s"/>${lines}`),
    ['', section(grid)],
  ),
  inBody(
    'pictures on a grid of lines',
    500,
    paragraph('<w:r><w:drawing><wp:inline><wp:extent cx="1" cy="900000"/></wp:inline></w:drawing></w:r>'),
    ['', section(grid)],
  ),
  inBody('properties of a section', 4_000, (i) => `<w:x${i}/>`, [
    '<w:sectPr><w:type w:val="evenPage"/>',
    `${page}</w:sectPr>`,
  ]),
  inBody('types of a section', 4_000, '<w:type w:val="evenPage"/>', ['<w:sectPr>', `${page}</w:sectPr>`]),
  inBody(
    'sections behind an even first page',
    400,
    paragraph(
      '',
      section(
        '<w:headerReference w:type="default" r:id="h"/><w:pgMar w:left="900" w:right="600" w:gutter="1"/>',
      ),
    ),
    [paragraph('', section('<w:pgNumType w:start="2"/>')), ''],
    { parts: { 'settings.xml': wordPart('settings', '<w:evenAndOddHeaders/><w:mirrorMargins/>') } },
  ),
  inBody('references to headers', 1_000, (i) => `<w:headerReference w:type="default" r:id="h${i}"/>`, [
    '<w:sectPr>',
    '</w:sectPr>',
  ]),
  inBody('paragraphs without numbers of lines', 800, paragraph(textRun('a')), [
    '',
    `${paragraph('', section(''))}${section('<w:lnNumType w:countBy="1"/>')}`,
  ]),
  inParts('text of a header beside objects', 300, (count) => ({
    body: `<w:sectPr>${page}<w:headerReference w:type="default" r:id="rId1"/></w:sectPr>`,
    parts: {
      'header1.xml': wordPart(
        'hdr',
        `${paragraph(`${['paragraph', 'page', 'margin'].map((from) => beside(0, 9, from)).join('')}${many(count, textRun('a'))}`)}${paragraph(`${beside(0, 900)}${many(count, textRun('a'))}`)}`,
      ),
    },
  })),
  inParts('objects of a header whose size is a share of the page', 300, (count) => ({
    body: `<w:sectPr>${page}<w:headerReference w:type="default" r:id="rId1"/></w:sectPr>`,
    parts: { 'header1.xml': wordPart('hdr', paragraph(many(count, shared))) },
  })),
  inParts(
    'headers',
    100,
    (count) => ({
      body: `<w:sectPr>${page}<w:titlePg/>${many(count, (i) => `<w:headerReference w:type="default" r:id="rId${i + 1}"/>`)}</w:sectPr>`,
      parts: Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `header${i + 1}.xml`,
          wordPart('hdr', paragraph(`${textRun('a')}<w:r><w:ptab></w:ptab></w:r>`)),
        ]),
      ),
    }),
    1_900,
  ),
  inBody(
    'sections that end with a paragraph on their grid',
    250,
    paragraph(textRun('字'), `${lines}${section(grid)}`),
  ),
  inBody(
    'tables in sections with margins',
    200,
    `${table('')}${paragraph('', section('<w:cols w:num="1"/>'))}`,
  ),
];
