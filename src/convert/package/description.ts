/** Writes the parts that describe a package: a root, and elements without content in it. */
import { DECLARATION } from './plain-xml.ts';

const SPECIAL = /[&<>"\t\n\r]/g;

export class Description {
  readonly #root: string;
  readonly #pieces: string[] = [];

  constructor(root: string, namespace: string) {
    this.#root = root;
    this.#pieces.push(`${DECLARATION}<${root} xmlns="${namespace}">`);
  }

  /** Adds an element of the root's namespace. */
  add(name: string, attributes: Readonly<Record<string, string>>): void {
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
    this.#pieces.push(`<${name}${written.join('')}/>`);
  }

  toBuffer(): Buffer {
    return Buffer.from(`${this.#pieces.join('')}</${this.#root}>`);
  }
}

function escaped(value: string): string {
  return value.replace(SPECIAL, (character) => `&#${character.codePointAt(0)};`);
}
