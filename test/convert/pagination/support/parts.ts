/** Pieces of main parts, as Word writes them. */
import { Styles } from '../../../../src/convert/document/styles.ts';
import { noTheme } from '../../../../src/convert/document/theme.ts';
import { readPageStarts } from '../../../../src/convert/pagination/page-start-reader.ts';
import { mainPart } from '../../../support/documents.ts';

export const MARK = '<w:lastRenderedPageBreak/>';
/** A run with a page break. */
export const BREAK = '<w:r><w:br w:type="page"/></w:r>';

/** A run of text. @param before what stands before the text. */
export const text = (words: string, before = '') => `<w:r>${before}<w:t>${words}</w:t></w:r>`;

export const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;

export const first = paragraph(text('First page.'));
export const empty = paragraph('');
/** Properties of a paragraph in a list. */
export const numbered = (list: number, level = 0) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;
export const inList = numbered(1);

export const cell = (content: string) => `<w:tc>${content}</w:tc>`;
export const row = (cells: string, properties = '') => `<w:tr>${properties}${cells}</w:tr>`;
export const table = (rows: string) =>
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol/></w:tblGrid>${rows}</w:tbl>`;
/** A row of one cell. */
export const line = (words: string, before = '') => row(cell(paragraph(text(words, before))));
/** A row that is repeated on each page. */
export const header = row(cell(paragraph(text('head'))), '<w:trPr><w:tblHeader/></w:trPr>');

/** A main part with this body, with another prefix than `w`. */
export function renamed(body: string): string {
  return mainPart(body)
    .replace(/(<\/?|\s)w:/g, '$1x:')
    .replace('xmlns:w=', 'xmlns:x=');
}

/** What is in the body of a main part. */
export function bodyOf(xml: string): string {
  return xml.slice(xml.indexOf('<w:body>') + '<w:body>'.length, xml.indexOf('</w:body>'));
}

/** What a main part says of its pages, with styles or without. */
export const readStarts = (xml: string, styles = '') => readPageStarts(xml, new Styles(styles, noTheme));
