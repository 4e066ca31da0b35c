/** That links look as their runs say, by the style that LibreOffice gives all of them. */
import t from 'tap';
import { linkStyleOf, withPlainLinks } from '../../../src/convert/rules/link-styles.ts';

const styles = (inner: string, w = 'w:') =>
  `<${w}styles xmlns:${w.slice(0, -1)}="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner}</${w}styles>`;
const style = (id: string, name: string, w = 'w:', type = 'character') =>
  `<${w}style ${w}type="${type}" ${w}styleId="${id}"><${w}name ${w}val="${name}"/><${w}rPr><${w}u ${w}val="single"/></${w}rPr></${w}style>`;
const plain = (id: string, w = 'w:') =>
  `<${w}style ${w}type="character" ${w}styleId="${id}"><${w}name ${w}val="Hyperlink"/></${w}style>`;

t.test('the style gets another name, and one that says nothing has its own', async (t) => {
  for (const [id, plainId, w] of [
    ['Hyperlink', '_yperlink', 'w:'],
    ['a', '_', 'ns0:'],
  ] as const) {
    const other = style('b', 'Strong', w);
    const part = styles(other + style(id, 'Hyperlink', w), w);
    t.equal(linkStyleOf(part), id);
    t.equal(withPlainLinks(part), styles(other + plain(plainId, w) + style(id, 'Platen Hyperlink', w), w));
  }
});

t.test('other styles stay as they are', async (t) => {
  for (const part of [
    styles(style('a', 'FollowedHyperlink')),
    styles(style('a', 'Hyperlink', 'w:', 'paragraph')),
    styles('<w:latentStyles><w:lsdException w:name="Hyperlink"/></w:latentStyles>'),
    styles(style('Žlink', 'Hyperlink')),
    styles(style('', 'Hyperlink')),
    '<w:styles',
    '',
  ]) {
    t.equal(withPlainLinks(part), part);
    t.equal(linkStyleOf(part), undefined);
  }
});
