/** How to give a document the pages that it has in Word: where to break, and how far the body has to grow for it. */
import type { Section } from '../document/sections.ts';
import { BlankLines } from './blank-lines.ts';
import { LEAST_PAGE, type PageLayout, type Stretch } from './page-layout.ts';
import type { PageStarts } from './page-starts.ts';
import { blankPagesAfter, stretchesOf } from './stretches.ts';
import type { WordPages } from './word-pages.ts';

export interface PagePlan {
  /** Indices of the page starts that are to become page breaks. */
  readonly breaks: readonly number[];
  /** Expected page count of the planned document. */
  readonly pages: number;
  /** How far the body of each section grows towards its footer, in points. */
  readonly growth: readonly number[];
  /** Indices of the empty paragraphs that become flat, in ascending order. */
  readonly flat: readonly number[];
}

/** The most that a body grows, in points: two or three lines. */
const MAX_GROWTH = 35;
/** Room kept for the footer, beyond its distance from the page's edge: one line, in points. */
const FOOTER_HEIGHT = 16.5;
/** Measuring error, in points. */
const SLACK = 8;
/**
 * The content between two marks is one page in Word, unless it exceeds the body's height by more than this share: then one of its
 * pages begins without a mark, with an empty paragraph or a picture. The share is smaller if Word's page count shows that some
 * pages have no mark.
 */
const MOST_DRIFT = 0.2;
const LEAST_DRIFT = 0.1;

/** A page counts as full with at most this much room left, in points: two lines. */
const NEARLY_FULL = 28;

/**
 * Plans page breaks from the height that each of Word's pages takes in the engine's layout. If a page does not fit even the fully
 * grown body, it ends where the engine ends it, and the overflow is carried to the next page.
 */
export function planPages({ starts, pages }: WordPages, layout: PageLayout): PagePlan {
  const breaks: number[] = [];
  // Growth never falls below this layout's own: that content fits there is surer than any measurement.
  const growth = starts.sections.map((_, section) => layout.growth(section));
  let carried = 0;
  let planned = 0;
  const stretches = stretchesOf(layout);
  const unmarked =
    pages === undefined ? undefined : pages - stretches.filter((each) => !isLow(each, layout)).length;
  // An empty page may be one of Word's pages without a mark.
  const blankPages = stretches.reduce((sum, each) => sum + blankPagesAfter(each), 0);
  const several = severalPages(starts, stretches, layout, unmarked && Math.max(0, unmarked - blankPages));
  const excess = unmarked === 0 ? Number.POSITIVE_INFINITY : pages && layout.pages - pages;
  const blank = new BlankLines(starts, layout, excess);
  for (const stretch of stretches) {
    const { to, section } = stretch;
    const limit = mayGrow(starts.sections[section]);
    const take = (need: number) => {
      const steps = (height: number, round: (steps: number) => number) =>
        wholeSteps(height, starts.sections[section], round);
      const most = steps(limit, Math.floor);
      const grown = most > 0 ? Math.min(steps(need + SLACK, Math.ceil), most) : Math.min(need + SLACK, limit);
      growth[section] = Math.max(growth[section] ?? 0, grown);
    };
    const body = layout.bodyHeight(section);
    const height = heightOf(stretch, layout, !several.has(stretch));
    let need = height + carried - body;
    let rest = 0;
    planned += several.has(stretch) ? pagesOf(stretch, height + carried, body) : 1;
    if (to.end && several.has(stretch)) {
      let [rest, room, left] = [stretch, body - carried, height + carried];
      do {
        const unmarked = unmarkedStart(starts, layout, rest, room, limit);
        if (!unmarked) break;
        breaks.push(unmarked.index);
        take(unmarked.height - room);
        left -= unmarked.height + body - room;
        room = body;
        rest = { ...rest, from: layout.place(unmarked.index), after: unmarked.index };
      } while (left > body + limit);
      const pages = left > body + limit ? pagesOf(rest, left, body) : 1;
      need = (left - pages * body) / pages;
      // Even with its break, the last page ran over.
      const isOver = pages > 1 && layout.hasBreaks && isCarriedOver(stretch, layout, 0);
      if (isOver && to.end.y <= body * MOST_DRIFT) need = Math.max(limit + 1, to.end.y);
    } else if (isCarriedOver(stretch, layout, carried) && need <= layout.growth(section)) {
      // It is higher than measured, as it did not fit. If it did not fit even with its break, the break is given up.
      need = layout.hasBreaks ? limit + 1 : 1;
      rest = restOf(stretch, layout);
    }
    if (blank.closes(stretch)) need = Math.max(need, blank.close(stretch) - body);
    if (need > limit && !several.has(stretch)) need -= blank.flatten(stretch, need - limit);
    if (to.start?.kind !== 'mark') {
      if (need <= limit + SLACK) take(need);
      carried = 0;
    } else if (isLow(stretch, layout)) carried += height;
    else if (!to.start.isBreakable) carried = need;
    else if (need > limit) carried = rest || need - layout.growth(section);
    else {
      breaks.push(emptyStart(starts, layout, stretch) ?? to.index);
      take(need);
      carried = 0;
    }
  }
  return { breaks, pages: planned, growth, flat: blank.flat(breaks) };
}

/** The height of a stretch. Includes empty paragraphs at the ends of pages if it is still one page with them. */
function heightOf({ from, to, section }: Stretch, layout: PageLayout, isOnePage: boolean): number {
  const body = layout.bodyHeight(section);
  const height = layout.heightBetween(from, to.end, section) ?? body;
  const withEmpty = layout.heightBetween(from, to.end, section, true) ?? body;
  return isOnePage && withEmpty <= body * (1 + MOST_DRIFT) ? withEmpty : height;
}

/**
 * Whether the engine begins a page at the stretch's start (or at the overflow before it), and another before its end.
 *
 * @param carried the height of what is carried over, in points.
 */
function isCarriedOver({ from, to, section }: Stretch, layout: PageLayout, carried: number): boolean {
  if (!from || !to.end) return false;
  const isOnePage = from.y === 0 || (layout.hasBreaks && carried > 0 && Math.abs(from.y - carried) < SLACK);
  return isOnePage && layout.span(from, to.end, section).pages > 1;
}

/** The height of the overflow on the last page. */
function restOf({ from, to, section }: Stretch, layout: PageLayout): number {
  return from && to.end ? layout.span(from, to.end, section).last : 0;
}

/** Whether both marks mean one page start: the content between them is low, and is no page in the engine's layout either. */
function isLow({ from, to: { start, end, begin }, section }: Stretch, layout: PageLayout): boolean {
  if (start?.kind !== 'mark' || !end || (begin && begin.y === 0 && begin.page > end.page)) return false;
  const height = layout.heightBetween(from, end, section);
  return height !== undefined && height < layout.bodyHeight(section) * LEAST_PAGE;
}

/**
 * Stretches that are several pages of Word.
 *
 * @param unmarked how many pages have no mark; undefined where that is unknown.
 */
function severalPages(
  starts: PageStarts,
  stretches: readonly Stretch[],
  layout: PageLayout,
  unmarked: number | undefined,
): ReadonlySet<Stretch> {
  const excesses = new Map(
    stretches.map((stretch) => {
      const { from, to, section } = stretch;
      const body = layout.bodyHeight(section);
      return [stretch, ((layout.heightBetween(from, to.end, section) ?? body) - body) / body];
    }),
  );
  const excess = (stretch: Stretch) => excesses.get(stretch) ?? 0;
  // Empty paragraphs at the end may take a page of their own.
  const endsWithPage = (stretch: Stretch) => {
    const { to, section } = stretch;
    const limit = mayGrow(starts.sections[section]);
    return (
      to.start?.kind !== 'mark' &&
      unmarkedStart(starts, layout, stretch, layout.bodyHeight(section), limit) !== undefined
    );
  };
  const high = stretches
    .filter((stretch) => excess(stretch) > LEAST_DRIFT || endsWithPage(stretch))
    .sort((one, other) => excess(other) - excess(one));
  return new Set(
    high.filter((stretch, i) => (unmarked === undefined ? excess(stretch) > MOST_DRIFT : i < unmarked)),
  );
}

/** How many pages a stretch of this height takes. A small overflow does not count as a page. */
function pagesOf({ from, to }: Stretch, height: number, body: number): number {
  if (!from || !to.end) return 1;
  if (from.y > 0) return Math.max(1, Math.ceil(height / body - MOST_DRIFT));
  return Math.max(1, to.end.page - from.page + (to.end.y > body * MOST_DRIFT ? 1 : 0));
}

/** In a stretch of several pages, the empty paragraph nearest to the point where its first page is full. */
function unmarkedStart(
  { starts }: PageStarts,
  layout: PageLayout,
  { from, to, section, after }: Stretch,
  room: number,
  limit: number,
): { readonly index: number; readonly height: number } | undefined {
  let nearest: { index: number; height: number } | undefined;
  const body = layout.bodyHeight(section);
  for (let index = after + 1; from && body > 0 && index < to.index; index += 1) {
    if (starts[index]?.kind !== 'empty') continue;
    const place = layout.place(index);
    if (!place) continue;
    // All later ones are even farther away.
    if ((place.page - from.page) * body + place.y - from.y > room + limit + NEARLY_FULL) break;
    // The paragraph that begins a page of the engine's may follow empty ones that fill the page above.
    const height = layout.heightBetween(from, place, section, true);
    if (height === undefined) continue;
    // A page that ends early has a break that is unknown here, such as one from a style.
    if (layout.blankBetween(from, place, section) > NEARLY_FULL) continue;
    if (height < room - NEARLY_FULL || height > room + limit) continue;
    if (!nearest || Math.abs(height - room) < Math.abs(nearest.height - room)) nearest = { index, height };
  }
  return nearest;
}

/** The first of the empty paragraphs above a mark that can be seen and did not fit on the page above: Word's page begins with it. */
function emptyStart({ starts }: PageStarts, layout: PageLayout, { to: { end, index } }: Stretch) {
  if (!end || !layout.hasBreaks) return undefined;
  let first: number | undefined;
  let isSeen = false;
  for (let i = index; layout.isBelowEmpty(i); i -= 1) {
    if ((layout.place(i - 1)?.page ?? end.page) > end.page) first = i - 1;
    isSeen ||= starts[i - 1]?.isBlank === false;
  }
  return isSeen ? first : undefined;
}

/** How far the body may grow: never into the footer; not at all with columns, or without written margins. */
function mayGrow(section: Section | undefined): number {
  if (!section?.hasMargins || section.columns > 1) return 0;
  return Math.max(0, Math.min(MAX_GROWTH, section.bottom - section.footer - FOOTER_HEIGHT));
}

/** Rounds to whole steps of the line grid: growth by a part of a step would shift the grid. */
function wholeSteps(height: number, section: Section | undefined, round: (steps: number) => number): number {
  const step = section?.gridStep ?? 0;
  return step > 0 ? round(height / step) * step : height;
}
