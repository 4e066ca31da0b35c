/** Text has ligatures only where the document asks for them. */
import t from 'tap';
import { asksForLigatures, withoutLigatures } from '../../../src/convert/rules/ligatures.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const fonts = (ascii: string, hAnsi = ascii) =>
  `<w:rFonts ${W} w:ascii="${ascii}" w:hAnsi="${hAnsi}" w:cs="Calibri" w:eastAsia="Calibri"/>`;

t.test('fonts of Latin text', async (t) => {
  t.equal(withoutLigatures(fonts('Calibri', 'georgia')), fonts('Calibri:-liga', 'georgia:-liga'));
  t.equal(withoutLigatures(fonts('Symbol', 'Cambria')), fonts('Symbol', 'Cambria'), 'others');
});

t.test('fonts of the theme', async (t) => {
  const theme = (name: string) =>
    `<a:theme><a:fontScheme><a:latin typeface="${name}"/><a:ea typeface="Calibri"/></a:fontScheme></a:theme>`;
  t.equal(withoutLigatures(theme('Calibri')), theme('Calibri:-liga'));
  t.equal(withoutLigatures('<a:latin typeface="Calibri"/>'), '<a:latin typeface="Calibri"/>', 'no theme');
});

t.test('documents that ask for them', async (t) => {
  t.ok(asksForLigatures('<w14:ligatures w14:val="standardContextual"/>'));
  t.notOk(asksForLigatures('<w14:ligatures w14:val="none"/>'));
});
