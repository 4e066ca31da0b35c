/** That embedded objects are shown by their pictures. */
import t from 'tap';
import { withObjectPictures } from '../../../src/convert/rules/object-pictures.ts';

const part = (inner: string, w = 'w') =>
  `<${w}:document xmlns:${w}="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner}</${w}:document>`;
const picture = '<v:shape><v:imagedata r:id="rId1"/></v:shape>';
const ole = '<o:OLEObject ProgID="Excel.Sheet.12" r:id="rId2"/>';
const object = (inner: string, w = 'w') => `<${w}:object>${inner}</${w}:object>`;

t.test('an object with a picture is the picture', async (t) => {
  for (const w of ['w', 'q']) {
    const before = part(object(picture + ole, w) + object(ole, w), w);
    t.equal(
      withObjectPictures(before),
      part(object(picture + ole.replace('OLE', '_LE'), w) + object(ole, w), w),
    );
  }
  const long = '<o:OLEObject r:id="rId2"><o:LinkType/></o:OLEObject>';
  t.equal(
    withObjectPictures(part(object(long + picture))),
    part(object(long.replaceAll('OLE', '_LE') + picture)),
    'in any order',
  );
});

t.test('nothing else changes', async (t) => {
  for (const each of [
    part(object(ole)),
    part(object(`<v:imagedata o:title=""/>${ole}`)),
    part(object(picture)),
    part(picture + ole),
    part(`<w:object/>${ole}`),
    '<w:object><o:OLEObject',
    '',
  ]) {
    t.equal(withObjectPictures(each), each);
  }
});
