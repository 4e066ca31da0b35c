/** Empty paragraphs that become flat, where they take room that the page does not have in Word. */
import { LINE, type PageLayout, type Stretch } from './page-layout.ts';
import type { PageStarts } from './page-starts.ts';

/** What is measured is not more exact than this, in points. */
const SLACK = 8;
/** The height of a flat paragraph, in points. */
const FLAT = 1;

export class BlankLines {
  readonly #starts: PageStarts;
  readonly #layout: PageLayout;
  readonly #flat: Set<number>;
  #excess: number | undefined;

  /** @param excess how many pages on which there is nothing Word has not; undefined where that is unknown. */
  constructor(starts: PageStarts, layout: PageLayout, excess: number | undefined) {
    this.#starts = starts;
    this.#layout = layout;
    this.#flat = new Set(layout.flat);
    this.#excess = excess;
  }

  /** @param breaks page starts that become page breaks, which keep their height. */
  flat(breaks: readonly number[]): number[] {
    const planned = new Set(breaks);
    return [...this.#flat].filter((index) => !planned.has(index)).sort((one, other) => one - other);
  }

  /**
   * Whether the engine makes a page behind the stretch on which there is nothing, and Word none. Where that is
   * unknown, empty paragraphs on that page are taken for what Word has on it as well.
   */
  closes({ to: { start, end, begin, index } }: Stretch): boolean {
    if (start?.kind === 'mark' || !end || !begin || begin.page - end.page < 2) return false;
    if (this.#excess !== undefined) return this.#excess > 0;
    return this.#emptyAbove(index).every((each) => this.#layout.place(each)?.page === end.page);
  }

  /**
   * Makes the empty paragraphs at the end of a stretch flat.
   *
   * @returns the height of what stands in it then, in points, with a line for the break behind it.
   */
  close({ from, to, section }: Stretch): number {
    if (this.#excess !== undefined) this.#excess -= 1;
    let end = to.end;
    for (const index of this.#emptyAbove(to.index)) {
      if (this.#starts.starts[index]?.isBlank) this.#flat.add(index);
      else if (end === to.end) {
        const place = this.#layout.place(index);
        end = place && { page: place.page, y: place.y + LINE };
      }
    }
    const height = this.#layout.heightBetween(from, end, section, true) ?? 0;
    return height + (to.start ? LINE : 0);
  }

  /**
   * Makes so many empty paragraphs of a stretch flat that it is lower by a height, evenly, where there are enough of them. Of
   * those that stand together, the first one stays; in columns, and below a drawing that text is printed over, all do.
   *
   * @returns by how much it is lower, in points: 0 where there are too few.
   */
  flatten({ to, after, section }: Stretch, height: number): number {
    if ((this.#starts.sections[section]?.columns ?? 1) > 1) return 0;
    const lines: number[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (let index = after + 2; index < to.index; index += 1) {
      const above = this.#heightAbove(index);
      if (above === undefined) continue;
      least = Math.min(least, above);
      const start = this.#starts.starts[index];
      if (start?.isBlank && !start.clearsDrawing && !this.#flat.has(index)) lines.push(index);
    }
    const gain = Math.max(FLAT, least - FLAT);
    const count = Math.ceil((height + SLACK) / gain);
    if (lines.length === 0 || count > lines.length) return 0;
    for (let i = 0; i < count; i += 1) {
      this.#flat.add(lines[Math.floor(((i + 0.5) * lines.length) / count)] as number);
    }
    return count * gain;
  }

  /** Those right above a page start, from the last one up. */
  #emptyAbove(index: number): number[] {
    const found: number[] = [];
    for (let i = index; this.#layout.isBelowEmpty(i); i -= 1) found.push(i - 1);
    return found;
  }

  /** The height of the empty paragraph right above this one, in points; undefined where there is none. */
  #heightAbove(index: number): number | undefined {
    if (this.#starts.starts[index]?.kind !== 'empty' || this.#flat.has(index - 1)) return undefined;
    if (!this.#layout.isBelowEmpty(index)) return undefined;
    const [place, above] = [this.#layout.place(index), this.#layout.place(index - 1)];
    return place && above && place.page === above.page ? place.y - above.y : LINE;
  }
}
