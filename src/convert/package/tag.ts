/** A start tag, as the preflight reads it. */
import { readValue, visitAttributes } from '../document/markup.ts';

export class Tag {
  /** The local name of the element. */
  readonly name: string;
  /** Number of its ancestors. */
  readonly depth: number;
  readonly #attributes: string;

  /** @param attributes as written. */
  constructor(name: string, attributes: string, depth = 0) {
    this.name = name;
    this.depth = depth;
    this.#attributes = attributes;
  }

  /** The values of all attributes with this local name, in any namespace. */
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
