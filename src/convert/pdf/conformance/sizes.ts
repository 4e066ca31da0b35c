/** Sizes of values, for which the standards have limits (ISO 32000-1, annex C). */
import { isArray, PdfString, type Value } from '../objects/values.ts';

const kinds = ['integer', 'real', 'string', 'name', 'array', 'dictionary'] as const;
export type Kind = (typeof kinds)[number];

interface Sized {
  readonly where: string;
}

/** The largest value of each kind: numbers by their amount, strings and names by their bytes, others by their entries. */
export class Largest {
  readonly #sizes: Record<Kind, number> = {
    integer: 0,
    real: 0,
    string: 0,
    name: 0,
    array: 0,
    dictionary: 0,
  };
  readonly #places = new Map<Kind, Sized>();

  /** Counts a value, but not what is inside it; dictionaries count by {@link note}. */
  measure(value: Value, place: Sized): void {
    if (typeof value === 'number') {
      this.note(Number.isInteger(value) ? 'integer' : 'real', Math.abs(value), place);
    } else if (typeof value === 'string') this.note('name', value.length - 1, place);
    else if (value instanceof PdfString) this.note('string', value.bytes.length, place);
    else if (isArray(value)) this.note('array', value.length, place);
  }

  note(kind: Kind, size: number, place: Sized): void {
    if (size <= this.#sizes[kind]) return;
    this.#sizes[kind] = size;
    this.#places.set(kind, place);
  }

  *[Symbol.iterator](): Generator<{ readonly kind: Kind; readonly size: number; readonly where: string }> {
    for (const [kind, { where }] of this.#places) yield { kind, size: this.#sizes[kind], where };
  }
}
