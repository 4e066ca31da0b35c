/** Empty paragraphs that become flat, where they take room that the page does not have in Word. */
import { LINE, type PageLayout, type Stretch } from './page-layout.ts';
import type { PageStarts } from './page-starts.ts';

/** Measuring error, in points. */
const SLACK = 8;
/** The height of a flat paragraph, in points. */
const FLAT = 1;

export class BlankLines {
  readonly #starts: PageStarts;
  readonly #layout: PageLayout;
  readonly #flat: Set<number>;
  #excess: number | undefined;

  /** @param excess number of empty pages that Word does not have; undefined if unknown. */
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
   * Whether the engine makes an empty page after the stretch that Word does not have. If that is unknown, a page that holds empty
   * paragraphs counts as Word's.
   */
  closes({ to: { start, end, begin, index } }: Stretch): boolean {
    if (start?.kind === 'mark' || !end || !begin || begin.page - end.page < 2) return false;
    if (this.#excess !== undefined) return this.#excess > 0;
    return this.#emptyAbove(index).every((each) => (this.#layout.place(each) ?? end).page === end.page);
  }

  /**
   * Makes the empty paragraphs at the end of a stretch flat.
   *
   * @returns the height of its content afterwards, in points, with a line for the break after it.
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
   * Lowers a stretch by a height: makes enough of its empty paragraphs flat, spread evenly, if it has that many. The first of a
   * group stays; in columns, and below a drawing in front of the text, all stay.
   *
   * @returns by how much it became lower, in points; 0 if it has too few.
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
