/**
 * A document for each element that the code names, wherever it names one: the names are taken from the sources, so that none can
 * be forgotten. Words that are no elements do no harm.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { savedByWord, wordPart } from '../report-documents.ts';
import { type GrowingDocument, inParts, many } from './growing-document.ts';

const folders = ['document', 'rules', 'pagination', 'package'].map((name) =>
  fileURLToPath(new URL(`../../../src/convert/${name}/`, import.meta.url)),
);
/** A string with a name as elements have it. */
const NAME = /'((?:mc:|a:|v:|o:|dgm:)?[a-z][A-Za-z]*)'/g;

/** Names of elements as the sources have them, some with a prefix. */
const elementNames: readonly string[] = [
  ...new Set(
    folders
      .flatMap((folder) => readdirSync(folder).map((file) => readFileSync(`${folder}${file}`, 'utf8')))
      .flatMap((text) => [...text.matchAll(NAME)].map(([, name = '']) => name)),
  ),
].sort();

/** Where the elements stand: in the body, a run, the properties of a paragraph, and a cell. */
const places: readonly (readonly [string, string])[] = [
  ['', ''],
  ['<w:p><w:r>', '</w:r></w:p>'],
  ['<w:p><w:pPr>', '</w:pPr><w:r><w:t>a</w:t></w:r></w:p>'],
  [
    '<w:tbl><w:tblGrid><w:gridCol w:w="9"/></w:tblGrid><w:tr><w:tc><w:p><w:r>',
    '</w:r></w:p></w:tc></w:tr></w:tbl>',
  ],
];
/** What every rule looks for, so that each reads the part. */
export const everyRuleReads =
  '<w:p><w:pPr><w:pStyle w:val="a"/><w:framePr w:wrap="auto"/><w:numPr/><w:spacing w:beforeAutospacing="0"/></w:pPr><w:r><w:rPr><w:rFonts w:ascii="Nowhere"/><w:cs/><w:webHidden/></w:rPr><w:instrText> PAGEREF </w:instrText><w:ptab/><w:t>&#xf0b7;א</w:t></w:r><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:t>a</w:t></w:r><w:r><w:lastRenderedPageBreak/><w:t>a</w:t></w:r></w:p><w:sdt><w:sdtPr><w:date/><w:dataBinding/></w:sdtPr></w:sdt><w:sectPr><w:type w:val="evenPage"/><w:cols w:num="2"/><w:docGrid w:type="lines" w:linePitch="9"/></w:sectPr><w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid></w:tbl>';
const written = (name: string) => (name.includes(':') ? name : `w:${name}`);
/** As one that is empty, and as one with text. */
const unit = (name: string) => (index: number) =>
  `<${written(name)} w:val="${index}"/><${written(name)} w:type="a" w:w="1"><w:t>a</w:t></${written(name)}>`;

/** Each element in all places of the main part, and in the styles, the lists, the settings and the font table. */
export const namedElements: readonly GrowingDocument[] = elementNames.map((name) =>
  inParts(`element ${name}`, 50, (count) => {
    const inner = many(count, unit(name));
    const parts = [
      ['styles', '<w:style w:styleId="a"><w:pPr>', '</w:pPr></w:style>'],
      [
        'numbering',
        '<w:abstractNum w:abstractNumId="1"><w:lvl><w:lvlText/><w:lvlJc/>',
        '</w:lvl></w:abstractNum>',
      ],
      ['settings', '', ''],
      ['fontTable', '<w:font w:name="a">', '</w:font>'],
    ].map(([part = '', before, behind]) => [`${part}.xml`, wordPart(part, before + inner + behind)]);
    return {
      body: everyRuleReads + places.map(([before, behind]) => before + inner + behind).join(''),
      parts: Object.fromEntries(parts),
      properties: savedByWord(1),
    };
  }),
);
