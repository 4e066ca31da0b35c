/**
 * Text of automatic colour on a shade (`w:shd`, ISO/IEC 29500-1, 17.3.1.31, 17.3.2.32, 17.4.32). Word shows it in white where the
 * brightness of the shade, by the W3C's formula, is below 60 of 255 (as Microsoft's support for open specifications said in 2017),
 * LibreOffice up to a luminance of 156. So between both such text is black by name.
 */

import { withValues } from '../document/attributes.ts';
import { BodyWalk, drawings, type Element } from '../document/body-walk.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';

/** In the middle of what Word and LibreOffice see otherwise, by parts of a colour from 0 to 255. */
const WORDS_DARKEST = 60;
const BRIGHTEST = 156;
const FILL = /fill=["']([\dA-Fa-f]{6})["']/g;

/** What is asked of styles. */
export interface ShadedStyles {
  readonly paragraphStyle: DocumentStyles['paragraphStyle'];
  /** Whether a style, or the default where it is empty, says what colour text has. */
  readonly colours: (style: string) => boolean;
  readonly shades: (style: string) => boolean;
}

/** The part with black text on such shades as cells, paragraphs and runs have themselves, in linear time. */
export function withShadedText(xml: Bytes, styles: ShadedStyles): Bytes {
  if (![...xml.matchAll(FILL)].some(([, fill = '']) => isMiddling(fill)) || styles.colours('')) return xml;
  return new ShadedText(xml, styles).walk().edited();
}

function isMiddling(fill: string): boolean {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(fill.slice(at, at + 2), 16));
  const brightness = (red * 299 + green * 587 + blue * 114) / 1000;
  const luminance = (red * 76 + green * 151 + blue * 29) >> 8;
  return brightness >= WORDS_DARKEST && luminance <= BRIGHTEST;
}

/** A table, and the cell of it that is read. */
interface Table {
  hasColour: boolean;
  isMiddling: boolean;
}

interface Run {
  readonly start: Element;
  properties: Element | undefined;
  style: Element | undefined;
  colour: Element | undefined;
  /** Whether it is on a shade as meant; undefined where it has none of its own. */
  isMiddling: boolean | undefined;
  hasText: boolean;
}

const properties = ['tblPr', 'tcPr', 'pPr', 'rPr'];
/** What is drawn in the colour of a run. */
const shown = ['t', 'sym', 'noBreakHyphen', 'footnoteReference', 'endnoteReference', 'pgNum'];

class ShadedText extends BodyWalk {
  readonly #styles: ShadedStyles;
  readonly #tables: Table[] = [];
  /** The properties that are read, in each other. */
  readonly #inside: string[] = [];
  #run: Run | undefined;
  /** The mark of the paragraph whose properties are read, which has the colour of its number. */
  #mark: Run | undefined;
  #style = '';
  /** As that of a run. */
  #isMiddling: boolean | undefined;

  constructor(xml: Bytes, styles: ShadedStyles) {
    const elements = [
      'tbl',
      'tblStyle',
      'tc',
      'p',
      'pStyle',
      'numPr',
      'r',
      'rStyle',
      'shd',
      'highlight',
      'color',
      ...shown,
    ];
    super(xml, { elements: [...elements, ...properties], passesOver: drawings, texts: [] });
    this.#styles = styles;
  }

  override open(element: Element): void {
    const { local = '', isEmpty } = element;
    const [table, run] = [this.#tables.at(-1), this.#run ?? this.#mark];
    if (local === 'tbl') this.#tables.push({ hasColour: table?.hasColour ?? false, isMiddling: false });
    else if (local === 'tblStyle' && table) table.hasColour ||= this.#styles.colours(element.text());
    else if (local === 'tc' && table) table.isMiddling = false;
    else if (local === 'p') [this.#style, this.#isMiddling] = ['', undefined];
    else if (local === 'pStyle') this.#style = element.value() ?? '';
    else if (local === 'pPr') this.#mark = newRun(element);
    else if (local === 'numPr' && this.#mark) this.#mark.hasText = true;
    else if (local === 'r') this.#run = newRun(element);
    else if (local === 'rStyle' && run) run.style = element;
    else if (local === 'color' && run) run.colour = element;
    else if (local === 'highlight' && run) run.isMiddling = false;
    else if (shown.includes(local) && run) run.hasText = true;
    else if (local === 'shd') this.#shade(element);
    else if (local === 'rPr' && run) run.properties = element;
    if (!isEmpty && properties.includes(local)) this.#inside.push(local);
  }

  override close(local = '', start: number): void {
    if (local === 'tbl') this.#tables.pop();
    else if (local === 'r') {
      this.#finish(this.#run);
      this.#run = undefined;
    } else if (local === 'pPr') {
      this.#finish(this.#mark, start);
      this.#mark = undefined;
    }
    if (properties.includes(local)) this.#inside.pop();
  }

  #shade(element: Element): void {
    const fill = element.value('fill') ?? '';
    if (element.value() === 'nil' || !/^[\dA-Fa-f]{6}$/.test(fill)) return;
    const isMeant = element.value() === 'clear' && isMiddling(fill);
    const [table, inside] = [this.#tables.at(-1), this.#inside.at(-1)];
    if (inside === 'tcPr' && table) table.isMiddling = isMeant;
    else if (inside === 'pPr') this.#isMiddling = isMeant;
    else if (inside === 'rPr') {
      const run = this.#run ?? this.#mark;
      if (run) run.isMiddling ??= isMeant;
    }
  }

  /** @param at where its properties are to be if it has none; by default behind its start. */
  #finish(run: Run | undefined, at = run?.start.end ?? 0): void {
    const { w } = this;
    if (!run?.hasText || !this.#isOnShade(run) || this.#isColoured(run)) return;
    const { colour, properties: own } = run;
    const black = `<${w}color ${w}val="000000"/>`;
    if (colour) {
      const values = (name: string, value: string) => (name === `${w}val` ? '000000' : value);
      this.edits.push(editAttributes(colour, withValues(colour.attributes, values)));
    } else if (own?.isEmpty === false) {
      const { end } = run.style?.isEmpty ? run.style : own;
      this.edits.push({ start: end, end, text: black });
    } else {
      const place = own ?? { start: at, end: at };
      this.edits.push({ start: place.start, end: place.end, text: `<${w}rPr>${black}</${w}rPr>` });
    }
  }

  #isOnShade({ isMiddling, style }: Run): boolean {
    if (isMiddling !== undefined) return isMiddling;
    if (style && this.#styles.shades(style.text())) return false;
    if (this.#isMiddling !== undefined) return this.#isMiddling;
    return !this.#styles.shades(this.#paragraphStyle) && (this.#tables.at(-1)?.isMiddling ?? false);
  }

  #isColoured({ colour, style }: Run): boolean {
    if (colour) return colour.value() !== 'auto' || colour.value('themeColor') !== undefined;
    const { colours } = this.#styles;
    if (style && colours(style.text())) return true;
    return (this.#tables.at(-1)?.hasColour ?? false) || colours(this.#paragraphStyle);
  }

  get #paragraphStyle(): string {
    return this.#styles.paragraphStyle(this.#style);
  }
}

function newRun(start: Element): Run {
  return {
    start,
    properties: undefined,
    style: undefined,
    colour: undefined,
    isMiddling: undefined,
    hasText: false,
  };
}
