/** Marked content, which pages and forms number (ISO 32000-1, 14.6 and 14.7.4). */
import type { Reference } from '../objects/values.ts';

/** A sequence of marked content. */
export interface ContentNumber {
  /** The page or form. */
  readonly owner: Reference;
  readonly number: number;
}

/** What is known of each marked content. */
export class ByContent<T> {
  readonly #owners = new Map<number, Map<number, T>>();

  get({ owner, number }: ContentNumber): T | undefined {
    return this.#owners.get(owner.number)?.get(number);
  }

  set({ owner, number }: ContentNumber, value: T): void {
    const known = this.#owners.get(owner.number);
    if (known) known.set(number, value);
    else this.#owners.set(owner.number, new Map([[number, value]]));
  }

  *values(): Generator<T> {
    for (const numbers of this.#owners.values()) yield* numbers.values();
  }
}
