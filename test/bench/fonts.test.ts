/** The fonts that a DOCX asks for and a PDF has, and the glyphs that it lacks. */
import { deflateSync } from 'node:zlib';
import t from 'tap';
import { wantedFonts } from '../../bench/fidelity/docx-fonts.ts';
import { parseFonts } from '../../bench/fidelity/fonts.ts';
import { findMissing } from '../../bench/fidelity/glyphs.ts';
import { docxWithParts } from '../support/documents.ts';

t.test('fonts of a PDF', async (t) => {
  const output = `name                                 type              encoding         emb sub uni object ID
------------------------------------ ----------------- ---------------- --- --- --- ---------
BAAAAA+Caladea-Regular               TrueType          WinAnsi          yes yes yes     20  0
CAAAAA+Caladea-Regular               TrueType          WinAnsi          yes yes yes     21  0
ABCDEE+Courier New                   CID TrueType      Identity-H       yes yes yes     22  0
Arial,Bold                           TrueType          WinAnsi          no  no  no       5  0
Arial,Bold                           CID TrueType      Identity-H       yes no  no      19  0
DAAAAA+NotoSansCJKjp-Regular-with-a-very-long-name CID Type 0C (OT) Identity-H yes yes yes 23  0
[none]                               Type 3            Custom           yes no  yes     24  0
`;
  t.strictSame(parseFonts(output), [
    { name: 'Arial,Bold', embedded: false },
    { name: 'Caladea-Regular', embedded: true },
    { name: 'Courier New', embedded: true },
    { name: 'NotoSansCJKjp-Regular-with-a-very-long-name', embedded: true },
  ]);
});

t.test('fonts that a DOCX asks for', async (t) => {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const run = (properties: string, text: string) =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
  const docx = docxWithParts({
    'word/document.xml': `<w:document ${w}><w:body>
      <w:p><w:pPr><w:rPr><w:rFonts w:ascii="Of The Mark"/></w:rPr></w:pPr>${run('', 'theme 文字')}</w:p>
      <w:p><w:pPr><w:pStyle w:val="Child"/></w:pPr>${run('', 'abc')}${run('<w:rFonts w:ascii="Own"/>', 'de')}</w:p>
      <w:p>${run('<w:rStyle w:val="Strong"/>', 'é')}${run('<w:rtl/>', '12')}${run('', 'שלום')}</w:p>
      <w:p><w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>
      </w:body></w:document>`,
    'word/styles.xml': `<w:styles ${w}>
      <w:docDefaults><w:rPrDefault><w:rPr>
        <w:rFonts w:asciiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia" w:cs="Complex"/>
      </w:rPr></w:rPrDefault></w:docDefaults>
      <w:style w:type="paragraph" w:styleId="Base"><w:rPr><w:rFonts w:ascii="Of The Base"/></w:rPr></w:style>
      <w:style w:type="paragraph" w:styleId="Child"><w:basedOn w:val="Base"/></w:style>
      <w:style w:type="character" w:styleId="Strong"><w:rPr><w:rFonts w:hAnsi="Of The Run Style"/></w:rPr></w:style>
    </w:styles>`,
    'word/settings.xml': `<w:settings ${w}><w:themeFontLang w:val="en-US" w:eastAsia="ja-JP"/></w:settings>`,
    'word/theme/theme1.xml': `<a:theme ${a}><a:fontScheme><a:minorFont><a:latin typeface="Calibri"/><a:ea typeface=""/>
      <a:font script="Hans" typeface="SimSun"/><a:font script="Jpan" typeface="MS Mincho"/></a:minorFont></a:fontScheme></a:theme>`,
  });
  t.strictSame(await wantedFonts(docx), [
    { name: 'Complex', characters: 6 },
    { name: 'Calibri', characters: 5 },
    { name: 'Of The Base', characters: 3 },
    { name: 'MS Mincho', characters: 2 },
    { name: 'Own', characters: 2 },
    { name: 'Of The Run Style', characters: 1 },
    { name: 'Wingdings', characters: 1 },
  ]);
  await t.rejects(wantedFonts(deflateSync('no package')));
});

t.test('a glyph is missing when it looks like .notdef, or is blank and should not be', async (t) => {
  const glyph = (font: string, text: string, looks: { notdef?: boolean; blank?: boolean } = {}) => ({
    font,
    unicode: text.codePointAt(0) ?? -1,
    count: 2,
    notdef: false,
    blank: false,
    ...looks,
  });
  const blank = { blank: true };
  t.strictSame(
    findMissing([
      glyph('AAAAAA+One', 'x'),
      glyph('AAAAAA+One', ' ', blank),
      glyph('AAAAAA+One', '\u3164', blank),
      glyph('AAAAAA+One', '\uf020', blank),
      glyph('AAAAAA+One', '', blank),
      glyph('AAAAAA+One', '字', { notdef: true }),
      glyph('BBBBBB+One', 'é', blank),
      glyph('Other', '\u{10fffd}', blank),
    ]),
    [
      { font: 'One', count: 4, characters: '字é' },
      { font: 'Other', count: 2, characters: '\u{10fffd}' },
    ],
  );
});
