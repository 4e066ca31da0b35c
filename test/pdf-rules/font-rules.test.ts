/** Rules for fonts. */
import { fontRules } from '../../src/convert/pdf/conformance/font-rules.ts';
import { proves } from './proof.ts';
import type { Sample } from './sample.ts';
import { trueTypeFont, type1Font } from './sample-fonts.ts';

const WITHOUT_GLYPH = 'Every character that is shown has a glyph';
const WIDTHS = 'Widths in the PDF';
const WITHOUT_TEXT = 'Every character that is shown has a Unicode';
const NO_GLYPH_NAME = 'Subsets of Type 1';

/** The text is in a Type 1 font with these glyphs. */
function useType1(
  sample: Sample,
  charSet = '/CharSet(/A/B)',
  glyphs: Record<string, number> = { A: 500, B: 600 },
): void {
  sample.change('font', '/TrueType', '/Type1');
  sample.change('descriptor', '/FontFile2', `${charSet}/FontFile`);
  sample.part('program').data = type1Font(glyphs);
}

/** The text is in a font that draws its glyphs. */
function useType3(sample: Sample, width: number, glyph = 'A'): void {
  sample.part('font').text =
    `<</Type/Font/Subtype/Type3/FirstChar 1/LastChar 2/Widths[500 600]/FontBBox[0 0 9 9]
/FontMatrix[.001 0 0 .001 0 0]/Resources<<>>/CharProcs<</${glyph}{a}/B{b}>>/Encoding<</Differences[1/A/B]>>/ToUnicode{unicode}>>`;
  sample.parts.a = { text: '<<>>', data: `${width} 0 0 0 9 9 d1 0 0 1 1 re f` };
  sample.parts.b = { text: '<<>>', data: '600 0 d0 1 0 0 rg 0 0 1 1 re f' };
}

proves(fontRules, [
  {
    demand: 'Fonts are of a known type',
    name: 'an unknown one',
    change: (sample) => sample.change('font', '/TrueType', '/X'),
  },
  {
    demand: 'Fonts are of a known type',
    name: 'without name',
    change: (sample) => sample.change('font', '/BaseFont/AAAAAA+Test', ''),
  },
  {
    demand: 'Fonts are of a known type',
    name: 'a width too many',
    change: (sample) => sample.change('font', '600]', '600 700]'),
  },
  {
    demand: 'Fonts are simple',
    name: 'a composite one',
    change: (sample) => sample.change('font', '/TrueType', '/Type0'),
  },
  {
    demand: 'Fonts of visible text',
    name: 'not embedded',
    change: (sample) => sample.change('descriptor', '/FontFile2{program}', ''),
  },
  {
    demand: 'Fonts of visible text',
    name: 'a program of another kind',
    change: (sample) => sample.change('descriptor', '/FontFile2', '/FontFile3'),
  },
  {
    demand: 'Fonts of visible text',
    name: 'a program without widths',
    change: (sample) => {
      const program = sample.part('program');
      program.data = Buffer.from(
        String((program.data as Buffer).toString('latin1')).replace('hmtx', 'xxxx'),
        'latin1',
      );
    },
  },
  {
    demand: WITHOUT_GLYPH,
    name: 'a code that the font does not know',
    change: (sample) => sample.changeData('content', '<0102>', '<010203>'),
    also: [WITHOUT_TEXT],
  },
  {
    demand: WITHOUT_GLYPH,
    name: 'one that a Type 1 font does not know',
    change: (sample) => useType1(sample, '/CharSet(/A)', { A: 500 }),
  },
  {
    demand: WITHOUT_GLYPH,
    name: 'one that a drawn font does not know',
    change: (sample) => useType3(sample, 500, 'C'),
  },
  {
    demand: NO_GLYPH_NAME,
    name: 'not all of them',
    change: (sample) => useType1(sample, '/CharSet(/A)'),
  },
  { demand: NO_GLYPH_NAME, name: 'no list', profiles: ['1b'], change: (sample) => useType1(sample, '') },
  {
    demand: WIDTHS,
    name: 'two units more in the PDF',
    change: (sample) => sample.change('font', '[0 500', '[0 502'),
  },
  {
    demand: WIDTHS,
    name: 'two units more in a TrueType font',
    change: (sample) => {
      sample.part('program').data = trueTypeFont([502, 600]);
    },
  },
  {
    demand: WIDTHS,
    name: 'two units more in a Type 1 font',
    change: (sample) => useType1(sample, '/CharSet(/A/B)', { A: 500, B: 602 }),
  },
  { demand: WIDTHS, name: 'two units more in a drawn font', change: (sample) => useType3(sample, 502) },
  {
    demand: 'TrueType fonts of symbols',
    name: 'an encoding',
    change: (sample) => sample.add('font', '/Encoding/WinAnsiEncoding'),
  },
  {
    demand: 'TrueType fonts of symbols',
    name: 'two tables of codes',
    profiles: ['1b', '2b', '3b', 'ua'],
    change: (sample) => {
      sample.part('program').data = trueTypeFont(
        [500, 600],
        [
          [1, 0],
          [3, 1],
        ],
      );
    },
  },
  {
    demand: 'TrueType fonts of symbols',
    name: 'two tables of codes in part 1, one of them for symbols',
    profiles: ['1b'],
    change: (sample) => {
      sample.part('program').data = trueTypeFont(
        [500, 600],
        [
          [1, 0],
          [3, 0],
        ],
      );
    },
  },
  {
    demand: 'TrueType fonts of symbols',
    name: 'letters without a standard encoding',
    change: (sample) => sample.change('descriptor', '/Flags 4', '/Flags 32'),
  },
  {
    demand: 'TrueType fonts of symbols',
    name: 'no table of codes for symbols',
    profiles: ['4'],
    change: (sample) => {
      sample.part('program').data = trueTypeFont([500, 600], [[3, 1]]);
    },
  },
  {
    demand: WITHOUT_TEXT,
    name: 'one without',
    profiles: ['ua'],
    change: (sample) => sample.changeData('unicode', '<01> <02>', '<01> <01>'),
  },
  {
    demand: WITHOUT_TEXT,
    name: 'one that is no character',
    change: (sample) => sample.changeData('unicode', '<0041>', '<FEFF>'),
  },
  {
    demand: WITHOUT_TEXT,
    name: 'another that is none',
    change: (sample) => sample.changeData('unicode', '<0041>', '<FFFE>'),
  },
  {
    demand: WITHOUT_TEXT,
    name: 'no table',
    profiles: ['ua'],
    change: (sample) => sample.change('font', '/ToUnicode{unicode}', ''),
  },
]);
