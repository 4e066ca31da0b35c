import t from 'tap';
import { readWordPagination } from '../../../src/convert/pagination/word-pagination.ts';

const saved = { isWords: true, pages: undefined, trackedChanges: 0 };
const marks = { breaks: 2, pages: 10 };

t.test('marks are believed where Word noted as many pages', async (t) => {
  t.strictSame(readWordPagination(marks, { ...saved, pages: 10 }), { least: 10, most: 10 });
  t.strictSame(
    readWordPagination(marks, { ...saved, pages: 11 }),
    { least: 11, most: 11 },
    'one page begins with an empty paragraph',
  );
  t.equal(readWordPagination(marks, { ...saved, pages: 12 }), 'stale-marks');
  t.equal(readWordPagination(marks, { ...saved, pages: 9 }), 'stale-marks');
  const long = { breaks: 90, pages: 100 };
  t.strictSame(readWordPagination(long, { ...saved, pages: 105 }), { least: 105, most: 105 });
  t.equal(readWordPagination(long, { ...saved, pages: 106 }), 'stale-marks');
});

t.test('marks alone count where Word noted none or one', async (t) => {
  for (const pages of [undefined, 1]) {
    t.strictSame(readWordPagination(marks, { ...saved, pages }), { least: 10, most: 11 });
  }
});

t.test('of other documents nobody knows', async (t) => {
  t.equal(readWordPagination(marks, { ...saved, isWords: false }), 'not-word');
  t.equal(readWordPagination(undefined, saved), 'no-marks');
  t.equal(readWordPagination({ breaks: 0, pages: 3 }, saved), 'no-marks');
  t.equal(readWordPagination(marks, { ...saved, trackedChanges: 1 }), 'stale-marks');
});
