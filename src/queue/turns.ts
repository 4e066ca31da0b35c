/** Taking turns: a tree whose leaves are lines, and in which at every node the branches are served in rotation. */
import { Line } from './line.ts';

/** Where an item stands, from the root: the names of the branches that lead to its line. */
export type Path = readonly string[];

/** Paths of one tree are as long as each other wherever they share a beginning. */
export class Turns<T> {
  /** Of a leaf. */
  readonly #line = new Line<T>();
  /** None is empty; the first is the next to be served. */
  readonly #branches = new Map<string, Turns<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many there are below each branch of the root. */
  *sizes(): Generator<[name: string, size: number]> {
    for (const [name, { size }] of this.#branches) yield [name, size];
  }

  /** @param item of this size, in a unit that is the same for all. */
  add([name, ...rest]: Path, item: T, size: number): void {
    this.#size++;
    if (name === undefined) {
      this.#line.add(item, size);
      return;
    }
    const branch = this.#branches.get(name) ?? new Turns();
    this.#branches.set(name, branch);
    branch.add(rest, item, size);
  }

  /** Returns whether it was there. */
  delete([name, ...rest]: Path, item: T): boolean {
    const branch = name === undefined ? undefined : this.#branches.get(name);
    const found = branch ? branch.delete(rest, item) : this.#line.delete(item);
    if (found) this.#size--;
    if (name !== undefined && branch?.size === 0) this.#branches.delete(name);
    return found;
  }

  /**
   * Takes out the next.
   *
   * @param mayGo which branches of the root are served; the others keep their turn.
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

  /** The place that a newcomer larger than its line would have in the order of service, the first being 1. */
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

  /** The line of the branch with the most (of several, the last to be served), and so on down; in order of arrival. */
  lineOfMost(): T[] {
    return this.#largest()?.lineOfMost() ?? this.#line.items;
  }

  /**
   * Who has to make room for an item at this path where there is room for no more: the line of a branch that has
   * more, in order of arrival; empty where none has.
   *
   * @param coming how many more there are about to be at the path than there are in the tree.
   */
  rivals([name, ...rest]: Path, coming: number): T[] {
    if (name === undefined) return [];
    const own = this.#branches.get(name);
    const largest = this.#largest();
    if (largest && largest.size > (own?.size ?? 0) + coming) return largest.lineOfMost();
    return own?.rivals(rest, coming) ?? [];
  }

  #largest(): Turns<T> | undefined {
    let largest: Turns<T> | undefined;
    for (const branch of this.#branches.values()) {
      if (!largest || branch.size >= largest.size) largest = branch;
    }
    return largest;
  }
}
