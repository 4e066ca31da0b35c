/** What was made of a text, for when the same text comes again: documents have few different properties, each many times. */

/** Number of different texts that are kept; documents have some dozens. */
const MAX_KNOWN = 1_000;

export class Remembered<Result> {
  readonly #known = new Map<string, Result>();

  /** @param make is pure: all that it depends on is in the text. */
  of(text: string, make: () => Result): Result {
    const before = this.#known.get(text);
    if (before !== undefined) return before;
    const result = make();
    if (this.#known.size < MAX_KNOWN) this.#known.set(text, result);
    return result;
  }
}
