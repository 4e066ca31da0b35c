/** Pages, flow and place of two PDFs, from the words that pdftotext sees. */
import t from 'tap';
import { compareLayout } from '../../bench/fidelity/layout.ts';
import { overall } from '../../bench/fidelity/results.ts';
import { parseBoxes, readText, type Word } from '../../bench/fidelity/words.ts';

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
    <word xMin="-1.5" yMin="2" xMax="3" yMax="4">a\u0001b</word>
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
    { text: 'a\u0001b', page: 1, xMin: -1.5, yMin: 2, xMax: 3, yMax: 4 },
    { text: '仕様書', page: 3, xMin: 0, yMin: 0, xMax: 1, yMax: 1 },
  ]);
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
  });
});

t.test('a document without words is as it should be', async (t) => {
  t.match(compareLayout({ pages: 1, words: [] }, { pages: 1, words: [word('x', 1)] }), { flow: 1, place: 1 });
});

t.test('what is no PDF is an error', async (t) => {
  const file = `${t.testdir({ 'word.pdf': 'no PDF' })}/word.pdf`;
  await t.rejects(readText(file), { message: /^pdftotext: / });
});

t.test('overall figures are means over documents', async (t) => {
  const one = compareLayout({ pages: 1, words: [word('a', 1)] }, { pages: 1, words: [word('a', 1)] });
  const other = compareLayout({ pages: 1, words: [word('a', 1)] }, { pages: 2, words: [] });
  const fonts = { wanted: [], word: [], ours: [] };
  const looks = { likeness: [], similarity: 0.5 };
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
  });
});
