/** Sizes of values, for which the standards have limits (ISO 32000-1, annex C). */
import type { ShownText } from '../objects/parser.ts';
import { isArray, PdfString, type Value } from '../objects/values.ts';

interface Sized {
  readonly where: string;
}

/** The largest of some sizes, and where it is. */
class Most {
  size = 0;
  place: Sized | undefined;

  note(size: number, place: Sized): void {
    if (size <= this.size) return;
    this.size = size;
    this.place = place;
  }
}

/** The largest value of each kind: numbers by their amount, strings and names by their bytes, others by their entries. */
export class Largest {
  readonly integer = new Most();
  readonly real = new Most();
  readonly string = new Most();
  readonly name = new Most();
  readonly array = new Most();
  readonly dictionary = new Most();

  /** Counts an array of strings and numbers, and what is inside it. */
  measureText({ entries, longest, integer, real }: ShownText, place: Sized): void {
    this.array.note(entries, place);
    this.string.note(longest, place);
    this.integer.note(integer, place);
    this.real.note(real, place);
  }

  /** Counts a value, but not what is inside it; dictionaries count by their own. */
  measure(value: Value, place: Sized): void {
    if (typeof value === 'number') {
      (Number.isInteger(value) ? this.integer : this.real).note(Math.abs(value), place);
    } else if (typeof value === 'string') this.name.note(value.length - 1, place);
    else if (value instanceof PdfString) this.string.note(value.bytes.length, place);
    else if (isArray(value)) this.array.note(value.length, place);
  }
}
