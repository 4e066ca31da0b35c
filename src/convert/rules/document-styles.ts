/** The styles of a document, read once for all rules that ask for them. */
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText } from '../document/links.ts';
import { sizedStyle } from '../document/sized-styles.ts';
import { Styles } from '../document/styles.ts';
import type { Theme } from '../document/theme.ts';
import { fromBytes } from '../text/bytes.ts';
import { LayoutStyles, type ParagraphStyles } from './layout-styles.ts';

/** LibreOffice takes quadratic time for styles. A report of 101 pages has four. */
const MOST_SIZED = 200;

/** `paragraphStyle` takes an id as the main part has it, a character a byte. */
export interface DocumentStyles extends ParagraphStyles {
  /** That of the document. */
  readonly theme: Theme;
  readonly fonts: Styles;
  /** The document has none of its own. */
  readonly isMissing: boolean;
  /** The id of a style that is like this one, but for the size of its text in half points; undefined if there is to be none. */
  sized(style: string, size: number): string | undefined;
  /** The ids of the styles that rules have asked for, see sized-styles.ts. */
  readonly added: ReadonlySet<string>;
}

/** @param theme that of the document. */
export function documentStyles(parts: KeptParts, theme: Theme): DocumentStyles {
  const part = linkedText(parts, 'styles');
  const fonts = new Styles(part, theme);
  const added = new Set<string>();
  let styles: LayoutStyles | undefined;
  return {
    theme,
    fonts,
    isMissing: part === '',
    added,
    get styles() {
      styles ??= new LayoutStyles(part);
      return styles;
    },
    paragraphStyle: (id) => fonts.paragraphStyle(fromBytes(id)),
    sized(style, size) {
      const id = sizedStyle(style, size);
      const isKnown = style === '' ? part !== '' : fonts.has(style);
      // Levels of lists name their styles.
      if (id === undefined || !isKnown || fonts.isInList(style)) return undefined;
      if (added.size === MOST_SIZED && !added.has(id)) return undefined;
      added.add(id);
      return id;
    },
  };
}
