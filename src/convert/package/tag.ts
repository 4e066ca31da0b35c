/** A start tag, as far as the preflight reads tags. */
import { withoutReferences } from '../document/markup.ts';

const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Parsers read a space in its place (XML 1.0, 2.11 and 3.3.3). */
const WHITE_SPACE = /\r\n|[\t\r\n]/g;

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
    return [...this.#attributes.matchAll(ATTRIBUTE)]
      .filter(([, name = '']) => name.slice(name.indexOf(':') + 1) === localName)
      .map(([, , quoted, apostrophed]) =>
        withoutReferences((quoted ?? apostrophed ?? '').replace(WHITE_SPACE, ' ')),
      );
  }
}
