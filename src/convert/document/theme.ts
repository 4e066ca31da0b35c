/** Theme fonts (ISO/IEC 29500-1, 20.1.4.1.18), which documents refer to by purpose. */
import { attributeOf, visitMarkup } from './markup.ts';
import { localName } from './tags.ts';

/** Scripts by language, for themes without a general East Asian font. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/^ja/i, 'Jpan'],
  [/^ko/i, 'Hang'],
  [/^zh-(tw|hk|mo|hant)/i, 'Hant'],
  [/^zh/i, 'Hans'],
  [/^(ar|fa|ur|ps)/i, 'Arab'],
  [/^he/i, 'Hebr'],
  [/^th/i, 'Thai'],
];

/** The document's languages for theme fonts: `w:themeFontLang`. */
export interface ThemeLanguages {
  readonly eastAsia: string | undefined;
  readonly bidi: string | undefined;
}

export class Theme {
  readonly #fonts = new Map<string, string>();
  readonly #languages: ThemeLanguages;

  /** @param xml the part; empty if the document has no theme. */
  constructor(xml: string, languages: ThemeLanguages) {
    this.#languages = languages;
    let scheme = '';
    visitMarkup(xml, {
      open: (name, attributes) => {
        const local = localName(name);
        if (local === 'majorFont') scheme = 'major';
        else if (local === 'minorFont') scheme = 'minor';
        else if (scheme !== '')
          this.#add(`${scheme} ${attributeOf(attributes, 'script') ?? local}`, attributes);
      },
      close(name) {
        if (/^(major|minor)Font$/.test(localName(name))) scheme = '';
      },
    });
  }

  /** The font of a reference such as `minorHAnsi`, `majorEastAsia` or `minorBidi`; undefined if the theme has none. */
  font(reference: string): string | undefined {
    const scheme = reference.startsWith('major') ? 'major' : 'minor';
    if (reference.endsWith('EastAsia')) return this.#find(scheme, 'ea', this.#languages.eastAsia);
    if (reference.endsWith('Bidi')) return this.#find(scheme, 'cs', this.#languages.bidi);
    return this.#fonts.get(`${scheme} latin`);
  }

  #find(scheme: string, kind: string, language = ''): string | undefined {
    const script = scripts.find(([languages]) => languages.test(language))?.[1];
    return this.#fonts.get(`${scheme} ${kind}`) ?? this.#fonts.get(`${scheme} ${script}`);
  }

  #add(key: string, attributes: string): void {
    const typeface = attributeOf(attributes, 'typeface') ?? '';
    if (typeface !== '' && !this.#fonts.has(key)) this.#fonts.set(key, typeface);
  }
}

/** A theme without fonts. */
export const noTheme = new Theme('', { eastAsia: undefined, bidi: undefined });
