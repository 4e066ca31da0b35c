/** Which runs of complex scripts get their properties for Latin letters and digits. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { withComplexRuns } from '../../../src/convert/rules/complex-runs.ts';
import { documentStyles } from '../../../src/convert/rules/document-styles.ts';
import { relationships } from '../../support/office-package.ts';
import { rewritten } from '../support/rewritten.ts';

const run = (properties: string, text: string) => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const changed = (part: string) => {
  const other = rewritten((xml) => withComplexRuns(xml, undefined), part);
  return other;
};
const FONTS = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Arial"/>';
const ALIKE = '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/>';

t.test('digits and Latin letters', async (t) => {
  for (const mark of ['<w:rtl/>', '<w:rtl w:val="1"/>', '<w:cs/>', '<w:cs w:val="true"/>']) {
    for (const text of ['2020', 'سلام 2020', 'Word']) {
      t.equal(changed(run(FONTS + mark, text)), run(ALIKE + mark, text), mark + text);
    }
  }
  const rtl = (properties: string) => run(`${properties}<w:rtl/>`, '1');
  t.equal(
    changed(rtl('<w:rFonts w:asciiTheme="minorHAnsi" w:hint="cs" w:cstheme="minorBidi"/>')),
    rtl('<w:rFonts w:asciiTheme="minorBidi" w:hAnsiTheme="minorBidi" w:hint="cs" w:cstheme="minorBidi"/>'),
    "the theme's font",
  );
  t.equal(
    changed(rtl('<w:b/><w:bCs w:val="0"/><w:iCs/><w:sz w:val="20"/><w:szCs w:val="28"/>')),
    rtl('<w:b w:val="0"/><w:bCs w:val="0"/><w:i/><w:iCs/><w:sz w:val="28"/><w:szCs w:val="28"/>'),
    'size and weight, in their order',
  );
  const old = '<w:rPrChange w:id="1"><w:rPr><w:szCs w:val="99"/></w:rPr></w:rPrChange>';
  t.equal(
    changed(run(`${FONTS}<w:rtl/>${old}`, '1')),
    run(`${ALIKE}<w:rtl/>${old}`, '1'),
    'not what was before',
  );
});

t.test('marks of paragraphs without runs', async (t) => {
  const paragraph = (properties: string, content = '') =>
    `<w:p><w:pPr><w:jc w:val="left"/><w:rPr>${properties}</w:rPr></w:pPr>${content}</w:p>`;
  const [own, other] = [
    `${FONTS}<w:sz w:val="20"/><w:szCs w:val="28"/>`,
    `${ALIKE}<w:sz w:val="28"/><w:szCs w:val="28"/>`,
  ];
  t.equal(changed(paragraph(`${own}<w:rtl/>`)), paragraph(`${other}<w:rtl/>`));
  const bookmark = '<w:bookmarkStart w:id="0" w:name="a"/>';
  t.equal(changed(paragraph(`${own}<w:rtl/>`, bookmark)), paragraph(`${other}<w:rtl/>`, bookmark));
  const outside = '<w:t>1</w:t>';
  t.equal(
    changed(paragraph(`${own}<w:rtl/>`, outside)),
    paragraph(`${other}<w:rtl/>`, outside),
    'once where text is in no run',
  );
  const twice = (properties: string) =>
    paragraph(`${properties}<w:rtl/>`) + paragraph(`${properties}<w:rtl/>`);
  t.equal(changed(twice(own)), twice(other), 'each');
  for (const part of [
    paragraph(own),
    paragraph(`${own}<w:rtl/>`, run('', 'سلام')),
    paragraph(`${own}<w:rtl/>`, '<w:r><w:drawing/></w:r>'),
    `${paragraph(own)}<w:p/><w:p><w:pPr><w:rPr><w:rtl/></w:rPr></w:pPr></w:p>`,
  ]) {
    t.equal(changed(part), undefined, part);
  }
});

t.test('marks have the font and the size of their style', async (t) => {
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const part = `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:cs="Arial"/><w:sz w:val="22"/><w:szCs w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:styleId="H"><w:rPr><w:rFonts w:cs="خط"/><w:sz w:val="38"/><w:szCs w:val="44"/></w:rPr></w:style></w:styles>`;
  const kept = new KeptParts('word/document.xml');
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles';
  const link = `<Relationship Id="a" Type="${type}" Target="styles.xml"/>`;
  kept.keep('word/_rels/document.xml.rels', [Buffer.from(relationships([link]))]);
  kept.keep('word/styles.xml', [Buffer.from(part)]);
  const styles = documentStyles(kept, noTheme);
  const paragraph = (style: string, properties: string, content = '') =>
    `<w:p><w:pPr>${style}<w:rPr>${properties}</w:rPr></w:pPr>${content}</w:p>`;
  const styled = (text: string) => rewritten((xml) => withComplexRuns(xml, styles), text);
  const heading = '<w:pStyle w:val="H"/>';
  const size = (value: number) => `<w:sz w:val="${value}"/>`;
  const font = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`;
  const usual = `${font('Arial')}${size(22)}<w:rtl/>`;
  t.equal(styled(paragraph('', '<w:rtl/>')), paragraph('', usual), 'by default');
  t.equal(
    styled(paragraph(heading, '<w:rtl/>')),
    paragraph(heading, `${font('خط')}${size(44)}<w:rtl/>`),
    'of its style',
  );
  t.equal(
    styled(paragraph(heading, `${FONTS}<w:szCs w:val="30"/><w:rtl/>`)),
    paragraph(heading, `${ALIKE}${size(30)}<w:szCs w:val="30"/><w:rtl/>`),
    'its own come first',
  );
  const two = (properties: string) => paragraph(heading, '') + paragraph('', properties);
  t.equal(styled(two('<w:rtl/>')), two(usual), 'not those of the paragraph before');
  for (const stays of [
    paragraph(heading, ''),
    paragraph(heading, '<w:rtl/>', run('', 'سلام')),
    run('<w:rtl/>', '1'),
  ])
    t.equal(styled(stays), undefined, stays);
});

t.test('what stays as it is', async (t) => {
  for (const part of [
    run(FONTS, '2020'),
    run(`${FONTS}<w:rtl/>`, 'سلام'),
    run(`${FONTS}<w:rtl w:val="0"/>`, '2020'),
    run('<w:rtl/>', '2020'),
    run('<w:sz w:val="20"/><w:rtl/>', '2020'),
    run('<w:rtl/>', 'سلام') + run(FONTS, '2020'),
    '<a:lvl1pPr rtl="0"><a:cs typeface="Arial"/></a:lvl1pPr>',
    '<a:r><a:rPr sz="1200"><a:cs typeface="Arial"/></a:rPr><a:t>2020</a:t></a:r>',
    '<w:rtl/><w:szCs '.repeat(200_000),
  ]) {
    t.equal(changed(part), undefined, part.slice(0, 100));
  }
});
