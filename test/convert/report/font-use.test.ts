/** Which fonts of a document its PDF has, and which others in their place. */
import t from 'tap';
import { fontRows, readFontTable } from '../../../src/convert/fonts/font-table.ts';
import { PdfFontNames } from '../../../src/convert/fonts/names.ts';
import { standInsOf } from '../../../src/convert/fonts/stand-ins.ts';
import { fontUse } from '../../../src/convert/report/font-use.ts';

t.test('families are known by the PostScript names of their fonts', async (t) => {
  const same = [
    ['Liberation Sans', 'LiberationSans-BoldItalic'],
    ['Liberation Sans', 'LiberationSans'],
    ['Arial', 'Arial-BoldMT'],
    ['Arial', 'ArialMT'],
    ['Times New Roman', 'TimesNewRomanPS-BoldItalicMT'],
    ['Times New Roman', 'TimesNewRomanPSMT'],
    ['Courier New', 'CourierNewPS-BoldMT'],
    ['Segoe UI Semibold', 'SegoeUI-Semibold'],
    ['Verdana', 'Verdana,Bold'],
    ['Noto Sans CJK JP', 'NotoSansCJKjp-Regular'],
    ['ＭＳ 明朝', 'MS明朝'],
  ] as const;
  for (const [family, name] of same) t.ok(new PdfFontNames([name]).has(family), `${family} is ${name}`);
  const different = [
    ['DejaVu Sans', 'DejaVuSansMono-Bold'],
    ['Liberation Sans', 'LiberationSansNarrow'],
    ['Liberation Sans', 'LiberationSerif'],
    ['Bold', 'Carlito-Bold'],
  ] as const;
  for (const [family, name] of different)
    t.notOk(new PdfFontNames([name]).has(family), `${family}, not ${name}`);
});

t.test('a stand-in is named where the PDF has it', async (t) => {
  const standIns = new Map([
    [
      'verdana',
      [
        { name: 'Bitstream Vera Sans', metricsCompatible: true },
        { name: 'DejaVu Sans', metricsCompatible: false },
      ],
    ],
  ]);
  const use = (pdfFonts: string[]) => fontUse(['VERDANA'], pdfFonts, standIns)[0];
  const used = (pdfFonts: string[]) => use(pdfFonts)?.used;
  t.equal(used(['Verdana-Bold', 'DejaVuSans']), 'VERDANA', 'it is there itself');
  t.equal(used(['DejaVuSans-Bold']), 'DejaVu Sans');
  t.equal(used(['Carlito']), null, 'nobody guesses');
  t.strictSame(fontUse([], ['Carlito'], standIns), []);
  const hasSameMetrics = (pdfFonts: string[]) => use(pdfFonts)?.metricsCompatible;
  t.equal(hasSameMetrics(['Verdana']), true, 'it is the font itself');
  t.equal(hasSameMetrics(['BitstreamVeraSans']), true);
  t.equal(hasSameMetrics(['DejaVuSans']), false);
  t.equal(hasSameMetrics(['Carlito']), false);
});

t.test('a PDF of some pages says nothing of fonts on the others', async (t) => {
  const known = standInsOf(fontRows());
  const wanted = ['Cambria', 'Garamond', 'Times New Roman', 'DejaVu Sans', 'Own', 'Nowhere'];
  const resorts = new Map([['own', 'Georgia']]);
  const partial = { installed: new Set(['dejavu sans']), embedsFonts: false };
  const use = (pdfFonts: string[], more = {}) =>
    fontUse(wanted, pdfFonts, known, resorts, { ...partial, ...more }).map(({ name, used }) => [name, used]);
  t.strictSame(use(['Carlito']), [['Nowhere', null]], 'whose replacement nobody knows may be there');
  t.strictSame(use(['Carlito'], { embedsFonts: true }), [], 'unless the document may have it');
  t.strictSame(use(['PlatenArialArabic']), [['Nowhere', null]], 'Arabic letters may be in Arial');
  const standIns = ['PlatenCambria', 'PlatenGaramond', 'LiberationSerif', 'DejaVuSans', 'PlatenGeorgia'];
  t.strictSame(
    use(standIns),
    fontUse(wanted, standIns, known, resorts).map(({ name, used }) => [name, used]),
    'what is there is told as of the whole document',
  );
});

t.test('the table', async (t) => {
  const known = standInsOf(fontRows());
  t.match(fontUse(['Symbol', 'Courier New'], ['PlatenHighBullets', 'PlatenCircleBullets'], known), [
    { used: 'Platen High Bullets', metricsCompatible: false },
    { used: 'Platen Circle Bullets', metricsCompatible: true },
  ]);
  t.strictSame(known.get('calibri'), [{ name: 'Carlito', metricsCompatible: true }]);
  t.strictSame(known.get('sylfaen'), [{ name: 'Platen Sylfaen', metricsCompatible: false }]);
  t.match(known.get('palatino'), [{ name: 'P052' }, { name: 'Liberation Serif', metricsCompatible: false }]);
  const folder = t.testdir({
    'good.json':
      '{"standIns":[{"word":["A","B"],"use":"C","metricsCompatible":["B"]},{"word":["a"],"use":"D","otherLetters":["E"]}],"made":[],"more":1}',
    'list.json': '[]',
    'other.json': '{"standIns":[{"word":"Arial","use":"Liberation Sans"}],"made":[]}',
    'none.json': 'x',
  });
  t.strictSame(
    [...standInsOf(readFontTable(`${folder}/good.json`))],
    [
      [
        'a',
        [
          { name: 'C', metricsCompatible: false },
          { name: 'D', metricsCompatible: false },
          { name: 'E', metricsCompatible: false },
        ],
      ],
      ['b', [{ name: 'C', metricsCompatible: true }]],
    ],
  );
  for (const name of ['list', 'other', 'none', 'missing']) {
    t.throws(() => readFontTable(`${folder}/${name}.json`), { name: 'OperatorError' }, name);
  }
});
