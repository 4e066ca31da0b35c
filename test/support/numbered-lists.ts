/** Documents of numbered lists. */
import { docxLeadingTo } from './documents.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

interface NumberedList {
  /** Its number format: a value of ST_NumberFormat (ISO/IEC 29500-1, 17.18.59). */
  readonly format: string;
  /** Language of its paragraphs, such as `de-DE`. */
  readonly language: string;
  /** Numbers of its paragraphs, each of which has `format` as its text. */
  readonly numbers: readonly number[];
}

/** A DOCX of these lists in order, with a paragraph for each number. */
export function numberedListsDocx(lists: readonly NumberedList[]): Buffer {
  // Each number is its own list, which starts there.
  const items = lists.flatMap(({ numbers, ...list }) => numbers.map((start) => ({ ...list, start })));
  const definitions = items.map(
    ({ format, start }, i) =>
      `<w:abstractNum w:abstractNumId="${i}"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0">` +
      `<w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%1|"/><w:lvlJc w:val="left"/>` +
      '</w:lvl></w:abstractNum>',
  );
  const instances = items.map((_, i) => `<w:num w:numId="${i + 1}"><w:abstractNumId w:val="${i}"/></w:num>`);
  const paragraphs = items.map(({ format, language }, i) => {
    const properties = `<w:rPr><w:lang w:val="${language}" w:eastAsia="${language}" w:bidi="${language}"/></w:rPr>`;
    const numbering = `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${i + 1}"/></w:numPr>`;
    return (
      `<w:p><w:pPr>${numbering}${properties}</w:pPr>` +
      `<w:r>${properties}<w:t>${format} ${language}</w:t></w:r></w:p>`
    );
  });
  return docxLeadingTo(
    { 'numbering.xml': 'numbering' },
    {
      'word/numbering.xml': `<w:numbering ${W}>${definitions.join('')}${instances.join('')}</w:numbering>`,
    },
    paragraphs.join(''),
  );
}
