/** When the pages that a document says it has in Word are believed. */
import t from 'tap';
import type { PageStart } from '../../../src/convert/pagination/page-starts.ts';
import { believedPages, excessPages } from '../../../src/convert/pagination/word-pages.ts';

const byWord = (pages?: number) => ({ isWord: true, pages });

/** What a document of so many pages says of them. */
function startsOf(pages: number) {
  const start = (kind: PageStart['kind']): PageStart => ({
    kind,
    section: 0,
    sectionAbove: 0,
    isBreakable: true,
    isBlank: false,
    clearsDrawing: false,
  });
  const own = Array.from({ length: pages - 2 }, () => start('own'));
  return { starts: [start('mark'), ...own, start('empty'), start('empty')], sections: [] };
}

const starts = startsOf(10);

t.test('marks are believed where Word noted as many pages, or some more', async (t) => {
  for (const pages of [10, 11, 20]) {
    t.strictSame(believedPages(starts, byWord(pages), false), { starts, pages });
  }
  t.equal(believedPages(starts, byWord(9), false), 'stale-marks', 'fewer than are named');
  t.equal(believedPages(starts, byWord(21), false), 'stale-marks', 'most have no mark');
});

t.test('marks alone count where Word noted none or one', async (t) => {
  for (const pages of [undefined, 1]) {
    t.strictSame(believedPages(starts, byWord(pages), false), { starts, pages: undefined });
  }
});

t.test('of other documents nobody knows', async (t) => {
  t.equal(believedPages(starts, { isWord: false, pages: undefined }, false), 'not-word');
  t.equal(believedPages(undefined, byWord(10), false), 'no-marks');
  t.equal(believedPages(starts, byWord(10), true), 'stale-marks', 'tracked changes');
});

t.test('how many pages a layout has more or less than Word', async (t) => {
  const excess = (pages: number | undefined, ...expected: number[]) =>
    [9, 10, 11, 12].map((each) => excessPages({ starts, pages }, each, expected));
  t.strictSame(excess(10), [1, 0, 1, 2], 'where Word noted their number');
  t.strictSame(excess(10, 12, 9), [1, 0, 1, 2], 'whatever else was expected');
  t.strictSame(excess(undefined), [1, 0, 0, 1], 'as many as are named, or one more, may be right');
  t.strictSame(excess(undefined, 12, 9), [0, 0, 0, 0], 'or as were expected');
});
