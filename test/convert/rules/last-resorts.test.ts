/** What is taken for fonts that are nowhere to be had, and where it is written. */
import t from 'tap';
import { readLastResorts } from '../../../src/convert/document/last-resorts.ts';
import { fontUse } from '../../../src/convert/report/font-use.ts';
import { hasHebrew, withHebrewFonts, withLastResorts } from '../../../src/convert/rules/replaced-fonts.ts';
import { rewritten } from '../support/rewritten.ts';

const known = new Set(['georgia', 'ms mincho', 'roboto']);
const table = (...fonts: string[]) =>
  `<w:fonts xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${fonts.join('')}</w:fonts>`;
const font = (name: string, inner: string) => `<w:font w:name="${name}">${inner}</w:font>`;
const resort = (inner: string) => readLastResorts(table(font('Own', inner)), known, true).get('own');
const family = (value: string) => `<w:family w:val="${value}"/>`;
const panose = (value: string) => `<w:panose1 w:val="${value}"/>`;
const charset = (value: string) => `<w:charset w:val="${value}"/>`;
const FIXED = '<w:pitch w:val="fixed"/>';

t.test('by what the table of fonts says', async (t) => {
  for (const [inner, expected] of [
    ['<w:altName w:val="Georgia"/>', 'Georgia'],
    ['<w:altName w:val="Nobody, Roboto"/>', 'Roboto'],
    [`<w:altName w:val="Nobody"/>${family('roman')}`, 'Times New Roman'],
    [FIXED, 'Courier New'],
    [panose('020B0609020204030204') + family('swiss'), 'Courier New'],
    [panose('02040503050406030204'), 'Times New Roman'],
    [panose('020B0604020202020204') + family('roman'), undefined],
    [panose('00000000000000000000') + family('roman'), 'Times New Roman'],
    [family('swiss'), undefined],
    [family('auto'), undefined],
    [family('modern'), undefined],
    [charset('02') + FIXED, undefined],
    [charset('80') + family('roman'), undefined],
    [`<w:altName w:val="MS Mincho"/>${charset('80')}`, 'MS Mincho'],
    [`${family('roman')}<w:embedRegular r:id="rId1"/>`, undefined],
  ] as const) {
    t.equal(resort(inner), expected, inner);
  }
});

t.test('another weight of a family', async (t) => {
  const weight = (name: string) =>
    readLastResorts(table(font(name, family('roman'))), known, true).get(name.toLowerCase());
  t.equal(weight('Roboto Light'), 'Roboto');
  t.equal(weight('Roboto-SemiBold'), 'Roboto');
  t.equal(weight('Roboto Extra Bold'), 'Times New Roman', 'a word that is none');
  t.equal(weight('Robotolight'), 'Times New Roman', 'no word of its own');
});

t.test('a font that Word did not have', async (t) => {
  const other = '<w:altName w:val="Georgia"/>';
  const roboto = (inner: string, isWord = true) =>
    readLastResorts(table(font('Roboto', inner)), known, isWord).get('roboto');
  t.equal(roboto(other), 'Georgia');
  t.equal(roboto(`${other}<w:sig w:usb0="E0000AFF"/>`), undefined, 'it had it');
  t.equal(roboto('<w:altName w:val="Nobody"/>'), undefined, 'nor is the other one known');
  t.equal(roboto(FIXED), undefined, 'it has no other name');
  t.equal(roboto(other, false), undefined, 'other programs note no characters');
});

t.test('tables of all kinds', async (t) => {
  const read = (part: string) => [...readLastResorts(part, known, true)];
  t.strictSame(read(table(font('Georgia', FIXED), font('A &amp; B', FIXED))), [['a & b', 'Courier New']]);
  t.strictSame(read(''), []);
  t.strictSame(read('<fonts><font'), []);
  t.strictSame(read(table('<w:font/>', FIXED, font('', FIXED))), []);
  t.equal(
    read(table(...Array.from({ length: 2_000 }, (_, i) => font(`F${i}`, FIXED)))).length,
    1_000,
    'not endless',
  );
});

t.test('where fonts are named', async (t) => {
  const resorts = new Map([
    ['own', 'Courier New'],
    ['a & b', 'A "<ü'],
  ]);
  const named = (part: string) => {
    const other = rewritten((xml) => withLastResorts(xml, resorts), part);
    return other;
  };
  const runs = (name: string) =>
    `<w:rFonts w:ascii="${name}" w:hAnsi='Other' w:cs="${name}"/><w:t>w:ascii="Own"</w:t><a:latin typeface="${name}"/>`;
  t.equal(named(runs('OWN')), runs('Courier New'));
  t.equal(named(runs('A &amp; B')), runs('A &quot;&lt;ü'));
  for (const part of [
    runs('Owner'),
    '<w:x w:ascii="Own"/>',
    '<w:rFonts w:hint="Own"/>',
    '<w:rFonts '.repeat(200_000),
  ]) {
    t.equal(named(part), undefined, part.slice(0, 40));
  }
});

t.test('what a report says of them', async (t) => {
  const standIns = new Map([['courier new', [{ name: 'Liberation Mono', metricsCompatible: true }]]]);
  const used = (resort: string, pdf: string) =>
    fontUse(['Own'], [pdf], standIns, new Map([['own', resort]]))[0];
  const unlike = { name: 'Own', metricsCompatible: false };
  t.strictSame(used('Courier New', 'LiberationMono'), { ...unlike, used: 'Liberation Mono' });
  t.strictSame(used('Roboto', 'Roboto-Bold'), { ...unlike, used: 'Roboto' });
  t.strictSame(used('Courier New', 'Carlito'), { ...unlike, used: null });
});

t.test('Arial and Times New Roman in documents with Hebrew letters', async (t) => {
  t.ok(hasHebrew(Buffer.from('<w:t>אב</w:t>')));
  t.notOk(hasHebrew(Buffer.from('<w:t>a × ü سلام 漢</w:t>')));
  const named = (part: string) => {
    const other = rewritten(withHebrewFonts, part);
    return other;
  };
  for (const name of ['Arial', 'Times New Roman']) {
    const parts = (font: string) =>
      `<w:rFonts w:ascii="${name}" w:cs="${font}" w:hAnsi="${name}"/><a:latin typeface="${name}"/><a:cs typeface="${font}"/>` +
      `<a:font script="Arab" typeface="${name}"/><a:font script="Hebr" typeface="${font}"/>`;
    t.equal(named(parts(name)), parts(`Platen ${name}`));
  }
  for (const part of [
    '<w:rFonts w:ascii="Arial" w:cs="Arial Narrow"/>',
    '<w:rFonts w:cstheme="Arial"/><w:t>w:cs="Arial"</w:t>',
    '<w:rFonts '.repeat(200_000),
    `<w:rFonts ${'cs '.repeat(500_000)}`,
  ]) {
    t.equal(named(part), undefined, part.slice(0, 40));
  }
});
