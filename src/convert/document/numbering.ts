/** Lists: fonts of bullets and numbers, and the left edges of items (ISO/IEC 29500-1, 17.9). */
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from './markup.ts';
import { readRunFonts } from './run-fonts.ts';
import { type ListLevel, readLeft } from './styles.ts';
import type { Theme } from './theme.ts';

const elements = ['abstractNum', 'num', 'abstractNumId', 'lvl', 'lvlText', 'rFonts', 'ind', 'numStyleLink'];

/**
 * Bullets that look in a PDF as they do in Word, although LibreOffice takes them from another font: U+F000 and these, by their font in
 * lower case. Looked at one by one, with LibreOffice 25.2.
 */
const ALIKE: Readonly<Record<string, string>> = {
  symbol: 'b7 a8 a7 de ae',
  wingdings: 'a7 d8 fc 76 a8 6e 6c fe fb fd e0 f0 e8 71 6f 9f a1 b2 ab 75 77',
};

/** Where symbol fonts have their signs. */
const PRIVATE = 0xf000;

/** What is known of a list level. */
interface Level {
  font: string | undefined;
  /** Its bullet, or its number's form; empty for none. */
  text: string;
  /** The left edge of its items, as written. */
  left: string | undefined;
}

export class Numbering {
  readonly #levels = new Map<string, Level>();
  /** Levels that an instance overrides. */
  readonly #overrides = new Map<string, Level>();
  /** Names of list styles, by definition. */
  readonly #styles = new Map<string, string>();
  /** Definition of each list (instance). */
  readonly #definitions = new Map<string, string>();

  /** @param xml the part; empty if there is none. */
  constructor(xml: string, theme: Theme) {
    const prefix = wordPrefixOf(xml);
    const names = qualified(prefix, elements);
    const read = (attributes: string, name: string) => attributeOf(attributes, prefix + name) ?? '';
    let definition = '';
    let list = '';
    let level: Level | undefined;
    visitMarkup(xml, {
      names,
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
            level = { font: undefined, text: '', left: undefined };
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
            if (level) level.text = read(attributes, 'val');
            break;
          case 'rFonts':
            if (level) level.font = readRunFonts(attributes, prefix, theme).ascii;
        }
      },
    });
  }

  /** The font of bullets or numbers, if the level names one and another font would look different. */
  font(level: ListLevel): string | undefined {
    const { font, text = '' } = this.#level(level) ?? {};
    return font === undefined || text === '' || isAlike(font, text) ? undefined : font;
  }

  /** The left edge of a level's items, as written. */
  left(level: ListLevel): string | undefined {
    return this.#level(level)?.left;
  }

  /** The style that defines this list; undefined if the list defines its own levels. */
  styleOf(list: string): string | undefined {
    return this.#styles.get(this.#definitions.get(list) ?? '');
  }

  #level({ list, level }: ListLevel): Level | undefined {
    return (
      this.#overrides.get(`${list} ${level}`) ?? this.#levels.get(`${this.#definitions.get(list)} ${level}`)
    );
  }
}

function isAlike(font: string, text: string): boolean {
  const code = text.length === 1 ? text.charCodeAt(0) - PRIVATE : -1;
  const name = font.toLowerCase();
  return Object.hasOwn(ALIKE, name) && ALIKE[name]?.split(' ').includes(code.toString(16)) === true;
}
