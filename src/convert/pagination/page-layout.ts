/** How a layout of the engine divides a document into pages, seen at the places where Word's pages begin. */
import type { Section } from '../document/sections.ts';
import type { Destination } from '../pdf/destinations.ts';
import { anchorName } from './page-anchors.ts';
import type { PageStart, PageStarts } from './page-starts.ts';

/** A place in the body; `y` in points from its top. */
export interface Place {
  /** From 0. */
  readonly page: number;
  readonly y: number;
}

/** What separates two pages of Word: a page start, or the end of the document. */
interface Boundary {
  /** Index of the page start. */
  readonly index: number;
  readonly start: PageStart | undefined;
  /**
   * Where the content before it ends, and where the content after it begins; undefined if unknown. After the end of the document
   * comes the page that would follow the last one.
   */
  readonly end: Place | undefined;
  readonly begin: Place | undefined;
}

/** What stands between two boundaries. */
export interface Stretch {
  readonly from: Place | undefined;
  readonly to: Boundary;
  readonly section: number;
  /** Index of the page start before it, -1 for the first page. */
  readonly after: number;
}

/** A page begins at the top of the body when its first line is not lower than this, in points: most of a line. */
const TOP_TOLERANCE = 8;
/** The height of a line whose top is known, in points. */
export const LINE = 14;
/** Descent below a line of text, in points. */
const DESCENT = 3;
/** If content between two marks is lower than this share of the body, and no page of the engine's, the marks mean one start. */
export const LEAST_PAGE = 0.2;
/** Most pages that are measured for all heights. Honest places follow each other; only a hostile PDF jumps between pages. */
const MAX_MEASURED = 10_000_000;
/** This many places at one height show the top of the body, which a high header moves down. */
const MIN_AT_TOP = 3;

/** What was planned for a layout. */
interface Planned {
  /** How far each section's body grows beyond the height that the document gives it, in points. */
  readonly growth: readonly number[];
  /** Indices of the empty paragraphs that have no height. */
  readonly flat: readonly number[];
}

export class PageLayout {
  /** Whether it has page breaks that were planned. */
  readonly hasBreaks: boolean;
  /** Indices of the empty paragraphs that have no height in it. */
  readonly flat: ReadonlySet<number>;
  readonly #sections: readonly Section[];
  readonly #starts: PageStarts;
  readonly #destinations: ReadonlyMap<string, Destination>;
  readonly #tops: readonly number[];
  readonly #bottoms: readonly (number | undefined)[];
  readonly #growth: readonly number[];
  /** Where the last empty paragraph of each page ends, in points from the top of the body. */
  readonly #blanks = new Map<number, number>();
  #measured = 0;

  /**
   * @param bottoms where the content of each page ends, in points from its lower edge, as far as that is known.
   * @param planned what was planned for it; undefined for the engine's own layout.
   */
  constructor(
    starts: PageStarts,
    destinations: ReadonlyMap<string, Destination>,
    bottoms: readonly (number | undefined)[] = [],
    planned?: Planned,
  ) {
    this.#starts = starts;
    this.#sections = starts.sections;
    this.#destinations = destinations;
    this.#bottoms = bottoms;
    this.#growth = planned?.growth ?? [];
    this.hasBreaks = planned !== undefined;
    this.flat = new Set(planned?.flat);
    this.#tops = this.#topsOf();
    for (const [index, { kind }] of starts.starts.entries()) {
      const place = kind === 'empty' ? this.place(index) : undefined;
      if (!place) continue;
      // An empty paragraph is assumed to be as high as the one above it.
      const above = this.isBelowEmpty(index) ? this.place(index - 1) : undefined;
      const end = above?.page === place.page ? 2 * place.y - above.y : place.y;
      this.#blanks.set(place.page, Math.max(end, this.#blanks.get(place.page) ?? 0));
    }
  }

  /** How many pages it has, as far as they were looked at. */
  get pages(): number {
    return this.#bottoms.length;
  }

  /**
   * How many of the marks with a known place begin a page of this layout. A mark is not kept if the page before it holds only the
   * overflow of a page that was too high.
   */
  keptMarks(): { readonly kept: number; readonly of: number } {
    let [kept, of] = [0, 0];
    let from: Place = { page: 0, y: 0 };
    for (const { start, end, begin } of this.boundaries()) {
      if (begin === undefined) continue;
      if (start?.kind === 'mark') {
        of += 1;
        const isKept = begin.page > from.page && begin.y === 0;
        if (isKept && !this.#isRest(from, end, start.sectionAbove)) kept += 1;
      }
      from = begin;
    }
    return { kept, of };
  }

  #isRest(from: Place, end: Place | undefined, section: number): boolean {
    if (!end || from.y > 0) return false;
    const { pages, last } = this.span(from, end, section);
    return pages > 1 && last < this.bodyHeight(section) * LEAST_PAGE;
  }

  /**
   * On how many pages of this layout the content between two
   * places lies, and its height on the last of them, in points.
   */
  span(from: Place, to: Place, section: number): { readonly pages: number; readonly last: number } {
    // If it ends at the top of a page, that page holds none of it.
    const isOnPage = to.y > 0 || to.page === from.page;
    const page = isOnPage ? to.page : to.page - 1;
    const bottom = isOnPage ? to.y : this.filled(page, section);
    return { pages: page - from.page + 1, last: page === from.page ? bottom - from.y : bottom };
  }

  get lastSection(): number {
    return this.#sections.length - 1;
  }

  /** The height of the body as the document has it, in points. */
  bodyHeight(section: number): number {
    const { pageHeight, top, bottom } = this.#section(section);
    return pageHeight - top - bottom - (this.#tops[section] ?? 0);
  }

  /** How much higher the body is in this layout, in points. */
  growth(section: number): number {
    return this.#growth[section] ?? 0;
  }

  /**
   * The height of the content between two places, in points, without the free room of pages that end early.
   *
   * @param withEmpty whether empty paragraphs at the end of a page count as content.
   * @returns undefined where one of the places is unknown.
   * @throws Error if the places are too far from each other, too often.
   */
  heightBetween(
    from: Place | undefined,
    to: Place | undefined,
    section: number,
    withEmpty = false,
  ): number | undefined {
    if (!from || !to) return undefined;
    this.#measured += Math.max(0, to.page - from.page);
    if (this.#measured > MAX_MEASURED) throw new Error('the places of the pages are too far from each other');
    let height = to.y - from.y;
    for (let page = from.page; page < to.page; page += 1) height += this.filled(page, section, withEmpty);
    return height;
  }

  /** The room that is left on the pages between two places, below their empty paragraphs, in points. */
  blankBetween(from: Place, to: Place, section: number): number {
    const pages = Math.max(0, to.page - from.page);
    const height = this.heightBetween(from, to, section, true) ?? 0;
    return pages * (this.bodyHeight(section) + this.growth(section)) + to.y - from.y - height;
  }

  /** Where the content of a page ends, in points from the top of its body. */
  filled(page: number, section: number, withEmpty = false): number {
    const body = this.bodyHeight(section);
    const bottom = this.#bottoms[page];
    const room = body + this.growth(section);
    if (bottom === undefined) return room;
    const filled = body + this.#section(section).bottom - bottom + DESCENT;
    return Math.min(room, withEmpty ? Math.max(filled, this.#blanks.get(page) ?? 0) : filled);
  }

  /** Marks and breaks of the document's own, and its end. */
  boundaries(): Boundary[] {
    const { starts } = this.#starts;
    const inner = starts.flatMap((start, index): Boundary[] => {
      if (start.kind === 'empty') return [];
      const begin = this.place(index);
      const end = this.#endBefore(index);
      const top = begin && { page: begin.page, y: 0 };
      if (start.kind === 'own') return [{ index, start, end, begin: top }];
      // A line, such as one with a picture, may be much higher than the character whose place is known.
      const isAtTop = begin && (end ? end.page < begin.page : begin.y <= TOP_TOLERANCE);
      const above = end ?? (isAtTop ? top : begin);
      return [{ index, start, end: above, begin: isAtTop ? top : above }];
    });
    const begin = this.pages > 0 ? { page: this.pages, y: 0 } : undefined;
    return [...inner, { index: starts.length, start: undefined, end: this.#endBefore(starts.length), begin }];
  }

  /** Whether an empty paragraph, the page start before, stands directly above a page start. */
  isBelowEmpty(index: number): boolean {
    if (this.#starts.starts[index - 1]?.kind !== 'empty') return false;
    const [end, above] = [this.#endBefore(index), this.#endBefore(index - 1)];
    return end?.page === above?.page && end?.y === above?.y;
  }

  /** Where the page start with this index is; undefined where the engine did not say. */
  place(index: number): Place | undefined {
    return this.#placeOf(anchorName(index, 'begin'), this.#starts.starts[index]?.section ?? 0);
  }

  #endBefore(index: number): Place | undefined {
    const section = this.#starts.starts[index]?.sectionAbove ?? this.lastSection;
    const place = this.#placeOf(anchorName(index, 'previous-end'), section);
    return place && { page: place.page, y: place.y + LINE };
  }

  #placeOf(name: string, section: number): Place | undefined {
    const destination = this.#destinations.get(name);
    if (!destination) return undefined;
    const { pageHeight, top } = this.#section(section);
    return { page: destination.page, y: pageHeight - destination.y - top - (this.#tops[section] ?? 0) };
  }

  #section(index: number): Section {
    const section = this.#sections[index] ?? this.#sections.at(-1);
    if (!section) throw new Error('a document without a section');
    return section;
  }

  /** How far below the top margin the body of each section begins. */
  #topsOf(): number[] {
    const heights = this.#sections.map((): number[] => []);
    for (const [index, { section }] of this.#starts.starts.entries()) {
      const found = this.#destinations.get(anchorName(index, 'begin'));
      const { pageHeight, top } = this.#section(section);
      if (found) heights[section]?.push(pageHeight - found.y - top);
    }
    return heights.map((each) => {
      const least = each.reduce((least, height) => Math.min(least, height), Number.POSITIVE_INFINITY);
      return each.filter((height) => height - least < 2).length >= MIN_AT_TOP ? Math.max(0, least) : 0;
    });
  }
}
