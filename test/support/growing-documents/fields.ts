/** Fields and tables of contents. */
import { wordPart } from '../report-documents.ts';
import {
  type GrowingDocument,
  grouped,
  inBody,
  inParts,
  many,
  paragraph,
  textRun,
} from './growing-document.ts';

const character = (type: string, more = '') => `<w:r><w:fldChar w:fldCharType="${type}"${more}/></w:r>`;
const instruction = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const field = (kind: string, result = textRun('a')) =>
  character('begin') + instruction(kind) + character('separate') + result + character('end');
const entry = paragraph(
  `${textRun('One')}<w:r><w:tab/></w:r>${field(' PAGEREF one ')}`,
  '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs>',
);
const styles = {
  'styles.xml': wordPart(
    'styles',
    '<w:style w:type="character" w:styleId="Link"><w:name w:val="Hyperlink"/></w:style>',
  ),
};

export const fieldKinds: readonly GrowingDocument[] = [
  inBody(
    'simple fields',
    800,
    `<w:fldSimple w:instr="AUTHOR">${textRun('a')}</w:fldSimple>`,
    ['<w:p>', '</w:p>'],
    {
      most: 8_000,
    },
  ),
  inBody('fields', 300, paragraph(field('AUTHOR'))),
  inBody('updated fields', 300, paragraph(field('AUTHOR') + field('DATE')), ['', ''], {
    shown: { fields: 'updated' },
  }),
  inParts('fields in fields', 400, (count) => ({
    body:
      many(count, paragraph(character('begin') + instruction('IF'))) +
      many(count, paragraph(character('separate') + textRun('a') + character('end'))),
  })),
  inBody('fields without an end', 500, paragraph(character('begin') + instruction('IF ') + textRun('a'))),
  inParts('pieces of an instruction', 4_000, (count) => ({
    body: paragraph(
      character('begin') + grouped(count, 100, instruction, ' A') + character('separate') + character('end'),
    ),
  })),
  inBody(
    'dirty fields',
    300,
    paragraph(character('begin', ' w:dirty="1"') + instruction('TOC') + character('end')),
  ),
  inBody('entries of a table of contents', 200, entry, [
    paragraph(character('begin') + instruction('TOC') + character('separate')),
    paragraph(character('end')),
  ]),
  inParts('links of a table of contents', 800, (count) => ({
    body:
      paragraph(character('begin') + instruction('TOC') + character('separate')) +
      many(count, paragraph(textRun('a', '<w:rStyle w:val="Link"/>'))) +
      paragraph(character('end')),
    parts: styles,
  })),
  inBody('tab stops with leaders', 2_000, '<w:tab w:leader="dot"/>', [
    '<w:p><w:pPr><w:tabs>',
    `</w:tabs></w:pPr></w:p>${entry}`,
  ]),
];
