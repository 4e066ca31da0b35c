/** Changing an XML part as text, at places that a reader of it has found. */

/** A piece of a part, and what stands there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The part with these edits, in whatever order they are; none may lie in another. */
export function withEdits(xml: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(xml.slice(at, start), text);
    at = end;
  }
  return pieces.join('') + xml.slice(at);
}
