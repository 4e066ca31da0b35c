/** Tables, their rows and cells, and the text in them. */
import { wordPart } from '../report-documents.ts';
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

const borders = '<w:tcBorders><w:top w:val="nil"/><w:bottom w:val="single" w:sz="8"/></w:tcBorders>';
const calibri = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/>';
const word = cell(paragraph(textRun('wide', calibri)), '<w:tcW w:w="0" w:type="auto"/>');
const grey = '<w:shd w:val="clear" w:fill="999999"/>';
const nested = (inner: string, levels: number): string =>
  levels === 0 ? inner : table(row(cell(nested(inner, levels - 1) + paragraph(''))));
const columns = (count: number) => Array.from({ length: count }, () => 100);

export const tableKinds: readonly GrowingDocument[] = [
  inBody('tables', 250, table(row(word), [300])),
  inBody('tables that look different', 200, table(row(word)) + table(row(word), [9], '<w:jc w:val="end"/>')),
  inParts('cells with diagonal lines', 400, (count) => ({
    body: many(count, (i) =>
      table(
        row(
          cell(
            paragraph(textRun('a')),
            `<w:tcBorders><w:tl2br w:val="single" w:sz="${i % 90}" w:color="${String(i).padStart(6, '0')}"/><w:tr2bl w:val="single"/></w:tcBorders>`,
          ),
        ),
        [300],
        '<w:tblStyle w:val="None"/>',
      ),
    ),
    parts: {
      'styles.xml': wordPart(
        'styles',
        many(
          count,
          (i) =>
            `<w:style w:type="table" w:styleId="${i}"><w:basedOn w:val="${i - 1}"/>${i === 0 ? '<w:tcPr><w:shd w:val="clear"/></w:tcPr>' : ''}</w:style>`,
        ),
      ),
    },
  })),
  inBody(
    'text on grey',
    400,
    table(
      row(cell(paragraph(textRun('a') + textRun('b', '<w:rStyle w:val="a"/>')), grey)),
      [300],
      '<w:tblStyle w:val="a"/>',
    ) + paragraph(textRun('a', `${grey}<w:color w:val="auto"/>`), grey),
  ),
  inParts('sizes of text in cells', 300, (count) => ({
    body: table(
      many(count, (i) =>
        row(
          cell(
            paragraph(
              textRun('a', `<w:sz w:val="${30 + i}"/>`),
              `<w:pStyle w:val="${i}&amp;"/><w:spacing w:line="360" w:lineRule="auto"/>`,
            ),
          ),
        ),
      ),
      [300],
    ),
    parts: {
      'styles.xml': wordPart(
        'styles',
        many(count, (i) => `<w:style w:type="paragraph" w:styleId="${i}&amp;"/>`),
      ),
    },
  })),
  inParts('rows', 700, (count) => ({ body: table(many(count, row(word)), [300]) })),
  inParts('cells of a row', 800, (count) => ({ body: table(row(many(count, word)), [300]) })),
  inParts('columns of tables', 2_000, (count) => ({
    body: grouped(
      count,
      60,
      (inner) => `<w:tbl><w:tblGrid>${inner}</w:tblGrid>${row(word)}</w:tbl>`,
      '<w:gridCol w:w="9"/>',
    ),
  })),
  inBody('columns of a table', 4_000, '<w:gridCol w:w="9"/>', [
    '<w:tbl><w:tblGrid>',
    `</w:tblGrid>${row(word)}</w:tbl>`,
  ]),
  inParts('rows of 60 cells', 15, (count) => ({
    body: table(many(count, row(many(60, word))), columns(60)),
  })),
  inParts('rows with margins of their own', 500, (count) => ({
    body: table(
      many(
        count,
        row(
          cell(
            paragraph(textRun('wide', calibri)),
            '<w:tcMar><w:left w:w="50" w:type="dxa"/><w:end w:w="50" w:type="dxa"/></w:tcMar><w:gridSpan w:val="1"/><w:textDirection w:val="lrTb"/>',
          ),
          '<w:gridBefore w:val="0"/>',
        ),
      ),
      [400],
      '<w:tblW w:w="5000" w:type="pct"/><w:tblInd w:w="10"/><w:tblCellMar><w:left w:w="5" w:type="dxa"/></w:tblCellMar>',
    ),
  })),
  inParts('rows with a least height', 400, (count) => ({
    body: table(many(count, row(cell(paragraph(''), borders), '<w:trHeight w:val="400"/>'))),
  })),
  inParts('rows that leave out columns, with space between cells', 400, (count) => ({
    body: table(
      many(count, row(cell(paragraph(''), '<w:tcW w:w="0" w:type="auto"/>'), '<w:gridAfter w:val="1"/>')),
      [1_000],
      '<w:tblCellSpacing w:w="15" w:type="dxa"/><w:tblCellMar><w:top w:w="5" w:type="dxa"/></w:tblCellMar>',
    ),
  })),
  inBody(
    'paragraphs above tables',
    250,
    paragraph(textRun('a'), '<w:contextualSpacing/><w:spacing w:after="200"/>') +
      table(
        row(
          cell(paragraph(textRun('a', '<w:sz w:val="40"/>'), '<w:spacing w:line="360" w:lineRule="auto"/>')),
        ),
      ),
  ),
  inParts('sizes of text in a cell', 2_000, (count) => ({
    body: table(
      row(
        cell(
          grouped(
            count,
            500,
            (inner) => paragraph(inner),
            (i) => textRun('a', `<w:sz w:val="${i}"/>`),
          ),
        ),
      ),
    ),
  })),
  inParts('texts of a cell in fonts of their own', 1_000, (count) => ({
    body: table(
      row(
        cell(
          grouped(
            count,
            500,
            (inner) => paragraph(inner),
            (i) =>
              textRun(
                'word',
                `<w:rFonts w:ascii="f${i}"/><w:rStyle w:val="s${i}"/><w:caps/><w:kern w:val="2"/>`,
              ),
          ),
        ),
      ),
    ),
  })),
  inParts('signs and breaks in cells', 500, (count) => ({
    body: table(
      many(
        count,
        row(
          cell(
            paragraph(
              `<w:r><w:rPr>${calibri}<w:vertAlign w:val="superscript"/></w:rPr><w:sym/><w:tab/><w:noBreakHyphen/><w:t>a</w:t></w:r>`,
              '<w:ind w:left="9" w:end="9"/>',
            ),
          ),
        ),
      ),
    ),
  })),
  inBody(
    'tables with a width',
    200,
    table(row(word + word), [500, 2_000], '<w:tblW w:w="900" w:type="dxa"/><w:tblLayout w:type="autofit"/>'),
  ),
  inParts('words of a cell', 10_000, (count) => ({
    body: table(
      row(cell(grouped(count, 10_000, (inner) => paragraph(textRun(inner, calibri)), 'word- '))),
      [300],
    ),
  })),
  inParts('paragraphs of a cell on a grid of lines', 1_000, (count) => ({
    body: `${table(row(cell(many(count, paragraph(textRun('a'), '<w:spacing w:before="0"/>')))))}<w:sectPr><w:docGrid w:type="lines" w:linePitch="360"/></w:sectPr>`,
    parts: { 'settings.xml': wordPart('settings', '<w:zoom/>') },
  })),
  inBody('tables with widths of cells', 100, (i) => {
    const own = cell(paragraph(''), `<w:tcW w:w="${i}" w:type="dxa"/>`);
    const [width, fixed] = ['<w:tblW w:w="9"/>', '<w:tblLayout w:type="fixed"/>'];
    const tables = [
      table(row(own + word), [100, 100], width),
      table(row(own + own), [100, 100], width + fixed),
      table(row(own + word), [100, 100], `<w:tblW w:w="9999"/>${fixed}`),
      table(row(own + own), [1000, 2000], '<w:tblW w:w="3000"/>'),
      table(row(cell(table(row(own + own), [100, 100])))),
      `<w:tbl>${row(word + word)}</w:tbl>`,
    ];
    return tables.join(paragraph(''));
  }),
  inParts('pictures in a cell', 500, (count) => ({
    body: table(
      row(
        cell(
          many(
            count,
            paragraph(
              '<w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="1"/></wp:inline></w:drawing></w:r>',
            ),
          ),
        ),
      ),
      [0],
    ),
  })),
  inBody('tables in tables', 15, nested(paragraph(textRun('a')), 45)),
  inParts('texts in tables in tables', 4_000, (count) => ({
    body: nested(
      grouped(count, 1_000, (inner) => paragraph(`<w:r>${inner}</w:r>`), '<w:t>text</w:t>'),
      45,
    ),
  })),
  inParts('tables in properties of cells', 20, (count) => ({
    body: many(
      count,
      many(40, '<w:tbl><w:tblGrid><w:gridCol w:w="9"/></w:tblGrid><w:tr><w:tc><w:tcPr>') +
        many(40, `</w:tcPr>${paragraph(textRun('word', calibri))}</w:tc></w:tr></w:tbl>`),
    ),
  })),
  inParts('header rows in tables in tables', 200, (count) => {
    const head = (inner: string, levels: number): string =>
      levels === 0 ? inner : table(row(cell(head(inner, levels - 1)), '<w:tblHeader/>'));
    return { body: head(many(count, paragraph(textRun('a'))), 45) };
  }),
];
