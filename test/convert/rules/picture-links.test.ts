/** That no picture has a link. */
import t from 'tap';
import { withoutPictureLinks } from '../../../src/convert/rules/picture-links.ts';

t.test('links of pictures', async (t) => {
  const linked = `<a:blip r:embed="a" r:link="b"><x/></a:blip><q:blip s:link = 'b'/><blip r:link=""/>`;
  t.equal(
    withoutPictureLinks(linked),
    `<a:blip r:embed="a" r:link=""><x/></a:blip><q:blip s:link = ''/><blip r:link=""/>`,
  );
  const other = '<a:blip r:embed="link"/><w:link w:val="a"/><x r:link="a"/>';
  t.equal(withoutPictureLinks(other), other);
});
