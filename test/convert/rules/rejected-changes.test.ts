/** Documents as they were before their tracked changes. */
import t from 'tap';
import { countChanges, withRejectedChanges } from '../../../src/convert/rules/rejected-changes.ts';
import { hasTrackedChange } from '../../../src/convert/rules/tracked-changes.ts';
import { rewritten } from '../support/rewritten.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const by = 'w:id="1" w:author="A"';
const before = (part: string) => rewritten(withRejectedChanges, part) ?? part;
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const p = (content: string, properties = '') => `<w:p>${properties}${content}</w:p>`;
const mark = (change: string, more = '') => `<w:pPr>${more}<w:rPr><w:${change} ${by}/></w:rPr></w:pPr>`;
const body = (inner: string) => `<w:body>${inner}</w:body>`;

/** A change, and what was there before. */
const cases: Readonly<Record<string, readonly [string, string]>> = {
  insertion: [p(`${run('a')}<w:ins ${by}>${run('b')}</w:ins>${run('c')}`), p(run('a') + run('c'))],
  deletion: [
    p(`<w:del ${by}><w:r><w:delText xml:space="preserve">a </w:delText></w:r></w:del>`),
    p('<w:r><w:t xml:space="preserve">a </w:t></w:r>'),
  ],
  'deleted field': [
    p(`<w:del ${by}><w:r><w:delInstrText>PAGE</w:delInstrText></w:r></w:del>`),
    p('<w:r><w:instrText>PAGE</w:instrText></w:r>'),
  ],
  'deletion of an insertion': [
    p(`<w:ins ${by}><w:del ${by}><w:r><w:delText>a</w:delText></w:r></w:del></w:ins>${run('b')}`),
    p(run('b')),
  ],
  'insertion inside a deletion': [
    p(`<w:del ${by}>${run('a')}<w:ins ${by}>${run('b')}</w:ins></w:del>`),
    p(run('a')),
  ],
  move: [
    p(
      `<w:moveFromRangeStart ${by} w:name="m"/><w:moveFrom ${by}>${run('a')}</w:moveFrom><w:moveFromRangeEnd w:id="1"/>\
<w:moveToRangeStart ${by} w:name="m"/><w:moveTo ${by}>${run('a')}</w:moveTo><w:moveToRangeEnd w:id="1"/>`,
    ),
    p(run('a')),
  ],
  'text in a text box': [
    p(
      `<w:r><w:pict><w:txbxContent>${p(`<w:ins ${by}>${run('a')}</w:ins>${run('b')}`)}</w:txbxContent></w:pict></w:r>`,
    ),
    p(`<w:r><w:pict><w:txbxContent>${p(run('b'))}</w:txbxContent></w:pict></w:r>`),
  ],
  'formatting of a run': [
    `<w:rPr><w:b/><w:rPrChange ${by}><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr>`,
    '<w:rPr><w:i/></w:rPr>',
  ],
  'formatting of a run that had none': [
    `<w:rPr><w:b/><w:rPrChange ${by}><w:rPr/></w:rPrChange></w:rPr>`,
    '<w:rPr></w:rPr>',
  ],
  'formatting of a paragraph': [
    `<w:pPr><w:jc w:val="right"/><w:rPr><w:b/><w:rPrChange ${by}><w:rPr><w:ins ${by}/><w:i/></w:rPr></w:rPrChange></w:rPr>\
<w:sectPr><w:cols/></w:sectPr><w:pPrChange ${by}><w:pPr><w:jc w:val="left"/></w:pPr></w:pPrChange></w:pPr>`,
    '<w:pPr><w:jc w:val="left"/><w:rPr><w:i/></w:rPr><w:sectPr><w:cols/></w:sectPr></w:pPr>',
  ],
  'a list': [
    `<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/><w:ins ${by}/></w:numPr></w:pPr>`,
    '<w:pPr></w:pPr>',
  ],
  'a section': [
    `<w:sectPr><w:headerReference r:id="a"/><w:cols w:num="2"/><w:sectPrChange ${by}><w:sectPr><w:cols/></w:sectPr></w:sectPrChange></w:sectPr>`,
    '<w:sectPr><w:headerReference r:id="a"/><w:cols/></w:sectPr>',
  ],
  'a table': [
    `<w:tblPr><w:jc/><w:tblPrChange ${by}><w:tblPr/></w:tblPrChange></w:tblPr>\
<w:tblGrid><w:gridCol w:w="1"/><w:tblGridChange w:id="1"><w:tblGrid><w:gridCol w:w="2"/></w:tblGrid></w:tblGridChange></w:tblGrid>`,
    '<w:tblPr></w:tblPr><w:tblGrid><w:gridCol w:w="2"/></w:tblGrid>',
  ],
  'merged cells': [
    `<w:tcPr><w:cellMerge ${by} w:vMerge="cont" w:vMergeOrig="rest"/></w:tcPr>`,
    '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>',
  ],
  'an inserted mark': [
    body(
      p(run('a'), mark('ins', '<w:jc w:val="right"/>')) + p(run('b'), '<w:pPr><w:jc w:val="left"/></w:pPr>'),
    ),
    body(p(run('a') + run('b'), '<w:pPr><w:jc w:val="left"/></w:pPr>')),
  ],
  'several inserted marks': [
    body(
      `${p(run('a'), mark('ins'))}<w:bookmarkStart w:id="1"/>${p('', mark('moveTo'))}${p(run('c'))}${p(run('d'))}`,
    ),
    body(`<w:p>${run('a')}<w:bookmarkStart w:id="1"/>${run('c')}</w:p>${p(run('d'))}`),
  ],
  'an inserted paragraph': [
    body(p(`<w:ins ${by}>${run('a')}</w:ins>`, mark('ins')) + p(run('b'))),
    body(p(run('b'))),
  ],
  'an inserted mark before an empty paragraph': [
    body(`${p(run('a'), mark('ins'))}<w:p/>`),
    body(p(run('a'))),
  ],
  'an inserted paragraph before a table': [
    body(
      `${p(`<w:ins ${by}>${run('a')}</w:ins>`, mark('ins'))}<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>`,
    ),
    body('<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>'),
  ],
  'the last paragraph': [
    body(p(`<w:ins ${by}>${run('a')}</w:ins>`, mark('ins', '<w:jc/>'))),
    body(p('', '<w:pPr><w:jc/><w:rPr></w:rPr></w:pPr>')),
  ],
  'a deleted mark': [
    body(p(run('a'), mark('del')) + p(run('b'))),
    body(p(run('a'), '<w:pPr><w:rPr></w:rPr></w:pPr>') + p(run('b'))),
  ],
  rows: [
    `<w:tbl><w:tr><w:trPr><w:ins ${by}/></w:trPr><w:tc>${p(run('a'))}</w:tc></w:tr>\
<w:tr><w:trPr><w:del ${by}/></w:trPr><w:tc>${p(run('b'))}</w:tc></w:tr></w:tbl>`,
    `<w:tbl><w:tr><w:trPr></w:trPr><w:tc>${p(run('b'))}</w:tc></w:tr></w:tbl>`,
  ],
  'all rows': [
    body(
      `<w:tbl><w:tblPr/><w:tr><w:trPr><w:ins ${by}/></w:trPr><w:tc>${p(run('a'))}</w:tc></w:tr></w:tbl>${p(run('b'))}`,
    ),
    body(p(run('b'))),
  ],
  cells: [
    `<w:tr><w:tc><w:tcPr><w:cellIns ${by}/></w:tcPr>${p(run('a'))}</w:tc><w:tc><w:tcPr><w:cellDel ${by}/></w:tcPr>${p(run('b'))}</w:tc></w:tr>`,
    `<w:tr><w:tc><w:tcPr></w:tcPr>${p(run('b'))}</w:tc></w:tr>`,
  ],
};

t.test('what was there before', async (t) => {
  for (const [what, [after, expected]] of Object.entries(cases)) {
    t.equal(before(after), expected, what);
    t.notOk(hasTrackedChange(before(after)), `${what}: nothing is tracked`);
    t.equal(before(expected), expected, `${what}: the same again`);
    const other = (part: string) => part.replaceAll('w:', 'x:').replace(/<[\w:]+/, `$& xmlns:x="${WORD}"`);
    t.equal(before(other(after)), other(expected), `${what}: with another prefix`);
  }
});

t.test('what looks like a change', async (t) => {
  for (const part of [
    `<!--<w:ins ${by}/>--><w:p/>`,
    `<w:p><w:r><w:t>&lt;w:ins&gt;</w:t></w:r></w:p>`,
    `<w:p><o:ins ${by}>${run('a')}</o:ins></w:p>`,
  ])
    t.equal(before(part), part);
});

t.test('broken and endless markup, in linear time', async (t) => {
  const many = 20_000;
  for (const part of [
    `<w:ins ${by}>`.repeat(many),
    `</w:ins></w:p>`.repeat(many),
    `<w:p>${mark('ins')}`.repeat(many),
    p('', mark('ins')).repeat(many),
    p(`<w:del ${by}><w:r><w:delText>a</w:delText></w:r></w:del>`, mark('del')).repeat(many),
    `<w:rPr><w:rPrChange ${by}>`.repeat(many),
    `<w:tbl><w:tr><w:tc><w:tcPr><w:cellIns ${by}/>`.repeat(many),
  ])
    t.ok(before(part).length <= part.length);
});

t.test('counts insertions, deletions and moves', async (t) => {
  t.equal(countChanges(cases.rows?.[0] ?? ''), 2);
  t.equal(countChanges(cases['formatting of a run']?.[0] ?? ''), 0);
});
