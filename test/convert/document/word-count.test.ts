/** How Word counts the characters of a document. The figures of the first cases are Word's own. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { countAsWord } from '../../../src/convert/document/word-count.ts';
import { mainPart } from '../../support/documents.ts';
import { relationships } from '../../support/office-package.ts';

const TARGET = 'https://example.org/';

function count(body: string) {
  const kept = new KeptParts('word/document.xml');
  const link = `<Relationship Id="rId1" Type="x/hyperlink" Target="${TARGET}" TargetMode="External"/>`;
  kept.keep('word/_rels/document.xml.rels', [Buffer.from(relationships([link]))]);
  return countAsWord(Buffer.from(mainPart(body)).toString('latin1'), kept);
}

const run = (content: string) => `<w:r><w:rPr><w:b/></w:rPr>${content}</w:r>`;
const text = (words: string) => run(`<w:t>${words}</w:t>`);

t.test('what is one character, or none', async (t) => {
  const cell = '<w:tc><w:tcPr><w:tcW w:w="1" w:type="dxa"/></w:tcPr><w:p/></w:tc>';
  const row = `<w:tr><w:trPr><w:cantSplit/></w:trPr>${cell}${cell}</w:tr>`;
  const box = '<w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent>';
  const drawing = `<w:drawing>${box}</w:drawing>`;
  const choice = `<mc:AlternateContent xmlns:mc="x"><mc:Choice>${drawing}</mc:Choice></mc:AlternateContent>`;
  const field = (type: string) => run(`<w:fldChar w:fldCharType="${type}"/>`);
  for (const [what, body, characters] of [
    ['a table of two rows and columns, and the paragraph behind it', `<w:tbl>${row}${row}</w:tbl><w:p/>`, 7],
    ['letters, also beyond ASCII and beyond 16 bits', `<w:p>${text('año 你好 &amp; 😀&#x1F600;')}</w:p>`, 14],
    ['a tab stop is none', '<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr></w:p>', 1],
    ['tabs, breaks, notes, symbols', `<w:p>${run('<w:tab/><w:br/><w:sym/><w:footnoteReference/>')}</w:p>`, 5],
    ['a comment', `<w:p>${run('<w:commentReference w:id="1"/>')}</w:p>`, 2],
    ['a drawing, whatever is in it', `<w:p>${run(drawing)}${run(choice)}${run('<w:pict/>')}</w:p>`, 4],
    [
      'a field, and a run for its data',
      `<w:p>${field('begin')}${run('<w:instrText> PAGE </w:instrText>')}${run('')}${field('separate')}${text('1')}${field('end')}</w:p>`,
      12,
    ],
    ['a short field', `<w:p><w:fldSimple w:instr=" PAGE ">${text('1')}</w:fldSimple></w:p>`, 11],
    ['a content control', `<w:sdt><w:sdtPr/><w:sdtContent><w:p/></w:sdtContent></w:sdt>`, 3],
    ['an empty run', '<w:p><w:r/></w:p>', 2],
    ['deleted text', `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`, 1],
  ] as const) {
    t.strictSame(count(body), { characters, tolerance: 1 }, what);
  }
});

t.test('a link is a field', async (t) => {
  const link = (attributes: string) => `<w:p><w:hyperlink ${attributes}>${text('here')}</w:hyperlink></w:p>`;
  for (const [attributes, field] of [
    ['r:id="rId1" w:history="1"', ` HYPERLINK "${TARGET}" `],
    ['r:id="rId1"', ` HYPERLINK "${TARGET}" \\h `],
    ['w:anchor="_Toc1" w:history="1"', ' HYPERLINK \\l "_Toc1" '],
    ['r:id="rId1" w:tooltip="año" w:history="1"', ` HYPERLINK "${TARGET}" \\o "año" `],
  ] as const) {
    const characters = field.length + 'here'.length + 3 + 1;
    t.strictSame(count(link(attributes)), { characters, tolerance: 2 }, attributes);
  }
});
