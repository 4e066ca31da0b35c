/** How to give a document the pages that it has in Word: where to break, and how far the body has to grow for it. */

import type { Section } from '../document/sections.ts';
import { BlankLines } from './blank-lines.ts';
import { LEAST_PAGE, type PageLayout, type Place, type Stretch } from './page-layout.ts';
import type { PageStarts } from './page-starts.ts';
import type { WordPages } from './word-pages.ts';

export interface PagePlan {
  /** Indices of the page starts that are to become page breaks. */
  readonly breaks: readonly number[];
  /** How many pages there would be by the first layout. */
  readonly pages: number;
  /** How far the body of each section grows towards its footer, in points. */
  readonly growth: readonly number[];
  /** Indices of the empty paragraphs that become flat, in ascending order. */
  readonly flat: readonly number[];
}

/** So far the body grows at most, in points: two or three lines. */
const MAX_GROWTH = 35;
/** What stays free for the footer behind its distance from the page's edge: a line, in points. */
const FOOTER_HEIGHT = 16.5;
/** What is measured is not more exact than this, in points. */
const SLACK = 8;
/**
 * What stands between two marks takes one page in Word, unless it is higher than the body by more than this share of it: then
 * a page among it begins without a mark, with an empty paragraph or a picture. Less where Word noted so many pages that
 * some have no mark.
 */
const MOST_DRIFT = 0.2;
const LEAST_DRIFT = 0.1;

/** A page is full where so little of it is left, in points: two lines. */
const NEARLY_FULL = 28;

/**
 * Plans page breaks by how much of the engine's pages each of Word's pages takes. A page that is too high for the body,
 * grown as far as it may, keeps its end where the engine puts it, and what runs over is carried on to the next.
 */
export function planPages({ starts, pages }: WordPages, layout: PageLayout): PagePlan {
  const breaks: number[] = [];
  // What was measured is less exact than a layout in which it had room.
  const growth = starts.sections.map((_, section) => layout.growth(section));
  let carried = 0;
  let planned = 0;
  const stretches = stretchesOf(layout);
  const unmarked =
    pages === undefined ? undefined : pages - stretches.filter((each) => !isLow(each, layout)).length;
  const several = severalPages(starts, stretches, layout, unmarked);
  // A page on which there is nothing may be one of Word's that have no mark.
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
      // What is carried over from the last page, with its break, had no room on it.
      const isOver = pages > 1 && layout.hasBreaks && isCarriedOver(stretch, layout, 0);
      if (isOver && to.end.y <= body * MOST_DRIFT) need = Math.max(limit + 1, to.end.y);
    } else if (isCarriedOver(stretch, layout, carried) && need <= layout.growth(section)) {
      // It is higher than was measured: the engine had no room for it. Where that was so with its break, it is let go.
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
      breaks.push(to.index);
      take(need);
      carried = 0;
    }
  }
  return { breaks, pages: planned, growth, flat: blank.flat(breaks) };
}

/** The height of a stretch; with the empty paragraphs at the ends of pages, where it is one page with them as well. */
function heightOf({ from, to, section }: Stretch, layout: PageLayout, isOnePage: boolean): number {
  const body = layout.bodyHeight(section);
  const height = layout.heightBetween(from, to.end, section) ?? body;
  const withEmpty = layout.heightBetween(from, to.end, section, true) ?? body;
  return isOnePage && withEmpty <= body * (1 + MOST_DRIFT) ? withEmpty : height;
}

/**
 * The engine begins a page where it begins, or with what is carried over to it, and another one before its end.
 *
 * @param carried the height of what is carried over, in points.
 */
function isCarriedOver({ from, to, section }: Stretch, layout: PageLayout, carried: number): boolean {
  if (!from || !to.end) return false;
  const isOnePage = from.y === 0 || (layout.hasBreaks && carried > 0 && Math.abs(from.y - carried) < SLACK);
  return isOnePage && layout.span(from, to.end, section).pages > 1;
}

/** How high what is carried over is on the last page. */
function restOf({ from, to, section }: Stretch, layout: PageLayout): number {
  return from && to.end ? layout.span(from, to.end, section).last : 0;
}

/** Two marks stand for one page start: the engine makes no page of what is between them either. */
function isLow({ from, to: { start, end, begin }, section }: Stretch, layout: PageLayout): boolean {
  if (start?.kind !== 'mark' || !end || (begin && begin.y === 0 && begin.page > end.page)) return false;
  const height = layout.heightBetween(from, end, section);
  return height !== undefined && height < layout.bodyHeight(section) * LEAST_PAGE;
}

function stretchesOf(layout: PageLayout): Stretch[] {
  let from: Place | undefined = { page: 0, y: 0 };
  let after = -1;
  const stretches: Stretch[] = [];
  for (const to of layout.boundaries()) {
    const section = to.start?.sectionAbove ?? layout.lastSection;
    stretches.push({ from, to, section, after });
    from = to.begin;
    after = to.index;
  }
  return stretches;
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
  const excess = (stretch: Stretch) => {
    const { from, to, section } = stretch;
    const body = layout.bodyHeight(section);
    return ((layout.heightBetween(from, to.end, section) ?? body) - body) / body;
  };
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

/** How many pages a stretch of that height takes. What is carried over to the last, where it is little, is no page. */
function pagesOf({ from, to }: Stretch, height: number, body: number): number {
  if (!from || !to.end) return 1;
  if (from.y > 0) return Math.max(1, Math.ceil(height / body - MOST_DRIFT));
  return Math.max(1, to.end.page - from.page + (to.end.y > body * MOST_DRIFT ? 1 : 0));
}

/** The empty paragraph in a stretch of several pages that comes nearest to where its first page is full. */
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
    // What is behind it is farther still.
    if ((place.page - from.page) * body + place.y - from.y > room + limit + NEARLY_FULL) break;
    const height = layout.heightBetween(from, place, section);
    if (height === undefined) continue;
    // A page that ends early ends at a break that is not known here, such as one of a style.
    if (layout.blankBetween(from, place, section) > NEARLY_FULL) continue;
    if (height < room - NEARLY_FULL || height > room + limit) continue;
    if (!nearest || Math.abs(height - room) < Math.abs(nearest.height - room)) nearest = { index, height };
  }
  return nearest;
}

/** Never into the footer. Columns are as high as they are, and a body is whose margins are nowhere written. */
function mayGrow(section: Section | undefined): number {
  if (!section?.hasMargins || section.columns > 1) return 0;
  return Math.max(0, Math.min(MAX_GROWTH, section.bottom - section.footer - FOOTER_HEIGHT));
}

/** Where lines stand on a grid, a body that is higher by a part of a step begins its grid elsewhere. */
function wholeSteps(height: number, section: Section | undefined, round: (steps: number) => number): number {
  const step = section?.gridStep ?? 0;
  return step > 0 ? round(height / step) * step : height;
}
