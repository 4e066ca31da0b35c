/** The styles of a document, read once for all rules that ask for them. */
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText } from '../document/links.ts';
import { Styles } from '../document/styles.ts';
import type { Theme } from '../document/theme.ts';
import { fromBytes } from '../text/bytes.ts';
import { LayoutStyles, type ParagraphStyles } from './layout-styles.ts';

/** `paragraphStyle` takes an id as the main part has it, a character a byte. */
export interface DocumentStyles extends ParagraphStyles {
  /** That of the document. */
  readonly theme: Theme;
  readonly fonts: Styles;
  /** The document has none of its own. */
  readonly isMissing: boolean;
}

/** @param theme that of the document. */
export function documentStyles(parts: KeptParts, theme: Theme): DocumentStyles {
  const part = linkedText(parts, 'styles');
  const fonts = new Styles(part, theme);
  let styles: LayoutStyles | undefined;
  return {
    theme,
    fonts,
    isMissing: part === '',
    get styles() {
      styles ??= new LayoutStyles(part);
      return styles;
    },
    paragraphStyle: (id) => fonts.paragraphStyle(fromBytes(id)),
  };
}
