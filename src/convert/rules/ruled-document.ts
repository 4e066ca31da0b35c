/** What the rules of the print view ask of a document as a whole. It may have many parts to change, and is read once for all. */
import { compatibilityMode } from '../document/compatibility.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import type { LastResorts } from '../document/last-resorts.ts';
import { linkedText } from '../document/links.ts';
import { fromBytes } from '../document/markup.ts';
import { Styles } from '../document/styles.ts';
import { noTheme } from '../document/theme.ts';
import type { RaiseOf } from './bullets.ts';
import { type EastAsianSettings, eastAsianSettings } from './east-asian-settings.ts';
import { gridFonts } from './grid-fonts.ts';
import type { GridFonts } from './line-grid.ts';
import { linkStyleOf } from './link-styles.ts';
import { raisesOfLists } from './list-fonts.ts';
import { directionsOfLists, type ListDirections } from './rtl-lists.ts';
import { type TextWidths, textWidths } from './text-widths.ts';

/** Each member is found out when a rule asks for it first. */
export class RuledDocument {
  /** What bullets add to the lines of its lists. */
  readonly raiseOf: RaiseOf;
  readonly #parts: KeptParts;
  #eastAsian: EastAsianSettings | undefined;
  #gridFonts: GridFonts | undefined;
  #listDirections: ListDirections | undefined;
  #textWidths: TextWidths | undefined;
  #styles: Styles | undefined;
  #linkStyle: { readonly id: string | undefined } | undefined;

  /** @param resorts replacements for fonts that exist nowhere. */
  constructor(parts: KeptParts, resorts: LastResorts) {
    this.#parts = parts;
    this.raiseOf = raisesOfLists(parts, resorts);
  }

  get eastAsian(): EastAsianSettings {
    this.#eastAsian ??= eastAsianSettings(this.#parts);
    return this.#eastAsian;
  }

  get gridFonts(): GridFonts {
    this.#gridFonts ??= gridFonts(this.#parts, this.eastAsian.theme);
    return this.#gridFonts;
  }

  get textWidths(): TextWidths {
    this.#textWidths ??= textWidths(this.#parts, this.eastAsian.theme);
    return this.#textWidths;
  }

  /** See {@link compatibilityMode}. */
  get mode(): number {
    return compatibilityMode(linkedText(this.#parts, 'settings'));
  }

  /** The id of the style of links; undefined where there is none. */
  get linkStyle(): string | undefined {
    this.#linkStyle ??= { id: linkStyleOf(linkedText(this.#parts, 'styles')) };
    return this.#linkStyle.id;
  }

  /** @param style that a paragraph names; empty where it names none. */
  styleHasLeader(style: string): boolean {
    this.#styles ??= new Styles(linkedText(this.#parts, 'styles'), noTheme);
    return this.#styles.hasLeader(this.#styles.paragraphStyle(fromBytes(style)));
  }

  get listDirections(): ListDirections {
    this.#listDirections ??= directionsOfLists(this.#parts);
    return this.#listDirections;
  }
}
