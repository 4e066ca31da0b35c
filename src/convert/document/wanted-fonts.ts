/** The fonts that a document wants for what it shows. */
import { COMPLEX, EAST_ASIAN, LATIN, OTHER_ALPHABET } from './characters.ts';
import type { Numbering } from './numbering.ts';
import { type RunFonts, readRunFonts, type Slot } from './run-fonts.ts';
import type { Story, Use } from './story.ts';
import type { ListLevel, Styles } from './styles.ts';
import type { Theme } from './theme.ts';

/** More are not told. */
const MAX_FONTS = 50;
/** Word allows 31 characters. */
const MAX_NAME = 64;

const slotsByKind: readonly (readonly [number, Slot])[] = [
  [LATIN, 'ascii'],
  [OTHER_ALPHABET, 'hAnsi'],
  [EAST_ASIAN, 'eastAsia'],
  [COMPLEX, 'cs'],
];

export interface FontSources {
  readonly theme: Theme;
  readonly styles: Styles;
  /** Read where a paragraph belongs to a list. */
  readonly numbering: () => Numbering;
}

/** In the order in which the document uses them; each once, whatever its case. */
export class WantedFonts {
  readonly #sources: FontSources;
  readonly #names = new Map<string, string>();

  constructor(sources: FontSources) {
    this.#sources = sources;
  }

  get names(): string[] {
    return [...this.#names.values()];
  }

  add(story: Story): void {
    for (const use of story.uses) this.#addUse(use, story.prefix);
    for (const font of story.symbolFonts) this.#addName(font);
    for (const key of story.lists) this.#addList(key);
  }

  #addUse({ fonts, runStyle, paragraphStyle, tableStyle, kinds }: Use, prefix: string): void {
    const { styles, theme } = this.#sources;
    const paragraph = styles.paragraphStyle(paragraphStyle);
    if (styles.isHidden(runStyle) || styles.isHidden(paragraph)) return;
    const direct: RunFonts = fonts === '' ? {} : readRunFonts(fonts, prefix, theme);
    for (const [kind, slot] of slotsByKind) {
      if ((kinds & kind) === 0) continue;
      this.#addName(
        direct[slot] ??
          styles.font(runStyle, slot) ??
          styles.font(paragraph, slot) ??
          styles.font(tableStyle, slot) ??
          styles.defaultFont(slot),
      );
    }
  }

  #addList(key: string): void {
    const [style = '', list = '', level = ''] = key.split('\n');
    const { styles, numbering } = this.#sources;
    const ofStyle = styles.list(styles.paragraphStyle(style));
    const place: ListLevel | undefined =
      list === '' ? ofStyle : { list, level: level === '' ? (ofStyle?.level ?? '0') : level };
    if (place && place.list !== '0') this.#addName(numbering().font(place));
  }

  #addName(font: string | undefined): void {
    if (font === undefined || this.#names.size === MAX_FONTS) return;
    // Some programs write several, the best first; an `@` is for vertical text.
    const [first = ''] = font.split(';');
    const name = first
      .replace(/[\p{Cc}\p{Cs}]/gu, '')
      .replace(/^@/, '')
      .trim()
      .slice(0, MAX_NAME)
      .replace(/\p{Cs}$/u, '');
    const key = name.toLowerCase();
    if (name !== '' && !this.#names.has(key)) this.#names.set(key, name);
  }
}
