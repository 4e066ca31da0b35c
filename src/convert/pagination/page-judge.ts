/** Judges layouts of a document by the pages that it has in Word, all by the same measure. */
import type { PageLayout } from './page-layout.ts';
import { blankPagesAfter, stretchesOf } from './stretches.ts';

/** What stands between two of Word's page starts, in a layout. */
interface MeasuredStretch {
  /** The first of its pages, from 0. */
  readonly first: number;
  /** Its height on each of them, in points. */
  readonly heights: readonly number[];
  /** How many pages it fills. */
  readonly size: number;
  /** Whether it begins a page. */
  readonly isAtTop: boolean;
  /** How many empty pages follow it. */
  readonly blankPages: number;
}

/** What a layout is judged by. */
export interface MeasuredLayout {
  readonly pages: number;
  /** The share of marks that begin a page in it. */
  readonly keptShare: number;
  readonly stretches: readonly MeasuredStretch[];
}

/** How near a layout is to Word's. */
export interface Judgement {
  /** By how many pages it differs. */
  readonly excess: number;
  /** The share of its content that is on its page of Word's, by height. */
  readonly rightShare: number;
  /** The same by the marks alone, as if Word had counted no pages. */
  readonly markedShare: number;
  readonly keptShare: number;
}

/** What fills no more than this share of another page is a page that ran over. */
const MOST_DRIFT = 0.2;
/** Measuring error, as a share of a page. */
const SLACK = 0.02;
/** Most pages on which stretches are measured. Honest ones follow each other; only a hostile PDF jumps between pages. */
const MAX_MEASURED = 100_000;
/** What a page too many or too few counts for, as a share of the content, for two at most; and what a kept mark does. */
const [PAGE, MARK] = [0.1, 0.01];
/** How much less of a layout may be right by the marks alone. */
const TOLERANCE = 0.05;
/** By how much a layout is to be nearer than LibreOffice's own: less is no line, but the rounding of places. */
const ADVANTAGE = 0.0001;

/** @throws Error if the places of the pages are too far from each other, too often. */
export function measureLayout(layout: PageLayout, keptShare: number): MeasuredLayout {
  let measured = 0;
  const stretches = stretchesOf(layout).map((stretch): MeasuredStretch => {
    const { from, to, section } = stretch;
    const end = to.end ?? (to.start ? undefined : to.begin);
    if (!from || !end) return { first: 0, heights: [], size: 1, isAtTop: false, blankPages: 0 };
    const body = layout.bodyHeight(section);
    const { pages } = layout.span(from, end, section);
    measured += Math.max(0, pages);
    if (measured > MAX_MEASURED) throw new Error('the places of the pages are too far from each other');
    const heights: number[] = [];
    for (let page = from.page; page < from.page + pages; page += 1) {
      const filled = page === end.page ? end.y : layout.filled(page, section);
      heights.push(Math.max(0, filled - (page === from.page ? from.y : 0)));
    }
    const height = heights.reduce((sum, each) => sum + each, 0) / body;
    // Where both ends begin a page, it takes whole pages.
    const isWhole = from.y === 0 && to.begin?.y === 0 && to.begin.page >= from.page + pages;
    // What runs over where breaks are planned does not tell that it is one page.
    const loose = layout.hasBreaks ? Math.ceil(height - SLACK) : height;
    const size = !isWhole ? loose : pages === 1 ? Math.min(1, height) : Math.max(height, pages - 0.5);
    const blankPages = blankPagesAfter(stretch);
    return { first: from.page, heights, size, isAtTop: from.y === 0, blankPages };
  });
  return { pages: layout.pages, keptShare, stretches };
}

/**
 * Judges layouts of one document. What lies between two page starts is as many pages of Word as it is in the layout where it is
 * lowest: in any other, it ran over.
 *
 * @param pages that Word counted, if it did.
 */
export function judgeLayouts(layouts: readonly MeasuredLayout[], pages: number | undefined): Judgement[] {
  const counts = pageCounts(layouts, pages);
  // A count that agrees with the marks, and the empty pages, is not stale.
  const named = layouts[0]?.stretches.length ?? 0;
  const empty = Array.from({ length: named }, (_, i) => blankPages(layouts, i));
  const isStale = pages === undefined || pages < named || pages > named + sum(empty);
  const marked = isStale ? pageCounts(layouts, undefined) : counts;
  const counted = pages ?? sum(counts);
  return layouts.map((layout) => ({
    excess: Math.abs(layout.pages - counted),
    rightShare: rightShare(layout, counts),
    markedShare: rightShare(layout, marked),
    keptShare: layout.keptShare,
  }));
}

/** @param counts how many pages of Word each stretch is. */
function rightShare({ stretches }: MeasuredLayout, counts: readonly number[]): number {
  let [right, all, first] = [0, 0, 0];
  for (const [i, stretch] of stretches.entries()) {
    const next = first + (counts[i] ?? 1);
    for (const [j, height] of stretch.heights.entries()) {
      const page = stretch.first + j;
      all += height;
      if (page >= first && page < Math.max(next, first + 1)) right += height;
    }
    first = next;
  }
  return all === 0 ? 1 : right / all;
}

/** Whether nothing could be nearer to Word's pages. */
export function isRight({ excess, keptShare }: Judgement): boolean {
  return excess === 0 && keptShare === 1;
}

/**
 * The index of the layout that is nearest to Word's; of equals, the first. A higher body moves lines on pages without marks, which
 * nothing here sees. Word's count may be stale: by its marks, none is worse.
 */
export function nearestOf(judgements: readonly Judgement[]): number {
  const least = (judgements[0]?.markedShare ?? 0) - TOLERANCE;
  const scores = judgements.map(({ excess, rightShare, markedShare, keptShare }, i) => {
    if (markedShare < least) return Number.NEGATIVE_INFINITY;
    return rightShare - PAGE * Math.min(2, excess) + MARK * keptShare + (i === 0 ? ADVANTAGE : 0);
  });
  return scores.reduce((best, score, i) => (score > (scores[best] ?? 0) ? i : best), 0);
}

/** How many pages of Word each stretch is. */
function pageCounts([own, ...others]: readonly MeasuredLayout[], pages: number | undefined): number[] {
  if (!own) return [];
  const sizes = own.stretches.map(({ size }, i) =>
    others.reduce((least, { stretches }) => Math.min(least, stretches[i]?.size ?? least), size),
  );
  const counts = sizes.map((size) => Math.max(1, Math.ceil(size - MOST_DRIFT)));
  const missing = (i: number) => (sizes[i] ?? 0) - (counts[i] ?? 0);
  // Word may have noted a page start twice: then what is before the second one, and what is behind it, fill a page together. Not
  // where a page begins between them in the engine's layout as well.
  const isPart = (i: number) => {
    if (own.stretches[i + 1]?.isAtTop) return false;
    const left = missing(i) + missing(i + 1) + 1;
    return i + 1 < counts.length && left <= SLACK && left > -MOST_DRIFT;
  };
  const reduce = (stretches: readonly number[], most: number) => {
    const spare = stretches.filter((i) => ((counts[i] ?? 1) > 1 ? missing(i) < -0.5 : isPart(i)));
    spare.sort((one, other) => missing(one) - missing(other));
    for (const i of spare.slice(0, Math.max(0, most))) counts[i] = (counts[i] ?? 1) - 1;
  };
  for (const group of groupsOf(own)) {
    const named = group.stretches.reduce((sum, i) => sum + (counts[i] ?? 0), 0);
    reduce(group.stretches, named - group.pages);
  }
  if (pages === undefined) return counts;
  const all = [...counts.keys()];
  const excess = sum(counts) - pages;
  reduce(all, excess);
  let unmarked = Math.max(0, -excess);
  // A page of empty paragraphs has no mark.
  for (const i of all) {
    const blank = Math.min(blankPages([own, ...others], i), unmarked);
    counts[i] = (counts[i] ?? 0) + blank;
    unmarked -= blank;
  }
  const high = all
    .filter((i) => missing(i) > -MOST_DRIFT - SLACK)
    .sort((one, other) => missing(other) - missing(one));
  for (const i of high.slice(0, unmarked)) counts[i] = (counts[i] ?? 0) + 1;
  return counts;
}

/** How many empty pages follow a stretch in the layout that has most of them. */
function blankPages(layouts: readonly MeasuredLayout[], index: number): number {
  return layouts.reduce((most, { stretches }) => Math.max(most, stretches[index]?.blankPages ?? 0), 0);
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** Stretches, by index, from one that begins a page to the next, and how many pages they take. */
function groupsOf({ stretches, pages }: MeasuredLayout): { stretches: number[]; pages: number }[] {
  const groups: { first: number; stretches: number[] }[] = [];
  for (const [i, { first, isAtTop }] of stretches.entries()) {
    if (isAtTop || i === 0) groups.push({ first, stretches: [] });
    groups.at(-1)?.stretches.push(i);
  }
  return groups.map(({ first, stretches }, i) => ({
    stretches,
    pages: (groups[i + 1]?.first ?? pages) - first,
  }));
}
