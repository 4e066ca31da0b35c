/** Space between items of lists that is said not to be that of a web page. */
import t from 'tap';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import type { DocumentStyles } from '../../../src/convert/rules/document-styles.ts';
import { LayoutStyles } from '../../../src/convert/rules/layout-styles.ts';
import { withWrittenSpacing } from '../../../src/convert/rules/written-spacing.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const list = '<w:numPr><w:numId w:val="1"/></w:numPr>';
const notMirrored = '<w:mirrorIndents w:val="0"/>';
const spacing = (attributes: string) => `<w:spacing ${attributes}/>`;
const style = (id: string, basedOn: string, properties: string) =>
  `<w:style w:styleId="${id}"><w:basedOn w:val="${basedOn}"/><w:pPr>${properties}</w:pPr></w:style>`;
const usual = [
  style('Web', '', spacing('w:beforeAutospacing="1" w:afterAutospacing="true"')),
  style('Off', '', spacing('w:after="240" w:afterAutospacing="0"')),
  style('WebOff', 'Web', spacing('w:after="240" w:beforeAutospacing="0" w:afterAutospacing="off"')),
  style('HalfOff', 'Web', spacing('w:after="240" w:afterAutospacing="0"')),
  style('Item', '', list + spacing('w:afterAutospacing="0"')),
].join('');

/** The properties of a paragraph as they become. */
function change(properties: string, styles = usual): string {
  const part = (inner: string) => `<w:document ${W}><w:p><w:pPr>${inner}</w:pPr></w:p></w:document>`;
  const stylesPart = `<w:styles ${W}>${styles}</w:styles>`;
  const changed = withWrittenSpacing(part(properties), {
    fonts: new Styles(stylesPart, noTheme),
    styles: new LayoutStyles(stylesPart),
    paragraphStyle: (id) => id,
  } as DocumentStyles);
  const [before = '', after = ''] = part('-').split('-');
  return changed.slice(before.length, changed.length - after.length);
}
const item = (id: string, own = '') => `<w:pStyle w:val="${id}"/>${list}${own}`;

t.test('an item loses the attribute', async (t) => {
  const own = spacing('w:before="240" w:beforeAutospacing="0" w:after="0" w:afterAutospacing="off"');
  t.equal(change(list + own), list + spacing('w:before="240" w:after="0"'));
  t.equal(change(item('Other', own)), item('Other', spacing('w:before="240" w:after="0"')));
});

t.test('an item hides that of its style, or of the defaults', async (t) => {
  for (const id of ['Off', 'WebOff']) t.equal(change(item(id)), item(id, notMirrored));
  const named = '<w:pStyle w:val="Item"/>';
  t.equal(change(named), named + notMirrored);
  const defaults = `<w:docDefaults><w:pPrDefault><w:pPr>${spacing('w:beforeAutospacing="0"')}</w:pPr></w:pPrDefault></w:docDefaults>`;
  t.equal(change(list, defaults), list + notMirrored);
  const own = item('Web', spacing('w:before="0" w:beforeAutospacing="0" w:after="0" w:afterAutospacing="0"'));
  t.equal(change(own), item('Web', `${spacing('w:before="0" w:after="0"')}${notMirrored}`));
  const mirrored = item('Off', '<w:mirrorIndents/>');
  t.equal(change(mirrored), mirrored);
});

t.test('the other side keeps the space of a web page', async (t) => {
  t.equal(change(item('HalfOff')), item('HalfOff', spacing('w:beforeAutospacing="1"')));
});

t.test('others stay as they are', async (t) => {
  for (const [properties, why] of [
    [item('Web'), 'nothing ends the automatic spacing'],
    [item('Off', spacing('w:afterAutospacing="1"')), 'it is on again'],
    [item('Other', spacing('w:after="0"')), 'nothing says anything of it'],
    [item('Web', spacing('w:beforeAutospacing="0"')), 'no space of its own in place of the automatic one'],
    ['<w:pStyle w:val="Off"/>', 'no item'],
    ['<w:pStyle w:val="Item"/><w:numPr><w:numId w:val="0"/></w:numPr>', 'no item of the list of its style'],
    [spacing('w:after="240" w:afterAutospacing="0"'), 'no item'],
  ] as const)
    t.equal(change(properties), properties, why);
});
