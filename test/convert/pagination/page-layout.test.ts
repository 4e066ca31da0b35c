/** What a layout of the engine says of the pages of Word. */
import t from 'tap';
import type { Section } from '../../../src/convert/document/sections.ts';
import { PageLayout } from '../../../src/convert/pagination/page-layout.ts';
import { type At, type Laid, laidOut, section } from './support/layouts.ts';

/** A line, which ends so far below where it begins. */
const LINE = 14;

function layoutOf(laid: readonly Laid[], end?: At, bottoms?: (number | undefined)[], sections?: Section[]) {
  const { starts, destinations } = laidOut(laid, end, sections);
  return new PageLayout(starts, destinations, bottoms);
}

const place = (page: number, y: number) => ({ page, y });

t.test('a boundary is where the content of a page ends and where that of the next begins', async (t) => {
  const layout = layoutOf([{ at: [1, 0], end: [0, 500] }, { at: [1, 300] }], [1, 400]);
  t.match(layout.boundaries(), [
    { index: 0, begin: place(1, 0), end: place(0, 500 + LINE) },
    { index: 1, begin: place(1, 300), end: place(1, 300) },
    { index: 2, start: undefined, begin: undefined, end: place(1, 400 + LINE) },
  ]);
});

t.test('a mark in the middle of a page begins where the content before it ends', async (t) => {
  const layout = layoutOf([{ at: [0, 330], end: [0, 300] }]);
  t.match(layout.boundaries(), [{ begin: place(0, 300 + LINE), end: place(0, 300 + LINE) }, {}]);
});

t.test('the first line of a page may be a high one', async (t) => {
  t.match(layoutOf([{ at: [1, 200], end: [0, 560] }]).boundaries(), [{ begin: place(1, 0) }, {}]);
});

t.test("a break of the document's own begins at the top; an empty paragraph is no boundary", async (t) => {
  const layout = layoutOf([
    { kind: 'own', at: [1, 40], end: [0, 200] },
    { kind: 'empty', at: [1, 60] },
  ]);
  t.match(layout.boundaries(), [{ index: 0, begin: place(1, 0) }, { index: 2 }]);
  t.strictSame(layout.place(1), place(1, 60), 'but has a place');
});

t.test('empty paragraphs at the end of a page count where they are asked for', async (t) => {
  const empty = (y: number, end = 400): Laid => ({ kind: 'empty', at: [0, y], end: [0, end] });
  const laid = [empty(450), empty(470), empty(490), { at: [1, 60], end: [1, 40] } as const];
  const layout = layoutOf(laid, [1, 80], [800 - 100 - 417, 600]);
  const between = (withEmpty: boolean) => layout.heightBetween(place(0, 0), place(1, 20), 0, withEmpty);
  t.strictSame(
    [between(false), between(true)],
    [420 + 20, 510 + 20],
    'the last one as high as the one above',
  );
  t.strictSame(
    [0, 1, 2, 3].map((index) => layout.isBelowEmpty(index)),
    [false, true, true, false],
    'right below another one, or with text between',
  );
  t.notOk(layoutOf([empty(450), empty(470, 460)]).isBelowEmpty(1), 'text between empty ones');
});

t.test('behind the last page begins the one that would be next', async (t) => {
  t.match(layoutOf([], [1, 80], [100, 100]).boundaries(), [{ begin: place(2, 0), end: place(1, 80 + LINE) }]);
});

t.test('where the engine says nothing, nothing is known', async (t) => {
  const layout = layoutOf([{}, { kind: 'own' }]);
  t.strictSame(layout.place(0), undefined);
  const nowhere = { begin: undefined, end: undefined };
  t.match(layout.boundaries(), [nowhere, nowhere, nowhere]);
  t.equal(layout.heightBetween(undefined, place(0, 0), 0), undefined);
  t.equal(layout.heightBetween(place(0, 0), undefined, 0), undefined);
});

t.test('marks that are kept begin a page', async (t) => {
  const kept = { at: [1, 0], end: [0, 560] } as const;
  const slid = { at: [2, 20], end: [2, 0] } as const;
  t.strictSame(layoutOf([kept, slid]).keptMarks(), { kept: 1, of: 2 });
  t.strictSame(layoutOf([{ at: [1, 5] }]).keptMarks(), { kept: 1, of: 1 }, 'less than a line from the top');
  t.strictSame(layoutOf([{ at: [1, 9] }]).keptMarks(), { kept: 0, of: 1 }, 'a line below it');
  t.strictSame(layoutOf([kept, { ...kept, end: [1, 0] }]).keptMarks(), { kept: 1, of: 2 }, 'once a page');
  const rest = { at: [2, 0], end: [1, 20] } as const;
  t.strictSame(layoutOf([kept, rest]).keptMarks(), { kept: 2, of: 2 }, 'behind a low page');
  const behindRest = { at: [3, 0], end: [2, 20] } as const;
  t.strictSame(layoutOf([kept, behindRest]).keptMarks(), { kept: 1, of: 2 }, 'not behind the rest of a page');
  const within = layoutOf([kept, { at: [3, 0] }], undefined, [100, 100, 680, 100]);
  t.strictSame(within.keptMarks(), { kept: 1, of: 2 }, 'whose end is where the next begins');
  t.strictSame(layoutOf([kept, {}]).keptMarks(), { kept: 1, of: 1 }, 'whose place is known');
  const others = [
    { ...kept, kind: 'own' },
    { ...kept, kind: 'empty' },
  ] as const;
  t.strictSame(layoutOf(others).keptMarks(), { kept: 0, of: 0 }, 'nothing else counts');
});

t.test('the height of what stands between two places', async (t) => {
  const layout = layoutOf([]);
  t.equal(layout.heightBetween(place(0, 100), place(0, 250), 0), 150);
  t.equal(layout.heightBetween(place(0, 100), place(2, 50), 0), 500 + 600 + 50, 'over pages');
});

t.test('room that is left where a page ends early is no height', async (t) => {
  // The last line of the second page stands 300 points above where the body ends.
  const layout = layoutOf([], undefined, [undefined, 400, 10]);
  t.equal(layout.heightBetween(place(0, 0), place(2, 0), 0), 600 + 300 + 3, 'up to what hangs below a line');
  t.equal(layout.blankBetween(place(0, 0), place(2, 0), 0), 300 - 3);
  t.equal(layout.heightBetween(place(2, 0), place(3, 0), 0), 600, 'nor is a page higher than its body');
});

t.test('a high header moves the body down', async (t) => {
  const laid = [1, 2, 3].map((page): Laid => ({ at: [page, 50], end: [page - 1, 500] }));
  const layout = layoutOf([...laid, { at: [3, 250] }]);
  t.equal(layout.bodyHeight(0), 550);
  t.strictSame(layout.place(0), place(1, 0));
  t.strictSame(layout.place(3), place(3, 200));
  t.equal(layoutOf(laid.slice(0, 2)).bodyHeight(0), 600, 'two pages prove nothing');
});

t.test('each section has its own pages', async (t) => {
  const small = { ...section, pageHeight: 400, top: 40, bottom: 60 };
  const layout = layoutOf(
    [
      { kind: 'own', section: 1, at: [1, 0] },
      { section: 1, at: [1, 100] },
    ],
    [1, 200],
    [],
    [section, small],
  );
  t.equal(layout.bodyHeight(0), 600);
  t.equal(layout.bodyHeight(1), 300);
  t.strictSame(layout.place(1), place(1, 100));
  t.match(layout.boundaries().at(-1), { end: place(1, 200 + LINE) });
});
