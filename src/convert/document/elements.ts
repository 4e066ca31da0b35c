/** Going through the elements of a part that have a meaning here, past the content of some of them. */
import { visitMarkup } from './markup.ts';

export interface StartTag {
  /** As it is written, with its prefix. */
  readonly name: string;
  /** What it is called here; undefined where it has no meaning. */
  readonly local: string | undefined;
  /** As they are written, see `attributeOf`. */
  readonly attributes: string;
  readonly isEmpty: boolean;
  /** Where the tag begins and ends in the part. */
  readonly start: number;
  readonly end: number;
}

/** Who is told of the elements of a part, in document order. */
export interface ElementVisitor {
  /** What elements are called here, by their names; all others have no meaning. */
  readonly names: ReadonlyMap<string, string>;
  /** @returns whether to pass over what is in it. */
  open(tag: StartTag): boolean;
  /** The end of an element that is not empty, also where its content was passed over. */
  close(name: string, local: string | undefined, start: number, end: number): void;
  text?(xml: string, start: number, end: number): void;
}

/** Visits the elements of a part, in linear time. */
export function visitNamed(xml: string, visitor: ElementVisitor): void {
  const { names } = visitor;
  /** How many elements are open from the one on whose content is passed over. */
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
