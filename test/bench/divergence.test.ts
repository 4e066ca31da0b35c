/** Where one PDF begins to differ from another, by the lines that pdftotext sees. */
import t from 'tap';
import { findDivergence } from '../../bench/fidelity/divergence.ts';
import type { PdfText, Word } from '../../src/cli/compare/words.ts';

const LINE = 14;

/** A page for each list of lines, which begin 100 points from the top, or so much lower. */
function text(pages: readonly (readonly string[])[], lower = 0): PdfText {
  const words = pages.flatMap((lines, page) =>
    lines.flatMap((line, row) =>
      line.split(' ').map((word, column): Word => {
        const [xMin, yMin] = [72 + column * 50, 100 + row * LINE + lower];
        return { text: word, page: page + 1, xMin, yMin, xMax: xMin + 40, yMax: yMin + 12 };
      }),
    ),
  );
  return { pages: pages.length, words };
}

const lines = Array.from({ length: 12 }, (_, n) =>
  ['alpha', 'beta', 'gamma'].map((word) => word + n).join(' '),
);

t.test('nothing where nothing differs', async (t) => {
  t.strictSame(findDivergence(text([lines]), text([lines])), {});
  t.strictSame(findDivergence(text([[]]), text([[]])), {});
});

t.test('the first page with lines on another one, and how many', async (t) => {
  const header = 'a header that is longer than a line on page';
  const page = (number: number, from: number, to: number) => [
    `${header} ${number}`,
    ...lines.slice(from, to),
  ];
  const word = text([page(1, 0, 3), page(2, 3, 8), page(3, 8, 12)]);
  const later = text([page(1, 0, 3), page(2, 3, 7), page(3, 7, 12)]);
  t.match(findDivergence(word, later), {
    firstPage: { page: 2, line: 6, text: 'alpha7 beta7 gamma7', lines: 1, of: 6, ours: [3] },
    firstDrift: { page: 3, line: 2, points: LINE },
  });
  const earlier = text([page(1, 0, 5), page(2, 5, 9), page(3, 9, 12)]);
  t.match(findDivergence(word, earlier), {
    firstPage: { page: 2, line: 2, text: 'alpha3 beta3 gamma3', lines: 2, of: 6, ours: [1] },
    firstDrift: { page: 2, line: 4, points: -2 * LINE },
  });
});

t.test('the first line that is not in its place', async (t) => {
  const shifted = text([lines]).words.map((word) =>
    /[5-9]|1\d/.test(word.text) ? { ...word, yMin: word.yMin + 7, yMax: word.yMax + 7 } : word,
  );
  const { firstPage, firstDrift } = findDivergence(text([lines]), { pages: 1, words: shifted });
  t.equal(firstPage, undefined);
  t.strictSame(firstDrift, { page: 1, line: 6, text: 'alpha5 beta5 gamma5', points: 7 });
  t.strictSame(findDivergence(text([lines]), text([lines], 6)), {}, 'half a line is near enough');
});

t.test('a line of which little is found says nothing', async (t) => {
  const word = text([['one two three four'], ['five six seven eight']]);
  const ours = text([['one two three four', 'eight'], ['nine ten']]);
  t.strictSame(findDivergence(word, ours), {});
});

t.test('characters of scripts without blanks are shown without blanks', async (t) => {
  const at = (character: string, xMin: number, page: number): Word => {
    return { text: character, page, xMin, yMin: 0, xMax: xMin + 10, yMax: 10 };
  };
  const line = (page: number) => [at('仕', 0, page), at('様', 10, page), at('SSM', 30, page)];
  const { firstPage } = findDivergence({ pages: 1, words: line(1) }, { pages: 2, words: line(2) });
  t.equal(firstPage?.text, '仕様 SSM');
});
