/** Pages, flow and place of two PDFs, from the words that pdftotext sees. */
import t from 'tap';
import { compareLayout } from '../../bench/fidelity/layout.ts';
import { halfOf, overall, overallHalves } from '../../bench/fidelity/results.ts';
import { cutWord } from '../../src/cli/compare/east-asian.ts';
import { parseBoxes, readText, type Word } from '../../src/cli/compare/words.ts';
import { plainPdf } from '../support/plain-pdf.ts';

const word = (text: string, page: number, xMin = 0, yMin = 0): Word => ({
  text,
  page,
  xMin,
  yMin,
  xMax: xMin + 10,
  yMax: yMin + 10,
});

t.test('words are read in order, with their pages and boxes', async (t) => {
  const { pages, words } = parseBoxes(`<doc>
  <page width="612.000000" height="792.000000">
    <word xMin="72.025000" yMin="99.030000" xMax="154.796000" yMax="113.030000">R&amp;D &lt;b&gt;</word>
    <word xMin="-1.5" yMin="2" xMax="3" yMax="4">a\u0001b\uf0b7</word>
  </page>
  <page width="612.000000" height="792.000000">
  </page>
  <page width="612.000000" height="792.000000">
    <word xMin="0" yMin="0" xMax="1" yMax="1">仕様書</word>
  </page>
</doc>`);
  t.equal(pages, 3);
  t.strictSame(words, [
    { text: 'R&D <b>', page: 1, xMin: 72.025, yMin: 99.03, xMax: 154.796, yMax: 113.03 },
    { text: 'a\u0001b•', page: 1, xMin: -1.5, yMin: 2, xMax: 3, yMax: 4 },
    { text: '仕様書', page: 3, xMin: 0, yMin: 0, xMax: 1, yMax: 1 },
  ]);
});

t.test('text without blanks is cut into its characters, and its box with it', async (t) => {
  const cut = (text: string, width: number, height = 10) =>
    cutWord({ ...word(text, 2, 100, 50), xMax: 100 + width, yMax: 50 + height });
  const box = { page: 2, xMin: 100, yMin: 50, xMax: 110, yMax: 60 };
  t.strictSame(cut('仕様。', 30), [
    { ...box, text: '仕' },
    { ...box, text: '様', xMin: 110, xMax: 120 },
    { ...box, text: '。', xMin: 120, xMax: 130 },
  ]);
  // Letters of other scripts, and half-width kana, are half as wide.
  t.match(cut('以SSMなｶ𠮷', 50), [
    { text: '以', xMin: 100 },
    { text: 'SSM', xMin: 110 },
    { text: 'な', xMin: 125 },
    { text: 'ｶ', xMin: 135 },
    { text: '𠮷', xMin: 140, xMax: 150 },
  ]);
  t.match(cut('か\u3099き', 20), [{ text: 'か\u3099' }, { text: 'き', xMin: 110 }]);
  t.match(cut('縦書き', 10, 30), [
    { xMin: 100, yMin: 50, yMax: 60 },
    { xMin: 100, yMin: 60, yMax: 70 },
    { xMin: 100, yMin: 70, yMax: 80 },
  ]);
});

t.test('the characters of a PDF are read one by one', async (t) => {
  const pdf = plainPdf(['ABC de ABC'], { meaning: '仕様書' });
  const { words } = await readText(`${t.testdir({ 'word.pdf': pdf })}/word.pdf`);
  t.strictSame(
    words.map(({ text }) => text),
    ['仕', '様', '書', 'de', '仕', '様', '書'],
  );
});

t.test('words of scripts with blanks stay whole', async (t) => {
  for (const text of ['naïve', 'Привет', '제1장「총칙」', '·', '“”']) {
    t.strictSame(cutWord(word(text, 1)), [word(text, 1)], text);
  }
});

t.test('a line that breaks elsewhere costs text without blanks only what moved', async (t) => {
  const line = (text: string, y: number) => cutWord({ ...word(text, 1, 0, y), xMax: text.length * 10 });
  const theirs = [...line('一二三四', 0), ...line('五六七八', 20)];
  const ours = [...line('一二三', 0), ...line('四五六七八', 20)];
  t.match(compareLayout({ pages: 1, words: theirs }, { pages: 1, words: ours }), {
    words: 8,
    found: 8,
    flow: 1,
    place: 3 / 8,
  });
});

t.test('a word counts when it is on its page, and near when it is within 6 points', async (t) => {
  const theirs = [
    word('one', 1),
    word('two', 1, 50),
    word('three', 1, 0, 50),
    word('four', 2),
    word('lost', 2),
  ];
  // Taller, about the same middle.
  const one = { ...word('one', 1, 6, -20), yMax: 18 };
  const ours = [one, word('two', 1, 56.1), word('three', 1, 0, 43.9), word('four', 1)];
  t.strictSame(compareLayout({ pages: 2, words: theirs }, { pages: 1, words: ours }), {
    pages: { word: 2, ours: 1, same: false },
    words: 5,
    found: 4,
    flow: 3 / 5,
    place: 1 / 5,
    offUpOrDown: 1 / 5,
    offSideways: 1 / 5,
  });
});

t.test('a document without words is as it should be', async (t) => {
  t.match(compareLayout({ pages: 1, words: [] }, { pages: 1, words: [word('x', 1)] }), {
    flow: 1,
    place: 1,
    offUpOrDown: 0,
    offSideways: 0,
  });
});

t.test('what is no PDF is an error', async (t) => {
  const file = `${t.testdir({ 'word.pdf': 'no PDF' })}/word.pdf`;
  await t.rejects(readText(file), { message: /^pdftotext: / });
});

t.test('overall figures are means over documents', async (t) => {
  const one = compareLayout({ pages: 1, words: [word('a', 1)] }, { pages: 1, words: [word('a', 1)] });
  const other = compareLayout({ pages: 1, words: [word('a', 1)] }, { pages: 2, words: [] });
  const fonts = { wanted: [], word: [], ours: [] };
  const account = { pagination: null, fonts: [], warnings: [], rewrites: [], cpuMs: 1, attempts: 1 };
  const looks = { likeness: [], similarity: 0.5, letters: 0.7, divergence: {}, account };
  const documents = [
    { name: 'one', ...one, fonts, missingGlyphs: [], ...looks },
    { name: 'other', ...other, fonts, missingGlyphs: [{ font: 'F', count: 3, characters: 'x' }], ...looks },
  ];
  t.strictSame(overall(documents), {
    documents: 2,
    pages: 0.5,
    flow: 0.5,
    place: 0.5,
    missingGlyphs: 3,
    similarity: 0.5,
    letters: 0.7,
  });
  t.strictSame(overallHalves(documents), {
    tune: overall(documents.filter(({ name }) => halfOf(name) === 'tune')),
    believe: overall(documents.filter(({ name }) => halfOf(name) === 'believe')),
  });
});

t.test('a document is in one half for ever', async (t) => {
  // The last hexadecimal digit of `printf %s NAME | sha256sum`, even or odd.
  t.strictSame(['a', 'b', 'c', 'd'].map(halfOf), ['believe', 'believe', 'tune', 'tune']);
});
