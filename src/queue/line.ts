/** One waiting line: small items first, but none waits forever. */

/** How many items in a row may overtake the oldest. */
export const PASSES = 3;

/** Items with their sizes. */
export class Line<T> {
  /** In order of arrival. */
  readonly #sizes = new Map<T, number>();
  /** How many items have overtaken the oldest. */
  #passes = 0;

  get length(): number {
    return this.#sizes.size;
  }

  /** In order of arrival. */
  get items(): T[] {
    return [...this.#sizes.keys()];
  }

  /** @param size in any unit, the same for all items. */
  add(item: T, size: number): void {
    this.#sizes.set(item, size);
  }

  /** @returns whether the item was there. */
  delete(item: T): boolean {
    const [oldest] = this.#sizes.keys();
    if (item === oldest) this.#passes = 0;
    return this.#sizes.delete(item);
  }

  /** Removes and returns the smallest item (of equal ones, the oldest), or the oldest once {@link PASSES} have overtaken it. */
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
