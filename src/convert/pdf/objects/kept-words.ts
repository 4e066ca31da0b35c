/** What short words of a PDF stand for, made once of each: there are few, and each comes often. */

/** How many are kept. */
const KEPT = 1_024;
/** Longer ones are made each time. */
const MAX_BYTES = 32;

export class KeptWords<T> {
  readonly #make: (text: string) => T;
  /** By the hash of their bytes; a newer word takes the place of an older one. */
  readonly #kept: ({ readonly text: string; readonly value: T } | undefined)[] = new Array(KEPT);

  constructor(make: (text: string) => T) {
    this.#make = make;
  }

  /** Of the word between two positions. */
  at(bytes: Buffer, start: number, end: number): T {
    if (end - start > MAX_BYTES) return this.#make(bytes.toString('latin1', start, end));
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (hash * 31 + (bytes[at] as number)) | 0;
    const slot = hash & (KEPT - 1);
    const known = this.#kept[slot];
    if (known && isAt(known.text, bytes, start, end)) return known.value;
    const text = bytes.toString('latin1', start, end);
    const value = this.#make(text);
    this.#kept[slot] = { text, value };
    return value;
  }
}

function isAt(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
