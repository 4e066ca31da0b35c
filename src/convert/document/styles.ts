/** Styles: fonts, lists, directions, left edges, borders, leaders and page breaks (ISO/IEC 29500-1, 17.7). */
import { attributesIn } from './attributes.ts';
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from './markup.ts';
import { type RunFonts, readRunFonts, type Slot } from './run-fonts.ts';
import { unsizedStyle } from './sized-styles.ts';
import { localName } from './tags.ts';
import type { Theme } from './theme.ts';

/** Word's limit for inheritance of styles. */
const MAX_CHAIN = 11;

/** Word's limit for the tab stops of a paragraph. */
const MAX_STOPS = 64;

/** List number that means "no list". */
export const NO_LIST = '0';

/** A list and a level in it. */
export interface ListLevel {
  readonly list: string;
  readonly level: string;
}

interface Style {
  basedOn: string | undefined;
  fonts: RunFonts;
  isHidden: boolean | undefined;
  isRightToLeft: boolean | undefined;
  /** Its text has the mark of right-to-left script. */
  hasRightToLeftText: boolean | undefined;
  list: string | undefined;
  level: string | undefined;
  /** The attributes of the indentation of its paragraphs, by their local names. */
  indentation: ReadonlyMap<string, string> | undefined;
  /** Whether its paragraphs begin pages. */
  breaksPage: boolean | undefined;
  /** It has a border or a shading. */
  isDrawn: true | undefined;
  /** A tab stop of it has a leader. */
  hasLeader: true | undefined;
  /** Positions of its tab stops, as written. */
  readonly stops: string[];
  /** From 0; 9 is text that is no heading. */
  outlineLevel: number | undefined;
}

const elements = [
  ...[
    'docDefaults',
    'rFonts',
    'style',
    'basedOn',
    'vanish',
    'bidi',
    'rtl',
    'numId',
    'ilvl',
    'ind',
    'pageBreakBefore',
    'pBdr',
    'shd',
    'tab',
    'outlineLvl',
    'lang',
    'tblStylePr',
    'rPrChange',
    'pPrChange',
  ],
];

export class Styles {
  readonly #styles = new Map<string, Style>();
  #defaults: RunFonts = {};
  #defaultParagraph = '';
  /** Whether the defaults or a style say what language text is in. */
  hasLanguage = false;

  /** @param xml the part; empty if there is none. */
  constructor(xml: string, theme: Theme) {
    const prefix = wordPrefixOf(xml);
    const names = qualified(prefix, elements);
    const value = (attributes: string) => attributeOf(attributes, `${prefix}val`);
    let style: Style | undefined;
    let skipped: string | undefined;
    visitMarkup(xml, {
      names,
      open: (name, attributes, isEmpty) => {
        if (skipped !== undefined) return;
        switch (names.get(name)) {
          case 'style':
            style = this.#add(attributes, prefix);
            break;
          case 'rFonts':
            if (style) style.fonts = readRunFonts(attributes, prefix, theme);
            else this.#defaults = readRunFonts(attributes, prefix, theme);
            break;
          case 'basedOn':
            if (style) style.basedOn = value(attributes);
            break;
          case 'vanish':
            if (style) style.isHidden = isOn(attributes, `${prefix}val`);
            break;
          case 'bidi':
            if (style) style.isRightToLeft = isOn(attributes, `${prefix}val`);
            break;
          case 'rtl':
            if (style) style.hasRightToLeftText = isOn(attributes, `${prefix}val`);
            break;
          case 'numId':
            if (style) style.list = value(attributes);
            break;
          case 'ilvl':
            if (style) style.level = value(attributes);
            break;
          case 'ind':
            if (style) style.indentation = readIndentation(attributes);
            break;
          case 'pageBreakBefore':
            if (style) style.breaksPage = isOn(attributes, `${prefix}val`);
            break;
          case 'pBdr':
          case 'shd':
            if (style) style.isDrawn = true;
            break;
          case 'tab':
            if (style && hasLeader(attributes, prefix)) style.hasLeader = true;
            if (style && style.stops.length < MAX_STOPS) style.stops.push(...stopOf(attributes, prefix));
            break;
          case 'outlineLvl':
            if (style) style.outlineLevel = Number(value(attributes));
            break;
          case 'lang':
            this.hasLanguage ||= value(attributes) !== undefined;
            break;
          case 'tblStylePr':
          case 'rPrChange':
          case 'pPrChange':
            if (!isEmpty) skipped = name;
        }
      },
      close(name) {
        if (name === skipped) skipped = undefined;
      },
    });
  }

  has(id: string): boolean {
    return this.#styles.has(id);
  }

  /** The font of the style for the slot, inherited if necessary. */
  font(id: string, slot: Slot): string | undefined {
    return this.#first(id, ({ fonts }) => fonts[slot]);
  }

  /** The default font. */
  defaultFont(slot: Slot): string | undefined {
    return this.#defaults[slot];
  }

  isHidden(id: string): boolean {
    return this.#first(id, ({ isHidden }) => isHidden) ?? false;
  }

  /** The outline level of the style's paragraphs, from 0; 9 for text that is no heading; undefined if none is set. */
  outlineLevel(id: string): number | undefined {
    return this.#first(id, ({ outlineLevel }) => outlineLevel);
  }

  /** Whether paragraphs of the style begin pages. */
  breaksPage(id: string): boolean {
    return this.#first(id, ({ breaksPage }) => breaksPage) ?? false;
  }

  /** Whether paragraphs of the style go from right to left. */
  isRightToLeft(id: string): boolean {
    return this.#first(id, ({ isRightToLeft }) => isRightToLeft) ?? false;
  }

  /** Whether text of the style is marked as of right-to-left script. */
  hasRightToLeftText(id: string): boolean {
    return this.#first(id, ({ hasRightToLeftText }) => hasRightToLeftText) ?? false;
  }

  /** The list of a paragraph style, if any. */
  list(id: string): ListLevel | undefined {
    const list = this.#first(id, (style) => style.list);
    return list === undefined ? undefined : { list, level: this.#first(id, ({ level }) => level) ?? '0' };
  }

  /** Whether an empty paragraph of the style may be visible, by a number, a border or a shading. */
  isSeen(id: string): boolean {
    return this.isInList(id) || (this.#first(id, ({ isDrawn }) => isDrawn) ?? false);
  }

  /** Whether the style, or one that it is based on, has a tab stop with a leader. */
  hasLeader(id: string): boolean {
    return this.#first(id, ({ hasLeader }) => hasLeader) ?? false;
  }

  /** Positions of the tab stops of the style and of those that it is based on, as written. */
  stops(id: string): string[] {
    const stops = new Set<string>();
    this.#first(id, (style) => {
      for (const stop of style.stops) stops.add(stop);
      return undefined;
    });
    return [...stops].slice(0, MAX_STOPS);
  }

  /** Whether paragraphs of the style are items of a list. */
  isInList(id: string): boolean {
    return (this.list(id)?.list ?? NO_LIST) !== NO_LIST;
  }

  /** The left edge of the style, as {@link indentation}; undefined if there is none. */
  left(id: string): string | undefined {
    const found = this.indentation(id);
    return found.get('left') ?? found.get('start');
  }

  /**
   * The attributes of the indentation of the style, by their local names, inherited if necessary. Not those from above the style
   * that names the list, whose levels have an indentation of their own.
   */
  indentation(id: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    this.#first(id, ({ indentation, list }) => {
      for (const [name, value] of indentation ?? []) if (!found.has(name)) found.set(name, value);
      return list;
    });
    return found;
  }

  /** Resolves a paragraph's style: the named one, or the default. */
  paragraphStyle(id: string): string {
    return id === '' ? this.#defaultParagraph : unsizedStyle(id);
  }

  #add(attributes: string, prefix: string): Style {
    const id = attributeOf(attributes, `${prefix}styleId`) ?? '';
    const isDefault = isOn(attributes, `${prefix}default`) && attributes.includes(`${prefix}default`);
    if (isDefault && attributeOf(attributes, `${prefix}type`) === 'paragraph') this.#defaultParagraph = id;
    const style = {
      basedOn: undefined,
      fonts: {},
      isHidden: undefined,
      isRightToLeft: undefined,
      hasRightToLeftText: undefined,
      list: undefined,
      level: undefined,
      indentation: undefined,
      breaksPage: undefined,
      isDrawn: undefined,
      hasLeader: undefined,
      stops: [],
      outlineLevel: undefined,
    };
    this.#styles.set(id, style);
    return style;
  }

  #first<T>(id: string, read: (style: Style) => T | undefined): T | undefined {
    let style = this.#styles.get(id);
    for (let length = 0; style && length < MAX_CHAIN; length += 1) {
      const found = read(style);
      if (found !== undefined) return found;
      style = style.basedOn === undefined ? undefined : this.#styles.get(style.basedOn);
    }
    return undefined;
  }
}

/** The left edge in the attributes of an indentation, as written. */
export function readLeft(attributes: string, prefix: string): string | undefined {
  return attributeOf(attributes, `${prefix}left`) ?? attributeOf(attributes, `${prefix}start`);
}

function readIndentation(attributes: string): ReadonlyMap<string, string> {
  return new Map(
    attributesIn(attributes)
      .filter(({ value }) => /^-?[\d.]{1,9}[a-z]{0,2}$/.test(value))
      .map(({ name, value }) => [localName(name), value]),
  );
}

function stopOf(attributes: string, prefix: string): string[] {
  const position = attributeOf(attributes, `${prefix}pos`);
  return position !== undefined && /^-?\d{1,6}$/.test(position) ? [position] : [];
}

/** Whether a tab stop has something that leads to it, such as dots, by its attributes. */
export function hasLeader(attributes: string, prefix: string): boolean {
  return /^(dot|middleDot|hyphen|underscore)$/.test(attributeOf(attributes, `${prefix}leader`) ?? '');
}
