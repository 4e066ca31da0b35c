/** A start tag, as the preflight reads it. */
import { withoutReferences } from '../document/markup.ts';

const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Parsers read these as a space (XML 1.0, 2.11 and 3.3.3). */
const WHITE_SPACE = /\r\n|[\t\r\n]/g;

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
    return [...this.#attributes.matchAll(ATTRIBUTE)]
      .filter(([, name = '']) => name.slice(name.indexOf(':') + 1) === localName)
      .map(([, , quoted, apostrophed]) =>
        withoutReferences((quoted ?? apostrophed ?? '').replace(WHITE_SPACE, ' ')),
      );
  }
}
