/** When the pages that a document says it has in Word are believed. */
import t from 'tap';
import type { PageStart } from '../../../src/convert/pagination/page-starts.ts';
import { believedPages } from '../../../src/convert/pagination/word-pages.ts';

const counted = (pages?: number, characters?: number) => ({ pages, characters });

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
    t.strictSame(believedPages(starts, counted(pages), false), { starts, pages });
  }
  t.equal(believedPages(starts, counted(9), false), 'stale-marks', 'fewer than are named');
  t.equal(believedPages(starts, counted(21), false), 'stale-marks', 'most have no mark');
});

t.test('marks alone count where Word noted none or one', async (t) => {
  for (const pages of [undefined, 1]) {
    t.strictSame(believedPages(starts, counted(pages), false), { starts, pages: undefined });
  }
});

t.test('without a mark, the number of pages is believed where Word counted the text', async (t) => {
  const empty = startsOf(2).starts.slice(1);
  const unmarked = { starts: empty, sections: [] };
  for (const pages of [1, 2]) {
    t.strictSame(believedPages(unmarked, counted(pages, 1_000), false), { starts: unmarked, pages });
  }
  for (const [what, savedBy, isTracked] of [
    ['no number', counted(undefined, 1_000), false],
    ['most have no mark', counted(3, 1_000), false],
    ['no characters', counted(1, 0), false],
    ['none known', counted(1), false],
    ['tracked changes', counted(1, 1_000), true],
  ] as const) {
    t.equal(believedPages(unmarked, savedBy, isTracked), 'no-marks', what);
  }
  const broken = { starts: startsOf(4).starts.slice(1), sections: [] };
  t.equal(believedPages(broken, counted(2, 1_000), false), 'no-marks', 'fewer than are named');
  t.match(believedPages(broken, counted(3, 1_000), false), { pages: 3 });
});

t.test('of other documents nobody knows', async (t) => {
  t.equal(believedPages(undefined, counted(10), false), 'no-marks');
  t.equal(believedPages(starts, counted(10), true), 'stale-marks', 'tracked changes');
});
