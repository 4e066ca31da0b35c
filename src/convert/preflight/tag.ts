/** A start tag, as far as the preflight reads tags. */
import { withoutReferences } from '../facts/markup.ts';

const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export class Tag {
  /** The local name of the element. */
  readonly name: string;
  readonly #attributes: string;

  /** @param attributes as they are written. */
  constructor(name: string, attributes: string) {
    this.name = name;
    this.#attributes = attributes;
  }

  /** The values of the attributes of this local name, whatever their namespaces are. */
  values(localName: string): string[] {
    return [...this.#attributes.matchAll(ATTRIBUTE)]
      .filter(([, name = '']) => name.slice(name.indexOf(':') + 1) === localName)
      .map(([, , quoted, apostrophed]) => withoutReferences(quoted ?? apostrophed ?? ''));
  }
}
