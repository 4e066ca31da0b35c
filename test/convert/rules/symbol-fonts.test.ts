/** In which runs and list levels the signs of symbol fonts get their font. */
import t from 'tap';
import { withSymbolFonts } from '../../../src/convert/rules/symbol-fonts.ts';
import { rewritten } from '../support/rewritten.ts';

const changed = (part: string) => {
  const other = rewritten(withSymbolFonts, part);
  return other;
};
const run = (fonts: string, text: string) =>
  `<w:r><w:rPr><w:rFonts${fonts}/></w:rPr><w:t>${text}</w:t></w:r>`;
const level = (fonts: string, text: string) =>
  `<w:lvl w:ilvl="0"><w:lvlText w:val="${text}"/><w:rPr><w:rFonts${fonts}/></w:rPr></w:lvl>`;
const ALIKE = ' w:ascii="Symbol" w:hAnsi="Symbol"';

t.test('signs alone', async (t) => {
  for (const of of [run, level]) {
    for (const sign of ['\uf0b7', '&#xF0B7;', '&#61623;', '\uf0b7\uf0a7']) {
      t.equal(changed(of(' w:hAnsi="Symbol"', sign)), of(ALIKE, sign), sign);
    }
    t.equal(changed(of(' w:ascii="Arial" w:hAnsi="Symbol"', '\uf0b7')), of(ALIKE, '\uf0b7'), 'another font');
    const themed = ' w:asciiTheme="minorHAnsi" w:hAnsi="Symbol"';
    t.equal(changed(of(themed, '\uf0b7')), of(ALIKE, '\uf0b7'), "the theme's font");
  }
  const unprefixed =
    '<r xmlns="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><rFonts hAnsi="Symbol"/><t>\uf0b7</t></r>';
  t.equal(changed(unprefixed), unprefixed.replace('hAnsi', 'ascii="Symbol" hAnsi'));
  const both = run(' w:hAnsi="Symbol"', 'text') + run(' w:hAnsi="Symbol"', '\uf0b7');
  t.equal(changed(both), run(' w:hAnsi="Symbol"', 'text') + run(ALIKE, '\uf0b7'), 'each run by itself');
});

t.test('what stays as it is', async (t) => {
  for (const part of [
    run(ALIKE, '\uf0b7'),
    run(' w:hAnsi="Symbol"', 'a \uf0b7'),
    run(' w:hAnsi="Symbol"', ''),
    run(' w:ascii="Symbol"', '\uf0b7'),
    run(' w:hAnsi="Symbol" w:hint="eastAsia"', '\uf0b7'),
    run(' w:hAnsi="Symbol" w:hAnsiTheme="minorHAnsi"', '\uf0b7'),
    run(' w:hAnsi="Symbol"', '\uff01\ue0b7&#xF1B7;&#61440'),
    level(' w:hAnsi="Symbol"', '%1.'),
  ]) {
    t.equal(changed(part), undefined, part);
  }
});

t.test('parts that are no XML, in linear time', async (t) => {
  for (const part of ['<w:r>', '<w:rFonts ', '<w:rFonts w:hAnsi="', '<w:t>\uf0b7']) {
    t.equal(rewritten(withSymbolFonts, part.repeat(200_000)), undefined, part);
  }
});
