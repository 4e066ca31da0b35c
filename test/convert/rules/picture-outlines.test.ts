/** Outlines of pictures without a width. */
import t from 'tap';
import { withOutlines } from '../../../src/convert/rules/picture-outlines.ts';

const part = (inner: string) => `<w:document><w:body>${inner}</w:body></w:document>`;
const picture = (line: string) =>
  `<pic:pic><pic:blipFill/><pic:spPr><a:prstGeom/>${line}</pic:spPr></pic:pic>`;
const line = (attributes: string) =>
  `<a:ln${attributes}><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:ln>`;
const change = (inner: string) => withOutlines(part(inner));

t.test('an outline without a width has the usual one', async (t) => {
  t.equal(change(picture(line('')).repeat(2)), part(picture(line(' w="9525"')).repeat(2)));
  t.equal(change(picture(line(' cap="sq"'))), part(picture(line(' w="9525" cap="sq"'))));
});

t.test('what stays', async (t) => {
  const left = [
    picture(line(' w="100"')),
    picture('<a:ln/>'),
    picture('<a:ln><a:noFill/></a:ln>'),
    picture('<a:ln><a:noFill/></a:ln><a:solidFill/>'),
    `<wps:wsp><wps:spPr>${line('')}</wps:spPr></wps:wsp>`,
    `${picture('')}<wps:wsp><wps:spPr>${line('')}</wps:spPr></wps:wsp>`,
  ];
  for (const inner of left) t.equal(change(inner), part(inner), inner);
});
