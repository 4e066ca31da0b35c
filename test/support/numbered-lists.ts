/** Documents of numbered lists. */
import { docxLeadingTo } from './documents.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export interface NumberedList {
  /** The format of its numbers: a value of ST_NumberFormat (ISO/IEC 29500-1, 17.18.59). */
  readonly format: string;
  /** Of its paragraphs, such as `de-DE`. */
  readonly language: string;
  /** What its paragraphs count, from its start in steps of one; each paragraph has `format` as its text. */
  readonly numbers: readonly number[];
}

/** A DOCX of these lists, one after the other, each of one paragraph for each of its numbers. */
export function numberedListsDocx(lists: readonly NumberedList[]): Buffer {
  // Each number is a list of its own, which starts there.
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
