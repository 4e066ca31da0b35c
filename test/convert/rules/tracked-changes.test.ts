/** Documents after their tracked changes, and before them. */
import t from 'tap';
import {
  countChanges,
  hasTrackedChange,
  type Version,
  withoutChanges,
} from '../../../src/convert/rules/tracked-changes.ts';
import { rewritten } from '../support/rewritten.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const by = 'w:id="1" w:author="A"';
const as = (version: Version, part: string) => rewritten((xml) => withoutChanges(xml, version), part) ?? part;
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const p = (content: string, properties = '') => `<w:p>${properties}${content}</w:p>`;
const ins = (content: string) => `<w:ins ${by}>${content}</w:ins>`;
const del = (text: string) => `<w:del ${by}><w:r><w:delText>${text}</w:delText></w:r></w:del>`;
const mark = (change: string, more = '') => `<w:pPr>${more}<w:rPr><w:${change} ${by}/></w:rPr></w:pPr>`;
const plain = '<w:pPr><w:rPr></w:rPr></w:pPr>';
const body = (inner: string) => `<w:body>${inner}</w:body>`;
const sdt = (inner: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`;
const tc = (inner: string, change = '') => `<w:tc><w:tcPr>${change}</w:tcPr>${inner}</w:tc>`;
const tr = (cells: string, change = '') => `<w:tr><w:trPr>${change}</w:trPr>${cells}</w:tr>`;
const bookmark = (id: number, end = 'Start') => `<w:bookmark${end} w:id="${id}"/>`;
const fldChar = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

/** A change, what is there after it, and what was there before. */
type Case = readonly [changed: string, final: string, original: string];
const cases: Readonly<Record<string, Case>> = {
  insertion: [
    p(run('a') + ins(run('b')) + run('c')),
    p(run('a') + run('b') + run('c')),
    p(run('a') + run('c')),
  ],
  deletion: [
    p(`<w:del ${by}><w:r><w:delText xml:space="preserve">a </w:delText></w:r></w:del>`),
    p(''),
    p('<w:r><w:t xml:space="preserve">a </w:t></w:r>'),
  ],
  'deleted field': [
    p(`<w:del ${by}><w:r><w:delInstrText>PAGE</w:delInstrText></w:r></w:del>`),
    p(''),
    p('<w:r><w:instrText>PAGE</w:instrText></w:r>'),
  ],
  'deleted field of which Word leaves a part': [
    p(
      `<w:del ${by}>${fldChar('begin')}</w:del><w:r><w:instrText>MERGEFORMAT</w:instrText></w:r>\
<w:del ${by}>${fldChar('separate')}${run('a')}${fldChar('end')}</w:del>${run('b')}`,
    ),
    p(`<w:r></w:r>${run('b')}`),
    p(
      `${fldChar('begin')}<w:r><w:instrText>MERGEFORMAT</w:instrText></w:r>${fldChar('separate')}${run('a')}${fldChar('end')}${run('b')}`,
    ),
  ],
  'deleted end of a field': [
    p(`${fldChar('begin')}<w:del ${by}>${fldChar('end')}</w:del>`),
    p(fldChar('begin') + fldChar('end')),
    p(fldChar('begin') + fldChar('end')),
  ],
  'deleted break': [
    p(`${run('a')}<w:del ${by}><w:r><w:br w:type="page"/></w:r></w:del>${run('b')}`),
    p(run('a') + run('b')),
    p(`${run('a')}<w:r><w:br w:type="page"/></w:r>${run('b')}`),
  ],
  'deletion of an insertion': [p(ins(del('a')) + run('b')), p(run('b')), p(run('b'))],
  'deletion inside an insertion': [p(ins(run('a') + del('b') + run('c'))), p(run('a') + run('c')), p('')],
  'insertion inside a deletion': [p(`<w:del ${by}>${run('a')}${ins(run('b'))}</w:del>`), p(''), p(run('a'))],
  move: [
    p(
      `<w:moveFromRangeStart ${by} w:name="m"/><w:moveFrom ${by}>${run('a')}</w:moveFrom><w:moveFromRangeEnd w:id="1"/>\
<w:moveToRangeStart ${by} w:name="m"/><w:moveTo ${by}>${run('b')}</w:moveTo><w:moveToRangeEnd w:id="1"/>`,
    ),
    p(run('b')),
    p(run('a')),
  ],
  'text in a text box': [
    p(`<w:r><w:pict><w:txbxContent>${p(ins(run('a')) + del('b'))}</w:txbxContent></w:pict></w:r>`),
    p(`<w:r><w:pict><w:txbxContent>${p(run('a'))}</w:txbxContent></w:pict></w:r>`),
    p(`<w:r><w:pict><w:txbxContent>${p(run('b'))}</w:txbxContent></w:pict></w:r>`),
  ],
  'bookmarks around what is gone, and in it': [
    p(
      `${bookmark(1)}<w:del ${by}>${bookmark(1, 'End')}${bookmark(2)}${bookmark(2, 'End')}${bookmark(3)}</w:del>${bookmark(3, 'End')}`,
    ),
    p(bookmark(1) + bookmark(1, 'End') + bookmark(3) + bookmark(3, 'End')),
    p(bookmark(1) + bookmark(1, 'End') + bookmark(2) + bookmark(2, 'End') + bookmark(3) + bookmark(3, 'End')),
  ],
  'formatting of a run': [
    `<w:rPr><w:b/><w:rPrChange ${by}><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr>`,
    '<w:rPr><w:b/></w:rPr>',
    '<w:rPr><w:i/></w:rPr>',
  ],
  'formatting of a run that had none': [
    `<w:rPr><w:b/><w:rPrChange ${by}><w:rPr/></w:rPrChange></w:rPr>`,
    '<w:rPr><w:b/></w:rPr>',
    '<w:rPr></w:rPr>',
  ],
  'formatting of a paragraph': [
    `<w:pPr><w:jc w:val="right"/><w:rPr><w:b/><w:rPrChange ${by}><w:rPr><w:ins ${by}/><w:i/></w:rPr></w:rPrChange></w:rPr>\
<w:sectPr><w:cols/></w:sectPr><w:pPrChange ${by}><w:pPr><w:jc w:val="left"/></w:pPr></w:pPrChange></w:pPr>`,
    '<w:pPr><w:jc w:val="right"/><w:rPr><w:b/></w:rPr><w:sectPr><w:cols/></w:sectPr></w:pPr>',
    '<w:pPr><w:jc w:val="left"/><w:rPr><w:i/></w:rPr><w:sectPr><w:cols/></w:sectPr></w:pPr>',
  ],
  'a list': [
    `<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/><w:ins ${by}/></w:numPr></w:pPr>`,
    '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
    '<w:pPr></w:pPr>',
  ],
  'numbers of a list': [
    `<w:numPr><w:numId w:val="1"/><w:numberingChange ${by} w:original="1."/></w:numPr>`,
    '<w:numPr><w:numId w:val="1"/></w:numPr>',
    '<w:numPr><w:numId w:val="1"/></w:numPr>',
  ],
  'a section': [
    `<w:sectPr><w:headerReference r:id="a"/><w:cols w:num="2"/><w:sectPrChange ${by}><w:sectPr><w:cols/></w:sectPr></w:sectPrChange></w:sectPr>`,
    '<w:sectPr><w:headerReference r:id="a"/><w:cols w:num="2"/></w:sectPr>',
    '<w:sectPr><w:headerReference r:id="a"/><w:cols/></w:sectPr>',
  ],
  'a table': [
    `<w:tblPr><w:jc/><w:tblPrChange ${by}><w:tblPr/></w:tblPrChange></w:tblPr>\
<w:tblGrid><w:gridCol w:w="1"/><w:tblGridChange w:id="1"><w:tblGrid><w:gridCol w:w="2"/></w:tblGrid></w:tblGridChange></w:tblGrid>`,
    '<w:tblPr><w:jc/></w:tblPr><w:tblGrid><w:gridCol w:w="1"/></w:tblGrid>',
    '<w:tblPr></w:tblPr><w:tblGrid><w:gridCol w:w="2"/></w:tblGrid>',
  ],
  'a row and a cell': [
    tr(
      tc('<w:p/>', `<w:tcW/><w:tcPrChange ${by}><w:tcPr/></w:tcPrChange>`),
      `<w:cantSplit/><w:trPrChange ${by}><w:trPr/></w:trPrChange>`,
    ),
    tr(tc('<w:p/>', '<w:tcW/>'), '<w:cantSplit/>'),
    tr(tc('<w:p/>')),
  ],
  'merged cells': [
    tc(p(''), `<w:cellMerge ${by} w:vMerge="cont" w:vMergeOrig="rest"/>`),
    tc(p(''), '<w:vMerge w:val="continue"/>'),
    tc(p(''), '<w:vMerge w:val="restart"/>'),
  ],
  'merged cells, with an end tag': [
    tc(p(''), `<w:cellMerge ${by} w:vMerge="rest"></w:cellMerge>`),
    tc(p(''), '<w:vMerge w:val="restart"/>'),
    tc(p('')),
  ],
  'a former cell that was merged': [
    tc(
      p(''),
      `<w:tcPrChange ${by}><w:tcPr><w:tcW/><w:cellMerge ${by} w:vMerge="rest"/></w:tcPr></w:tcPrChange>`,
    ),
    tc(p('')),
    tc(p(''), '<w:tcW/>'),
  ],
  'an inserted mark': [
    body(
      p(run('a'), mark('ins', '<w:jc w:val="right"/>')) + p(run('b'), '<w:pPr><w:jc w:val="left"/></w:pPr>'),
    ),
    body(
      p(run('a'), '<w:pPr><w:jc w:val="right"/><w:rPr></w:rPr></w:pPr>') +
        p(run('b'), '<w:pPr><w:jc w:val="left"/></w:pPr>'),
    ),
    body(p(run('a') + run('b'), '<w:pPr><w:jc w:val="left"/></w:pPr>')),
  ],
  'several inserted marks': [
    body(`${p(run('a'), mark('ins'))}${bookmark(1)}${p('', mark('moveTo'))}${p(run('c'))}${p(run('d'))}`),
    body(`${p(run('a'), plain)}${bookmark(1)}${p('', plain)}${p(run('c'))}${p(run('d'))}`),
    body(`<w:p>${run('a')}${bookmark(1)}${run('c')}</w:p>${p(run('d'))}`),
  ],
  'an inserted paragraph': [
    body(p(ins(run('a')), mark('ins')) + p(run('b'))),
    body(p(run('a'), plain) + p(run('b'))),
    body(p(run('b'))),
  ],
  'an inserted mark before an empty paragraph': [
    body(`${p(run('a'), mark('ins'))}<w:p/>`),
    body(`${p(run('a'), plain)}<w:p/>`),
    body(p(run('a'))),
  ],
  'an inserted paragraph before a table': [
    body(`${p(ins(run('a')), mark('ins'))}<w:tbl>${tr(tc('<w:p/>'))}</w:tbl>`),
    body(`${p(run('a'), plain)}<w:tbl>${tr(tc('<w:p/>'))}</w:tbl>`),
    body(`<w:tbl>${tr(tc('<w:p/>'))}</w:tbl>`),
  ],
  'the last paragraph': [
    body(p(ins(run('a')), mark('ins', '<w:jc/>'))),
    body(p(run('a'), '<w:pPr><w:jc/><w:rPr></w:rPr></w:pPr>')),
    body(p('', '<w:pPr><w:jc/><w:rPr></w:rPr></w:pPr>')),
  ],
  'a deleted mark': [
    body(p(run('a'), mark('del', '<w:jc/>')) + p(run('b'))),
    body(p(run('a') + run('b'))),
    body(p(run('a'), '<w:pPr><w:jc/><w:rPr></w:rPr></w:pPr>') + p(run('b'))),
  ],
  'a deleted end of a section': [
    body(p(del('a'), mark('del').replace('</w:pPr>', '<w:sectPr/></w:pPr>')) + p(run('b'))),
    body(p(run('b'))),
    body(p(run('a'), '<w:pPr><w:rPr></w:rPr><w:sectPr/></w:pPr>') + p(run('b'))),
  ],
  'a deleted end of a section before a table': [
    body(
      `${p(run('a'), mark('del').replace('</w:pPr>', '<w:sectPr/></w:pPr>'))}<w:tbl>${tr(tc('<w:p/>'))}</w:tbl>`,
    ),
    body(`${p(run('a'), plain)}<w:tbl>${tr(tc('<w:p/>'))}</w:tbl>`),
    body(`${p(run('a'), '<w:pPr><w:rPr></w:rPr><w:sectPr/></w:pPr>')}<w:tbl>${tr(tc('<w:p/>'))}</w:tbl>`),
  ],
  rows: [
    `<w:tbl>${tr(tc(p(run('a'))), `<w:ins ${by}/>`)}${tr(tc(p(run('b'))), `<w:del ${by}/>`)}</w:tbl>`,
    `<w:tbl>${tr(tc(p(run('a'))))}</w:tbl>`,
    `<w:tbl>${tr(tc(p(run('b'))))}</w:tbl>`,
  ],
  'all rows': [
    body(`<w:tbl><w:tblPr/>${tr(tc(p(run('a'))), `<w:ins ${by}/>`)}</w:tbl>${p(run('b'))}`),
    body(`<w:tbl><w:tblPr/>${tr(tc(p(run('a'))))}</w:tbl>${p(run('b'))}`),
    body(p(run('b'))),
  ],
  cells: [
    tr(tc(p(run('a')), `<w:cellIns ${by}/>`) + tc(p(run('b')), `<w:cellDel ${by}/>`)),
    tr(tc(p(run('a')))),
    tr(tc(p(run('b')))),
  ],
  'a control with a deletion': [
    body(sdt(p(run('a') + del('b')))),
    body(sdt(p(run('a')))),
    body(sdt(p(run('a') + run('b')))),
  ],
  'a control in which all is deleted': [
    body(sdt(p(del('a'), mark('del'))) + p(run('b') + sdt(del('c')))),
    body(p(run('b'))),
    body(sdt(p(run('a'), plain)) + p(run('b') + sdt(run('c')))),
  ],
  'all of a body, before its last section': [
    body(`${sdt(p(del('a'), mark('del')))}<w:sectPr/>`),
    body('<w:p/><w:sectPr/>'),
    body(`${sdt(p(run('a'), plain))}<w:sectPr/>`),
  ],
  'all of a cell': [tc(sdt(p(del('a'), mark('del')))), tc('<w:p/>'), tc(sdt(p(run('a'), plain)))],
  'a control that was deleted around its text': [
    p(
      `<w:customXmlDelRangeStart ${by}/><w:sdt><w:sdtContent><w:customXmlDelRangeEnd w:id="1"/>${run('a')}${del('b')}</w:sdtContent></w:sdt>`,
    ),
    p(`<w:sdt><w:sdtContent>${run('a')}</w:sdtContent></w:sdt>`),
    p(`<w:sdt><w:sdtContent>${run('a')}${run('b')}</w:sdtContent></w:sdt>`),
  ],
  'runs of a formula': [
    `<m:oMath><m:r><m:t>a</m:t></m:r>${ins('<m:r><m:t>b</m:t></m:r>')}<w:del ${by}><m:r><m:t>c</m:t></m:r></w:del></m:oMath>`,
    '<m:oMath><m:r><m:t>a</m:t></m:r><m:r><m:t>b</m:t></m:r></m:oMath>',
    '<m:oMath><m:r><m:t>a</m:t></m:r><m:r><m:t>c</m:t></m:r></m:oMath>',
  ],
  'changes inside runs of a formula': [
    `<m:oMath><m:r>${ins('<w:rPr/><m:t>a</m:t>')}</m:r><m:r><w:del ${by}><w:rPr/></w:del><m:t>b</m:t></m:r></m:oMath>`,
    '<m:oMath><m:r><w:rPr/><m:t>a</m:t></m:r></m:oMath>',
    '<m:oMath><m:r><w:rPr/><m:t>b</m:t></m:r></m:oMath>',
  ],
  'objects of a formula': [
    `<m:oMath><m:r/><m:f><m:fPr><m:ctrlPr>${ins('<w:rPr/>')}</m:ctrlPr></m:fPr></m:f><m:rad><m:radPr><m:ctrlPr><w:del ${by}><w:rPr/></w:del></m:ctrlPr></m:radPr></m:rad></m:oMath>`,
    '<m:oMath><m:r/><m:f><m:fPr><m:ctrlPr><w:rPr/></m:ctrlPr></m:fPr></m:f></m:oMath>',
    '<m:oMath><m:r/><m:rad><m:radPr><m:ctrlPr><w:rPr/></m:ctrlPr></m:radPr></m:rad></m:oMath>',
  ],
  'a formula': [
    p(`<m:oMathPara><m:oMath><w:del ${by}><m:r><m:t>a</m:t></m:r></w:del></m:oMath></m:oMathPara>`),
    p(''),
    p('<m:oMathPara><m:oMath><m:r><m:t>a</m:t></m:r></m:oMath></m:oMathPara>'),
  ],
};

t.test('both versions', async (t) => {
  for (const [what, [changed, ...versions]] of Object.entries(cases)) {
    t.ok(hasTrackedChange(changed), `${what}: it is found`);
    for (const [index, expected] of versions.entries()) {
      const version = (['final', 'original'] as const)[index] ?? 'final';
      t.equal(as(version, changed), expected, `${what}: ${version}`);
      t.notOk(hasTrackedChange(expected), `${what}: nothing is tracked`);
      t.equal(as(version, expected), expected, `${what}: the same again`);
      const other = (part: string) => part.replaceAll('w:', 'x:').replace(/<[\w:]+/, `$& xmlns:x="${WORD}"`);
      t.equal(as(version, other(changed)), other(expected), `${what}: with another prefix`);
    }
  }
});

t.test('what looks like a change', async (t) => {
  for (const part of [
    `<!--<w:ins ${by}/>--><w:p/>`,
    `<w:p><w:r><w:t>&lt;w:ins&gt;</w:t></w:r></w:p>`,
    `<w:p><o:ins ${by}>${run('a')}</o:ins></w:p>`,
    `<w:comment ${by}><w:p/></w:comment>`,
    '<w:insideH w:val="single"/><w:t>ins author=</w:t>',
  ]) {
    t.notOk(hasTrackedChange(part));
    for (const version of ['final', 'original'] as const) t.equal(as(version, part), part);
  }
});

t.test('broken and endless markup, in linear time', async (t) => {
  const many = 20_000;
  for (const part of [
    `<w:ins ${by}>`.repeat(many),
    `</w:ins></w:p>`.repeat(many),
    `<w:p>${mark('ins')}${mark('del')}`.repeat(many),
    p('', mark('ins')).repeat(many),
    p(del('a'), mark('del')).repeat(many),
    `<w:rPr><w:rPrChange ${by}>`.repeat(many),
    `<w:tbl><w:tr><w:tc><w:tcPr><w:cellIns ${by}/><w:cellDel ${by}/>`.repeat(many),
    '<w:ins '.repeat(many),
    `<w:del ${by}>${bookmark(1)}${fldChar('end')}`.repeat(many),
  ])
    for (const version of ['final', 'original'] as const) t.ok(as(version, part).length <= part.length);
});

t.test('counts insertions, deletions and moves', async (t) => {
  t.equal(countChanges(cases.rows?.[0] ?? ''), 2);
  t.equal(countChanges(cases['formatting of a run']?.[0] ?? ''), 0);
  t.equal(countChanges(cases['insertion inside a deletion']?.[0] ?? ''), 1);
});
