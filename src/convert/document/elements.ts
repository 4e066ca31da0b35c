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
  /** Whether it is told of the elements that the table lacks, too. */
  readonly readsOthers?: boolean;
  /** @returns whether to skip its content. */
  open(tag: StartTag): boolean;
  /** The end of a non-empty element, skipped or not. */
  close(name: string, local: string | undefined, start: number, end: number): void;
  text?(xml: string, start: number, end: number): void;
}

/** Visits the elements of a part, in linear time. */
export function visitNamed(xml: string, visitor: ElementVisitor): void {
  const { names } = visitor;
  visitMarkup(xml, {
    names: visitor.readsOthers ? undefined : names,
    open: (name, attributes, isEmpty, start, end) =>
      visitor.open({ name, local: names.get(name), attributes, isEmpty, start, end }),
    close: (name, start, end) => visitor.close(name, names.get(name), start, end),
    text: (part, start, end) => visitor.text?.(part, start, end),
  });
}
