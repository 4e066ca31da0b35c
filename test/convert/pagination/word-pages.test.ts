/** When the pages that a document says it has in Word are believed. */
import t from 'tap';
import type { PageStart } from '../../../src/convert/pagination/page-starts.ts';
import { believedPages, isWithin } from '../../../src/convert/pagination/word-pages.ts';

const byWord = (pages?: number) => ({ isWord: true, pages });

/** What a document of so many pages says of them. */
function startsOf(pages: number) {
  const start = (kind: PageStart['kind']): PageStart => ({ kind, section: 0, isBreakable: true });
  const own = Array.from({ length: pages - 2 }, () => start('own'));
  return { starts: [start('mark'), ...own, start('empty'), start('empty')], sections: [] };
}

const starts = startsOf(10);

t.test('marks are believed where Word noted as many pages', async (t) => {
  t.strictSame(believedPages(starts, byWord(10), false), { starts, least: 10, most: 10 });
  t.strictSame(
    believedPages(starts, byWord(11), false),
    { starts, least: 11, most: 11 },
    'one page begins with an empty paragraph',
  );
  t.equal(believedPages(starts, byWord(12), false), 'stale-marks');
  t.equal(believedPages(starts, byWord(9), false), 'stale-marks');
  t.match(believedPages(startsOf(100), byWord(105), false), { least: 105, most: 105 });
  t.equal(believedPages(startsOf(100), byWord(106), false), 'stale-marks');
});

t.test('marks alone count where Word noted none or one', async (t) => {
  for (const pages of [undefined, 1]) {
    t.strictSame(believedPages(starts, byWord(pages), false), { starts, least: 10, most: 11 });
  }
});

t.test('of other documents nobody knows', async (t) => {
  t.equal(believedPages(starts, { isWord: false, pages: undefined }, false), 'not-word');
  t.equal(believedPages(undefined, byWord(10), false), 'no-marks');
  t.equal(believedPages(starts, byWord(10), true), 'stale-marks', 'tracked changes');
});

t.test('a layout has the pages of Word', async (t) => {
  const range = { least: 10, most: 11 };
  t.strictSame(
    [9, 10, 11, 12].map((pages) => isWithin(pages, range)),
    [false, true, true, false],
  );
});
