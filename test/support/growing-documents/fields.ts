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

/** A field with a field inside its instruction. */
const around = (before: string, inner: string, behind: string) =>
  character('begin') +
  instruction(before) +
  inner +
  instruction(behind) +
  character('separate') +
  character('end');
const formulas = [
  around('=', field('PAGE'), '* (2 + -1) / ABS(3 - 1) '),
  around('IF', field('PAGE'), `&gt; MOD "a${'b'.repeat(20)}" `),
  around('IF', field('NUMPAGES'), '= 3 "last \\"one\\"" ""'),
  around('= ROUND(', field('SECTION'), ', 1) \\* CardText'),
  field('SECTIONPAGES \\* Ordinal'),
  field('PAGE \\* OrdText \\* Upper'),
  field('PAGE \\* ArabicDash'),
  field('PAGE \\* Hex'),
  field('PAGE \\* CardText \\* FirstCap \\* Lower'),
  field('PAGE \\* OrdText \\* Caps'),
  around('IF', `${field('PAGE')}${instruction('&gt; 1 "')}${field('TITLE', textRun('a"b'))}`, '&amp;" ""'),
];
const equation =
  'EQ a &amp; b\\f(1,2)\\r(3,x)\\r(y)\\x(b)\\s\\up 2(c)\\b\\bc\\[(d)\\l(e,f)\\o\\ac(○,1) \\* MERGEFORMAT(';

/** A section that counts its pages anew. */
const SECTION =
  '<w:p><w:pPr><w:sectPr><w:type w:val="oddPage"/><w:pgNumType w:start="4"/></w:sectPr></w:pPr></w:p>';

export const fieldKinds: readonly GrowingDocument[] = [
  inBody('file names', 300, paragraph(field('FILENAME \\p'))),
  inBody(
    'fields of sequences',
    200,
    paragraph(
      field('SEQ A \\s 1 \\* ROMAN', '') + field('SEQ B \\* alphabetic', ''),
      '<w:pStyle w:val="Heading"/>',
    ),
    ['', ''],
    {
      parts: {
        'styles.xml': wordPart(
          'styles',
          '<w:style w:type="paragraph" w:styleId="Heading"><w:name w:val="heading 1"/><w:aliases w:val="One"/>\
<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
        ),
      },
    },
  ),
  inBody(
    'list numbers',
    150,
    paragraph(['LISTNUM', 'AUTONUM', 'AUTONUMOUT'].map((kind) => field(kind, '')).join(''), '<w:numPr/>') +
      paragraph(Array.from({ length: 9 }, (_, i) => field(`LISTNUM \\l ${i + 1}`, '')).join('')),
  ),
  inBody(
    'fields of equations',
    200,
    paragraph(field(equation.slice(0, -' \\* MERGEFORMAT('.length), '') + field(equation, '')),
  ),
  inBody(
    'barcodes',
    30,
    paragraph(
      ['EAN8 \\t \\b 0xFFFFFF', 'EAN8 \\r 1', 'EAN8 \\r 2', 'EAN8 \\r 3']
        .map((type) => field(`DISPLAYBARCODE 96385074 ${type}`, ''))
        .join(''),
    ),
  ),
  inBody(
    'cross-references',
    300,
    paragraph('<w:bookmarkStart w:id="1" w:name="a"/>') +
      paragraph('<w:r><w:br w:type="page"/></w:r>') +
      paragraph(`<w:bookmarkStart w:id="2" w:name="b"/>${field('REF a \\h')}${field('PAGEREF a')}`) +
      paragraph(`${field('PAGEREF b')}${field('PAGEREF b \\* roman')}`),
  ),
  inParts('fields of pages', 100, (count) => ({
    body: many(count, paragraph(textRun('a b '.repeat(300)) + field('SECTION'))),
    parts: {
      'header1.xml': wordPart('hdr', many(count, paragraph(formulas.join('')))),
      'footer1.xml': wordPart(
        'ftr',
        many(count, paragraph(`<w:fldSimple w:instr="SECTIONPAGES"/>${formulas[0]}`)),
      ),
    },
  })),
  inParts('fields of pages in Chinese', 100, (count) => ({
    body: many(count, paragraph(textRun('字。'.repeat(600)), '<w:sectPr/>')),
    parts: { 'header1.xml': wordPart('hdr', paragraph(formulas[0] ?? '')) },
  })),
  inParts('page numbers with chapters', 200, (count) => ({
    body: many(count, paragraph('', '<w:sectPr><w:pgNumType w:chapStyle="x"/></w:sectPr>')),
    parts: { 'header1.xml': wordPart('hdr', many(count, paragraph(field('PAGE')))) },
  })),
  inParts('different fields of pages', 100, (count) => ({
    body: paragraph(textRun('a')),
    parts: {
      'header1.xml': wordPart(
        'hdr',
        many(count, (i) => paragraph(around('=', field('PAGE'), `+ ${i}`))),
      ),
    },
  })),
  inParts('sections with other digits in page numbers', 300, (count) => ({
    body: many(count, () =>
      paragraph(textRun('a'), '<w:sectPr><w:pgNumType w:fmt="thaiNumbers"/></w:sectPr>'),
    ),
    parts: {
      'header1.xml': wordPart(
        'hdr',
        many(count, () => paragraph(field('PAGE \\* MERGEFORMAT'))),
      ),
    },
  })),
  inParts('styles in headers', 300, (count) => ({
    body: paragraph(textRun('a'), '<w:pStyle w:val="1"/>'),
    parts: {
      'header1.xml': wordPart(
        'hdr',
        many(count, paragraph(field('STYLEREF &quot;Titre 1&quot;') + field('STYLEREF B'))),
      ),
      'styles.xml': wordPart(
        'styles',
        many(
          count,
          (i) => `<w:style w:type="paragraph" w:styleId="${i}"><w:name w:val="heading ${i}"/></w:style>`,
        ),
      ),
    },
  })),
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
  inBody('fields in entries of an index', 200, paragraph(around('XE "', field('SEQ A', textRun('1')), '"'))),
  inBody('updated fields', 300, paragraph(field('AUTHOR') + field('DATE')), ['', ''], {
    shown: { fields: 'updated' },
  }),
  inBody('numbers of all pages', 200, `${paragraph(field('NUMPAGES', textRun('1')))}${SECTION}`, ['', ''], {
    shown: { pageNumbers: { first: 4, total: 9 } },
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
