/** What the rules ask of a document as a whole is read once, however many parts they change. */
import t, { type Test } from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import { reportedDocx, wordPart } from '../../support/report-documents.ts';
import { fileOf } from '../support/preflight.ts';

const numbering = wordPart(
  'numbering',
  '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:lvlText w:val="\uf0b7"/><w:lvlJc w:val="left"/><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
);
const item =
  '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:bidi/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>';
const spaced =
  '<w:p><w:pPr><w:spacing w:before="400" w:line="480" w:lineRule="auto"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>';
const table =
  '<w:tbl><w:tblPr><w:tblCellSpacing w:w="15" w:type="dxa"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>';
const grid = '<w:docGrid w:type="lines" w:linePitch="360"/>';

/** How often parts are read while the document is inspected, and by which rules it is rewritten. */
async function readsOf(t: Test, numberings: number, body: string) {
  const parts = Object.fromEntries(
    Array.from({ length: numberings }, (_, i) => [`numbering${i || ''}.xml`, numbering]),
  );
  const path = fileOf(t, reportedDocx({ body, parts }));
  const { text } = KeptParts.prototype;
  const calls = t.capture(KeptParts.prototype, 'text', text);
  const options = { libreOffice: '25.2.3' };
  const { kept } = await inspect(path, `${path}-view`, new Allowance(), ['docx'], options);
  KeptParts.prototype.text = text;
  return { reads: calls().length, rewrites: kept.rewrites };
}

t.test('many numbering parts', async (t) => {
  const { reads, rewrites } = await readsOf(t, 1, item);
  t.strictSame([...rewrites].sort(), ['bullets', 'rtl-lists']);
  t.strictSame(await readsOf(t, 40, item), { reads, rewrites });
});

t.test('many rules for the main part', async (t) => {
  const ended = (columns: string) => `<w:sectPr>${columns}${grid}</w:sectPr>`;
  const body = spaced + table + ended('');
  const { reads, rewrites } = await readsOf(t, 0, body);
  t.strictSame([...rewrites].sort(), ['line-grid', 'table-grid', 'tables']);
  const columns = await readsOf(t, 0, spaced + table + ended('<w:cols w:num="2"/>'));
  t.strictSame([...columns.rewrites].sort(), ['columns', 'line-grid', 'table-grid', 'tables']);
  t.equal(columns.reads, reads);
});

t.test('rules are applied in their order, wherever in a part their signs are', async (t) => {
  const stops = '<w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs></w:pPr>';
  const character = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const field = (code: string, result: string) =>
    `${character('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${character('separate')}${result}${character('end')}`;
  const filler = Array.from({ length: 40_000 }, (_, i) => `<w:p><w:r><w:t>${i * 7919}</w:t></w:r></w:p>`);
  const entry = `<w:p>${stops}<w:r><w:tab/></w:r>${field('PAGEREF a', '<w:r><w:t>1</w:t></w:r>')}</w:p>`;
  const { rewrites } = await readsOf(t, 0, field('TOC', filler.join('') + entry));
  t.strictSame(
    rewrites,
    ['leaders', 'stored-fields'],
    'entries are found before their fields get another name',
  );
});

t.test('formulas that equations in fields become are written as others', async (t) => {
  const character = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = '<w:r><w:instrText>EQ \\f(=,%)</w:instrText></w:r>';
  const { rewrites } = await readsOf(t, 0, `<w:p>${character('begin')}${code}${character('end')}</w:p>`);
  t.strictSame(rewrites, ['stored-fields', 'formulas']);
});
