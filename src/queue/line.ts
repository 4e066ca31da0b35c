/** Who waits in one line: small ones first, and nobody for ever. */

/** How many in a row may go before the one that has waited longest. */
export const PASSES = 3;

/** Items with their sizes. */
export class Line<T> {
  /** In order of arrival. */
  readonly #sizes = new Map<T, number>();
  /** How many went before the one that has waited longest. */
  #passes = 0;

  get length(): number {
    return this.#sizes.size;
  }

  /** In order of arrival. */
  get items(): T[] {
    return [...this.#sizes.keys()];
  }

  /** @param size in any unit that is the same for all. */
  add(item: T, size: number): void {
    this.#sizes.set(item, size);
  }

  /** Returns whether it was there. */
  delete(item: T): boolean {
    const [oldest] = this.#sizes.keys();
    if (item === oldest) this.#passes = 0;
    return this.#sizes.delete(item);
  }

  /** Takes out the smallest, of several the one that came first; the oldest where {@link PASSES} went before it. */
  take(): T | undefined {
    const [oldest] = this.#sizes.keys();
    const next = this.#passes < PASSES ? this.#smallest() : oldest;
    if (next === undefined) return undefined;
    this.#passes = next === oldest ? 0 : this.#passes + 1;
    this.#sizes.delete(next);
    return next;
  }

  #smallest(): T | undefined {
    let smallest: T | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [item, size] of this.#sizes) {
      if (size >= least) continue;
      smallest = item;
      least = size;
    }
    return smallest;
  }
}
