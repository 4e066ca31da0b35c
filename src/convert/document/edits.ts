/** Edits an XML part as text, at positions that a reader found. */
import { type Edit, Edits } from './edit-list.ts';
import { noteEdits } from './markup-index.ts';

export { type Edit, Edits } from './edit-list.ts';

/** From this length on, Node keeps a text of bytes outside of the heap, which would have no room for several such texts. */
const LARGE = 1_048_576;
/** Pieces of a large text that are joined before they are copied, and the length of one that is copied by itself. */
const MAX_PIECES = 4_096;
const LONG = 4_096;
const BEYOND_BYTES = /[^\0-\xff]/;

/** Applies the edits, in any order; they must not overlap. */
export function withEdits<Text extends string>(xml: Text, edits: Edits | readonly Edit[]): Text {
  if (edits.length === 0) return xml;
  const sorted = (edits instanceof Edits ? edits : Edits.of(edits)).inOrder();
  const { length, areApart } = sorted.measured(xml);
  const edited = applied(xml, sorted, length) as Text;
  if (areApart) noteEdits(xml, edited, sorted);
  return edited;
}

function applied(xml: string, edits: Edits, length: number): string {
  const text = new LongText(length);
  let at = 0;
  for (let i = 0; i < edits.length; i += 1) {
    text.add(xml.slice(at, edits.start(i)));
    text.add(edits.text(i));
    at = edits.end(i);
  }
  text.add(xml.slice(at));
  return text.toString();
}

/** A text of which the length is known. One that is large, and has bytes alone, comes to be outside of the heap. */
class LongText {
  #pieces: string[] = [];
  #bytes: Buffer | undefined;
  #length = 0;

  constructor(length: number) {
    if (length >= LARGE) this.#bytes = Buffer.allocUnsafe(length);
  }

  add(piece: string): void {
    const isLong = piece.length >= LONG;
    if (this.#bytes && (isLong || this.#pieces.length >= MAX_PIECES)) this.#copy();
    this.#pieces.push(piece);
    if (this.#bytes && isLong) this.#copy();
  }

  #copy(): void {
    // One text at once: V8 would copy a sum of two once more.
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join('');
    if (BEYOND_BYTES.test(text)) {
      this.#pieces = [this.#bytes?.toString('latin1', 0, this.#length) ?? '', text];
      this.#bytes = undefined;
      return;
    }
    this.#length += this.#bytes?.write(text, this.#length, 'latin1') ?? 0;
    this.#pieces = [];
  }

  toString(): string {
    if (this.#bytes) this.#copy();
    return this.#bytes?.toString('latin1', 0, this.#length) ?? this.#pieces.join('');
  }
}
