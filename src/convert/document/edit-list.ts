/** What is to be changed in a part. There may be a million edits: as objects they would take ten times the memory. */

/** A range of a part and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Numbers that there is room for at first. An edit has two: where it starts and ends. */
const FEW = 16;
const KNOWN = 64;
/** More than there are edits: the number of one stands behind its start, in a number of 53 bits. */
const MOST = 2 ** 26;

export class Edits {
  #places = new Int32Array(0);
  readonly #texts: string[] = [];
  /** The last texts, by their lengths: most come again and again, and are kept once. */
  readonly #known: string[] = [];
  #isInOrder = true;

  static of(edits: readonly Edit[]): Edits {
    const own = new Edits();
    for (const edit of edits) own.push(edit);
    return own;
  }

  get length(): number {
    return this.#texts.length;
  }

  start(index: number): number {
    return this.#places[2 * index] ?? 0;
  }

  end(index: number): number {
    return this.#places[2 * index + 1] ?? 0;
  }

  text(index: number): string {
    return this.#texts[index] ?? '';
  }

  push({ start, end, text }: Edit): void {
    const at = 2 * this.#texts.length;
    if (at === this.#places.length) {
      const places = new Int32Array(Math.max(FEW, 2 * at));
      places.set(this.#places);
      this.#places = places;
    }
    if (at > 0 && start < (this.#places[at - 2] ?? 0)) this.#isInOrder = false;
    this.#places[at] = start;
    this.#places[at + 1] = end;
    const known = text.length % KNOWN;
    if (this.#known[known] !== text) this.#known[known] = text;
    this.#texts.push(this.#known[known] ?? text);
  }

  /** Takes back all but the first ones. */
  cut(length: number): void {
    this.#texts.length = length;
  }

  /** By where they begin; those that begin at the same place stay in the order in which they came. */
  inOrder(): Edits {
    if (this.#isInOrder) return this;
    const order = Float64Array.from(this.#texts, (_, index) => this.start(index) * MOST + index).sort();
    const sorted = new Edits();
    for (const place of order) {
      const index = place % MOST;
      sorted.push({ start: this.start(index), end: this.end(index), text: this.text(index) });
    }
    return sorted;
  }

  /** The length of a text with these edits, which are in order, and whether they do not overlap. */
  measured(xml: string): { readonly length: number; readonly areApart: boolean } {
    let [length, at, areApart] = [0, 0, true];
    for (let i = 0; i < this.length; i += 1) {
      const start = this.start(i);
      areApart &&= start >= at;
      length += Math.max(0, start - at) + this.text(i).length;
      at = this.end(i);
    }
    return { length: length + Math.max(0, xml.length - at), areApart };
  }
}
