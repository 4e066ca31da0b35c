/** Ranges of pages such as `1-3,7,10-`, with pages counted from 1. */

/** What {@link PageRange.read} accepts. */
export const PAGE_RANGE = '^[1-9]\\d{0,5}(-([1-9]\\d{0,5})?)?(,[1-9]\\d{0,5}(-([1-9]\\d{0,5})?)?){0,99}$';

/** First and last page; the last is infinite if the range has no end. */
type Span = readonly [first: number, last: number];

export class PageRange {
  readonly #spans: readonly Span[];

  private constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /**
   * Each page is taken once, in the document's order, however the ranges are written.
   *
   * @returns undefined if the text is no list of ranges, or a range ends before it begins.
   */
  static read(text: string): PageRange | undefined {
    if (!new RegExp(PAGE_RANGE).test(text)) return undefined;
    const spans = text.split(',').map((range): Span => {
      const [first = '', last] = range.split('-');
      return [Number(first), last === undefined ? Number(first) : Number(last || Number.POSITIVE_INFINITY)];
    });
    return spans.every(([first, last]) => first <= last) ? new PageRange(joined(spans)) : undefined;
  }

  /**
   * Whether it names pages that a document does not have, if a PDF of it has this many pages. A range without an end does only
   * if the document ends before it begins.
   */
  exceeds(exported: number): boolean {
    const least = this.#spans.reduce(
      (sum, [first, last]) => sum + (Number.isFinite(last) ? last - first + 1 : 1),
      0,
    );
    return exported < least;
  }

  /** Number of its pages that a document has. */
  count(pages: number): number {
    return this.#spans.reduce(
      (sum, [first, last]) => sum + Math.max(0, Math.min(last, pages) - first + 1),
      0,
    );
  }

  /** Normalised: ascending, without overlaps. */
  toString(): string {
    return this.#spans
      .map(([first, last]) => {
        if (first === last) return String(first);
        return `${first}-${Number.isFinite(last) ? last : ''}`;
      })
      .join(',');
  }
}

/** Ascending, and joined where they overlap or meet. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const [first, last] of [...spans].sort(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) result[result.length - 1] = [before[0], Math.max(before[1], last)];
    else result.push([first, last]);
  }
  return result;
}
