/** Documents of a few kilobytes, each of which once held a server up for seconds. */
import { docxLeadingTo } from '../documents.ts';
import { noise } from '../noise.ts';
import { reportedDocx, wordPart } from '../report-documents.ts';
import { cell, many, paragraph, row, table } from './growing-document.ts';

const LONG = 190_000;
const DIAGRAMS = 8_500;
const diagrams = (padding?: Buffer) =>
  docxLeadingTo(
    { 'data.xml': 'diagramData', ...(padding && { 'media/a.bin': 'image' }) },
    {
      'word/data.xml': `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram">${many(20_500, '<dgm:pt/>')}</dgm:dataModel>`,
      ...(padding && { 'word/media/a.bin': padding }),
    },
    paragraph(`<w:r>${many(DIAGRAMS, '<dgm:relIds r:dm="rId1"/>')}</w:r>`),
  );
const longFont = paragraph(
  `<w:r><w:rPr><w:rFonts w:ascii="${'a'.repeat(LONG)}"/></w:rPr>${many(8_000, '<w:t>a</w:t>')}</w:r>`,
);

/** By name. Each is made anew. */
export const attacks: Readonly<Record<string, () => Buffer>> = {
  /** 8,500 diagrams of one part of data of 185 kB. */
  diagrams: () => diagrams(),
  /** The attributes of a font, 190 kB, before many texts. */
  'long-font': () => reportedDocx({ body: longFont }),
  'long-font-in-table': () => reportedDocx({ body: table(row(cell(longFont)), [300]) }),
  /** 650 names of fonts of 505 blanks. */
  'blanks-in-font-names': () =>
    reportedDocx({
      body: '<w:p/>',
      parts: {
        'fontTable.xml': wordPart(
          'fonts',
          many(650, (i) => `<w:font w:name="a${i}${' '.repeat(505)}b"></w:font>`),
        ),
      },
    }),
  /** The first one in a package of 10 MB. */
  'diagrams-in-large-package': () => diagrams(noise(10_000_000)),
  /** 100 names of styles with 900 blanks in front. */
  'blanks-in-fields': () =>
    reportedDocx({
      body: '<w:p/>',
      parts: {
        'header1.xml': wordPart(
          'hdr',
          many(100, paragraph(`<w:fldSimple w:instr="STYLEREF${' '.repeat(900)}a&quot;"/>`)),
        ),
      },
    }),
  /** 3,000 equations, each with hundreds of runs that repeat 1.8 kB of properties. */
  'equations-in-a-run': () =>
    reportedDocx({
      body: many(
        30,
        paragraph(
          `<w:r><w:rPr><w:rFonts w:ascii="${'a'.repeat(1_800)}"/></w:rPr>${many(
            100,
            `<w:fldChar w:fldCharType="begin"/><w:instrText>EQ \\l(${'a,'.repeat(400)}a)</w:instrText><w:fldChar w:fldCharType="end"/>`,
          )}</w:r>`,
        ),
      ),
    }),
  /** More edits than a function takes arguments. */
  'wraps-of-a-cover': () =>
    reportedDocx({
      body: `<w:p><w:r><w:drawing><wp:anchor>${many(150_000, '<wp:wrapSquare/>')}</wp:anchor></w:drawing></w:r></w:p>${paragraph('<w:r><w:br w:type="page"/></w:r>')}`,
    }),
};
