/** Lists: the fonts of bullets and numbers, and where the text of their items begins (ISO/IEC 29500-1, 17.9). */
import { attributeOf, prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from './markup.ts';
import { readRunFonts } from './run-fonts.ts';
import { type ListLevel, readLeft } from './styles.ts';
import type { Theme } from './theme.ts';

const elements = ['abstractNum', 'num', 'abstractNumId', 'lvl', 'lvlText', 'rFonts', 'ind', 'numStyleLink'];

/** A level of a list, as far as it is known. */
interface Level {
  font: string | undefined;
  hasText: boolean;
  /** The left edge of its items, as it is written. */
  left: string | undefined;
}

export class Numbering {
  readonly #levels = new Map<string, Level>();
  /** Levels that an instance has instead of those of its definition. */
  readonly #overrides = new Map<string, Level>();
  /** By definition, the style whose list it is. */
  readonly #styles = new Map<string, string>();
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
            level = { font: undefined, hasText: false, left: undefined };
            if (list === '') this.#levels.set(`${definition} ${read(attributes, 'ilvl')}`, level);
            else this.#overrides.set(`${list} ${read(attributes, 'ilvl')}`, level);
            break;
          case 'numStyleLink':
            this.#styles.set(definition, read(attributes, 'val'));
            break;
          case 'ind':
            if (level) level.left = readLeft(attributes, prefix);
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
  font(level: ListLevel): string | undefined {
    const found = this.#level(level);
    return found?.hasText ? found.font : undefined;
  }

  /** The left edge of the items of a level, as it is written. */
  left(level: ListLevel): string | undefined {
    return this.#level(level)?.left;
  }

  /** The style whose list this one is; undefined where it has levels of its own. */
  styleOf(list: string): string | undefined {
    return this.#styles.get(this.#definitions.get(list) ?? '');
  }

  #level({ list, level }: ListLevel): Level | undefined {
    return (
      this.#overrides.get(`${list} ${level}`) ?? this.#levels.get(`${this.#definitions.get(list)} ${level}`)
    );
  }
}
