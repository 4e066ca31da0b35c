/** Which text of automatic colour is black by name. */
import t from 'tap';
import { type ShadedStyles, withShadedText } from '../../../src/convert/rules/shaded-text.ts';
import { rewritten } from '../support/rewritten.ts';

const shade = (fill: string, value = 'clear') => `<w:shd w:val="${value}" w:color="auto" w:fill="${fill}"/>`;
const GREY = shade('999999');
const BLACK = '<w:color w:val="000000"/>';
const run = (properties = '') => `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t>a</w:t></w:r>`;
const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const table = (cells: string, style = '') =>
  `<w:tbl><w:tblPr>${style && `<w:tblStyle w:val="${style}"/>`}</w:tblPr><w:tr>${cells}</w:tr></w:tbl>`;
const changed = (part: string, styles: Partial<ShadedStyles> = {}) =>
  rewritten(
    (xml) =>
      withShadedText(xml, {
        paragraphStyle: (id) => id || 'Usual',
        colours: (style) => style === 'Coloured',
        shades: (style) => style === 'Shaded',
        ...styles,
      }),
    part,
  );

t.test('on which shades', async (t) => {
  const shaded = (fill: string) => table(cell(paragraph(run()), shade(fill)));
  for (const fill of ['3C3C3C', '9C9C9C', 'E06666', '5b9bd5', 'FF0000'])
    t.equal(changed(shaded(fill)), shaded(fill).replace(run(), run(BLACK)), fill);
  for (const fill of ['3B3B3B', '9D9D9D', '0000FF', 'FFFFFF', 'auto', '000000'])
    t.equal(changed(shaded(fill)), undefined, fill);
});

t.test('where the shade is', async (t) => {
  for (const [before, after] of [
    [paragraph(run(), GREY), paragraph(run(BLACK), GREY)],
    [paragraph(run(GREY)), paragraph(run(BLACK + GREY))],
    [
      table(cell(paragraph(run()), GREY) + cell(paragraph(run()))),
      table(cell(paragraph(run(BLACK)), GREY) + cell(paragraph(run()))),
    ],
    [
      table(cell(paragraph(run()) + table(cell(paragraph(run()))) + paragraph(run()), GREY)),
      table(cell(paragraph(run(BLACK)) + table(cell(paragraph(run()))) + paragraph(run(BLACK)), GREY)),
    ],
    [table(cell(paragraph(run(), shade('000000')), GREY)), undefined],
    [
      table(cell(paragraph(run(), shade('auto')), GREY)),
      table(cell(paragraph(run(BLACK), shade('auto')), GREY)),
    ],
    [paragraph(run(shade('FFFFFF')), GREY), undefined],
    [paragraph(run('<w:highlight w:val="darkBlue"/>'), GREY), undefined],
    [paragraph(run(), `<w:rPr>${GREY}</w:rPr>`), undefined],
    [paragraph(run(), shade('999999', 'nil')), undefined],
    [paragraph(run(), shade('999999', 'pct20')), undefined],
    [table(cell(paragraph(run(), '<w:pStyle w:val="Shaded"/>'), GREY)), undefined],
    [paragraph(run('<w:rStyle w:val="Shaded"/>'), GREY), undefined],
    [table(cell(paragraph(`<w:r><w:drawing>${paragraph(run())}</w:drawing></w:r>`), GREY)), undefined],
  ] as const)
    t.equal(changed(before), after, before);
});

t.test('what has its colour', async (t) => {
  const red = '<w:color w:val="FF0000"/>';
  const coloured = '<w:pStyle w:val="Coloured"/>';
  for (const part of [
    paragraph(run(red), GREY),
    paragraph(run('<w:color w:val="auto" w:themeColor="accent1"/>'), GREY),
    paragraph(run('<w:rStyle w:val="Coloured"/>'), GREY),
    paragraph(run(), coloured + GREY),
    table(cell(paragraph(run()), GREY), 'Coloured'),
    table(cell(table(cell(paragraph(run()), GREY)), GREY), 'Coloured'),
  ])
    t.equal(changed(part), undefined, part);
  const all = paragraph(run(), GREY);
  t.equal(changed(all, { colours: (style) => style === '' }), undefined, 'the defaults');
  t.equal(changed(all, { colours: (style) => style === 'Usual' }), undefined, 'the usual style');
});

t.test('where the colour is written', async (t) => {
  for (const [before, after] of [
    ['<w:r><w:t>a</w:t></w:r>', `<w:r><w:rPr>${BLACK}</w:rPr><w:t>a</w:t></w:r>`],
    ['<w:r><w:rPr/><w:t>a</w:t></w:r>', `<w:r><w:rPr>${BLACK}</w:rPr><w:t>a</w:t></w:r>`],
    [run('<w:b/>'), run(`${BLACK}<w:b/>`)],
    [run('<w:rStyle w:val="Strong"/><w:b/>'), run(`<w:rStyle w:val="Strong"/>${BLACK}<w:b/>`)],
    [run('<w:b/><w:color w:val="auto"/>'), run(`<w:b/>${BLACK}`)],
    [
      run('<w:rStyle w:val="Strong"></w:rStyle><w:b/>'),
      run(`${BLACK}<w:rStyle w:val="Strong"></w:rStyle><w:b/>`),
    ],
    ['<w:r><w:sym w:char="F0FC"/></w:r>', `<w:r><w:rPr>${BLACK}</w:rPr><w:sym w:char="F0FC"/></w:r>`],
    ['<w:r><w:br/></w:r>', undefined],
  ] as const)
    t.equal(changed(paragraph(before, GREY)), after && paragraph(after, GREY), before);
});

t.test('numbers of lists have the colour of their paragraph', async (t) => {
  const item = (mark: string, properties = GREY) =>
    paragraph('', `<w:numPr><w:numId w:val="1"/></w:numPr>${properties}${mark}`);
  const black = `<w:rPr>${BLACK}</w:rPr>`;
  for (const [before, after] of [
    [item(''), item(black)],
    [item('<w:rPr/>'), item(black)],
    [item('<w:rPr><w:b/></w:rPr>'), item(`<w:rPr>${BLACK}<w:b/></w:rPr>`)],
    [item('<w:rPr><w:color w:val="FF0000"/></w:rPr>'), undefined],
    [item('', ''), undefined],
    [table(cell(item('', ''), GREY)), table(cell(item(black, ''), GREY))],
  ] as const)
    t.equal(changed(before), after, before);
});
