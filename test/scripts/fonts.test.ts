/** The fonts that setup makes: what their tables say, and what docker/fonts/stand-ins.md says of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { adjust } from '../../scripts/fonts/adjust.mjs';
import { withIdentities } from '../../scripts/fonts/cff.mjs';
import { glyphsByCharacter } from '../../scripts/fonts/cmap.mjs';
import { contoursOf } from '../../scripts/fonts/glyf.mjs';
import { type Face, familyName, readFaces } from '../../scripts/fonts/sfnt.mjs';
import { readFontTable, readWidths } from '../../scripts/fonts/table.mjs';
import { charactersIn, everyWidth } from '../../scripts/fonts/widths.mjs';

const root = join(import.meta.dirname, '../..');

t.test('widths for each character', async (t) => {
  t.strictSame(everyWidth({ '가-갂': 1000 }), { 가: 1000, 각: 1000, 갂: 1000 }, 'a range');
  const widths = everyWidth({ A: 600, d: 500, É: 410, E: 400 });
  t.match(widths, { A: 600, Ä: 600, Ậ: 600 }, 'an accent leaves the width as it is');
  t.equal(widths.É, 410, 'unless another is known');
  t.notOk('ď' in widths, 'a caron beside the letter does not');
  t.notOk('ß' in widths, 'what is no letter with an accent has none');
});

/** The advance of a character, and where its outline begins and ends, in thousandths of an em. */
function extentOf({ tables }: Face, character: string) {
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(0);
  const [glyph = 0] = glyphsByCharacter(table('cmap'), [character]).values();
  const isLong = table('head').readInt16BE(50) === 1;
  const at = isLong ? table('loca').readUInt32BE(4 * glyph) : 2 * table('loca').readUInt16BE(2 * glyph);
  const units = table('head').readUInt16BE(18) / 1000;
  const advance = table('hmtx').readUInt16BE(4 * glyph) / units;
  const [left, right] = [2, 6].map((field) => table('glyf').readInt16BE(at + field) / units);
  return { glyph, advance, left: left ?? 0, right: right ?? 0 };
}

t.test('letters that join are stretched, others stand in the middle', async (t) => {
  const [face] = readFaces(readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'));
  if (!face) throw new Error('the font has no face');
  // In the middle of a word: of points, and made of other glyphs, one of which is stretched itself.
  const [points, composite] = ['\ufee0', '\ufe92'];
  const made = adjust(face, {
    family: 'Made',
    style: 'Regular',
    line: [1, 0.2, 0],
    widths: { [points]: 200, [composite]: 500, a: 900 },
  });
  for (const [character, width] of [
    [points, 200],
    [composite, 500],
  ] as const) {
    const [before, after] = [extentOf(face, character), extentOf(made, character)];
    t.equal(Math.round(after.advance), width);
    const factor = after.advance / before.advance;
    t.ok(Math.abs(after.left - factor * before.left) < 1, `${character} begins where the letter before ends`);
    t.ok(
      Math.abs(after.right - factor * before.right) < 1,
      `${character} ends where the letter behind begins`,
    );
  }
  const [before, after] = [extentOf(face, 'a'), extentOf(made, 'a')];
  t.equal(
    after.right - after.left,
    before.right - before.left,
    'a letter that joins nothing is as wide as it was',
  );
  t.strictSame({ ...extentOf(made, 'b') }, extentOf(face, 'b'), 'another letter is what it was');
});

t.test('a lighter font whose letters stand higher', async (t) => {
  const [face] = readFaces(readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'));
  if (!face) throw new Error('the font has no face');
  const made = adjust(face, {
    family: 'Made',
    style: 'Regular',
    line: [1, 0.2, 0],
    lighter: 1000 / 32,
    raised: 1000 / 16,
  });
  const [before, after] = [extentOf(face, 'l'), extentOf(made, 'l')];
  t.strictSame([after.advance, after.left, after.right], [before.advance, before.left, before.right]);
  const [glyf, loca] = ['glyf', 'loca'].map((tag) => made.tables.get(tag) ?? Buffer.alloc(0)) as [
    Buffer,
    Buffer,
  ];
  const points = contoursOf(glyf.subarray(loca.readUInt32BE(4 * after.glyph))).flat();
  const [xs, ys] = (['x', 'y'] as const).map((axis) =>
    points.map((point) => (1000 * point[axis]) / 2048),
  ) as [number[], number[]];
  t.ok(
    Math.abs(Math.min(...xs) - before.left - 1000 / 64) < 1 &&
      Math.abs(before.right - Math.max(...xs) - 1000 / 64) < 1,
  );
  t.equal(Math.min(...ys), 1000 / 16);
  t.equal(Math.round(Math.max(...ys)), Math.round((1000 * 1556) / 2048 + 1000 / 32));
});

t.test('a font of some characters alone', async (t) => {
  const [face] = readFaces(readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'));
  if (!face) throw new Error('the font has no face');
  const outlines = charactersIn(['U+05D0-05EA', 'U+0041']).map((each) => [each, each] as const);
  const made = adjust(face, { family: 'Made', style: 'Regular', line: [1, 0.2, 0], outlines });
  const has = (character: string) => extentOf(made, character).glyph > 0;
  t.strictSame(['א', 'ת', 'A'].map(has), [true, true, true]);
  t.strictSame(['B', 'ا', '→'].map(has), [false, false, false]);
});

t.test('a font that shows other digits', async (t) => {
  const [face] = readFaces(readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'));
  if (!face) throw new Error('the font has no face');
  const made = adjust(face, { family: 'Made', style: 'Regular', line: [1, 0.2, 0], digits: '۰' });
  t.equal(extentOf(made, '0').glyph, extentOf(face, '۰').glyph);
  t.equal(extentOf(made, '9').glyph, extentOf(face, '۹').glyph);
  for (const other of ['A', 'ب', '\ufe92', '→'])
    t.equal(extentOf(made, other).glyph, extentOf(face, other).glyph, other);
});

t.test('a character that is drawn for several widths', async (t) => {
  const faces = readFaces(readFileSync('/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc'));
  const face = faces.find((each) => familyName(each) === 'Noto Serif CJK SC');
  if (!face) throw new Error('the collection has no such face');
  const adjustment = { family: 'Made', style: 'Regular', line: [1, 0.2, 0] } as const;
  const widths = { ...everyWidth({ ' -~': 500 }), '‘': 1000, '“': 400 };
  const made = adjust(face, { ...adjustment, halfWidth: true, widths });
  const table = (of: Face, tag: string) => of.tables.get(tag) ?? Buffer.alloc(0);
  const glyphOf = (of: Face, character: string) =>
    glyphsByCharacter(table(of, 'cmap'), [character]).get(character) ?? 0;
  const ascii = charactersIn(['U+0020-007E']);
  const halves = ascii.map((letter) => table(made, 'hmtx').readUInt16BE(4 * glyphOf(made, letter)));
  t.strictSame(new Set(halves), new Set([500]));
  t.not(glyphOf(made, 'm'), glyphOf(face, 'm'), 'half-width');
  t.not(glyphOf(made, '“'), glyphOf(face, '“'), 'proportional');
  const proportional = adjust(face, { ...adjustment, widths });
  t.equal(glyphOf(proportional, 'm'), glyphOf(face, 'm'), 'no half-width ones where they are not wanted');
  for (const other of ['‘', 'é', '中', 'Ａ', '\u{20000}'])
    t.equal(glyphOf(made, other), glyphOf(face, other), other);
});

t.test('a font that has names for its glyphs gets numbers for other widths', async (t) => {
  const [face] = readFaces(readFileSync('/usr/share/fonts/truetype/culmus/DavidCLM-Medium.otf'));
  if (!face) throw new Error('the font has no face');
  const cff = face.tables.get('CFF ');
  if (!cff) throw new Error('the font has other outlines');
  const outlines = (wider: ReadonlyMap<number, number>) =>
    withIdentities(cff, [{ name: 'Made', wider }])[0]?.toString('latin1') ?? '';
  const numbers = 'AdobeIdentity';
  t.match(outlines(new Map([[3, 100]])), numbers);
  t.notMatch(outlines(new Map()), numbers, 'not where it keeps its widths');
});

t.test('the table and its page say the same', async (t) => {
  const { standIns, made } = readFontTable();
  const page = readFileSync(join(root, 'docker/fonts/stand-ins.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const lines = new Map(made.map(({ family, line }) => [family, line.reduce((sum, part) => sum + part)]));
  const shown = standIns.filter(({ use }) => use !== 'OpenSymbol');
  for (const { word, use } of shown) {
    for (const name of word) {
      const row = rows.find(([names]) => names?.split(', ').includes(name));
      t.equal(row?.[1], use, name);
      const line = lines.get(use);
      if (line !== undefined) t.equal(row?.[3]?.replace('~ ', ''), line.toFixed(3), `the line of ${use}`);
    }
  }
  const words = shown.flatMap(({ word }) => word);
  t.equal(new Set(words).size, words.length, 'no font has two stand-ins');
});

t.test('a stand-in has the same metrics where widths and lines were found to agree', async (t) => {
  const { standIns } = readFontTable();
  const page = readFileSync(join(root, 'docker/fonts/stand-ins.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter(({ length }) => length === 5);
  const measured = rows.flatMap(([fonts = '', , offBy = '', line, wordLine = '']) => {
    const off = /^(\d+\.\d+) %/.exec(offBy)?.[1];
    const agrees = Math.abs(Number(line) - Number.parseFloat(wordLine)) < 0.0015;
    return off !== undefined && Number(off) <= 0.5 && agrees ? fonts.split(', ') : [];
  });
  const marked = standIns.flatMap(({ metricsCompatible = [] }) => metricsCompatible);
  t.strictSame(marked.sort(), measured.sort());
  for (const { word, metricsCompatible = [] } of standIns) {
    for (const font of metricsCompatible) t.ok(word.includes(font), font);
  }
});

t.test('each file of widths has a user, and each stand-in its file', async (t) => {
  const { made } = readFontTable();
  const used = [...new Set(made.flatMap(({ widths }) => widths ?? []))].sort();
  const files = readdirSync(join(root, 'docker/fonts/widths')).map((name) => name.replace('.json', ''));
  t.strictSame(files.sort(), used);
  for (const name of used) {
    for (const widths of Object.values(readWidths(name))) {
      t.equal(
        widths['\u00a0'],
        widths[' '],
        `${name}: a blank that does not break is as wide as one that does`,
      );
    }
  }
});
