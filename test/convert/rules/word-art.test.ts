/** That WordArt without a colour gets one. */
import t from 'tap';
import { withColouredWordArt } from '../../../src/convert/rules/word-art.ts';

const A = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const black = '<a:srgbClr val="000000"/>';
const style = `<wps:style xmlns:a="${A}"><a:lnRef idx="0">${black}</a:lnRef><a:fillRef idx="0">${black}</a:fillRef><a:effectRef idx="0">${black}</a:effectRef><a:fontRef idx="none">${black}</a:fontRef></wps:style>`;
const own = '<wps:style><a:fontRef idx="minor"><a:schemeClr val="dk1"/></a:fontRef></wps:style>';
const run = (properties = '') => `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>a</w:t></w:r></w:p>`;
const shape = (inner: string, before = '', warp = 'textArchUp') =>
  `<wps:wsp><wps:spPr/>${before}<wps:txbx><w:txbxContent>${inner}</w:txbxContent></wps:txbx><wps:bodyPr><a:prstTxWarp prst="${warp}"><a:avLst/></a:prstTxWarp></wps:bodyPr></wps:wsp>`;
const textFill = (inner: string) => `<w14:textFill>${inner}</w14:textFill>`;
const solid = (colour: string) => textFill(`<w14:solidFill>${colour}</w14:solidFill>`);
const blue = solid('<w14:srgbClr w14:val="0000FF"/>');
const themed = solid('<w14:schemeClr w14:val="accent1"/>');
const outline =
  '<w14:textOutline><w14:solidFill><w14:srgbClr w14:val="FF0000"/></w14:solidFill></w14:textOutline>';

t.test('its shape gets a style with black text', async (t) => {
  const text = run() + run('<w:color w:val="FF0000"/>');
  t.equal(withColouredWordArt(`<w:p>${shape(text)}</w:p>`), `<w:p>${shape(text, style)}</w:p>`);
});

t.test('text with a fill gets its colour', async (t) => {
  for (const [before, after] of [
    [`<w:sz w:val="40"/>${blue}`, `<w:sz w:val="40"/><w:color w:val="0000FF"/>${blue}`],
    [themed, `<w:color w:val="000000"/>${themed}`],
    [`${outline}${blue}`, `${outline}<w:color w:val="0000FF"/>${blue}`],
  ] as const) {
    t.equal(
      withColouredWordArt(shape(run('<w:color w:val="FF0000"/>') + run(before), own)),
      shape(run('<w:color w:val="FF0000"/>') + run(after), own),
    );
  }
});

t.test('nothing else changes', async (t) => {
  const gradient = textFill(
    '<w14:gradFill><w14:gsLst><w14:gs><w14:srgbClr w14:val="FF0000"/></w14:gs></w14:gsLst></w14:gradFill>',
  );
  const shapes = [
    shape(run(), '', 'textNoShape'),
    shape(run()).replace(' prst="textArchUp"', ''),
    shape(run(), own),
    shape(run(`<w:color w:val="auto"/>${blue}`), own),
    shape(run(outline) + run(gradient) + run(outline + textFill('<w14:noFill/>')), own),
    shape(run()).replace(/<wps:txbx>.*<\/wps:txbx>/, ''),
    `<wpg:wgp>${shape(run(blue))}</wpg:wgp>`,
    `<wpc:wpc>${shape(run(blue))}</wpc:wpc>`,
    '',
  ];
  for (const each of shapes) t.equal(withColouredWordArt(each), each);
  const all = shapes.join('');
  t.equal(withColouredWordArt(all + shape(run())), all + shape(run(), style));
});
