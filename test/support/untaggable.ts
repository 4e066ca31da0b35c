/** A document that LibreOffice 7.4 cannot tag. */
import { docxWithParts, mainPart } from './documents.ts';

const LINES = 5;
const ROWS = 17;
const EMPTY = '<w:p/>';
const CONTINUOUS = '<w:p><w:pPr><w:sectPr><w:type w:val="continuous"/></w:sectPr></w:pPr></w:p>';

/**
 * A DOCX of two pages with a table that crosses the page end at the end of a continuous section. LibreOffice 7.4
 * crashes when it tags the PDF, 25.2 does not; both convert it without tags.
 */
export function untaggableDocx(): Buffer {
  const lines = Array.from({ length: LINES }, () => '<w:t>line</w:t>').join('<w:br/>');
  const cells = [EMPTY, `<w:p><w:r>${lines}</w:r></w:p>`, EMPTY].map((inner) => `<w:tc>${inner}</w:tc>`);
  const table = `<w:tbl>${`<w:tr>${cells.join('')}</w:tr>`.repeat(ROWS)}</w:tbl>`;
  return docxWithParts({
    'word/document.xml': mainPart(EMPTY.repeat(10) + table + CONTINUOUS.repeat(2)),
  });
}
