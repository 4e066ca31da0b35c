/** The fonts that the styles and the theme of a DOCX give to its text (ECMA-376 part 1, 17.7 and 20.1.4.1). */
import { visit } from './docx-parts.ts';

/** A run has four fonts, by the kind of character (17.3.2.26). */
export type Slot = 'ascii' | 'hAnsi' | 'eastAsia' | 'cs';
export type Fonts = { readonly [slot in Slot]?: string };

const SLOTS: readonly Slot[] = ['ascii', 'hAnsi', 'eastAsia', 'cs'];

/** The font of a theme, by its two kinds (`major`, `minor`) and what follows them in a reference to it. */
export class Theme {
  readonly #fonts = new Map<string, string>();

  /** @param eastAsianScript of the document's language, such as `Hans`: which of the theme's fonts is meant */
  constructor(xml: string | undefined, eastAsianScript: string | undefined) {
    if (xml === undefined) return;
    visit(xml, {
      start: (name, attributes, open) => {
        const kind = open.includes('majorFont') ? 'major' : open.includes('minorFont') ? 'minor' : undefined;
        const font = attributes.get('typeface');
        if (!kind || !font) return;
        if (name === 'latin') this.#set(kind, ['Ascii', 'HAnsi'], font);
        if (name === 'ea') this.#set(kind, ['EastAsia'], font);
        if (name === 'cs') this.#set(kind, ['Bidi'], font);
        if (
          name === 'font' &&
          attributes.get('script') === eastAsianScript &&
          !this.#fonts.has(`${kind}EastAsia`)
        ) {
          this.#set(kind, ['EastAsia'], font);
        }
      },
    });
  }

  /** The fonts that the attributes of a `w:rFonts` name. */
  resolve(attributes: ReadonlyMap<string, string>): Fonts {
    const fonts: { [slot in Slot]?: string } = {};
    for (const slot of SLOTS) {
      const reference = attributes.get(slot === 'cs' ? 'cstheme' : `${slot}Theme`);
      const font = (reference && this.#fonts.get(reference)) || attributes.get(slot);
      if (font) fonts[slot] = font;
    }
    return fonts;
  }

  #set(kind: string, slots: readonly string[], font: string): void {
    for (const slot of slots) this.#fonts.set(`${kind}${slot}`, font);
  }
}

interface Style {
  basedOn?: string;
  fonts: Fonts;
}

/** What a style gives, what it is based on included. */
export class Styles {
  readonly #styles = new Map<string, Style>();
  #ofAll: Fonts = {};
  /** Id of the style of paragraphs that name none. */
  #default: string | undefined;

  constructor(xml: string | undefined, theme: Theme) {
    if (xml === undefined) return;
    let style: Style | undefined;
    visit(xml, {
      start: (name, attributes, open) => {
        if (name === 'style') {
          style = { fonts: {} };
          const id = attributes.get('styleId') ?? '';
          this.#styles.set(id, style);
          const isDefault = ['1', 'true', 'on'].includes(attributes.get('default') ?? '');
          if (isDefault && attributes.get('type') === 'paragraph') this.#default = id;
        }
        if (name === 'rFonts' && open.includes('rPrDefault')) this.#ofAll = theme.resolve(attributes);
        if (!style) return;
        const base = attributes.get('val');
        if (name === 'basedOn' && base !== undefined) style.basedOn = base;
        if (name === 'rFonts') style.fonts = theme.resolve(attributes);
      },
      end: (name) => {
        if (name === 'style') style = undefined;
      },
    });
  }

  /** The font of a run that names none itself; Word's own default where nothing names one. */
  font(slot: Slot, runStyle: string | undefined, paragraphStyle: string | undefined): string {
    return (
      this.#ofStyle(slot, runStyle) ??
      this.#ofStyle(slot, paragraphStyle ?? this.#default) ??
      this.#ofAll[slot] ??
      'Times New Roman'
    );
  }

  #ofStyle(slot: Slot, id: string | undefined): string | undefined {
    const seen = new Set<string>();
    for (let next = id; next !== undefined && !seen.has(next); ) {
      seen.add(next);
      const style: Style | undefined = this.#styles.get(next);
      const font = style?.fonts[slot];
      if (font) return font;
      next = style?.basedOn;
    }
    return undefined;
  }
}
