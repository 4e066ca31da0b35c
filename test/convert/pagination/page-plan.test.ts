/** Where a layout gets page breaks, and how far its pages grow for them. */
import t from 'tap';
import { PageLayout } from '../../../src/convert/pagination/page-layout.ts';
import { type PagePlan, planPages } from '../../../src/convert/pagination/page-plan.ts';
import { type At, type Laid, laidOut, section } from './support/layouts.ts';

/** A line, which ends so far below where it begins. */
const LINE = 14;
/** The height of a body, and the most that it grows by. */
const [BODY, MOST] = [600, 35];
/** Measuring error. */
const SLACK = 8;

/** A place so far below the top of the first page, where pages follow each other without room between them. */
const down = (y: number): At => [Math.floor(y / BODY), y % BODY];
/** A page of Word that ends so far below the top of the first page, in the middle of the engine's pages. */
const pageEndAt = (y: number, more: Laid = {}): Laid => ({ at: down(y), end: down(y - LINE), ...more });

interface Options {
  /** That Word noted; `unknown` where it noted none. As many as are named, by default. */
  readonly pages?: number | 'unknown';
  readonly sections?: Parameters<typeof laidOut>[2];
  readonly bottoms?: (number | undefined)[];
}

/** @param end how far below the top of the first page the document ends. */
function planFor(
  laid: readonly Laid[],
  end: number,
  { sections, bottoms, pages }: Options = {},
): Pick<PagePlan, 'breaks' | 'growth'> & Partial<Pick<PagePlan, 'flat'>> {
  const { starts, destinations } = laidOut(laid, down(end - LINE), sections);
  const named = 1 + laid.filter(({ kind }) => kind !== 'empty').length;
  const layout = new PageLayout(starts, destinations, bottoms);
  const noted = pages === 'unknown' ? undefined : (pages ?? named);
  const { breaks, growth, flat } = planPages({ starts, pages: noted }, layout);
  return flat.length > 0 ? { breaks, growth, flat } : { breaks, growth };
}

t.test('pages that the engine makes longer than Word break where Word broke them', async (t) => {
  t.strictSame(planFor([pageEndAt(500), pageEndAt(1_000)], 1_200), { breaks: [0, 1], growth: [0] });
});

t.test('the body grows as far as a page needs it', async (t) => {
  for (const [height, growth] of [
    [BODY - 50, 0],
    [BODY - SLACK, 0],
    [BODY - SLACK + 1, 1],
    [BODY, SLACK],
    [BODY + 15, 15 + SLACK],
    [BODY + 30, MOST],
    [BODY + MOST, MOST],
  ] as const) {
    const plan = planFor([pageEndAt(height)], height + 300);
    t.strictSame(plan, { breaks: [0], growth: [growth] }, `${height} points`);
  }
  const most = planFor([pageEndAt(BODY + 15), pageEndAt(2 * BODY + 35)], 2 * BODY + 300);
  t.strictSame(most, { breaks: [0, 1], growth: [20 + SLACK] }, 'as far as the one that needs most');
  const last = planFor([pageEndAt(500)], 500 + BODY + 12);
  t.strictSame(last, { breaks: [0], growth: [12 + SLACK] }, 'the last one too');
  const near = planFor([pageEndAt(500)], 500 + BODY + MOST + SLACK);
  t.strictSame(near, { breaks: [0], growth: [MOST] }, 'what is measured may be a little lower');
  const high = planFor([pageEndAt(500)], 500 + BODY + MOST + SLACK + 1);
  t.strictSame(high, { breaks: [0], growth: [0] }, 'not for one that does not fit then');
});

t.test('a page that does not fit lets its break go, and is carried on', async (t) => {
  const over = BODY + MOST + 1;
  const plan = planFor([pageEndAt(over), pageEndAt(over + BODY - 20)], over + BODY + 100);
  t.strictSame(plan, { breaks: [1], growth: [MOST - 20 + 1 + SLACK] }, 'the next page has room for the rest');
  const far = planFor([pageEndAt(over), pageEndAt(over + BODY)], over + BODY + 100);
  t.strictSame(far.breaks, [], 'or none');
});

t.test('so is a page that no break can be written for', async (t) => {
  const laid = [pageEndAt(BODY - 40, { isBreakable: false }), pageEndAt(2 * BODY - 20)];
  t.strictSame(planFor(laid, 2 * BODY), { breaks: [1], growth: [0] });
});

t.test("a break of the document's own ends what is carried on", async (t) => {
  const own: Laid = { kind: 'own', at: [2, 0], end: down(BODY + 100 - LINE) };
  const plan = planFor([pageEndAt(BODY + 50), own, pageEndAt(2 * BODY + 500)], 2 * BODY + 550);
  t.strictSame(plan, { breaks: [2], growth: [0] });
  const high: Laid = { ...own, at: [1, 0], end: down(BODY + 10 - LINE) };
  t.strictSame(planFor([high], BODY + 500).growth, [10 + SLACK], 'and pages grow for it');
});

t.test('two marks close together are one page start', async (t) => {
  t.strictSame(planFor([pageEndAt(500), pageEndAt(540)], 900).breaks, [0]);
});

t.test('a page of which the engine says nothing fits', async (t) => {
  t.strictSame(planFor([{}, pageEndAt(900)], 1_000).breaks, [0, 1]);
});

t.test('a body grows no further than to its footer, and columns do not grow', async (t) => {
  const growth = (own: Partial<typeof section>, height: number) =>
    planFor([pageEndAt(height)], height + 100, { sections: [{ ...section, ...own }] });
  const near = { bottom: 100, footer: 100 - 16.5 - 12 };
  t.strictSame(growth(near, BODY + 12), { breaks: [0], growth: [12] });
  t.strictSame(growth(near, BODY + 13), { breaks: [], growth: [0] });
  t.strictSame(growth({ footer: 95 }, BODY + 1).growth, [0], 'a footer that is in the way');
  t.strictSame(growth({ columns: 2 }, BODY + 1), { breaks: [], growth: [0] });
  t.strictSame(growth({ hasMargins: false }, BODY + 1), { breaks: [], growth: [0] }, 'no margin to change');
  t.strictSame(growth({ columns: 2 }, BODY - 1), { breaks: [0], growth: [0] });
});

t.test('each section grows by what its own pages need', async (t) => {
  const laid: Laid[] = [
    pageEndAt(500),
    { kind: 'own', section: 1, at: [1, 0], end: [0, 580] },
    pageEndAt(2 * BODY + 10, { section: 1 }),
  ];
  const plan = planFor(laid, 2 * BODY + 50, { sections: [section, section] });
  t.strictSame(plan, { breaks: [0, 2], growth: [0, 10 + SLACK] });
  const above: Laid = { kind: 'own', section: 1, sectionAbove: 0, at: [1, 0], end: [0, BODY + 10 - LINE] };
  const last = planFor([above], BODY + 50, { sections: [section, section] });
  t.strictSame(last.growth, [10 + SLACK, 0], 'the page above a section is one of the section before it');
});

t.test('under a high header, less fits', async (t) => {
  const laid = [1, 2, 3].map((page): Laid => ({ at: [page, 50], end: [page - 1, 600 - LINE] }));
  const { starts, destinations } = laidOut(laid, [3, 300]);
  const plan = planPages({ starts, pages: 4 }, new PageLayout(starts, destinations));
  t.strictSame(plan, { breaks: [0, 1, 2], pages: 4, growth: [SLACK], flat: [] });
});

t.test('a page without a mark begins at the empty paragraph where the one before it is full', async (t) => {
  const emptyAt = (y: number): Laid => pageEndAt(y, { kind: 'empty' });
  const laid = [emptyAt(560), emptyAt(BODY - 10), emptyAt(700), pageEndAt(2 * BODY - 6)];
  const end = 2 * BODY + 100;
  const three = { pages: 3 };
  t.strictSame(planFor(laid, end, three), { breaks: [1, 3], growth: [SLACK + 4] });
  const early = [emptyAt(300), pageEndAt(2 * BODY - 20)];
  t.strictSame(planFor(early, end, three), { breaks: [1], growth: [0] }, 'not in the middle of a page');
  // The last line of the first page stands 20, then 100 points above where its body ends.
  const [full, ended] = [[123], [203]];
  const next = (y: number) => [emptyAt(y), pageEndAt(2 * BODY - 6)];
  t.strictSame(planFor(next(BODY + 20), end, { ...three, bottoms: full }).breaks, [0, 1]);
  const closed = planFor(next(BODY + 100), end, { ...three, bottoms: ended });
  t.strictSame(closed.breaks, [1], 'nor behind one that ends early');
});

t.test('how much longer than a page is two pages depends on how many Word noted', async (t) => {
  const breaks = (share: number, range: Options = {}) => {
    const laid: Laid[] = [pageEndAt(BODY, { kind: 'empty' }), pageEndAt(share * BODY)];
    return planFor(laid, (share + 0.5) * BODY, range).breaks;
  };
  const unknown = { pages: 'unknown' } as const;
  const one = { pages: 3 };
  t.strictSame([breaks(1.15, one), breaks(1.09, one)], [[0, 1], []], 'one that has no mark');
  t.strictSame([breaks(1.21, unknown), breaks(1.19, unknown)], [[0, 1], []], 'perhaps one');
  t.strictSame(breaks(1.9), [], 'none');
});

t.test('how many pages there would be', async (t) => {
  const laid: Laid[] = [pageEndAt(500), pageEndAt(500 + 2 * BODY), pageEndAt(500 + 3 * BODY)];
  const { starts, destinations } = laidOut(laid, down(500 + 3.5 * BODY));
  const plan = planPages({ starts, pages: undefined }, new PageLayout(starts, destinations));
  t.equal(plan.pages, 5, 'two of them between two marks');
});

t.test('several pages without a mark, one after the other', async (t) => {
  const emptyAt = (y: number): Laid => pageEndAt(y, { kind: 'empty' });
  const laid = [
    emptyAt(BODY - 10),
    emptyAt(2 * BODY - 20),
    pageEndAt(3 * BODY - 30),
    pageEndAt(4 * BODY - 40),
  ];
  t.strictSame(planFor(laid, 4 * BODY, { pages: 5 }), { breaks: [0, 1, 2, 3], growth: [0] });
});

t.test("the engine's own page begins it, where empty paragraphs fill the page above", async (t) => {
  // The last line of the first page ends 400 points below its top.
  const end = [0, 400 - LINE] as const;
  const emptyAt = (at: At): Laid => ({ kind: 'empty', at, end });
  const above = Array.from({ length: 9 }, (_, i) => emptyAt([0, 420 + 20 * i]));
  const laid = [...above, emptyAt([1, 0]), pageEndAt(2 * BODY - 6)];
  const { breaks } = planFor(laid, 2 * BODY + 100, { pages: 3, bottoms: [303] });
  t.strictSame(breaks, [9, 10], 'not the last of them, which fitted');
});

t.test('an empty paragraph at the end of a full page may begin the page that has no mark', async (t) => {
  const laid: Laid[] = [pageEndAt(500), pageEndAt(500 + BODY - 20, { kind: 'empty' })];
  const breaks = (pages: number) => planFor(laid, 500 + BODY - 20, { pages }).breaks;
  t.strictSame([breaks(2), breaks(3)], [[0], [0, 1]], 'where Word noted one more');
  const early: Laid[] = [pageEndAt(500), pageEndAt(500 + 300, { kind: 'empty' })];
  t.strictSame(planFor(early, 800, { pages: 3 }).breaks, [0], 'not where the page is not full');
});

t.test(
  'what the engine carries over from a page has no room on it, however low it was measured',
  async (t) => {
    const carried: Laid[] = [{ at: [1, 40], end: [1, 26] }];
    const bottoms = [203];
    const plan = (footer: number, grown?: readonly number[]) => {
      const { starts, destinations } = laidOut(carried, [1, 300], [{ ...section, footer }]);
      const planned = grown && { growth: grown, flat: [] };
      return planPages({ starts, pages: 2 }, new PageLayout(starts, destinations, bottoms, planned));
    };
    t.match(plan(36), { breaks: [0], growth: [1 + SLACK] }, 'with a little more it may have');
    t.match(plan(95), { breaks: [], growth: [0] }, 'where there is none, its break is let go');
    t.match(plan(36, [1 + SLACK]), { breaks: [], growth: [1 + SLACK] }, 'so it is where it was written');
    t.match(plan(36, [0]), { breaks: [], growth: [0] }, 'whatever the growth was');
  },
);

t.test('what is carried over to a page counts for what it carries over itself', async (t) => {
  const { starts, destinations } = laidOut(
    [
      { at: [1, 40], end: [1, 16] },
      { at: [2, 20], end: [2, 0] },
    ],
    [2, 500],
  );
  const breaks = (grown: number) => {
    const planned = { growth: [grown], flat: [] };
    const layout = new PageLayout(starts, destinations, [65, 400, 200], planned);
    return planPages({ starts, pages: 3 }, layout).breaks;
  };
  t.strictSame(breaks(MOST), [], 'a picture, say, had no room below it');
});

t.test('a body keeps the height in which its pages had room', async (t) => {
  const { starts, destinations } = laidOut([{ at: [1, 0], end: [0, 560] }], [1, 300]);
  const grown = new PageLayout(starts, destinations, [], { growth: [20], flat: [] });
  t.match(planPages({ starts, pages: 2 }, grown), { breaks: [0], growth: [20] });
});

t.test('what is low is a page where the engine makes one of it as well', async (t) => {
  const laid: Laid[] = [pageEndAt(500), { at: [1, 0], end: [0, 540] }];
  t.strictSame(planFor(laid, 900).breaks, [0, 1]);
});

t.test('on a grid, a body grows by whole steps of it', async (t) => {
  const growth = (height: number, own: Partial<typeof section>) =>
    planFor([pageEndAt(height)], height + 100, { sections: [{ ...section, gridStep: 15, ...own }] }).growth;
  t.strictSame(growth(BODY + 1, {}), [15]);
  t.strictSame(growth(BODY + 8, {}), [30]);
  t.strictSame(growth(BODY + 8, { gridStep: 20 }), [20], 'as many as there is room for');
  t.strictSame(growth(BODY + 1, { footer: 70 }), [9], 'or by less, where there is no room for one');
});

/** Empty paragraphs from a height down the first page on, with text above them that ends at the same place. */
const emptyFrom = (y: number, count: number, more: Laid = {}): Laid[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'empty',
    at: [0, y + i * 20],
    end: [0, y - LINE],
    ...more,
  }));

t.test('on a page that is too high, empty lines become flat, evenly', async (t) => {
  const own: Laid = { kind: 'own', at: [2, 0], end: [1, 30 - LINE] };
  const plan = (laid: readonly Laid[], end: Laid = own, columns = 1) =>
    planFor([...laid, end], 2 * BODY + 100, {
      bottoms: [200, 700, 700],
      sections: [{ ...section, columns }],
    });
  // Ten lines of 20 points, down to where the body ends: 30 points more than it has, and none to grow.
  const near = { ...section, footer: 90 };
  const high = (laid: readonly Laid[]) =>
    planFor([...laid, own], 2 * BODY + 100, { bottoms: [200, 700, 700], sections: [near] });
  t.strictSame(high(emptyFrom(400, 10)), { breaks: [], growth: [0], flat: [3, 7] });
  t.strictSame(plan(emptyFrom(400, 10)).flat, undefined, 'none where the body has room to grow');
  t.strictSame(
    high(emptyFrom(560, 2)).flat,
    undefined,
    'nor where there are too few, of which the first stays',
  );
  const text: Laid[] = emptyFrom(400, 10).map((each, i) => ({ ...each, end: [0, 400 + i * 20 - LINE] }));
  t.strictSame(high(text).flat, undefined, 'nor where each stands between text');
  t.strictSame(high(emptyFrom(400, 10, { isBlank: false })).flat, undefined, 'nor where they are seen');
  const clearing = emptyFrom(400, 10, { clearsDrawing: true });
  t.strictSame(high(clearing).flat, undefined, 'nor where text would come over a drawing');
  t.strictSame(plan(emptyFrom(400, 10), own, 2).flat, undefined, 'nor in columns');
  const mark: Laid = { at: [1, 30], end: [1, 30 - LINE] };
  const broken = planFor([...emptyFrom(400, 10), mark], BODY + 200, { bottoms: [200], sections: [near] });
  t.strictSame(broken, { breaks: [10], growth: [0], flat: [3, 7] }, 'so a mark gets its break');
});

t.test('what was flat stays so, and more becomes flat where that was too little', async (t) => {
  const own: Laid = { kind: 'own', at: [2, 0], end: [1, 30 - LINE] };
  const { starts, destinations } = laidOut(
    [...emptyFrom(400, 10), own],
    [2, 300],
    [{ ...section, footer: 90 }],
  );
  const planned = { growth: [0], flat: [3, 7] };
  const layout = new PageLayout(starts, destinations, [200, 700, 700], planned);
  const { flat } = planPages({ starts, pages: 2 }, layout);
  t.match([flat.length, flat.includes(3), flat.includes(7)], [4, true, true]);
});

t.test('empty lines that are seen and did not fit begin the page of their mark', async (t) => {
  const above = (isBlank: boolean): Laid[] =>
    [0, 1, 2].map((i) => ({
      kind: 'empty',
      at: [i > 0 ? 1 : 0, i > 0 ? 20 * i - 20 : 580],
      end: [0, 580 - LINE],
      isBlank,
    }));
  const breaks = (isBlank: boolean, planned?: PagePlan) => {
    const laid: Laid[] = [...above(isBlank), { at: [2, 0], end: [0, 580 - LINE] }];
    const { starts, destinations } = laidOut(laid, [2, 300]);
    return planPages({ starts, pages: 2 }, new PageLayout(starts, destinations, [100, 700, 400], planned))
      .breaks;
  };
  const planned = { breaks: [3], pages: 2, growth: [0], flat: [] };
  t.strictSame(breaks(false, planned), [1]);
  t.strictSame(breaks(true, planned), [3], 'others become flat');
  t.strictSame(breaks(false), [3], 'nor without a break at the mark');
});

t.test('empty lines do not make a page of which Word has none', async (t) => {
  // The content ends on the first page, what follows begins on the third.
  const above = (count: number, more: Laid = {}) => emptyFrom(500, count, more);
  const own: Laid = { kind: 'own', at: [2, 0], end: [0, 500 - LINE] };
  const plan = (laid: readonly Laid[], pages: number | 'unknown', pagesOfLayout = 3) =>
    planFor([...laid, own], 2 * BODY + 100, { pages, bottoms: Array(pagesOfLayout).fill(200) }).flat;
  t.strictSame(plan(above(3), 2), [0, 1, 2], 'where Word noted fewer');
  t.strictSame(plan(above(3), 3), undefined, 'where it noted as many, it has that page');
  t.strictSame(plan(above(3), 3, 4), [0, 1, 2], 'unless the engine makes one more');
  t.strictSame(plan(above(3), 'unknown'), [0, 1, 2], 'where it noted none and nothing is on that page');
  const over: Laid[] = [...above(3), { kind: 'empty', at: [1, 0], end: [0, 500 - LINE] }];
  t.strictSame(plan(over, 'unknown'), undefined, 'not where empty lines are');
  t.strictSame(plan(over, 2), [0, 1, 2, 3], 'unless Word noted fewer');
  const seen: Laid[] = [...above(5), { ...(over[3] as Laid), isBlank: false }];
  const last = planFor(seen, 500, { pages: 1, bottoms: [200, 200] });
  t.strictSame(
    last,
    { breaks: [], growth: [SLACK + LINE], flat: [0, 1, 2, 3, 4] },
    'a page grows for what is seen',
  );
  const full: Laid[] = [{ ...own, end: [0, BODY - 4 - LINE] }];
  const line = planFor(full, 2 * BODY + 100, { pages: 2, bottoms: [100, 700, 700] });
  t.strictSame(line.growth, [LINE - 4 + SLACK], 'or for the break, which has a line of its own');
});

t.test('pages between two marks grow by what each of them needs', async (t) => {
  const two = planFor([pageEndAt(500), { at: [2, 520], end: [2, 500 + 20 - LINE] }], 3 * BODY, { pages: 4 });
  t.strictSame(two.growth, [10 + SLACK], 'two pages that are 20 points too high');
});

/** Looked at pair by pair, as many would take minutes. */
t.test('thousands of pages without a mark are planned at once', async (t) => {
  const pages = 4_500;
  const laid = Array.from({ length: pages }, (_, i): Laid => pageEndAt((i + 1) * BODY, { kind: 'empty' }));
  const { breaks } = planFor([...laid, pageEndAt((pages + 1) * BODY)], (pages + 2) * BODY, {
    pages: 'unknown',
  });
  t.equal(breaks.length, pages + 1);
});
