/** Round-robin scheduling: a tree whose leaves are lines; every node serves its branches in rotation. */
import { Line } from './line.ts';

/** Where an item stands: the names of the branches from the root to its line. */
type Path = readonly string[];

/** In one tree, paths with a common beginning have the same length. */
export class RoundRobin<T> {
  /** Used in leaves only. */
  readonly #line = new Line<T>();
  /** Never empty ones; the first is served next. */
  readonly #branches = new Map<string, RoundRobin<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of items below each branch of the root. */
  *sizes(): Generator<[name: string, size: number]> {
    for (const [name, { size }] of this.#branches) yield [name, size];
  }

  /** @param size in any unit, the same for all items. */
  add([name, ...rest]: Path, item: T, size: number): void {
    this.#size++;
    if (name === undefined) {
      this.#line.add(item, size);
      return;
    }
    const branch = this.#branches.get(name) ?? new RoundRobin();
    this.#branches.set(name, branch);
    branch.add(rest, item, size);
  }

  /** @returns whether the item was there. */
  delete([name, ...rest]: Path, item: T): boolean {
    const branch = name === undefined ? undefined : this.#branches.get(name);
    const found = branch ? branch.delete(rest, item) : this.#line.delete(item);
    if (found) this.#size--;
    if (name !== undefined && branch?.size === 0) this.#branches.delete(name);
    return found;
  }

  /**
   * Removes and returns the next item.
   *
   * @param mayGo which branches of the root may be served; the others keep their turn.
   */
  take(mayGo: (name: string) => boolean = () => true): T | undefined {
    for (const [name, branch] of this.#branches) {
      if (!mayGo(name)) continue;
      this.#branches.delete(name);
      const item = branch.take();
      if (branch.size > 0) this.#branches.set(name, branch);
      this.#size--;
      return item;
    }
    const next = this.#line.take();
    if (next !== undefined) this.#size--;
    return next;
  }

  /** The position in the order of service of a newcomer larger than all of its line; the first is 1. */
  rank([name, ...rest]: Path): number {
    if (name === undefined) return this.#line.length + 1;
    const own = this.#branches.get(name)?.rank(rest) ?? 1;
    let rank = own;
    for (const [other, { size }] of this.#branches) if (other !== name) rank += Math.min(size, own);
    return rank;
  }

  /** The line at this path, in order of arrival. */
  lineAt([name, ...rest]: Path): T[] {
    return name === undefined ? this.#line.items : (this.#branches.get(name)?.lineAt(rest) ?? []);
  }

  /** The line found by following the largest branch at each node (of equal ones, the last to be served); in order of arrival. */
  lineOfMost(): T[] {
    return this.#largest()?.lineOfMost() ?? this.#line.items;
  }

  /**
   * The items from which one is evicted for an item at this path when the tree is full: the line of a branch with more items,
   * in order of arrival; empty if no branch has more.
   *
   * @param coming how many items are about to be added at the path.
   */
  evictionCandidates([name, ...rest]: Path, coming: number): T[] {
    if (name === undefined) return [];
    const own = this.#branches.get(name);
    const largest = this.#largest();
    if (largest && largest.size > (own?.size ?? 0) + coming) return largest.lineOfMost();
    return own?.evictionCandidates(rest, coming) ?? [];
  }

  #largest(): RoundRobin<T> | undefined {
    let largest: RoundRobin<T> | undefined;
    for (const branch of this.#branches.values()) {
      if (!largest || branch.size >= largest.size) largest = branch;
    }
    return largest;
  }
}
