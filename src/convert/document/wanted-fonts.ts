/** The fonts of a document's visible content. */
import { COMPLEX, EAST_ASIAN, LATIN, OTHER_ALPHABET } from './characters.ts';
import type { Numbering } from './numbering.ts';
import { type RunFonts, readRunFonts, type Slot } from './run-fonts.ts';
import type { Story, Use } from './story.ts';
import type { ListLevel, Styles } from './styles.ts';
import type { Theme } from './theme.ts';

/** Limit of reported fonts. */
const MAX_FONTS = 50;
/** Word allows 31 characters. */
const MAX_NAME = 64;

const slotsByKind: readonly (readonly [number, Slot])[] = [
  [LATIN, 'ascii'],
  [OTHER_ALPHABET, 'hAnsi'],
  [EAST_ASIAN, 'eastAsia'],
  [COMPLEX, 'cs'],
];

interface FontSources {
  readonly theme: Theme;
  readonly styles: Styles;
  /** Read only for list paragraphs. */
  readonly numbering: () => Numbering;
}

/** In order of first use; each once, ignoring case. */
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
    // Some programs list alternatives, the best first; `@` marks vertical text.
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
