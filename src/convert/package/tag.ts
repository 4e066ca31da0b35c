/** A start tag, as far as the preflight reads tags. */
import { readValue, visitAttributes } from '../document/markup.ts';

export class Tag {
  /** The local name of the element. */
  readonly name: string;
  /** How many elements are around it. */
  readonly depth: number;
  readonly #attributes: string;

  /** @param attributes as they are written. */
  constructor(name: string, attributes: string, depth = 0) {
    this.name = name;
    this.depth = depth;
    this.#attributes = attributes;
  }

  /** The values of the attributes of this local name, whatever their namespaces are. */
  values(localName: string): string[] {
    const values: string[] = [];
    visitAttributes(this.#attributes, (start, nameEnd, valueStart, valueEnd) => {
      const name = this.#attributes.slice(start, nameEnd);
      if (name.slice(name.indexOf(':') + 1) === localName)
        values.push(readValue(this.#attributes.slice(valueStart, valueEnd)));
      return true;
    });
    return values;
  }
}
