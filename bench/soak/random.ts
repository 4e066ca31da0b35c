/** Chance that a seed repeats. */

/** A source of numbers from 0 up to 1; the same seed gives the same ones. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Whether what happens with this probability happens. */
  is(probability: number): boolean {
    return this.next() < probability;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** A whole number, the greatest included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @throws RangeError if there is none. */
  one<T>(all: readonly T[]): T {
    if (all.length === 0) throw new RangeError('one of none');
    return all[Math.floor(this.next() * all.length)] as T;
  }

  /** Times between events that come on average once in `mean`, independently of each other. */
  interval(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  shuffled<T>(all: readonly T[]): T[] {
    const keyed = all.map((value) => ({ value, key: this.next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
  }
}
