/** Numbers for the names of elements, so that a name is one string wherever it stands, and a number tells whether it is meant. */

/** Documents have some hundred names; those beyond have no number of their own. */
const MAX_NAMES = 8_192;
const SLOTS = 4 * MAX_NAMES;
/** Length of the longest name with a number; the standards' are shorter. */
const MAX_LENGTH = 100;
/** Names that may share a slot: a document may be made to have many. */
const MAX_PROBES = 8;

export class MarkupNames {
  /** By number. Number 0 is that of all names without one. */
  readonly #names: string[] = [''];
  readonly #hashes: number[] = [0];
  readonly #slots = new Int32Array(SLOTS);

  get areFull(): boolean {
    return this.#names.length === MAX_NAMES;
  }

  /** The name with this number. */
  name(id: number): string {
    return this.#names[id] ?? '';
  }

  /** The number of the name from `start` to `end`. */
  find(xml: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + xml.charCodeAt(at)) | 0;
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const id = this.#slots[slot] ?? 0;
      if (id === 0) return this.#add(xml.slice(start, end), hash, slot);
      if (this.#hashes[id] === hash && this.#is(id, xml, start, end)) return id;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return 0;
  }

  #is(id: number, xml: string, start: number, end: number): boolean {
    const name = this.name(id);
    if (name.length !== end - start) return false;
    for (let i = 0; i < name.length; i += 1)
      if (name.charCodeAt(i) !== xml.charCodeAt(start + i)) return false;
    return true;
  }

  #add(name: string, hash: number, slot: number): number {
    if (this.areFull || name === '' || name.length > MAX_LENGTH) return 0;
    // A copy: V8 would keep the whole text for a piece of it.
    const id = this.#names.push(Buffer.from(name).toString()) - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = id;
    return id;
  }
}

let table = new MarkupNames();

/** The names that a part has. */
export class SeenNames {
  readonly #table: MarkupNames;
  /** By number. */
  readonly #isSeen: boolean[] = [];

  constructor() {
    if (table.areFull) table = new MarkupNames();
    this.#table = table;
  }

  /** Takes the name from `start` to `end`. */
  add(xml: string, start: number, end: number): void {
    this.#isSeen[this.#table.find(xml, start, end)] = true;
  }

  /** Says of names whether they are among them. Where there were too many names, any may be. */
  all(): { has(name: string): boolean } {
    if (this.#isSeen[0]) return { has: () => true };
    const names = new Set<string>();
    for (const [id, isSeen] of this.#isSeen.entries()) if (isSeen) names.add(this.#table.name(id));
    return names;
  }
}
