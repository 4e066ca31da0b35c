/** What a document lacks for readers who cannot see it, with its place. */
import t from 'tap';
import { AccessibilityReader, documentFindings } from '../../../src/convert/document/accessibility.ts';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { visitMarkup } from '../../../src/convert/document/markup.ts';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const style = (id: string, level: number, basedOn = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:basedOn w:val="${basedOn}"/><w:pPr><w:outlineLvl w:val="${level}"/></w:pPr></w:style>`;
const styles = new Styles(
  `<w:styles ${WORD}>${style('H1', 0)}${style('H2', 1)}${style('H3', 2)}${style('Text', 9, 'H1')}` +
    '<w:style w:type="paragraph" w:styleId="Own"><w:basedOn w:val="H2"/></w:style></w:styles>',
  noTheme,
);

function findings(body: string) {
  const reader = new AccessibilityReader('w:', styles);
  visitMarkup(`<w:document ${WORD}><w:body>${body}</w:body></w:document>`, reader);
  return reader.findings;
}

const text = (words = 'words') => `<w:r><w:t>${words}</w:t></w:r>`;
const paragraph = (id: string, content = text(), more = '') =>
  `<w:p><w:pPr><w:pStyle w:val="${id}"/>${more}</w:pPr>${content}</w:p>`;
const drawing = (attributes: string, content = '') =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" ${attributes}>${content}</wp:docPr><a:graphic/></wp:inline></w:drawing></w:r>`;

t.test('pictures', async (t) => {
  const body =
    `<w:p>${drawing('descr="A cat"')}</w:p><w:p>${drawing('descr=" "')}${drawing('title="A dog"')}</w:p>` +
    `<w:p>${drawing('name="Picture"', '<a:extLst><adec:decorative val="1"/></a:extLst>')}</w:p>` +
    `<w:p>${drawing('name="1"', '<a:extLst><adec:decorative val="0"/></a:extLst>')}</w:p>` +
    '<w:p><w:pict><v:shape alt="A map"><v:imagedata r:id="a"/></v:shape></w:pict></w:p>' +
    '<w:p><w:pict><v:shape><v:imagedata r:id="a"/></v:shape></w:pict></w:p>' +
    '<w:p><w:pict><v:line/></w:pict></w:p>' +
    `<w:p><w:r><w:drawing><wp:anchor><wp:docPr id="9"/><wps:txbx><w:txbxContent><w:p>${text()}</w:p></w:txbxContent></wps:txbx></wp:anchor></w:drawing></w:r></w:p>`;
  t.strictSame(findings(body), [
    { problem: 'no-alternative-text', number: 2, paragraph: 2 },
    { problem: 'no-alternative-text', number: 5, paragraph: 4 },
    { problem: 'no-alternative-text', number: 7, paragraph: 6 },
  ]);
});

t.test('tables', async (t) => {
  const row = (more = '') => `<w:tr><w:trPr>${more}</w:trPr><w:tc><w:p/></w:tc></w:tr>`;
  const head = '<w:tblHeader/>';
  const body =
    `<w:tbl>${row(head)}${row()}</w:tbl><w:p/><w:tbl>${row()}${row()}</w:tbl><w:tbl>${row()}</w:tbl>` +
    `<w:tbl>${row()}${row(head)}</w:tbl><w:tbl>${row('<w:tblHeader w:val="0"/>')}<w:tr><w:tc><w:tbl>${row(head)}${row()}</w:tbl></w:tc></w:tr></w:tbl>`;
  t.strictSame(findings(body), [
    { problem: 'no-header-row', number: 2, paragraph: 4 },
    { problem: 'no-header-row', number: 4, paragraph: 7 },
    { problem: 'no-header-row', number: 5, paragraph: 9 },
  ]);
});

t.test('headings', async (t) => {
  const body =
    paragraph('H1') +
    paragraph('Text') +
    paragraph('H3') +
    paragraph('H3', '') +
    paragraph('Own') +
    paragraph('H3') +
    paragraph('', text(), '<w:outlineLvl w:val="4"/>') +
    paragraph('H1', text(), '<w:outlineLvl w:val="9"/>');
  t.strictSame(findings(body), [
    { problem: 'skipped-heading-level', number: 2, paragraph: 3, level: 3 },
    { problem: 'skipped-heading-level', number: 5, paragraph: 7, level: 5 },
  ]);
  t.strictSame(findings(paragraph('H2')), [
    { problem: 'skipped-heading-level', number: 1, paragraph: 1, level: 2 },
  ]);
});

t.test('at most 50 of each, however deep and many', async (t) => {
  const pictures = `<w:p>${drawing('').repeat(10_000)}</w:p>`;
  t.equal(findings(pictures + paragraph('H3')).length, 51);
  const nested = '<w:tbl><w:tr><w:tc>'.repeat(5_000) + '</w:tc></w:tr></w:tbl>'.repeat(5_000);
  t.ok(findings(nested).length <= 50);
  t.doesNotThrow(() => findings('<w:p><w:pPr><w:outlineLvl/><w:outlineLvl w:val="x"/></w:pPr><w:r><w:t>a'));
});

t.test('title and language', async (t) => {
  const parts = (core: string) => {
    const kept = new KeptParts('word/document.xml');
    const link = '<Relationship Id="a" Type="http://x/core-properties" Target="docProps/core.xml"/>';
    kept.keep('_rels/.rels', [Buffer.from(`<Relationships>${link}</Relationships>`)]);
    kept.keep('docprops/core.xml', [Buffer.from(core)]);
    return kept;
  };
  const spoken = new Styles(
    `<w:styles ${WORD}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>`,
    noTheme,
  );
  const core = (title: string) => `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`;
  t.strictSame(documentFindings(parts(core('Report')), spoken), []);
  for (const none of [core(''), core(' \n'), '<cp:coreProperties><dc:title/>Report</cp:coreProperties>', ''])
    t.strictSame(documentFindings(parts(none), spoken), [{ problem: 'no-title' }], none);
  t.strictSame(documentFindings(parts(core('Report')), styles), [{ problem: 'no-language' }]);
});
