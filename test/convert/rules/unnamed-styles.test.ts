/** That LibreOffice finds styles that have no name. */
import t from 'tap';
import { withNamedStyles } from '../../../src/convert/rules/unnamed-styles.ts';

const styles = (inner: string, w = 'w:') =>
  `<${w}styles xmlns:${w.slice(0, -1)}="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner}</${w}styles>`;
const style = (id: string, inner: string, w = 'w:') =>
  `<${w}style ${w}type="table" ${w}customStyle="1" ${w}styleId="${id}">${inner}</${w}style>`;
const name = (value: string, w = 'w:') => `<${w}name ${w}val="${value}"/>`;

t.test('a style without a name gets one', async (t) => {
  for (const w of ['w:', 'ns0:']) {
    const based = `<${w}basedOn ${w}val="TableNormal"/>`;
    const part = (own: (id: string) => string) =>
      styles(style('a', own('a') + based, w) + style('b', name('Grid', w), w) + style('c', own('c'), w), w);
    const before = part(() => '');
    t.equal(
      withNamedStyles(before),
      part((id) => name(`Platen Unnamed ${id}`, w)),
    );
  }
});

t.test('nothing else changes', async (t) => {
  for (const part of [
    styles(style('a', `${name('Grid')}<w:tblPr/>`)),
    styles(style('a', `<w:basedOn w:val="b"/>${name('Grid')}`)),
    styles('<w:style w:styleId="a"/>'),
    styles(style('&#97;&quot;', '')),
    styles('<w:style w:styleId="a">'),
    '<w:styles',
    '',
  ]) {
    t.equal(withNamedStyles(part), part);
  }
});
