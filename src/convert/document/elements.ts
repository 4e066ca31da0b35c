/** Visits the elements of a part that a table names, and can skip the content of some. */
import { visitMarkup } from './markup.ts';

export interface StartTag {
  /** The name as written, with its prefix. */
  readonly name: string;
  /** Its name in the table; undefined if the table lacks it. */
  readonly local: string | undefined;
  /** As written; see `attributeOf`. */
  readonly attributes: string;
  readonly isEmpty: boolean;
  /** Range of the tag in the part. */
  readonly start: number;
  readonly end: number;
}

/** Receives the elements of a part, in document order. */
export interface ElementVisitor {
  /** The table: names of elements to visit, by their names in the part. */
  readonly names: ReadonlyMap<string, string>;
  /** @returns whether to skip its content. */
  open(tag: StartTag): boolean;
  /** The end of a non-empty element, skipped or not. */
  close(name: string, local: string | undefined, start: number, end: number): void;
  text?(xml: string, start: number, end: number): void;
}

/** Visits the elements of a part, in linear time. */
export function visitNamed(xml: string, visitor: ElementVisitor): void {
  const { names } = visitor;
  /** Depth of open elements below the skipped one, including it. */
  let passedOver = 0;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      if (passedOver > 0) {
        if (!isEmpty) passedOver += 1;
        return;
      }
      const tag = { name, local: names.get(name), attributes, isEmpty, start, end };
      if (visitor.open(tag) && !isEmpty) passedOver = 1;
    },
    close(name, start, end) {
      if (passedOver > 0) passedOver -= 1;
      if (passedOver === 0) visitor.close(name, names.get(name), start, end);
    },
    text(part, start, end) {
      if (passedOver === 0) visitor.text?.(part, start, end);
    },
  });
}
