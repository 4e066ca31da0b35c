/** The widths of the letters of Word's fonts, as their stand-ins have them. */
import t from 'tap';
import { letterWidths } from '../../../src/convert/fonts/letter-widths.ts';

t.test('letters of fonts whose stand-ins are as wide', async (t) => {
  const width = (font: string, style: string, letter: string) =>
    letterWidths(font, style.includes('b'), style.includes('i'))?.(letter.codePointAt(0) ?? 0);
  // As the fonts themselves have them.
  t.equal(width('Calibri', '', 'a'), 479);
  t.equal(width('Calibri', '', ' '), 226.1);
  t.equal(width('ARIAL', 'b', 'A'), 722.2, 'whatever the case of the name');
  t.equal(width('Times New Roman', 'bi', 'a'), 500);
  t.equal(width('Courier New', 'i', 'Ж'), 600);
  t.equal(width('Cambria', '', '–'), 500);
  t.equal(width('Calibri', '', '字'), undefined, 'no letter of an alphabet');
  t.equal(width('Calibri', '', '\u0378'), undefined, 'none at all');
  t.equal(width('Impact', 'b', 'a'), undefined, 'a style that there is not');
  t.equal(width('Tw Cen MT', '', 'a'), undefined, 'a font whose stand-in is about as wide');
});
