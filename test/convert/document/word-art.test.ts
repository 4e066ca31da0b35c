/** WordArt in the markup of a part. */
import t from 'tap';
import { wordArtIn } from '../../../src/convert/document/word-art.ts';

const shape = (properties: string, style = '') =>
  `<wps:wsp><wps:spPr>${properties}</wps:spPr>${style}<wps:txbx><w:txbxContent><w14:textFill><w14:solidFill/></w14:textFill></w:txbxContent></wps:txbx>\
<wps:bodyPr><a:prstTxWarp prst="textArchUp"/></wps:bodyPr></wps:wsp>`;
const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>';
const style = (index: number) =>
  `<wps:style><a:lnRef idx="2"/><a:fillRef idx="${index}"><a:schemeClr val="accent1"/></a:fillRef></wps:style>`;

t.test('whether its shape is filled', async (t) => {
  const shapes = [
    [shape(red), true],
    [shape('<a:gradFill/>'), true],
    [shape(''), false],
    [shape(`<a:ln>${red}</a:ln>`), false],
    [shape('', style(1)), true],
    [shape('', style(0)), false],
    [shape('<a:noFill/>', style(1)), false],
    [shape('<a:ln><a:noFill/></a:ln>', style(1)), true],
  ] as const;
  for (const [xml, isFilled] of shapes) {
    t.match(wordArtIn(xml), [{ isFilled, prefix: 'wps:' }], xml);
  }
  const all = shapes.map(([xml]) => xml).join('');
  t.strictSame(
    wordArtIn(all).map(({ isFilled }) => isFilled),
    shapes.map(([, isFilled]) => isFilled),
  );
});
