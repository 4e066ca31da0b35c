/** Which characters of a document no font has, and of which scripts they are. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { installedFonts, readInstalledFonts } from '../../../src/convert/fonts/installed-fonts.ts';
import { missingGlyphs } from '../../../src/convert/report/missing-glyphs.ts';
import { countScripts } from '../../../src/convert/text/scripts.ts';
import { fontSettings } from '../../../src/engine/fonts.ts';
import { temporaryFolder } from '../../support/kit.ts';

const element = (name: string, text: string) => `<${name}>${text}</${name}>`;

const codePointsOf = (text: string) =>
  [...new Set(text)].map((character) => character.codePointAt(0) ?? 0).sort((a, b) => a - b);

/** Fonts with these characters. */
const fontsWith = (text: string) =>
  installedFonts(
    `TrueType ${codePointsOf(text)
      .map((point) => point.toString(16))
      .join(' ')}`,
  ).characters;

const missing = (text: string, fonts = '') => missingGlyphs(codePointsOf(text), fontsWith(fonts));

t.test('what the fonts have: ranges, of all fonts together', async (t) => {
  const { characters } = installedFonts(
    'TrueType 20-7e a0\nCFF 4e00-9fff 1f600\n\nType 1 41 400\nPCF 500-5ff\nTrueType\n',
  );
  for (const has of [0x20, 0x41, 0x7e, 0xa0, 0x4e00, 0x9fff, 0x1f600])
    t.ok(characters[has] === 1, has.toString(16));
  for (const lacks of [0x1f, 0x7f, 0xa1, 0x400, 0x500, 0xa000, 0x1f601, 0x110000, -1])
    t.notOk(characters[lacks] === 1, lacks.toString(16));
});

t.test("the engine's fonts", async (t) => {
  const folder = await temporaryFolder(t);
  const { characters, families } = await readInstalledFonts(
    fontSettings(undefined, join(folder, 'cache')),
    join(folder, 'made'),
  );
  for (const character of 'Aéß€–ЯΩ') t.ok(characters[character.codePointAt(0) ?? 0] === 1, character);
  t.notOk(characters[0xffff] === 1, 'no character');
  t.ok(families.has('liberation sans'), 'the names of families');
});

t.test('those of its settings alone', async (t) => {
  const folder = await temporaryFolder(t);
  const fontsDir = join(folder, 'fonts');
  await mkdir(fontsDir);
  const own = await readFile('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf');
  await writeFile(join(fontsDir, 'own.ttf'), own);
  const cache = element('cachedir', join(folder, 'cache'));
  const only = `<fontconfig>${element('dir', fontsDir)}${cache}</fontconfig>`;
  const { characters } = await readInstalledFonts(only, folder);
  t.ok(characters[0x41] === 1);
  t.notOk(characters[0x65e5] === 1, 'no other fonts');
});

t.test('without fonts nobody says that all are missing', async (t) => {
  const folder = await temporaryFolder(t);
  const none = `<fontconfig>${element('dir', folder)}${element('cachedir', folder)}</fontconfig>`;
  await t.rejects(readInstalledFonts(none, folder), /finds no font/);
});

t.test('how many different characters, of which scripts', async (t) => {
  t.equal(missing('日本', '日本語'), undefined);
  t.strictSame(missing('日本語 日本 สวัสดี é', 'é日'), { count: 7, scripts: ['Thai', 'Hani'] });
  t.strictSame(missing('\u{1f600}'), { count: 1, scripts: ['Zsye'] });
  t.strictSame(missing('∑'), { count: 1, scripts: ['Zmth'] });
  t.strictSame(missing('₤'), { count: 1, scripts: ['Zsym'] });
});

t.test('what nobody sees, and signs of symbol fonts, are not missing', async (t) => {
  const unseen = '\u0085\u00ad\u200b\u200d\u200e\u2028\u2060\ufe0f\u{e0100}\ufeff\u3000\u115f\u3164\uffff';
  t.equal(missing(`${unseen}\uf000\uf0b7\uf0ff`), undefined);
});

t.test('what is for private use is missing if no font has it', async (t) => {
  t.strictSame(missing('\ue50c\uf100\u{f0000}\u{100000}'), { count: 4, scripts: ['Zzzz'] });
  t.equal(missing('\ue50c', '\ue50c'), undefined);
});

t.test('what fonts make of other glyphs is not missing', async (t) => {
  t.equal(missing('ế', 'ê\u0301e\u0302'), undefined, 'a letter and its accents');
  t.strictSame(missing('ế', 'e'), { count: 1, scripts: ['Latn'] }, 'without the accents');
  t.equal(missing('\u0301\u0302'), undefined, 'an accent that joins its letter');
  t.equal(missing('\u1112\u1161\u11ab', '한가'), undefined, 'parts of a syllable');
  t.strictSame(missing('\u1112\u1161\u11ab'), { count: 3, scripts: ['Hang'] });
});

t.test('ten scripts at most', async (t) => {
  const scripts = missing('aαбאعᚠखকਕકകขກကა')?.scripts;
  t.equal(scripts?.length, 10);
});

t.test('every character has a script, quickly', async (t) => {
  const all = Array.from({ length: 0x110000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .filter((character) => /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character));
  const counts = countScripts(all);
  t.ok((counts.get('Hani') ?? 0) > 90_000);
  // Those of scripts that came with Unicode 16 and later.
  t.ok((counts.get('Zzzz') ?? 0) < 1_000, `${counts.get('Zzzz')}`);
});
