/** The fonts of bullets and numbers (ISO/IEC 29500-1, 17.9). */
import { attributeOf, prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from './markup.ts';
import { readRunFonts } from './run-fonts.ts';
import type { ListLevel } from './styles.ts';
import type { Theme } from './theme.ts';

const elements = ['abstractNum', 'num', 'abstractNumId', 'lvl', 'lvlText', 'rFonts'];

/** A level of a list, as far as it is known. */
interface Level {
  font: string | undefined;
  hasText: boolean;
}

export class Numbering {
  readonly #levels = new Map<string, Level>();
  /** By list, what it is an instance of. */
  readonly #definitions = new Map<string, string>();

  /** @param xml the part; empty where there is none. */
  constructor(xml: string, theme: Theme) {
    const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    const names = qualified(prefix, elements);
    const read = (attributes: string, name: string) => attributeOf(attributes, prefix + name) ?? '';
    let definition = '';
    let list = '';
    let level: Level | undefined;
    visitMarkup(xml, {
      open: (name, attributes) => {
        switch (names.get(name)) {
          case 'abstractNum':
            definition = read(attributes, 'abstractNumId');
            break;
          case 'num':
            list = read(attributes, 'numId');
            break;
          case 'abstractNumId':
            this.#definitions.set(list, read(attributes, 'val'));
            break;
          case 'lvl':
            level = { font: undefined, hasText: false };
            // What an instance overrides is read with it, and belongs to no definition.
            if (list === '') this.#levels.set(`${definition} ${read(attributes, 'ilvl')}`, level);
            break;
          case 'lvlText':
            if (level) level.hasText = read(attributes, 'val') !== '';
            break;
          case 'rFonts':
            if (level) level.font = readRunFonts(attributes, prefix, theme).ascii;
        }
      },
      close() {},
    });
  }

  /** The font of the bullets or numbers, where the level names one of its own. */
  font({ list, level }: ListLevel): string | undefined {
    const found = this.#levels.get(`${this.#definitions.get(list)} ${level}`);
    return found?.hasText ? found.font : undefined;
  }
}
