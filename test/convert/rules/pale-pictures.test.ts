/** That transparent pictures are fillings of shapes. */
import t from 'tap';
import { withPalePictures } from '../../../src/convert/rules/pale-pictures.ts';

const SHAPE = 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape';
const geometry = '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>';
const picture = (fill: string, shape = geometry) =>
  `<a:graphic><a:graphicData uri="picture"><pic:pic><pic:nvPicPr/><pic:blipFill>${fill}</pic:blipFill><pic:spPr bwMode="auto"><a:xfrm/>${shape}<a:ln/></pic:spPr></pic:pic></a:graphicData></a:graphic>`;
const blip = (amount: string) =>
  `<a:blip r:embed="rId1"><a:alphaModFix amt="${amount}"/></a:blip><a:stretch/>`;

t.test('a transparent picture is the filling of a shape', async (t) => {
  const before = `<w:p>${picture(blip('15000'))}</w:p>`;
  t.equal(
    withPalePictures(before),
    `<w:p><a:graphic><a:graphicData uri="${SHAPE}"><wps:wsp xmlns:wps="${SHAPE}"><wps:cNvSpPr/><wps:spPr bwMode="auto"><a:xfrm/>${geometry}<a:blipFill>${blip('15000')}</a:blipFill><a:ln/></wps:spPr><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></w:p>`,
  );
});

t.test('nothing else changes', async (t) => {
  for (const each of [
    picture(blip('100000')),
    picture('<a:blip r:embed="rId1"/>'),
    picture(`${blip('15000')}<a:srcRect l="5000"/>`),
    picture(blip('15000'), ''),
    picture(blip('15000')).replace(/<\/?a:graphicData[^>]*>/g, ''),
    picture(blip('15000')).replace(/<pic:spPr.*spPr>/, ''),
    picture(blip('15000')).slice(0, -60),
    '',
  ]) {
    t.equal(withPalePictures(each), each);
  }
  const flat = picture(`${blip('15000')}<a:srcRect/>`, '<a:prstGeom prst="rect"/>');
  t.not(withPalePictures(flat), flat, 'an empty crop is none');
});
