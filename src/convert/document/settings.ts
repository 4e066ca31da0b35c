/** What the settings of a document say (ISO/IEC 29500-1, 17.15). */
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from './markup.ts';
import type { ThemeLanguages } from './theme.ts';

/** Settings that are read. */
const elements = [
  ...([
    'defaultTabStop',
    'themeFontLang',
    'characterSpacingControl',
    'evenAndOddHeaders',
    'linkStyles',
    'mirrorMargins',
  ] as const),
  ...(['bordersDoNotSurroundHeader', 'bordersDoNotSurroundFooter', 'adjustLineHeightInTable'] as const),
  'balanceSingleByteDoubleByteWidth',
] as const;
type Setting = (typeof elements)[number];
const COMPATIBILITY = 'compatSetting';

/** Of documents that name none. */
const WORD_2007 = 12;
/** Word's distance of tab stops, in twips. */
const TAB_STOP = 720;

export class Settings {
  /** The mode of compatibility ([MS-DOCX] 2.4.3): the version of Word whose layout the document has. */
  readonly mode: number;
  readonly #prefix: string;
  /** By the local names of elements, the attributes of the first. */
  readonly #attributes = new Map<Setting, string>();

  /** @param xml the part; empty where there is none. */
  constructor(xml: string) {
    this.#prefix = wordPrefixOf(xml);
    const names = qualified(this.#prefix, [...elements, COMPATIBILITY]);
    let mode = WORD_2007;
    visitMarkup(xml, {
      names,
      open: (name, attributes) => {
        const local = names.get(name);
        if (local === undefined) return;
        if (local !== COMPATIBILITY) {
          if (!this.#attributes.has(local)) this.#attributes.set(local, attributes);
          return;
        }
        const value = (attribute: string) => attributeOf(attributes, this.#prefix + attribute) ?? '';
        if (value('name') === 'compatibilityMode') mode = Number.parseInt(value('val'), 10) || mode;
      },
    });
    this.mode = mode;
  }

  /** The distance of tab stops where a paragraph has none, in twips. */
  get tabStop(): number {
    return Number.parseInt(this.value('defaultTabStop') ?? '', 10) || TAB_STOP;
  }

  /** The value of an attribute; undefined where no setting has it. */
  value(element: Setting, attribute = 'val'): string | undefined {
    return attributeOf(this.#attributes.get(element) ?? '', this.#prefix + attribute);
  }

  /** The languages by which a theme has its fonts. */
  get themeLanguages(): ThemeLanguages {
    return { eastAsia: this.value('themeFontLang', 'eastAsia'), bidi: this.value('themeFontLang', 'bidi') };
  }

  /** Whether a setting is there and on. */
  isOn(element: Setting): boolean {
    const attributes = this.#attributes.get(element);
    return attributes !== undefined && isOn(attributes, `${this.#prefix}val`);
  }
}
