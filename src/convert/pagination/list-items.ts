/** Where the lines of list items begin (ISO/IEC 29500-1, 17.9.22): the rest of a split item has the same edge, and no number. */
import { readPoints } from '../document/lengths.ts';
import { attributeOf } from '../document/markup.ts';
import { Numbering } from '../document/numbering.ts';
import type { ParagraphProperties } from '../document/paragraph-properties.ts';
import { type ListLevel, NO_LIST, type Styles } from '../document/styles.ts';
import { firstTag } from '../document/tags.ts';
import { noTheme } from '../document/theme.ts';
import { fromBytes } from '../text/bytes.ts';

/** An edge in characters, which counts unless it is 0. */
const OWN_CHARACTERS = /^-?0*[1-9]/;

/** What is known of a list item. */
interface ListItem {
  /** The left edge of its lines, as written; undefined if the paragraph sets it itself, or nothing does. */
  readonly left: string | undefined;
}

export class ListItems {
  readonly #styles: Styles;
  readonly #numbering: Numbering;

  /** @param numbering the part; empty where there is none. */
  constructor(numbering: string, styles: Styles) {
    this.#styles = styles;
    this.#numbering = new Numbering(numbering, noTheme);
  }

  /** @returns undefined where a paragraph is none. */
  find(paragraph: ParagraphProperties, prefix: string): ListItem | undefined {
    const value = (element: string) => {
      const tag = firstTag(paragraph.get('numPr') ?? '', prefix + element);
      return tag === undefined ? undefined : attributeOf(tag, `${prefix}val`);
    };
    const style = this.#styles.paragraphStyle(fromBytes(paragraph.value('pStyle') ?? ''));
    const ofStyle = this.#styles.list(style);
    const own = value('numId');
    const list = own ?? ofStyle?.list;
    if (list === undefined || list === NO_LIST) return undefined;
    const level = value('ilvl') ?? (own === undefined ? ofStyle?.level : undefined) ?? '0';
    const edge = (name: string) =>
      paragraph.value('ind', `left${name}`) ?? paragraph.value('ind', `start${name}`);
    if (OWN_CHARACTERS.test(edge('Chars') ?? '') || edge('') !== undefined) {
      return { left: undefined };
    }
    // A paragraph's own list takes precedence over its style; a list of the style does not.
    const left = own === undefined ? this.#styles.left(style) : undefined;
    const found = left ?? this.#leftOf({ list, level });
    return { left: readPoints(found) === undefined ? undefined : found };
  }

  #leftOf({ list, level }: ListLevel): string | undefined {
    const style = this.#numbering.styleOf(list);
    const linked = style === undefined ? undefined : this.#styles.list(style)?.list;
    return this.#numbering.left({ list: linked ?? list, level });
  }
}
