/** Which of a document's layouts is nearest to Word's pages. */
import t from 'tap';
import {
  isRight,
  judgeLayouts,
  measureLayout,
  nearestOf,
} from '../../../src/convert/pagination/page-judge.ts';
import { PageLayout } from '../../../src/convert/pagination/page-layout.ts';
import { type Laid, laidOut } from './support/layouts.ts';

const [BODY, LINE] = [600, 14];

/** A layout in which each stretch has these heights on pages that follow each other; `/` begins a page. */
function measured(text: string, isPlanned = false) {
  const laid: Laid[] = [];
  let [page, y] = [0, 0];
  const words = text.split(' ');
  let end: readonly [number, number] = [0, 0];
  for (const [i, word] of words.entries()) {
    if (word === '/') {
      if (y > 0) [page, y] = [page + 1, 0];
      continue;
    }
    if (i > 0) laid.push({ at: [page, y], end });
    y += Number(word);
    while (y > BODY) [page, y] = [page + 1, y - BODY];
    end = [page, y - LINE];
  }
  const { starts, destinations } = laidOut(laid, end);
  const bottoms = Array.from({ length: page + 1 }, () => 103);
  const plan = isPlanned ? { growth: [0], flat: [] } : undefined;
  const layout = new PageLayout(starts, destinations, bottoms, plan);
  const { kept, of } = layout.keptMarks();
  return measureLayout(layout, kept / of);
}

const judge = (pages: number | undefined, ...layouts: ReturnType<typeof measured>[]) =>
  judgeLayouts(layouts, pages).map(({ excess, rightShare, keptShare }) => {
    return [excess, Math.round(rightShare * 100), Math.round(keptShare * 100)];
  });

t.test('what stands on its page of Word is right', async (t) => {
  const same = measured('500 / 500 / 500');
  for (const pages of [3, undefined]) t.strictSame(judge(pages, same), [[0, 100, 100]]);
  t.ok(judgeLayouts([same], 3).every(isRight));
  t.strictSame(judge(3, measured('500 500 500')), [[0, 80, 0]], 'what the page before has is not');
});

t.test('a page that ran over makes all later ones wrong', async (t) => {
  const engine = measured('570 590 590 590');
  const over = measured('570 / 610 / 590 / 590', true);
  t.strictSame(judge(4, engine, over), [
    [0, 95, 0],
    [1, 50, 67],
  ]);
  t.strictSame(judge(undefined, engine, over), judge(4, engine, over), 'whether Word counted pages or not');
  t.equal(nearestOf(judgeLayouts([engine, over], 4)), 0);
  const mended = measured('570 / 590 / 590 / 590', true);
  t.equal(nearestOf(judgeLayouts([engine, over, mended], 4)), 2);
});

t.test('pages may begin without a mark where there is too much for one', async (t) => {
  const engine = measured('590 / 1130 / 590');
  for (const pages of [4, undefined]) t.strictSame(judge(pages, engine), [[0, 100, 100]]);
  const joined = measured('590 / 590 / 590', true);
  t.strictSame(
    judge(undefined, measured('590 / 630 / 590'), joined)[0],
    [1, 66, 50],
    'not where it fits on one',
  );
});

t.test('a page start that was noted twice is one', async (t) => {
  const engine = measured('580 / 400 180 590 590 / 500');
  for (const pages of [5, undefined]) t.strictSame(judge(pages, engine), [[0, 98, 40]]);
});

t.test('a page of empty paragraphs that Word counted is that page', async (t) => {
  // Word has 5 pages: the second holds empty paragraphs alone, above a break of the document's own.
  const laid = (at: readonly number[], kept: number) => {
    const own: Laid = { kind: 'own', at: [at[0] as number, 0], end: [0, 400] };
    const marks = at.slice(1).map((page): Laid => ({ at: [page, 0], end: [page - 1, 585] }));
    const { starts, destinations } = laidOut([own, ...marks], [at.at(-1) as number, 300]);
    const bottoms = Array.from({ length: (at.at(-1) as number) + 1 }, () => 103);
    return measureLayout(new PageLayout(starts, destinations, bottoms), kept);
  };
  const blank = laid([2, 3, 4], 1);
  const closed = laid([1, 2, 3], 1);
  t.strictSame(judge(5, blank), [[0, 100, 100]], 'not one more of the next page');
  t.strictSame(judge(4, closed), [[0, 100, 100]]);
  const both = judge(5, closed, blank);
  t.match(both, [[1], [0, 100, 100]], 'whichever layout has it');
  t.equal(nearestOf(judgeLayouts([closed, blank], 5)), 1);
});

t.test("a low page that begins where a page of the engine's does is a page", async (t) => {
  const laid: Laid[] = [
    { at: [1, 0], end: [0, 585] },
    { kind: 'own', at: [2, 0], end: [1, 1 - LINE] },
    { at: [3, 0], end: [2, 585] },
  ];
  const { starts, destinations } = laidOut(laid, [5, 200]);
  const layout = new PageLayout(
    starts,
    destinations,
    Array.from({ length: 6 }, () => 103),
  );
  // Its last page ran over, twice.
  t.strictSame(judge(4, measureLayout(layout, 1)), [[2, 100, 100]]);
});

t.test('of several pages that ran over, the lowest are one', async (t) => {
  const engine = measured('780 780 780 740 580');
  t.strictSame(judge(5, engine), [[2, 36, 0]], 'all, where Word has one for each');
  t.strictSame(judge(8, engine)[0]?.slice(0, 1), [1]);
});

t.test('a stale count wins nothing against the marks', async (t) => {
  const engine = { excess: 1, rightShare: 0.3, markedShare: 0.95, keptShare: 0.5 };
  const joined = { excess: 0, rightShare: 0.9, markedShare: 0.2, keptShare: 0.9 };
  t.equal(nearestOf([engine, joined]), 0);
  t.equal(nearestOf([engine, { ...joined, markedShare: 0.94 }]), 1);
});

t.test('of equal layouts, the engine has the first', async (t) => {
  const engine = { excess: 0, rightShare: 0.9, markedShare: 0.9, keptShare: 0.5 };
  t.equal(nearestOf([engine, engine]), 0);
  t.equal(
    nearestOf([engine, { ...engine, rightShare: 0.900_01 }]),
    0,
    'also if places are rounded in another way',
  );
  t.equal(nearestOf([engine, { ...engine, keptShare: 0.6 }]), 1, 'more kept marks');
  t.equal(nearestOf([engine, { ...engine, excess: 1, rightShare: 0.95 }]), 0, 'another page count');
  t.equal(nearestOf([engine, { ...engine, excess: 2, rightShare: 0.3, keptShare: 1 }]), 0);
});

t.test('a PDF whose pages are in no order is refused', async (t) => {
  const laid = Array.from(
    { length: 4_000 },
    (_, i): Laid => ({ at: [i % 2 ? 90 : 0, 10], end: [i % 2 ? 90 : 0, 0] }),
  );
  const { starts, destinations } = laidOut(laid, [0, 0]);
  const layout = new PageLayout(starts, destinations, []);
  t.throws(() => measureLayout(layout, 0), { message: /too far/ });
});
