/** Numbers for the names of elements, so that a name is one string wherever it stands, and a number tells whether it is meant. */

/** Documents have some hundred names. Those beyond share numbers: a name that is meant shares its own with few of them. */
const MAX_NAMES = 8_192;
const SHARED = 65_536;
const SLOTS = 4 * MAX_NAMES;
/** Length of the longest name with a number of its own; the standards' are shorter. */
const MAX_LENGTH = 100;
/** Names that may share a slot: a document may be made to have many. */
const MAX_PROBES = 8;

export class MarkupNames {
  /** By number, from 1. */
  readonly #names: string[] = [''];
  readonly #hashes: number[] = [0];
  readonly #slots = new Int32Array(SLOTS);

  get areFull(): boolean {
    return this.#names.length === MAX_NAMES;
  }

  /** The name with this number; undefined where it is one of several. */
  name(id: number): string | undefined {
    return this.#names[id];
  }

  /** The number of the name from `start` to `end`. A name that has none of its own yet gets one, if there is room. */
  find(xml: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + xml.charCodeAt(at)) | 0;
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let probe = 0; probe < MAX_PROBES; probe += 1) {
      const id = this.#slots[slot] ?? 0;
      if (id === 0) {
        if (this.areFull || start === end || end - start > MAX_LENGTH) break;
        return this.#add(xml.slice(start, end), hash, slot);
      }
      if (this.#hashes[id] === hash && this.#is(id, xml, start, end)) return id;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return MAX_NAMES + ((hash ^ (hash >>> 15)) & (SHARED - 1));
  }

  #is(id: number, xml: string, start: number, end: number): boolean {
    const name = this.#names[id] ?? '';
    if (name.length !== end - start) return false;
    for (let i = 0; i < name.length; i += 1)
      if (name.charCodeAt(i) !== xml.charCodeAt(start + i)) return false;
    return true;
  }

  #add(name: string, hash: number, slot: number): number {
    // A copy: V8 would keep the whole text for a piece of it.
    const id = this.#names.push(Buffer.from(name).toString()) - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = id;
    return id;
  }
}

let table = new MarkupNames();

/** Those of some names that a part has. */
export class SeenNames {
  readonly #table: MarkupNames;
  readonly #wanted: ReadonlySet<string>;
  /** By the number of a name of its own. */
  readonly #isSeen: boolean[] = [];
  readonly found = new Set<string>();

  constructor(wanted: ReadonlySet<string>) {
    if (table.areFull) table = new MarkupNames();
    this.#table = table;
    this.#wanted = wanted;
  }

  /** Takes the name from `start` to `end`. */
  add(xml: string, start: number, end: number): void {
    const id = this.#table.find(xml, start, end);
    if (this.#isSeen[id]) return;
    const own = this.#table.name(id);
    if (own !== undefined) this.#isSeen[id] = true;
    const name = own ?? xml.slice(start, end);
    if (this.#wanted.has(name)) this.found.add(name);
  }
}
