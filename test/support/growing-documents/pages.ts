/** Where the pages of a document begin, as Word noted it. */
import { type ReportedParts, savedByWord, wordPart } from '../report-documents.ts';
import {
  cell,
  type GrowingDocument,
  inParts,
  many,
  paragraph,
  row,
  table,
  textRun,
} from './growing-document.ts';

const MARK = '<w:lastRenderedPageBreak/>';
/** With more, the engine's layout is used. */
const MOST = 4_000;
const paged = (name: string, size: number, body: (count: number) => string, most = MOST): GrowingDocument =>
  inParts(
    name,
    size,
    (count): ReportedParts => ({
      body: body(count),
      properties: `${savedByWord(1)}<AppVersion>16.0000</AppVersion>`,
    }),
    most,
  );
const marked = `<w:r>${MARK}<w:t>a</w:t></w:r>`;
const first = paragraph(textRun('a'));

/** Of each thing that Word counts: text, references, links, short fields, controls, runs for data, tables. */
const counted = `${paragraph(
  `<w:hyperlink r:id="rIdX1" w:tooltip="a">${textRun('a &amp; b')}</w:hyperlink><w:fldSimple w:instr="PAGE"><w:r/></w:fldSimple>`,
)}<w:sdt><w:sdtContent>${table(row(cell(paragraph(marked))))}</w:sdtContent></w:sdt>`;
const changed = (name: string, parts: (count: number) => ReportedParts): GrowingDocument =>
  inParts(name, 300, (count) => ({ ...parts(count), properties: savedByWord(1), isChanged: true }), MOST);

export const pageKinds: readonly GrowingDocument[] = [
  changed('things that Word counts', (count) => ({
    body: many(count, counted),
    external: { hyperlink: 'http://a/' },
  })),
  changed('links that Word counts', (count) => ({
    body: counted,
    external: Object.fromEntries(Array.from({ length: count }, (_, i) => [`hyperlink${i}`, 'http://a/'])),
  })),
  paged('marks of pages', 500, (count) => first + many(count, paragraph(marked))),
  paged(
    'marks of pages in a paragraph',
    500,
    (count) =>
      first + paragraph(textRun('a') + many(count, marked), '<w:ind w:left="9"/><w:jc w:val="both"/>'),
  ),
  paged(
    'marks of pages in a run',
    500,
    (count) => first + paragraph(`<w:r><w:t>a</w:t>${many(count, `<w:br/>${MARK}<w:t>a</w:t>`)}</w:r>`),
  ),
  paged(
    'empty paragraphs between pages',
    500,
    (count) => first + many(count, paragraph('', '<w:jc/>') + paragraph(marked)),
  ),
  paged(
    'empty paragraphs',
    1_000,
    (count) => first + many(count, paragraph('', '<w:jc/>')) + paragraph(marked),
  ),
  paged(
    'breaks of pages by properties',
    500,
    (count) => first + many(count, paragraph(textRun('a'), '<w:pageBreakBefore/>')) + paragraph(marked),
  ),
  paged(
    'rows that begin pages',
    300,
    (count) =>
      first +
      table(
        many(count, row(cell(first)) + row(cell(paragraph(marked)))),
        [100],
        '<w:tblLook w:val="04A0" w:firstRow="1"/>',
      ),
  ),
  paged(
    'rows that go on',
    300,
    (count) =>
      first +
      table(
        many(count, row(cell(paragraph(textRun('a') + marked)) + cell(first), '<w:trHeight w:val="1"/>')),
      ),
  ),
  paged(
    'marks of pages in a row',
    500,
    (count) => first + table(row(cell(many(count, paragraph(textRun('a') + marked))))),
  ),
  paged(
    'header rows',
    1_000,
    (count) =>
      first +
      table(
        many(count, row(cell(first), '<w:tblHeader/>')) + row(cell(first)) + row(cell(paragraph(marked))),
      ),
  ),
  paged(
    'merged cells',
    800,
    (count) =>
      first +
      table(
        many(
          count,
          row(cell(first, '<w:vMerge w:val="restart"/>')) + row(cell(paragraph(marked), '<w:vMerge/>')),
        ),
      ) +
      first,
  ),
  paged(
    'tables that begin pages',
    200,
    (count) =>
      first +
      many(
        count,
        table(row(cell(paragraph(marked)), '<w:tblPrEx/>'), [100], '<w:tblpPr/>') +
          table(row(cell(paragraph(marked)))),
      ),
  ),
  paged(
    'controls around rows',
    300,
    (count) =>
      first +
      table(
        many(
          count,
          `<w:sdt><w:sdtContent>${row(cell(first))}</w:sdtContent></w:sdt>${row(cell(paragraph(marked)))}`,
        ),
      ),
  ),
  paged(
    'elements around marks',
    300,
    (count) =>
      first + many(count, paragraph(`${textRun('a')}<w:ins><w:hyperlink>${marked}</w:hyperlink></w:ins>`)),
  ),
  paged(
    'fields in paragraphs',
    400,
    (count) =>
      first +
      many(
        count,
        paragraph(
          '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:fldSimple w:instr="PAGE"/><w:r><w:fldChar w:fldCharType="end"/></w:r>',
        ) + paragraph(marked),
      ),
  ),
  paged(
    'list items between pages',
    300,
    (count) =>
      first +
      many(
        count,
        paragraph(textRun('a') + marked, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
      ),
  ),
  paged(
    'sections of marked pages',
    300,
    (count) =>
      first +
      many(
        count,
        paragraph(marked) +
          paragraph(
            '',
            '<w:sectPr><w:footerReference r:id="a"/><w:pgSz w:h="16838"/><w:pgMar w:top="1440" w:bottom="1440" w:footer="700"/><w:docGrid w:type="lines" w:linePitch="360"/></w:sectPr>',
          ),
      ),
  ),
  paged(
    'drawings in front of empty paragraphs',
    200,
    (count) =>
      first +
      many(
        count,
        paragraph(
          '<w:r><w:drawing><wp:anchor><wp:wrapNone/></wp:anchor></w:drawing></w:r><w:r><w:pict><v:shape style="position:absolute"/></w:pict></w:r>',
        ) +
          paragraph('', '<w:jc/>') +
          paragraph(marked),
      ),
  ),
  inParts(
    'items of lists that go on',
    300,
    (count) => ({
      body: first + many(count, paragraph(textRun('a') + marked, '<w:pStyle w:val="s"/>')),
      parts: {
        'styles.xml': wordPart(
          'styles',
          '<w:style w:type="paragraph" w:styleId="s"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
        ),
        'numbering.xml': wordPart(
          'numbering',
          '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:pPr><w:ind w:left="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
        ),
      },
      properties: `${savedByWord(1)}<AppVersion>16.0000</AppVersion>`,
    }),
    MOST,
  ),
  paged(
    'empty paragraphs above breaks of pages',
    300,
    (count) =>
      first +
      paragraph(marked) +
      many(count, paragraph('', '<w:jc/>') + paragraph(textRun('a'), '<w:pageBreakBefore/>')),
  ),
  paged(
    'tables that are empty elements',
    1_000,
    (count) => first + paragraph(marked) + many(count, `<w:tbl/>${first}`),
  ),
];
