/** What the settings of a document say (ISO/IEC 29500-1, 17.15). */
import { attributeOf, isOn, prefixOf, visitMarkup, WORD_NAMESPACE } from './markup.ts';

export class Settings {
  readonly #prefix: string;
  /** By the names of elements as they are written, the attributes of the first. */
  readonly #attributes = new Map<string, string>();
  readonly #compatibility = new Map<string, string>();

  /** @param xml the part; empty where there is none. */
  constructor(xml: string) {
    this.#prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    visitMarkup(xml, {
      open: (name, attributes) => {
        if (!this.#attributes.has(name)) this.#attributes.set(name, attributes);
        if (name !== `${this.#prefix}compatSetting`) return;
        const value = (attribute: string) => attributeOf(attributes, this.#prefix + attribute) ?? '';
        this.#compatibility.set(value('name'), value('val'));
      },
      close() {},
    });
  }

  /** The value of an attribute; undefined where no setting has it. */
  value(element: string, attribute = 'val'): string | undefined {
    return attributeOf(this.#attributes.get(this.#prefix + element) ?? '', this.#prefix + attribute);
  }

  /** Whether a setting is there and on. */
  isOn(element: string): boolean {
    const attributes = this.#attributes.get(this.#prefix + element);
    return attributes !== undefined && isOn(attributes, `${this.#prefix}val`);
  }

  /** A setting of compatibility (17.15.3.4); undefined where it is not there. */
  compatibility(name: string): string | undefined {
    return this.#compatibility.get(name);
  }
}
