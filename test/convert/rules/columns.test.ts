/** Columns that begin where Word begins them, whatever space is above the first paragraph. */
import t from 'tap';
import { withWordsColumns } from '../../../src/convert/rules/columns.ts';
import { LayoutStyles } from '../../../src/convert/rules/layout-styles.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const styles = new LayoutStyles(
  `<w:styles ${W}><w:style w:styleId="H"><w:pPr><w:spacing w:before="480"/></w:pPr></w:style>
<w:style w:styleId="Web"><w:pPr><w:spacing w:before="100" w:beforeAutospacing="1"/></w:pPr></w:style></w:styles>`,
);
const change = (body: string) =>
  withWordsColumns(main(body), { styles, paragraphStyle: (id) => (id === '' ? 'N' : id) });
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const columns = (count: number) => `<w:sectPr><w:cols w:num="${count}" w:space="720"/></w:sectPr>`;
const paragraph = (properties: string) =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:rPr><w:spacing w:val="9"/></w:rPr><w:t>x</w:t></w:r></w:p>`;
const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
const space = (before: number) => `<w:spacing w:before="${before}"/>`;
const above =
  '<w:p><w:pPr><w:keepNext/><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>';

t.test('the first paragraph of a section in columns keeps the space above it', async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    [space(480), space(460)],
    [style('H'), style('H') + space(460)],
    [style('H') + space(240), style('H') + space(220)],
  ];
  for (const [before, after] of cases) {
    const rest = paragraph(space(480)) + columns(3);
    t.equal(change(paragraph(before) + rest), main(above + paragraph(after) + rest), before);
  }
});

t.test('each section by its own columns', async (t) => {
  const end = (count: number) => paragraph(columns(count));
  const body = (first: string, second: string) =>
    `${first}${end(1)}<w:sdt><w:sdtContent>${second}</w:sdtContent></w:sdt>${end(2)}${paragraph(space(99))}${columns(1)}`;
  const spaced = paragraph(space(480));
  t.equal(change(body(spaced, spaced)), main(body(spaced, above + paragraph(space(460)))));
});

t.test('what stays', async (t) => {
  const left = [
    paragraph(''),
    paragraph(space(20)),
    paragraph(style('Web')),
    paragraph(`<w:pageBreakBefore/>${space(480)}`),
    paragraph(`<w:framePr w:w="9"/>${space(480)}`),
    '<w:p/>',
    `<w:tbl><w:tr><w:tc>${paragraph(space(480))}</w:tc></w:tr></w:tbl>`,
    `<w:p><w:pPr><w:pPrChange><w:pPr>${space(480)}</w:pPr></w:pPrChange></w:pPr></w:p>`,
  ];
  for (const body of left) t.equal(change(body + columns(2)), main(body + columns(2)), body);
  for (const count of [0, 1]) {
    const body = paragraph(space(480)) + columns(count);
    t.equal(change(body), main(body), `${count} columns`);
  }
});
