/** Tracked changes, as they are made and as they are left out. */
import {
  cell,
  type GrowingDocument,
  inBody,
  many,
  paragraph,
  row,
  table,
  textRun,
} from './growing-document.ts';

const by = 'w:id="1" w:author="A"';
const deleted = `<w:del ${by}><w:r><w:delText>a</w:delText><w:delInstrText>b</w:delInstrText></w:r></w:del>`;
const inserted = `<w:ins ${by}>${textRun('a')}</w:ins>`;
const moved = `<w:moveFrom ${by}>${textRun('a')}</w:moveFrom><w:moveTo ${by}>${textRun('a')}</w:moveTo>`;
const mark = `<w:rPr><w:ins ${by}/></w:rPr>`;
const deletedMark = `<w:rPr><w:del ${by}/></w:rPr>`;
const character = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const control = (inner: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`;
const object = (change: string) =>
  `<m:f><m:fPr><m:ctrlPr><w:${change} ${by}/></m:ctrlPr></m:fPr><m:r><w:${change} ${by}/></m:r></m:f>`;
const former = (name: string, inner: string) =>
  `<w:${name}Change ${by}><w:${name}>${inner}</w:${name}></w:${name}Change>`;
const original = { shown: { changes: 'original' } } as const;
const around = (name: string, levels: number): [string, string] => [
  `<w:p>${many(levels, `<w:${name} ${by}>`)}`,
  `${many(levels, `</w:${name}>`)}</w:p>`,
];

const changes: readonly (readonly [name: string, size: number, unit: string, place?: [string, string]])[] = [
  ['changes', 300, paragraph(deleted + inserted + moved)],
  ['inserted ends of paragraphs', 500, paragraph(textRun('a').repeat(2), mark)],
  ['inserted paragraphs without text', 800, paragraph('', mark)],
  ['deleted ends of paragraphs', 500, paragraph(textRun('a').repeat(2), deletedMark)],
  ['deleted paragraphs', 500, paragraph(deleted, deletedMark)],
  [
    'controls without content left',
    250,
    control(paragraph(deleted, deletedMark)) + paragraph(control(deleted)),
  ],
  [
    'bookmarks in deletions',
    400,
    `<w:del ${by}><w:bookmarkStart w:id="1"/></w:del><w:del ${by}><w:bookmarkEnd w:id="1"/></w:del>`,
    ['<w:p>', '</w:p>'],
  ],
  ['bookmarks in many deletions', 1_000, '<w:bookmarkStart w:id="1"/>', around('del', 400)],
  [
    'parts of deleted fields',
    150,
    paragraph(
      `<w:del ${by}>${character('begin')}</w:del><w:r><w:instrText>a</w:instrText></w:r>${character('end')}\
${character('begin')}<w:del ${by}>${character('separate')}${character('end')}</w:del>`,
    ),
  ],
  ['changed formulas', 200, paragraph(`<m:oMath>${object('ins')}${object('del')}</m:oMath>`)],
  [
    'changed properties of paragraphs',
    400,
    paragraph(
      '',
      `<w:jc/><w:rPr><w:del ${by}/>${former('rPr', '<w:ins/>')}</w:rPr>${former('pPr', '<w:ind/>')}`,
    ),
  ],
  ['changed properties of runs', 500, paragraph(textRun('a', `<w:b/>${former('rPr', '<w:i/>')}`))],
  [
    'changed sections',
    400,
    paragraph('', `<w:sectPr><w:headerReference/>${former('sectPr', '<w:cols/>')}</w:sectPr>`),
  ],
  [
    'changed tables',
    150,
    table(
      row(
        cell(paragraph('a'), `<w:cellIns ${by}/><w:cellMerge ${by} w:vMergeOrig="rest"/>`),
        `<w:ins ${by}/>`,
      ),
      [100],
      former('tblPr', '<w:jc/>'),
    ),
  ],
  ['inserted rows of a table', 500, row(cell(paragraph('a')), `<w:ins ${by}/>`), ['<w:tbl>', '</w:tbl>']],
  [
    'inserted cells of a row',
    500,
    cell(paragraph('a'), `<w:cellIns ${by}/>`),
    ['<w:tbl><w:tr>', '</w:tr></w:tbl>'],
  ],
  [
    'inserted list items',
    500,
    paragraph(textRun('a'), `<w:numPr><w:ilvl w:val="0"/><w:ins ${by}/></w:numPr>`),
  ],
  ['marks of moves', 800, `<w:moveFromRangeStart ${by}/><w:moveFromRangeEnd w:id="1"/>`, ['<w:p>', '</w:p>']],
  ['runs in many deletions', 1_000, textRun('a'), around('del', 400)],
  [
    'marks of insertions outside of tables',
    1_500,
    `<w:trPr><w:ins ${by}/></w:trPr><w:cellIns ${by}/>`,
    around('x', 400),
  ],
];

export const changeKinds: readonly GrowingDocument[] = changes.flatMap(([name, size, unit, place]) => [
  inBody(name, size, unit, place, { most: 4_000 }),
  inBody(`${name}, left out`, size, unit, place, { most: 4_000, ...original }),
]);
