/** The blocks that Python's difflib finds, in any sequences. */
import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { type Block, matchingBlocks } from '../../bench/fidelity/alignment.ts';

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** The definition, written down: of all blocks the longest, then the first; then the same on both sides of it. */
function definition(a: string[], b: string[], aFrom = 0, bFrom = 0): Block[] {
  let best = { a: 0, b: 0, length: 0 };
  for (const i of a.keys()) {
    for (const j of b.keys()) {
      let length = 0;
      while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
      if (length > best.length) best = { a: i, b: j, length };
    }
  }
  if (best.length === 0) return [];
  const after = [best.a + best.length, best.b + best.length] as const;
  return [
    ...definition(a.slice(0, best.a), b.slice(0, best.b), aFrom, bFrom),
    { a: aFrom + best.a, b: bFrom + best.b, length: best.length },
    ...definition(a.slice(after[0]), b.slice(after[1]), aFrom + after[0], bFrom + after[1]),
  ];
}

t.test('it finds what the definition finds', async () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 24 });
  fc.assert(
    fc.property(words, words, (a, b) => {
      deepStrictEqual(matchingBlocks(a, b), definition(a, b));
    }),
    { numRuns: 500 },
  );
});

t.test('it finds what difflib finds', async (t) => {
  // list(map(tuple, difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()))[:-1]
  t.strictSame(matchingBlocks([...' abcd'], [...'abcd abcd']), [{ a: 0, b: 4, length: 5 }]);
  t.strictSame(matchingBlocks([...'qabxcd'], [...'abycdf']), [
    { a: 1, b: 0, length: 2 },
    { a: 4, b: 3, length: 2 },
  ]);
  t.strictSame(matchingBlocks(['same'], ['other']), []);
  t.strictSame(matchingBlocks([], ['other']), []);
});

t.test('a long document is no trouble', async (t) => {
  const count = 50_000;
  // As often as in English: the n-th most frequent word at each n-th place.
  const prose = (seed: number) => {
    let state = seed;
    return Array.from({ length: count }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return `word ${Math.floor(9000 ** (state / 2 ** 32))}`;
    });
  };
  const words = prose(1);
  const changed = words.flatMap((word, index) => (index % 1000 === 0 ? [word, 'new'] : [word]));
  const blocks = matchingBlocks(words, changed, 500_000_000);
  t.equal(sum(blocks.map(({ length }) => length)), count);
  const zeros = Array<string>(5000).fill('0');
  t.strictSame(matchingBlocks(zeros, zeros), [{ a: 0, b: 0, length: 5000 }]);
});

t.test('what would take minutes is refused', async (t) => {
  t.throws(
    () => matchingBlocks(Array(100).fill('x'), [...Array(50).fill('x'), 'y', ...Array(50).fill('x')], 2000),
    {
      name: 'RangeError',
      message: 'the words repeat too much to be aligned',
    },
  );
});
